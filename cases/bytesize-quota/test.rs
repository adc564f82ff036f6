//! Quotas of the users of a file server, as its administrator writes them.

use bytesize::ByteSize;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
enum QuotaError {
    Syntax { line: usize, reason: String },
    NoSuchUser(String),
    Exceeded { user: String, missing: ByteSize },
}

impl fmt::Display for QuotaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuotaError::Syntax { line, reason } => write!(f, "line {line}: {reason}"),
            QuotaError::NoSuchUser(user) => write!(f, "no user `{user}`"),
            QuotaError::Exceeded { user, missing } => {
                write!(f, "`{user}` would need {} more", missing.display().si())
            }
        }
    }
}

impl std::error::Error for QuotaError {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Account {
    quota: ByteSize,
    used: ByteSize,
}

#[derive(Debug, Default)]
struct Server {
    accounts: BTreeMap<String, Account>,
    log: Vec<String>,
}

fn size(text: &str, line: usize) -> Result<ByteSize, QuotaError> {
    text.trim().parse().map_err(|reason| QuotaError::Syntax { line, reason })
}

impl Server {
    /// Lines such as `ada = 20 GB, used 700 MB`; what follows `#` is a comment.
    fn configured(text: &str) -> Result<Self, QuotaError> {
        let mut server = Server::default();
        let mut default_quota = ByteSize::gb(1);
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (name, value) = line.split_once('=').ok_or_else(|| QuotaError::Syntax {
                line: number,
                reason: "`=` is missing".to_owned(),
            })?;
            let name = name.trim();
            if name == "*" {
                default_quota = size(value, number)?;
                continue;
            }
            let (quota, used) = match value.split_once(", used ") {
                Some((quota, used)) => (quota, size(used, number)?),
                None => (value, ByteSize::b(0)),
            };
            let quota = match quota.trim() {
                "default" => default_quota,
                quota => size(quota, number)?,
            };
            server.accounts.insert(name.to_owned(), Account { quota, used });
        }
        Ok(server)
    }

    fn account(&mut self, user: &str) -> Result<&mut Account, QuotaError> {
        self.accounts
            .get_mut(user)
            .ok_or_else(|| QuotaError::NoSuchUser(user.to_owned()))
    }

    fn store(&mut self, user: &str, file: ByteSize) -> Result<ByteSize, QuotaError> {
        let account = self.account(user)?;
        let after = account.used + file;
        if after > account.quota {
            let missing = ByteSize::b(after.as_u64() - account.quota.as_u64());
            return Err(QuotaError::Exceeded {
                user: user.to_owned(),
                missing,
            });
        }
        account.used = after;
        self.log.push(format!("{user} +{}", file.display().iec_short()));
        Ok(after)
    }

    fn delete(&mut self, user: &str, file: ByteSize) -> Result<(), QuotaError> {
        let account = self.account(user)?;
        account.used = ByteSize::b(account.used.as_u64().saturating_sub(file.as_u64()));
        self.log.push(format!("{user} -{}", file.display().iec_short()));
        Ok(())
    }
}

const TEAM: &str = "\
# The team of the third floor.
*     = 250 GB
ada   = default, used 12.5 GB
grace = 64 GiB, used 1 KiB   # until June
backup = 1.5 TiB, used 900 MB
guest = 1500k
";

#[test]
fn what_is_configured_is_read() -> Result<(), QuotaError> {
    let mut server = Server::configured(TEAM)?;
    assert_eq!(server.account("ada")?.quota, ByteSize::gb(250));
    assert_eq!(server.account("ada")?.used.as_u64(), 12_500_000_000);
    assert_eq!(server.account("grace")?.quota, ByteSize::gib(64));
    assert_eq!(server.account("guest")?.quota, ByteSize::kb(1500));
    Ok(())
}

#[test]
fn mistakes_are_reported_with_their_line() {
    for (text, expected) in [
        ("a = 1 GB\nb 2 GB", "line 2: `=` is missing"),
        ("\n\na = much", "line 3: "),
        ("a = 1 GB, used 7 parsecs", "line 1: "),
    ] {
        let error = Server::configured(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_user_cannot_store_more_than_the_quota() -> Result<(), QuotaError> {
    let mut server = Server::configured(TEAM)?;
    server.store("guest", ByteSize::kb(1000))?;
    let error = server.store("guest", ByteSize::kb(700)).unwrap_err();
    assert_eq!(error.to_string(), "`guest` would need 200.0 kB more");
    server.delete("guest", ByteSize::kb(200))?;
    server.store("guest", ByteSize::kb(700))?;
    assert_eq!(server.log.len(), 3);
    assert!(server.store("eve", ByteSize::b(1)).is_err());
    Ok(())
}

#[test]
fn a_backup_of_the_whole_team_fits() -> Result<(), QuotaError> {
    let mut server = Server::configured(TEAM)?;
    let used = server.store("ada", ByteSize::gib(40))?;
    assert!(used < ByteSize::gb(60));
    server.store("grace", ByteSize::gb(60))?;
    assert_eq!(server.log, ["ada +40.0G", "grace +55.9G"]);

    for round in 0..3 {
        server.store("backup", ByteSize::gb(400) + ByteSize::mb(round))?;
    }
    server.delete("backup", ByteSize::gb(400))?;
    let images = ByteSize::gb(760);
    let after = server.store("backup", images)?;
    assert_eq!(after.as_u64() / 1_000_000_000, 1560);
    Ok(())
}
