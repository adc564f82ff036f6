//! Limits by Landlock which files a confined process can read, execute and write.
//! The kernel also keeps it from the memory, the environment and the descriptors of
//! processes that are not confined like it, and, from its sixth version of the interface on, from signals to them.

use crate::system::sandbox::Places;
use camino::{Utf8Path, Utf8PathBuf};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
    path_beneath_rules,
};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// The newest version of the Landlock interface that is used; older kernels enforce what they can.
const NEWEST: ABI = ABI::V9;
/// The version of Landlock that can refuse to truncate a file.
pub(super) const TRUNCATE: i32 = 3;
/// The version of Landlock that keeps signals and abstract sockets inside the sandbox.
pub(super) const SCOPES: i32 = 6;

/// The directories of installed software: compilers, linkers, libraries, and what they find out of the
/// hardware. Not the directories of users, of services and of temporary files.
const SYSTEM: [&str; 16] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/sys/devices",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// The parts of the system's configuration that may be read: those of libraries, names and certificates.
/// They are named one by one, since root could read the keys and passwords among the rest.
const CONFIGURATION: [&str; 36] = [
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/debian_version",
    "/etc/env.d",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/gitconfig",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/networks",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/certs",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/rustup",
    "/etc/services",
    "/etc/ssl/cert.pem",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
];

/// The devices that drop what is written to them.
const SINKS: [&str; 2] = ["/dev/null", "/dev/zero"];

/// Returns the version of the Landlock interface that the kernel has.
///
/// # Errors
/// Negative, as the system's error: `ENOSYS` where it is not built in, `EOPNOTSUPP` where it was
/// turned off.
#[expect(unsafe_code, reason = "a system call that only asks for a number")]
pub(super) fn abi() -> i32 {
    const VERSION: libc::c_uint = 1;
    let nothing = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag, the call takes no memory and returns a number.
    let abi =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, VERSION) };
    if abi < 0 {
        return -io::Error::last_os_error().raw_os_error().unwrap_or(1);
    }
    i32::try_from(abi).unwrap_or(i32::MAX)
}

/// Makes the Landlock rules of a version for the places of a process, as a descriptor; `None` where the kernel has
/// none of it. `proc` is the one that is mounted where they hold.
pub(super) fn ruleset(
    places: &Places,
    proc: &Utf8Path,
    has_network: bool,
    abi: i32,
) -> io::Result<Option<OwnedFd>> {
    rules(places, proc, has_network, ABI::from(abi).min(NEWEST))
        .map(Option::from)
        .map_err(io::Error::other)
}

fn rules(
    places: &Places,
    proc: &Utf8Path,
    has_network: bool,
    abi: ABI,
) -> Result<RulesetCreated, RulesetError> {
    let everything = AccessFs::from_all(abi);
    let read = AccessFs::from_read(abi);
    let devices = BitFlags::from(AccessFs::MakeChar) | AccessFs::MakeBlock;
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(everything)?;
    // Older versions have no such rights, and nothing cannot be asked for.
    let network = AccessNet::from_all(abi);
    if !has_network && !network.is_empty() {
        ruleset = ruleset.handle_access(network)?;
    }
    let scopes = Scope::from_all(abi);
    if !scopes.is_empty() {
        ruleset = ruleset.scope(scopes)?;
    }
    ruleset
        .create()?
        .add_rules(path_beneath_rules(system(&places.closed), read))?
        .add_rules(path_beneath_rules([proc], read))?
        .add_rules(path_beneath_rules(CONFIGURATION, read))?
        .add_rules(path_beneath_rules(&places.reads, read))?
        .add_rules(path_beneath_rules(&places.writes, everything & !devices))?
        .add_rules(
            SINKS
                .iter()
                .filter_map(|sink| rule_of_sink(sink.as_ref(), everything)),
        )
}

/// Returns the system's directories of installed software; one with something closed in it is replaced by what else
/// is in it.
fn system(closed: &[Utf8PathBuf]) -> Vec<Utf8PathBuf> {
    let directories = SYSTEM.iter().map(Utf8Path::new);
    directories.flat_map(|path| around(path, closed)).collect()
}

fn around(path: &Utf8Path, closed: &[Utf8PathBuf]) -> Vec<Utf8PathBuf> {
    let is_below = |hole: &Utf8PathBuf| hole != path && hole.starts_with(path);
    if !closed.iter().any(is_below) {
        return vec![path.to_owned()];
    }
    let entries = path.read_dir_utf8().into_iter().flatten().flatten();
    let paths = entries.map(camino::Utf8DirEntry::into_path);
    let open = paths.filter(|path| !closed.contains(path));
    open.flat_map(|path| around(&path, closed)).collect()
}

fn rule_of_sink(
    sink: &Utf8Path,
    known: BitFlags<AccessFs>,
) -> Option<Result<PathBeneath<PathFd>, RulesetError>> {
    let access = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let file = PathFd::new(sink).ok()?;
    Some(Ok(PathBeneath::new(file, access & known)))
}

/// Puts the rules on the calling thread for ever. Privileges must have been given up. One system call.
#[expect(
    unsafe_code,
    reason = "the safe interface takes the rules and allocates"
)]
pub(super) fn restrict(rules: &OwnedFd) -> io::Result<()> {
    // SAFETY: a descriptor of ours, and no flags; no memory is handed over.
    let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
    if done == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

#[cfg(test)]
mod tests {
    use super::around;
    use camino::Utf8PathBuf;

    #[test]
    fn a_directory_with_something_closed_in_it_is_opened_in_parts() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        for inner in ["bin", "local/cargo/bin", "local/lib", "local/home/me"] {
            std::fs::create_dir_all(dir.join(inner)).unwrap();
        }
        std::fs::write(dir.join("local/cargo/credentials.toml"), "token").unwrap();
        let closed = ["local/home", "local/cargo/credentials.toml"].map(|inner| dir.join(inner));
        let mut open = around(&dir, &closed);
        open.sort();
        let expected = ["bin", "local/cargo/bin", "local/lib"].map(|inner| dir.join(inner));
        assert_eq!(open, expected);
        assert_eq!(around(&dir, &["/elsewhere".into()]), [dir]);
    }
}
