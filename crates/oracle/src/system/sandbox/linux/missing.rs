//! Tells users in words what this system lacks for a mode of the sandbox.

use super::namespace::Namespaces;
use super::{landlock, seccomp};
use crate::system::sandbox::SandboxMode;
use std::fs;
use std::io;
use std::sync::OnceLock;

/// Returns what this system lacks for a mode of the sandbox, empty where nothing is missing. `Strict` tells as well
/// what `Default` goes without.
#[must_use]
pub fn missing(mode: SandboxMode) -> Vec<String> {
    match mode {
        SandboxMode::Off => vec![],
        SandboxMode::Default => needed(),
        SandboxMode::Strict => needed().into_iter().chain(namespaces()).collect(),
    }
}

/// Returns an error if this system lacks something for a mode of the sandbox.
///
/// # Errors
/// [`io::ErrorKind::Unsupported`] with what is missing.
pub(super) fn refuse(mode: SandboxMode) -> io::Result<()> {
    let missing = missing(mode);
    if missing.is_empty() {
        return Ok(());
    }
    let words = missing.join("; ");
    Err(io::Error::new(io::ErrorKind::Unsupported, words))
}

fn needed() -> Vec<String> {
    static NEEDED: OnceLock<Vec<String>> = OnceLock::new();
    let find = || {
        files(landlock::abi())
            .into_iter()
            .chain(system_calls())
            .collect()
    };
    NEEDED.get_or_init(find).clone()
}

fn files(abi: i32) -> Option<String> {
    if abi > 0 {
        return None;
    }
    let text = match -abi {
        libc::EOPNOTSUPP => {
            "Landlock is not enabled: `landlock` is not in the kernel's `lsm=` list"
        }
        libc::EPERM => "Landlock may not be used here, probably as in a container",
        _ => "the kernel has no Landlock (CONFIG_SECURITY_LANDLOCK, since Linux 5.13)",
    };
    Some(text.to_owned())
}

fn system_calls() -> Option<String> {
    if !seccomp::knows_this_machine() {
        return Some("the filter of system calls is not written for this processor".to_owned());
    }
    let text = "the kernel has no filter of system calls (CONFIG_SECCOMP_FILTER)";
    (!seccomp::is_there()).then(|| text.to_owned())
}

/// Returns the reason why there are no namespaces, if there are none.
fn namespaces() -> Option<String> {
    static WHY: OnceLock<Option<String>> = OnceLock::new();
    let why = || {
        let error = Namespaces::try_all().err()?;
        Some(match Namespaces::new(&[], true) {
            Ok(_) => format!("`/proc` cannot be mounted, probably as in a container ({error})"),
            Err(error) => explained(&error),
        })
    };
    WHY.get_or_init(why).clone()
}

fn explained(error: &io::Error) -> String {
    let is = |path: &str, value: &str| {
        let known = fs::read_to_string(path).unwrap_or_default();
        known.trim() == value
    };
    let sysctl = [
        ("kernel.unprivileged_userns_clone", "0"),
        ("kernel.apparmor_restrict_unprivileged_userns", "1"),
        ("user.max_user_namespaces", "0"),
        ("user.max_net_namespaces", "0"),
    ];
    let set = sysctl
        .iter()
        .find(|(name, value)| is(&format!("/proc/sys/{}", name.replace('.', "/")), value));
    match set {
        Some((name, value)) => {
            format!("user namespaces are not allowed (the setting `{name}` is {value})")
        }
        None => format!("user, network and mount namespaces cannot be set up ({error})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(abi: i32, expected: Option<&str>) {
        let text = files(abi);
        match expected {
            None => assert_eq!(text, None),
            Some(part) => assert!(text.is_some_and(|text| text.contains(part)), "{part}"),
        }
    }

    #[test]
    fn a_kernel_without_landlock_is_told_from_one_where_it_is_off() {
        check(1, None);
        check(7, None);
        check(-libc::ENOSYS, Some("has no Landlock"));
        check(-libc::EOPNOTSUPP, Some("`lsm=`"));
        check(-libc::EPERM, Some("container"));
    }

    #[test]
    fn nothing_is_missing_for_no_sandbox_and_strict_needs_no_less_than_default() {
        assert!(missing(SandboxMode::Off).is_empty());
        let strict = missing(SandboxMode::Strict);
        assert!(
            missing(SandboxMode::Default)
                .iter()
                .all(|one| strict.contains(one))
        );
    }
}
