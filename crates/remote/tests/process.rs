//! The client as a process, which is spoken to in lines, against a server that runs nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(dead_code, reason = "the other tests use more of the server")]

#[path = "server/fake.rs"]
mod fake;

use fake::{FakeServer, Files, Run};
use reduce_remote_protocol::{
    Answer, End, ErrorKind, Hello, Reply, Request, Settings, line_of, read_line,
};
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cargo-reduce-remote");

/// A client that has greeted.
struct Client {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Client {
    #[expect(clippy::disallowed_methods, reason = "the program is what is tested")]
    fn start() -> Self {
        let mut child = Command::new(PROGRAM)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take(), child.stdout.take().unwrap());
        let mut from = BufReader::new(from);
        let hello: Option<Hello> = read_line(&mut from).unwrap();
        assert_eq!(hello, Some(Hello::own()));
        Self { child, to, from }
    }

    fn that_knows(server: &FakeServer) -> Self {
        let mut client = Self::start();
        client.open(server.settings());
        assert_eq!(client.reply().answer, Ok(Answer::There));
        client
    }

    fn open(&mut self, settings: Settings) {
        self.say(&Request::Open { id: 1, settings });
    }

    fn say(&mut self, request: &Request) {
        let to = self.to.as_mut().unwrap();
        to.write_all(line_of(request).as_bytes()).unwrap();
    }

    fn reply(&mut self) -> Reply {
        read_line(&mut self.from).unwrap().unwrap()
    }

    /// Closes its input, and waits for its end.
    fn end(mut self) -> Output {
        drop(self.to.take());
        let mut stdout = Vec::new();
        self.from.read_to_end(&mut stdout).unwrap();
        let output = self.child.wait_with_output().unwrap();
        Output { stdout, ..output }
    }
}

fn run(id: u64, files: &Files, text: &str) -> Request {
    let command = Box::new(files.command(text));
    Request::Run { id, command }
}

#[track_caller]
fn wait_until(mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        let waited = started.elapsed();
        assert!(waited < Duration::from_secs(60), "it takes too long");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_request_is_answered_with_the_end_of_its_command() {
    let (server, files) = (FakeServer::start(&[Run::Exits(101)]), Files::new());
    let mut client = Client::that_knows(&server);
    client.say(&run(2, &files, "text"));
    let reply = client.reply();
    let Ok(Answer::Ended(ended)) = reply.answer else {
        panic!("{reply:?}");
    };
    assert_eq!((reply.id, ended.end), (2, End::Exited(101)));
    assert_eq!((reply.counts.misses, server.count("execute")), (1, 1));
    let output = client.end();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn a_request_is_answered_while_another_one_waits_and_one_that_is_cancelled_ends() {
    let (server, files) = (FakeServer::start(&[Run::Hangs]), Files::new());
    let mut client = Client::that_knows(&server);
    client.say(&run(2, &files, "text"));
    wait_until(|| server.count("execute") == 1);
    client.say(&run(3, &files, "other"));
    assert_eq!(client.reply().id, 3);
    client.say(&Request::Cancel { id: 2 });
    let reply = client.reply();
    assert_eq!(reply.id, 2);
    assert_eq!(reply.answer.unwrap_err().kind, ErrorKind::Cancelled);
}

#[test]
fn a_client_whose_input_ends_ends_and_tells_the_server() {
    let (server, files) = (FakeServer::start(&vec![Run::Hangs; 12]), Files::new());
    for attempt in 0..12 {
        let mut client = Client::that_knows(&server);
        client.say(&run(2, &files, "text"));
        wait_until(|| server.count("execute") == attempt + 1);
        // The run has a name for the client once the first part of the stream has come.
        let begun = Instant::now();
        wait_until(|| begun.elapsed() > Duration::from_millis(1 << attempt));
        assert!(client.end().status.success());
        if !server.state().cancelled.is_empty() {
            return;
        }
    }
    panic!("the server was not told that nobody waits");
}

#[test]
fn a_setting_that_cannot_be_used_is_named() {
    let mut client = Client::start();
    client.open(Settings {
        address: "grpcs://localhost:1".parse().unwrap(),
        headers: vec![],
        certificates: Some("/no/such.pem".into()),
        platform: vec![],
    });
    let error = client.reply().answer.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(error.reason.contains("/no/such.pem"), "{error}");
}

#[test]
fn a_person_who_starts_it_is_told_what_it_is_for() {
    #[expect(clippy::disallowed_methods, reason = "the program is what is tested")]
    let output = |arg| Command::new(PROGRAM).arg(arg).output().unwrap();
    let told = output("--help");
    assert_eq!(told.status.code(), Some(2));
    assert!(
        String::from_utf8(told.stderr)
            .unwrap()
            .contains("cargo reduce --remote")
    );
    let version = String::from_utf8(output("--version").stdout).unwrap();
    assert_eq!(
        version,
        format!("cargo-reduce-remote {}\n", env!("CARGO_PKG_VERSION"))
    );
}
