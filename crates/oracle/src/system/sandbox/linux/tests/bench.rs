//! A pretend home, an input, a scratch directory, servers that must not be reached, and a program that
//! tries to.

use super::super::*;
use super::End;
use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::Compiler;
use crate::error::OracleError;
use crate::system::files;
use crate::system::process::{
    Bounds, Ending, Invocation, Outcome, Preload, Server, Stops, run, threads,
};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::Cancel;
use std::collections::BTreeMap;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The version with which Landlock began.
const FIRST: i32 = 1;

/// The confinement in which a program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Program,
    Strict,
    Compiler,
    /// The system allows no namespaces.
    Bare,
    /// The system allows no namespaces, and knows no more than what Landlock began with.
    OldKernel,
}

pub(super) struct Bench {
    _alone: MutexGuard<'static, ()>,
    _temporary: tempfile::TempDir,
    dir: Utf8PathBuf,
    setting: Setting,
    confinement: Confinement,
    pub(super) bounds: Bounds,
    tcp: TcpListener,
    udp: UdpSocket,
    stream: UnixListener,
    datagram: UnixDatagram,
    hidden: UnixListener,
    /// The file that a shell leaves open for what it starts: `8<home/secret`.
    _leaked: std::fs::File,
}

impl Bench {
    /// Makes a bench; `None` where the system lacks what the setting is about, which is printed.
    pub(super) fn new(setting: Setting) -> Option<Self> {
        let alone = alone();
        let temporary = tempfile::tempdir().unwrap();
        let dir = Utf8PathBuf::from_path_buf(temporary.path().canonicalize().unwrap()).unwrap();
        lay_out(&dir);
        let confinement = confinement(setting, &dir)?;
        let named = |name: &str| dir.join(name);
        let hidden = SocketAddr::from_abstract_name(dir.as_str()).unwrap();
        let bench = Self {
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            stream: UnixListener::bind(named("home/stream")).unwrap(),
            datagram: UnixDatagram::bind(named("home/datagram")).unwrap(),
            hidden: UnixListener::bind_addr(&hidden).unwrap(),
            _leaked: leaked(&named("home/secret")),
            _alone: alone,
            _temporary: temporary,
            setting,
            confinement,
            bounds: bounds(),
            dir,
        };
        bench.fall_silent();
        Some(bench)
    }

    pub(super) fn allow(&mut self, allowance: Allowance) {
        self.confinement.allowance = allowance;
    }

    /// Checks an attack; outside, everything is as before, and nothing of the program is left.
    pub(super) fn check(&self, attack: &str, target: &str, expected: End) {
        let scratch = self.dir.join("scratch");
        files::make_dir(&scratch).unwrap();
        let before = state(&self.dir);
        let outcome = self.run(attack, &self.resolved(target));
        let told = format!("{:?}: {attack} {target}: {outcome:?}", self.setting);
        let ending = match outcome.ending {
            Ending::Exited(0) => End::Done,
            Ending::Exited(7) => End::Refused,
            other => End::By(other),
        };
        assert_eq!(ending, expected, "{told}");
        assert_eq!(state(&self.dir), before, "{told}");
        self.assert_nothing_is_left(&told);
        self.assert_nobody_was_reached(&told);
        empty(&scratch);
    }

