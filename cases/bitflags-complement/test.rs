//! Permissions of roles, as a small server keeps them: what is allowed, what is denied, as text.

use bitflags::bitflags;
use std::collections::BTreeMap;

bitflags! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Permissions: u16 {
        const READ = 1;
        const WRITE = 1 << 1;
        const DELETE = 1 << 2;
        const INVITE = 1 << 4;
        const BILLING = 1 << 5;

        const EDIT = Self::READ.bits() | Self::WRITE.bits();
        const OWN = Self::EDIT.bits() | Self::DELETE.bits() | Self::INVITE.bits();
    }
}

bitflags! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Channels: u8 {
        const MAIL = 1;
        const PHONE = 1 << 1;
        const POST = 1 << 7;
    }
}

macro_rules! roles {
    ($($name:literal => $permissions:expr, $channels:expr;)*) => {{
        let mut roles = BTreeMap::new();
        $(roles.insert($name, Role { permissions: $permissions, channels: $channels });)*
        roles
    }};
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Role {
    permissions: Permissions,
    channels: Channels,
}

fn roles() -> BTreeMap<&'static str, Role> {
    roles! {
        "guest" => Permissions::READ, Channels::empty();
        "editor" => Permissions::EDIT | Permissions::INVITE, Channels::MAIL;
        "owner" => Permissions::OWN | Permissions::BILLING, Channels::all();
    }
}

impl Role {
    fn denied(&self) -> Permissions {
        !self.permissions
    }

    fn can(&self, permissions: Permissions) -> bool {
        self.permissions.contains(permissions)
    }

    fn describe(&self) -> String {
        use text::Named;
        let names = |permissions: Permissions| {
            let single = permissions
                .iter()
                .filter(|flag| flag.bits().is_power_of_two());
            single
                .map(|flag| flag.named())
                .collect::<Vec<_>>()
                .join("+")
        };
        format!(
            "may {}, not {}",
            names(self.permissions),
            names(self.denied())
        )
    }
}

mod text {
    use bitflags::parser::{to_writer, WriteHex};
    use bitflags::Flags;

    pub(super) trait Named {
        fn named(&self) -> String;
    }

    impl<F> Named for F
    where
        F: Flags,
        F::Bits: WriteHex,
    {
        fn named(&self) -> String {
            let mut text = String::new();
            to_writer(self, &mut text).expect("a string takes all");
            text
        }
    }
}

#[test]
fn an_editor_reads_and_writes() {
    let editor = roles()["editor"];
    assert!(editor.can(Permissions::READ));
    assert!(editor.can(Permissions::EDIT));
    assert!(!editor.can(Permissions::OWN));
    assert!(editor.permissions.intersects(Permissions::OWN));
}

#[test]
fn channels_are_written_as_text() {
    use text::Named;
    let roles = roles();
    assert_eq!(roles["guest"].channels.named(), "");
    assert_eq!(roles["owner"].channels.named(), "MAIL | PHONE | POST");
    assert_eq!(Channels::from_name("POST"), Some(Channels::POST));
}

#[test]
fn an_owner_is_denied_nothing_that_there_is() {
    let mut owner = roles()["owner"];
    assert!(owner.permissions.is_all());
    owner.permissions.remove(Permissions::BILLING);
    assert!(!owner.permissions.is_all());
}

#[test]
fn what_is_denied_is_listed() {
    let mut roles = roles();
    for role in roles.values_mut() {
        role.permissions.set(Permissions::INVITE, false);
    }
    let editor = roles["editor"];
    assert!(editor.can(Permissions::EDIT));
    assert_eq!(editor.permissions.bits(), 0b11);
    assert_eq!(editor.denied().bits(), 0b11_0100);
    assert_eq!(
        editor.describe(),
        "may READ+WRITE, not DELETE+INVITE+BILLING"
    );
}
