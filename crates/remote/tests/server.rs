//! The client against a server that does what servers do when something is wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "server/fake.rs"]
mod fake;

use cargo_reduce_remote::{Remote, RemoteError};
use fake::{FakeServer, Files, Run, run};
use reduce_platform::Cancel;
use reduce_remote_protocol::{Caching, Command, End, ErrorKind};
use std::time::{Duration, Instant};
use tonic::Code;
use tonic::transport::Identity;

/// How a command ends on a server that does this at first, with the number of runs that it was asked for.
fn end_after(runs: &[Run]) -> (Result<End, RemoteError>, usize) {
    let files = Files::new();
    let server = FakeServer::start(runs);
    let ended = run(&server.remote(), &files.command("text"));
    (ended.map(|ended| ended.end), server.count("execute"))
}

#[track_caller]
fn check_end(runs: &[Run], status: i32, asked: usize) {
    let (end, executed) = end_after(runs);
    assert_eq!(
        (end.unwrap(), executed),
        (End::Exited(status), asked),
        "{runs:?}"
    );
}

#[track_caller]
fn check_error(runs: &[Run], kind: ErrorKind, asked: usize) -> RemoteError {
    let (end, executed) = end_after(runs);
    let error = end.unwrap_err();
    assert_eq!((error.kind(), executed), (kind, asked), "{runs:?}: {error}");
    error
}

#[test]
fn a_command_ends_as_its_script_says() {
    let files = Files::new();
    let server = FakeServer::start(&[Run::Exits(101)]);
    let remote = server.remote();
    let ended = run(&remote, &files.command("text")).unwrap();
    assert_eq!(ended.end, End::Exited(101));
    assert_eq!(ended.stdout, "printed");
    assert_eq!(ended.cpu, Duration::from_millis(1500));
    assert_eq!(ended.root, "/root");
    assert!(ended.made[0].as_ref().unwrap().digest.ends_with("/7"));
    let counts = remote.counts();
    assert_eq!((counts.hits, counts.misses, counts.retries), (0, 1, 0));
}

#[test]
fn what_is_known_is_not_run_again_and_what_is_there_is_not_uploaded_again() {
    let files = Files::new();
    let server = FakeServer::start(&[]);
    let remote = server.remote();
    run(&remote, &files.command("text")).unwrap();
    let ended = run(&remote, &files.command("text")).unwrap();
    assert!(ended.is_cached);
    assert_eq!((server.count("execute"), server.count("missing")), (1, 1));
    // Only what is not there yet is asked for, and brought.
    run(&remote, &files.command("other")).unwrap();
    let counts = remote.counts();
    assert_eq!((counts.hits, counts.misses), (1, 2));
    assert_eq!((server.count("missing"), server.count("upload")), (2, 2));
}

#[test]
fn a_command_whose_runs_may_differ_is_run_each_time() {
    let files = Files::new();
    let server = FakeServer::start(&[Run::Exits(0), Run::Exits(1)]);
    let remote = server.remote();
    let anew = Command {
        caching: Caching::Anew,
        ..files.command("text")
    };
    let ends = [(); 2].map(|()| run(&remote, &anew).unwrap().end);
    assert_eq!(ends, [End::Exited(0), End::Exited(1)]);
    assert_eq!((server.count("known"), server.count("execute")), (0, 2));
}

#[test]
fn a_staging_that_failed_is_no_end_of_the_command() {
    // The result has an exit code of 0.
    check_end(&[Run::Answers(Code::Internal)], 0, 2);
    let error = check_error(
        &vec![Run::Answers(Code::Internal); 9],
        ErrorKind::Command,
        4,
    );
    assert!(matches!(error, RemoteError::Failed { .. }), "{error}");
}

#[test]
fn a_deadline_is_no_end_of_the_command() {
    let error = check_error(
        &[Run::Answers(Code::DeadlineExceeded)],
        ErrorKind::Command,
        1,
    );
    assert!(matches!(error, RemoteError::Late), "{error}");
}

#[test]
fn a_result_without_the_words_of_the_script_is_none() {
    check_end(&[Run::SaysNothing], 0, 2);
    let error = check_error(&[Run::SaysNothing, Run::SaysNothing], ErrorKind::Command, 2);
    assert!(matches!(error, RemoteError::Unfinished { .. }), "{error}");
}

#[test]
fn a_known_result_without_these_words_is_not_taken() {
    let files = Files::new();
    let server = FakeServer::start(&[Run::Exits(5)]);
    let remote = server.remote();
    run(&remote, &files.command("text")).unwrap();
    for result in server.state().results.values_mut() {
        result.stdout_raw.clear();
        result.exit_code = 0;
    }
    let ended = run(&remote, &files.command("text")).unwrap();
    assert!(!ended.is_cached);
    assert_eq!(server.count("execute"), 2);
}

#[test]
fn a_bad_moment_is_waited_for() {
    let files = Files::new();
    for code in [Code::Unavailable, Code::ResourceExhausted, Code::Internal] {
        check_end(&[Run::Fails(code), Run::Fails(code), Run::Exits(4)], 4, 3);
    }
    let server = FakeServer::start(&[]);
    server.state().unavailable = 2;
    let remote = server.remote();
    run(&remote, &files.command("text")).unwrap();
    assert_eq!(remote.counts().retries, 2);
}