    /// Returns the largest number of threads that the system was seen to have meanwhile, above that at the start.
    pub(super) fn most_threads(&self, check: impl FnOnce(&Self)) -> u64 {
        let before = threads().unwrap();
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let counted = scope.spawn(|| {
                let mut most = 0;
                while !is_done.load(Ordering::SeqCst) {
                    most = most.max(threads().unwrap());
                    std::thread::sleep(Duration::from_millis(5));
                }
                most
            });
            let checked = catch_unwind(AssertUnwindSafe(|| check(self)));
            is_done.store(true, Ordering::SeqCst);
            checked.unwrap();
            counted.join().unwrap().saturating_sub(before)
        })
    }

    fn run(&self, attack: &str, target: &str) -> Outcome {
        let args = [attack, target, &self.other(attack)];
        self.start("hostile", args, Some(&self.confinement))
            .unwrap()
    }

    fn start(
        &self,
        program: &str,
        args: [&str; 3],
        confinement: Option<&Confinement>,
    ) -> Result<Outcome, OracleError> {
        let mut env = BTreeMap::new();
        if matches!(self.setting, Setting::Bare | Setting::OldKernel) {
            env.insert("BARE".to_owned(), "1".to_owned());
        }
        let invocation = Invocation {
            program: &self.dir.join("program").join(program),
            args: &args.map(str::to_owned),
            env: &env,
            dir: &self.dir.join("scratch"),
            bounds: self.bounds.clone(),
            confinement,
        };
        run(&invocation, &Cancel::new().unwrap())
    }

    /// Returns the ending of a program that is told to end so.
    pub(super) fn ending(&self, attack: &str, number: i32) -> Ending {
        let args = [attack, "", &number.to_string()];
        let outcome = self.start("hostile", args, Some(&self.confinement));
        outcome.unwrap().ending
    }

    /// Returns the CPU time that an attack uses.
    pub(super) fn cpu(&self, attack: &str) -> Duration {
        self.run(attack, "").cpu
    }

    pub(super) fn run_unconfined(&self, attack: &str) -> Outcome {
        self.start("hostile", [attack, "", ""], None).unwrap()
    }

    /// Returns the reason why a program that is not there does not start.
    pub(super) fn start_nothing(&self) -> OracleError {
        let started = self.start("nothing", [""; 3], Some(&self.confinement));
        started.unwrap_err()
    }

    /// Returns the second argument of an attack, besides its aim.
    fn other(&self, attack: &str) -> String {
        match attack {
            "setuid program" => rustix::process::geteuid().as_raw().to_string(),
            "kill group of parent" => rustix::process::getpgrp().as_raw_nonzero().to_string(),
            "shared memory" => "1".to_owned(),
            _ => String::new(),
        }
    }

    fn resolved(&self, target: &str) -> String {
        let dir = &self.dir;
        match target {
            "TCP" => self.tcp.local_addr().unwrap().to_string(),
            "UDP" => self.udp.local_addr().unwrap().to_string(),
            "STREAM" => dir.join("home/stream").into_string(),
            "DATAGRAM" => dir.join("home/datagram").into_string(),
            "ABSTRACT" => dir.to_string(),
            "SETUID" => dir.join("program/setuid").into_string(),
            _ => target
                .replace("HOME", dir.join("home").as_str())
                .replace("INPUT", dir.join("input").as_str())
                .replace("SCRATCH", dir.join("scratch").as_str()),
        }
    }

    /// Checks that no server was reached: it would now have something to take.
    fn assert_nobody_was_reached(&self, told: &str) {
        assert!(self.tcp.accept().is_err(), "{told}");
        assert!(self.udp.recv(&mut [0]).is_err(), "{told}");
        assert!(self.stream.accept().is_err(), "{told}");
        assert!(self.datagram.recv(&mut [0]).is_err(), "{told}");
        assert!(self.hidden.accept().is_err(), "{told}");
    }

    fn fall_silent(&self) {
        self.tcp.set_nonblocking(true).unwrap();
        self.udp.set_nonblocking(true).unwrap();
        self.stream.set_nonblocking(true).unwrap();
        self.datagram.set_nonblocking(true).unwrap();
        self.hidden.set_nonblocking(true).unwrap();
    }

    /// Checks that no process is left: the kernel takes a moment to end one that was killed.
    pub(super) fn assert_nothing_is_left(&self, told: &str) {
        let until = Instant::now() + Duration::from_secs(20);
        let program = self.dir.join("program");
        while is_running(&program) && Instant::now() < until {
            std::thread::yield_now();
        }
        assert!(!is_running(&program), "{told}");
    }
}

/// Lets one test run after the other: what one takes from the system would end another's programs.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the confinement of a setting; `None` where the system lacks it.
fn confinement(setting: Setting, dir: &Utf8Path) -> Option<Confinement> {
    let places = existing(&Places {
        reads: vec![dir.join("program"), dir.join("input")],
        writes: vec![dir.join("scratch")],
        closed: vec![],
    });
    let bare = Kind {
        is_program: true,
        has_sockets: true,
    };
    let made = match setting {
        Setting::Program => Confinement::of_program(SandboxMode::Default, &places),
        Setting::Strict => Confinement::of_program(SandboxMode::Strict, &places),
        Setting::Compiler => Confinement::of_compiler(SandboxMode::Default, &places),
        Setting::Bare => Confinement::of_layers(bare, &places, landlock::abi(), None).map(Some),
        Setting::OldKernel => Confinement::of_layers(bare, &places, FIRST, None).map(Some),
    };
    let mode = match setting {
        Setting::Strict | Setting::Program => SandboxMode::Strict,
        _ => SandboxMode::Default,
    };
    says_nothing_is_missing(mode, &format!("{setting:?}")).then(|| made.unwrap().unwrap())
}

