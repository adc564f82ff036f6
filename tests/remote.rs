//! Tests of reductions with a real server of the Remote Execution API. `cargo test` leaves this target out; `.ci/run --slow`
//! runs it where `tests/remote/casd.sh` can install the server.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test is the user: it reads its environment, starts programs, and says what they did"
)]

mod support;

use reduce_remote_protocol::PROGRAM as CLIENT;
use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use support::{PROGRAM, Reduction, Running, World, exit_code, signal, wait_until};

/// The variable that names the directory in which the server is installed.
const INSTALLED: &str = "REDUCE_TEST_CASD";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/remote/casd.sh");
const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
/// The part of a warning that says that a server is gone.
const GOES_ON: &str = "goes on without the server";

/// The numbers of results in the caches of both nodes with which candidates have been decided: of a crash, and of a test, which
/// is run under mutants.
const ENOUGH: [(Input, usize); 2] = [(CRASH, 12), (TEST, 50)];

/// The fixture that is reduced, and the flags.
type Input = (&'static str, &'static [&'static str]);

const CRASH: Input = ("ice-library", &["--ice"]);
const TEST: Input = ("failing-tests", &["--test", "transfers"]);

/// A server that is stopped when this value is dropped.
struct Node {
    process: Running,
    port: u16,
    cache: PathBuf,
}

impl Node {
    /// Starts a server with its files in a directory beside the user's, and waits until it can be reached.
    fn start(world: &World, name: &str, options: &[&str]) -> Self {
        let installed = std::env::var_os(INSTALLED);
        let installed = installed.unwrap_or_else(|| {
            panic!("`tests/remote/casd.sh install DIR` installs a server; set {INSTALLED} to DIR")
        });
        let free = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let port = free.local_addr().expect("it has an address").port();
        drop(free);
        let cache = world.beside(name);
        let mut command = Command::new(SCRIPT);
        command.arg("start").arg(&installed).arg(port.to_string());
        command.arg(&cache).args(options);
        let process = Running::start(command);
        wait_until("the server can be reached", || {
            std::net::TcpStream::connect(("127.0.0.1", port)).ok()
        });
        Self {
            process,
            port,
            cache,
        }
    }

    fn address(&self) -> String {
        format!("grpc://127.0.0.1:{}", self.port)
    }

    /// The number of results in the node's cache.
    fn results(&self) -> usize {
        files_below(&self.cache.join("actioncache"))
    }

    fn kill(&self) {
        signal(self.process.pid(), "KILL");
    }
}

fn files_below(dir: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return 0;
    };
    let of = |path: PathBuf| match path.is_dir() {
        true => files_below(&path),
        false => 1,
    };
    entries.flatten().map(|entry| of(entry.path())).sum()
}

/// Two nodes, of which the first is asked and gives to the second what it has no room for.
fn two_nodes(world: &World) -> (Node, Node) {
    let second = Node::start(world, "second-node", &["--jobs=2"]);
    let remote = format!("--remote=http://127.0.0.1:{}", second.port);
    let options = ["--jobs=1", "--exec-hybrid-queue-limit=1", remote.as_str()];
    (Node::start(world, "first-node", &options), second)
}

/// Has cargo compile the client to where the program looks first, which is beside it: a test target is given the programs of its own package alone.
fn compile_client() {
    static COMPILED: Once = Once::new();
    COMPILED.call_once(|| {
        let dir = Path::new(PROGRAM).parent().expect("it is in a directory");
        let profile = dir.file_name().and_then(|name| name.to_str());
        let profile = profile.expect("the directory has a name");
        let profile = if profile == "debug" { "dev" } else { profile };
        let cargo = std::env::var_os("CARGO").expect("cargo runs the tests");
        let mut command = Command::new(cargo);
        command.args([
            "build",
            "--locked",
            "--package",
            CLIENT,
            "--profile",
            profile,
        ]);
        command.args(["--manifest-path", MANIFEST, "--target-dir"]);
        command.arg(dir.parent().expect("it is in a target directory"));
        let status = command.status().expect("cargo can be started");
        assert!(status.success(), "the client does not compile");
    });
}

/// Makes the command of a reduction into `out`, in its own process.
fn program(world: &World, (_, flags): Input, out: &str, more: &[&str]) -> Command {
    compile_client();
    let mut command = world.program(flags);
    command.args(["--no-daemon", "--no-cache", "--jobs", "1", "--output"]);
    command.arg(world.beside(out)).args(more);
    command
}

/// The result without a server.
fn alone(input: Input) -> String {
    let world = World::with(input.0);
    let command = program(&world, input, "alone", &[]);
    Running::start(command).finish().expect_success();
    Reduction::read(&world.beside("alone")).code().to_owned()
}

/// Reduces with a server into `out`. Returns the result and what was said.
fn with_server(world: &World, input: Input, out: &str, more: &[&str]) -> (Reduction, String) {
    let more = [&["--remote-jobs", "4"], more].concat();
    let command = program(world, input, out, &more);
    let finished = Running::start(command).finish().expect_success();
    let reduction = Reduction::read(&world.beside(out));
    println!("{} {out}: {}", input.0, reduction.summary()["remote"]);
    (reduction, finished.stderr().to_owned())
}

#[track_caller]
fn figure(reduction: &Reduction, name: &str) -> u64 {
    let remote: &Value = &reduction.summary()["remote"];
    remote[name]
        .as_u64()
        .unwrap_or_else(|| panic!("no `{name}` in {remote}"))
}

/// Checks that two nodes give the result that is got without them, the first time and when they know some results. Returns the
/// second reduction.
#[track_caller]
fn check_two_nodes(input: Input) -> Reduction {
    let expected = alone(input);
    let world = World::with(input.0);
    let (node, other) = two_nodes(&world);
    let address = node.address();
    let (first, said) = with_server(&world, input, "first", &["--remote", &address]);
    assert_eq!(first.code(), expected);
    assert!(figure(&first, "answered") > 0, "{said}");
    assert!(!said.contains("warning"), "{said}");
    assert!(node.results() + other.results() > 0);
    let (second, _) = with_server(&world, input, "second", &["--remote", &address]);
    assert_eq!(second.code(), expected);
    second
}

#[test]
fn a_crash_is_reduced_by_two_nodes_as_it_is_without_them() {
    let again = check_two_nodes(CRASH);
    assert!(figure(&again, "hits") > 0);
}

#[test]
fn a_failing_test_is_reduced_by_two_nodes_as_it_is_without_them() {
    // The code under test is compiled anew for each job, in another directory, so that nothing is known of it.
    check_two_nodes(TEST);
}

/// A reduction during which `kill` is called once the server has some results.
#[track_caller]
fn check_killed(
    (input, enough): (Input, usize),
    kill: impl FnOnce(&Node, &Node),
) -> (Reduction, String) {
    let expected = alone(input);
    let world = World::with(input.0);
    let (node, other) = two_nodes(&world);
    let address = node.address();
    let more = ["--remote", address.as_str(), "--remote-jobs", "4"];
    let running = Running::start(program(&world, input, "killed", &more));
    wait_until("a candidate was decided by the server", || {
        (node.results() + other.results() >= enough).then_some(())
    });
    kill(&node, &other);
    let finished = running.finish().expect_success();
    let reduction = Reduction::read(&world.beside("killed"));
    println!("{} killed: {}", input.0, reduction.summary()["remote"]);
    assert_eq!(reduction.code(), expected);
    (reduction, finished.stderr().to_owned())
}

#[test]
fn a_node_that_is_killed_in_the_middle_changes_nothing() {
    for input in ENOUGH {
        check_killed(input, |_, other| other.kill());
    }
}

#[test]
fn a_server_that_is_killed_in_the_middle_is_done_without() {
    for input in ENOUGH {
        let (reduction, said) = check_killed(input, |node, other| {
            node.kill();
            other.kill();
        });
        assert!(figure(&reduction, "answered") > 0);
        assert!(said.matches(GOES_ON).count() <= 1, "{said}");
    }
}

#[test]
fn a_server_that_cannot_run_anything_decides_nothing() {
    let expected = alone(CRASH);
    let world = World::with(CRASH.0);
    // The server's runner does not start the sandbox, and says so with an exit code alone.
    let broken = "--runner-arg=--ro-bind-mount=/no/such/directory:/broken";
    let node = Node::start(&world, "broken", &["--jobs=2", broken]);
    let (reduction, said) = with_server(&world, CRASH, "out", &["--remote", &node.address()]);
    assert_eq!(reduction.code(), expected);
    assert_eq!(figure(&reduction, "answered"), 0);
    // The reason is that of the runner.
    assert!(
        said.contains("is not asked") && said.contains("/no/such"),
        "{said}"
    );
}

#[test]
fn a_toolchain_that_the_worker_has_is_not_uploaded() {
    let expected = alone(TEST);
    let world = World::with(TEST.0);
    let compiler = world.real_compiler();
    let toolchain = compiler.ancestors().nth(2).expect("it is in a toolchain");
    let toolchain = toolchain.to_str().expect("its path is UTF-8");
    let mounted = format!("--runner-arg=--ro-bind-mount={toolchain}:{toolchain}");
    let node = Node::start(&world, "node", &["--jobs=2", &mounted]);
    let address = node.address();
    let more = ["--remote", address.as_str(), "--remote-toolchain", "worker"];
    let (reduction, said) = with_server(&world, TEST, "out", &more);
    assert_eq!(reduction.code(), expected);
    assert!(figure(&reduction, "answered") > 0, "{said}");
    assert!(figure(&reduction, "uploaded_bytes") < 100 << 20);
}

#[test]
fn the_daemon_asks_the_server_of_a_configuration_file_and_keeps_its_verdicts() {
    let world = World::with(CRASH.0);
    let node = Node::start(&world, "node", &["--jobs=2"]);
    compile_client();
    let config = format!("remote = \"{}\"\nremote-jobs = 4\n", node.address());
    std::fs::write(world.state().join("config.toml"), config).expect("it can be written");
    let first = world.reduce_to("first", &[]);
    assert!(figure(&first, "misses") > 0);
    // The verdicts that the server gave are known without the server.
    let second = world.reduce_to("second", &["--remote-jobs", "1"]);
    assert_eq!(second.code(), first.code());
    assert_eq!(second.number("queries"), 0, "{:#}", second.summary());
}

#[test]
fn a_server_that_is_not_there_is_said_once() {
    let expected = alone(CRASH);
    let world = World::with(CRASH.0);
    let free = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = format!("grpc://{}", free.local_addr().expect("it has an address"));
    drop(free);
    let (reduction, said) = with_server(&world, CRASH, "out", &["--remote", &address]);
    assert_eq!(reduction.code(), expected);
    assert_eq!(said.matches("without the server").count(), 1, "{said}");
    assert_eq!(figure(&reduction, "answered"), 0);
}

#[test]
fn a_file_of_certificates_that_is_not_there_is_an_error_of_the_user() {
    let world = World::with(CRASH.0);
    let certificates = world.beside("none.pem");
    let more = ["--remote", "grpcs://localhost:1", "--remote-certificates"];
    let mut command = program(&world, CRASH, "out", &more);
    command.arg(&certificates);
    let finished = Running::start(command).finish();
    finished.expect_failure(exit_code::BAD_INPUT, &["--remote", "none.pem", "hint: "]);
}