#[test]
fn what_the_server_has_lost_is_brought_again() {
    let files = Files::new();
    let server = FakeServer::start(&[Run::Exits(0), Run::Fails(Code::FailedPrecondition)]);
    let remote = server.remote();
    run(&remote, &files.command("text")).unwrap();
    let anew = Command {
        caching: Caching::Anew,
        ..files.command("text")
    };
    assert_eq!(run(&remote, &anew).unwrap().end, End::Exited(0));
}

#[test]
fn a_run_whose_stream_breaks_is_followed_on_another_one() {
    let files = Files::new();
    let server = FakeServer::start(&[Run::Breaks]);
    let ended = run(&server.remote(), &files.command("text")).unwrap();
    assert_eq!(ended.end, End::Exited(3));
    assert_eq!((server.count("execute"), server.count("wait")), (1, 1));
    // Where the run is not known any more, it is made anew.
    check_end(&[Run::IsLost, Run::Exits(6)], 6, 2);
}

#[test]
fn a_server_that_refuses_is_asked_once() {
    let files = Files::new();
    for code in [Code::PermissionDenied, Code::Unauthenticated] {
        let server = FakeServer::start(&[Run::Fails(code)]);
        let remote = server.remote();
        let error = run(&remote, &files.command("text")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
        assert_eq!(server.count("execute"), 1);
    }
}

#[test]
fn a_server_that_goes_away_cannot_be_reached() {
    let files = Files::new();
    let mut server = FakeServer::start(&[]);
    let remote = server.remote();
    run(&remote, &files.command("text")).unwrap();
    server.stop();
    let error = run(&remote, &files.command("other")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Away, "{error}");
}

#[test]
fn a_server_that_goes_away_in_the_middle_of_a_run_ends_it_without_an_answer() {
    let files = Files::new();
    let mut server = FakeServer::start(&[Run::Hangs]);
    let remote = server.remote();
    std::thread::scope(|scope| {
        let ran = scope.spawn(|| run(&remote, &files.command("text")));
        wait_until(|| server.count("execute") == 1);
        server.stop();
        let error = ran.join().unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Away, "{error}");
    });
}

#[test]
fn a_run_that_nobody_waits_for_is_cancelled() {
    let files = Files::new();
    let server = FakeServer::start(&vec![Run::Hangs; 12]);
    let remote = server.remote();
    for attempt in 0..12 {
        let cancel = Cancel::new().unwrap();
        std::thread::scope(|scope| {
            let ran = scope.spawn(|| remote.run(&files.command("text"), &cancel));
            wait_until(|| server.count("execute") == attempt + 1);
            // The run has a name for the client once the first part of the stream has come.
            let begun = Instant::now();
            wait_until(|| begun.elapsed() > Duration::from_millis(1 << attempt));
            cancel.cancel();
            assert!(matches!(ran.join().unwrap(), Err(RemoteError::Cancelled)));
        });
        let begun = Instant::now();
        wait_until(|| {
            !server.state().cancelled.is_empty() || begun.elapsed() > Duration::from_millis(200)
        });
        if !server.state().cancelled.is_empty() {
            assert_eq!(server.state().cancelled, ["the run"]);
            return;
        }
    }
    panic!("the server was not told that nobody waits");
}

#[test]
fn large_files_go_in_parts_and_are_what_they_are_called() {
    let files = Files::new();
    let server = FakeServer::start(&[]);
    let mut large = files.command("text");
    let contents: Vec<u8> = (0..5_000_000_u32)
        .map(|number| (number % 251) as u8)
        .collect();
    let path = files.write("large", &contents);
    let at = "tree/large".into();
    large.inputs.add(at, &path, &|_| false).unwrap();
    let remote = server.remote();
    run(&remote, &large).unwrap();
    assert_eq!(server.count("write"), 1);
    assert!(server.state().blobs.values().any(|blob| *blob == contents));
    assert!(remote.counts().uploaded_bytes > 5_000_000);
}

#[test]
fn keys_are_sent_with_each_call() {
    let files = Files::new();
    let server = FakeServer::start(&[]);
    run(&server.remote(), &files.command("text")).unwrap();
    let state = server.state();
    assert_eq!(state.keys.len(), state.calls.len());
    assert!(state.keys.iter().all(|key| key == "secret"));
}

#[test]
fn an_encrypted_server_is_trusted_by_the_certificates_of_the_user() {
    let files = Files::new();
    let certificate = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let pem = certificate.cert.pem();
    let identity = Identity::from_pem(&pem, certificate.signing_key.serialize_pem());
    let server = FakeServer::start_with(&[], Some(identity));
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("own.pem");
    std::fs::write(&file, pem).unwrap();
    let mut settings = server.settings();
    let error = run(&Remote::new(&settings).unwrap(), &files.command("text")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Away, "{error}");
    settings.certificates = Some(file.try_into().unwrap());
    run(&Remote::new(&settings).unwrap(), &files.command("text")).unwrap();
    settings.certificates = Some("/no/such.pem".into());
    let error = Remote::new(&settings).unwrap_err();
    assert!(error.to_string().contains("/no/such.pem"), "{error}");
}

#[track_caller]
fn wait_until(mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "it takes too long"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}