/// Whether a mode can be tried here. Says loudly if not.
fn says_nothing_is_missing(mode: SandboxMode, test: &str) -> bool {
    let missing = missing(mode);
    if !missing.is_empty() {
        use std::io::Write;
        let text = format!("NOT TESTED HERE ({test}): {}\n", missing.join("; "));
        // Past the capture of the test's output: it is to be seen.
        std::io::stderr().write_all(text.as_bytes()).unwrap();
    }
    missing.is_empty()
}

fn bounds() -> Bounds {
    Bounds {
        own_cpu: None,
        group: None,
        deadline: Some(Duration::from_secs(60)),
        cpu: None,
        processes: None,
        memory_bytes: None,
        file_bytes: Some(256 << 20),
        open_files: Some(256),
        output_bytes: 4096,
    }
}

fn lay_out(dir: &Utf8Path) {
    for name in ["home/secret", "input/readable"] {
        files::write(&dir.join(name), "precious").unwrap();
    }
    files::make_dir(&dir.join("scratch")).unwrap();
    files::make_dir(&dir.join("program")).unwrap();
    let (program, setuid) = (dir.join("program/hostile"), dir.join("program/setuid"));
    std::fs::write(&program, hostile()).unwrap();
    set_mode(&program, 0o755);
    // Tells who it is. Root is the only one who can make it somebody else's.
    let script = std::fs::copy("/usr/bin/id", &setuid);
    assert!(script.is_ok(), "there is a program that tells who runs it");
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&setuid, Some(65534), None).unwrap();
    }
    set_mode(&setuid, 0o4755);
}

fn set_mode(path: &Utf8Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Returns the hostile program, compiled once.
fn hostile() -> &'static [u8] {
    static PROGRAM: OnceLock<Vec<u8>> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let source = dir.join("hostile.rs");
        files::write(&source, include_str!("hostile.rs")).unwrap();
        let program = dir.join("hostile");
        let args = ["--edition=2024", "-Cdebuginfo=0", "-o"].map(str::to_owned);
        let args = [&args[..], &[program.to_string(), source.into_string()]].concat();
        let outcome = compile(&args, dir, None);
        assert_eq!(outcome.ending, Ending::Exited(0), "{}", outcome.stderr);
        std::fs::read(program).unwrap()
    })
}

fn compile(args: &[String], dir: &Utf8Path, confinement: Option<&Confinement>) -> Outcome {
    let invocation = Invocation {
        program: &compiler().path,
        args,
        env: &env(dir),
        dir,
        bounds: Bounds {
            output_bytes: 1 << 20,
            ..bounds()
        },
        confinement,
    };
    run(&invocation, &Cancel::new().unwrap()).unwrap()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the tests find the compiler as the command line does"
)]
fn env(dir: &Utf8Path) -> BTreeMap<String, String> {
    let path = std::env::var("PATH").unwrap();
    [("PATH", path), ("TMPDIR", dir.to_string())]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the tests find the compiler as the command line does"
)]
fn compiler() -> &'static Compiler {
    static COMPILER: OnceLock<Compiler> = OnceLock::new();
    COMPILER.get_or_init(|| {
        let names = [
            "PATH",
            "LD_LIBRARY_PATH",
            "HOME",
            "RUSTUP_HOME",
            "RUSTUP_TOOLCHAIN",
        ];
        let kept = |name: &str| Some((name.to_owned(), std::env::var(name).ok()?));
        let user = Surroundings {
            cwd: Utf8PathBuf::from(env!("CARGO_MANIFEST_DIR")),
            vars: names.into_iter().filter_map(kept).collect(),
            rustc: None,
        };
        Compiler::find(Utf8Path::new("rustc"), &user, &Cancel::new().unwrap()).unwrap()
    })
}

/// Returns the directory of the toolchain.
fn sysroot() -> Utf8PathBuf {
    let path = compiler().path.canonicalize_utf8().unwrap();
    path.ancestors().nth(2).unwrap().to_owned()
}

/// Returns all that is outside of the scratch: paths, modes, times, owners and contents.
fn state(dir: &Utf8Path) -> Vec<String> {
    let mut entries = vec![];
    for part in ["home", "input", "program"] {
        for entry in std::fs::read_dir(dir.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let data = path.symlink_metadata().unwrap();
            let kind = data.file_type();
            let length = kind.is_file().then(|| std::fs::read(&path).unwrap().len());
            let (mode, owner, links) = (data.mode(), data.uid(), data.nlink());
            let times = data.modified().unwrap();
            entries.push(format!(
                "{path:?} {mode:o} {owner} {links} {times:?} {length:?}"
            ));
        }
    }
    entries.sort();
    entries
}

/// Whether any process runs a program of this directory.
fn is_running(dir: &Utf8Path) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| std::fs::read_link(entry.path().join("exe")).ok())
        .any(|program| program.starts_with(dir))
}

/// Opens a file that programs inherit.
fn leaked(path: &Utf8Path) -> std::fs::File {
    let file = std::fs::File::open(path).unwrap();
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
    file
}

/// Returns the number of children of this process of the program's name that have ended and were not
/// reaped.
pub(super) fn dead_children() -> usize {
    let own = format!(") Z {} ", std::process::id());
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let stats =
        processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    let dead = stats.filter(|stat| stat.contains(&own) && stat.contains("(hostile"));
    dead.count()
}

/// Empties a directory, which itself stays: it is the one that was allowed.
fn empty(dir: &Utf8Path) {
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        match entry.file_type().unwrap().is_dir() {
            true => std::fs::remove_dir_all(path).unwrap(),
            false => std::fs::remove_file(path).unwrap(),
        }
    }
}

/// Checks a program that is compiled, linked and run in the sandbox.
pub(super) fn compiler_links(mode: SandboxMode) {
    let _alone = alone();
    let temporary = tempfile::tempdir().unwrap();
    let dir = Utf8Path::from_path(temporary.path()).unwrap();
    if !says_nothing_is_missing(mode, "the linker") {
        return;
    }
    files::write(&dir.join("in/main.rs"), "fn main() { println!(\"hello\") }").unwrap();
    files::make_dir(&dir.join("out")).unwrap();
    let places = Places {
        reads: vec![dir.join("in"), sysroot()],
        writes: vec![dir.join("out")],
        closed: vec![],
    };
    let confinement = Confinement::of_compiler(mode, &places).unwrap();
    let args = ["../in/main.rs", "-o", "main"].map(str::to_owned);
    let outcome = compile(&args, &dir.join("out"), confinement.as_ref());
    assert_eq!(outcome.ending, Ending::Exited(0), "{}", outcome.stderr);
    let confinement = Confinement::of_program(mode, &places).unwrap();
    let invocation = Invocation {
        program: &dir.join("out/main"),
        args: &[],
        env: &BTreeMap::new(),
        dir: &dir.join("out"),
        bounds: bounds(),
        confinement: confinement.as_ref(),
    };
    let outcome = run(&invocation, &Cancel::new().unwrap()).unwrap();
    assert_eq!(outcome.stdout, "hello\n", "{outcome:?}");
}

/// A macro that starts a process and tries to have it stay.
const MACRO: &str = r#"
    extern crate proc_macro;
    unsafe extern "C" {
        fn setsid() -> i32;
        fn setpgid(pid: i32, group: i32) -> i32;
        fn fork() -> i32;
        fn pause() -> i32;
        fn readlink(path: *const u8, text: *mut u8, length: usize) -> isize;
    }
    fn is_open(number: i32) -> bool {
        let path = format!("/proc/self/fd/{number}\0");
        let mut text = [0_u8; 4096];
        let length = unsafe { readlink(path.as_ptr(), text.as_mut_ptr(), text.len()) };
        String::from_utf8_lossy(&text[..length.max(0) as usize]).contains("secret")
    }
    /// Somebody who has not been called to compile this program.
    fn sees_others() -> bool {
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = all.filter_map(|entry| std::fs::read_to_string(entry.path().join("cmdline")).ok());
        let mut lines = lines.filter(|line| !line.is_empty());
        lines.any(|line| !line.contains("lib.rs"))
    }
    #[proc_macro]
    pub fn attack(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
        let went = unsafe {
            let child = fork();
            let went = setsid() >= 0 || setpgid(0, 0) >= 0;
            while child == 0 {
                pause();
            }
            went
        };
        let wrote = std::fs::write("HOME/new", "x").is_ok();
        let read = std::fs::read("HOME/secret").is_ok();
        let leaked = (3..1024).any(is_open);
        let sees = sees_others();
        let told = format!("went: {went}, wrote: {wrote}, read: {read}, leaked: {leaked}, sees: {sees}");
        format!("compile_error!({told:?});").parse().unwrap()
    }
"#;

/// Asks a warm compiler twice, as its server forks each time.
pub(super) fn warm_compiler_serves() {
    ask_warm(MACRO, None, |outcome| {
        let expected = "went: false, wrote: false, read: false, leaked: false, sees: false";
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    });
}

/// Checks that a child of a warm compiler must not use more memory than a compiler needs.
pub(super) fn warm_compiler_is_bounded() {
    ask_warm(HOARD, Some(600 << 20), |outcome| {
        assert_eq!(outcome.ending, Ending::Exceeded, "{}", outcome.stderr);
    });
}

fn ask_warm(macros: &str, memory_bytes: Option<u64>, check: impl Fn(&Outcome)) {
    let Some(mut bench) = Bench::new(Setting::Compiler) else {
        return;
    };
    let dir = bench.dir.clone();
    let Some(warm) = crate::worker::warm::WarmCompiler::install(&dir.join("input")).unwrap() else {
        return;
    };
    let text = macros.replace("HOME", dir.join("home").as_str());
    files::write(&dir.join("input/macros.rs"), &text).unwrap();
    let args = ["macros.rs", "--crate-type=proc-macro", "--edition=2024"].map(str::to_owned);
    let outcome = compile(&args, &dir.join("input"), None);
    assert_eq!(outcome.ending, Ending::Exited(0), "{}", outcome.stderr);
    let places = Places {
        reads: vec![dir.join("input"), sysroot()],
        writes: vec![dir.join("scratch")],
        closed: vec![],
    };
    bench.confinement = Confinement::of_compiler(SandboxMode::Default, &places)
        .unwrap()
        .unwrap();
    files::write(&dir.join("scratch/lib.rs"), "macros::attack!{}").unwrap();
    ask_twice(&bench, warm.library(), memory_bytes, check);
}

/// A macro that hoards files in memory.
const HOARD: &str = r#"
    extern crate proc_macro;
    unsafe extern "C" {
        fn memfd_create(name: *const u8, flags: u32) -> i32;
        fn write(file: i32, bytes: *const u8, length: usize) -> isize;
    }
    #[proc_macro]
    pub fn attack(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
        let bytes = vec![1_u8; 16 << 20];
        for _ in 0..64 {
            unsafe { write(memfd_create("hoard\0".as_ptr(), 0), bytes.as_ptr(), bytes.len()) };
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        std::thread::sleep(std::time::Duration::from_secs(30));
        proc_macro::TokenStream::new()
    }
"#;

fn ask_twice(
    bench: &Bench,
    library: &Utf8Path,
    memory_bytes: Option<u64>,
    check: impl Fn(&Outcome),
) {
    let dir = &bench.dir;
    let macros = format!("--extern=macros={dir}/input/libmacros.so");
    let args = ["lib.rs", "--edition=2024", "--crate-type=lib", &macros].map(str::to_owned);
    let (scratch, cancel) = (dir.join("scratch"), Cancel::new().unwrap());
    let invocation = Invocation {
        program: &compiler().path,
        args: &args,
        env: &env(&scratch),
        dir: &scratch,
        bounds: Bounds {
            output_bytes: 1 << 20,
            ..bounds()
        },
        confinement: Some(&bench.confinement),
    };
    let preload = Preload {
        library,
        program: &compiler().path.canonicalize_utf8().unwrap(),
        stops: Stops::AtRoot {
            root: "lib.rs",
            uses_huge_pages: false,
        },
    };
    let before = state(dir);
    let mut server = Server::start(&invocation, preload, &cancel)
        .unwrap()
        .unwrap();
    // A limit of the address space would be the server's as well.
    let bounds = Bounds {
        memory_bytes,
        ..invocation.bounds.clone()
    };
    let invocation = Invocation {
        bounds,
        ..invocation
    };
    for _ in 0..2 {
        let outcome = server
            .run(&invocation, &cancel, &mut |_| false)
            .unwrap()
            .unwrap();
        check(&outcome);
        assert_eq!(state(dir), before);
    }
    drop(server);
    bench.assert_nothing_is_left("the server");
}
