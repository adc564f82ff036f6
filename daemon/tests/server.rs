//! A daemon in this process with a scripted engine: what its clients see.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests are tests, which clippy does not see"
)]

#[path = "support/scripted.rs"]
mod scripted;

use reduce_daemon::{
    DaemonError, Home, JobLogEntry, JobLogLine, LocalRun, Server, ServerOptions, Session, Update,
    connect,
};
use reduce_engine::{CacheUse, Cancel, Ended, Event, FailureKind};
use reduce_protocol::{
    CacheCommand, CacheReply, ClientMessage, JobCommand, JobId, JobState, JobStatus, Refusal,
    ServerMessage, Verified, from_line, to_line,
};
use scripted::{Script, hello, home, options, request};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const VERSION: &str = "1.0.0";
const LONG: Duration = Duration::from_secs(3600);

/// A daemon on a thread.
struct Daemon {
    temp: tempfile::TempDir,
    home: Home,
    /// Lets the endless script end.
    gate: Cancel,
    /// The number of times that the engine ran.
    runs: Arc<AtomicUsize>,
    thread: JoinHandle<Result<(), DaemonError>>,
}

impl Daemon {
    fn start(idle_exit: Duration) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), idle_exit)
    }

    fn start_in(temp: tempfile::TempDir, idle_exit: Duration) -> Self {
        Self::start_with(temp, options(VERSION, idle_exit))
    }

    fn start_with(temp: tempfile::TempDir, options: ServerOptions) -> Self {
        let home = home(&temp);
        let server = Server::bind(&home, options).unwrap();
        let (gate, runs) = (Cancel::new().unwrap(), Arc::new(AtomicUsize::new(0)));
        let (engine_gate, engine_runs) = (gate.clone(), Arc::clone(&runs));
        let thread = std::thread::spawn(move || {
            server.run(Arc::new(move |request, site, store, emit, control| {
                engine_runs.fetch_add(1, Ordering::SeqCst);
                scripted::reduce(request, site, store, emit, control, &engine_gate)
            }))
        });
        Self {
            temp,
            home,
            gate,
            runs,
            thread,
        }
    }

    async fn client(&self) -> Session {
        connect(&self.home, &hello(VERSION))
            .await
            .unwrap()
            .expect("the daemon listens")
    }

    /// Waits until the daemon has left of its own accord.
    fn join(self) -> tempfile::TempDir {
        self.thread.join().unwrap().unwrap();
        assert!(!self.home.socket().exists());
        self.temp
    }

    async fn stop(self) {
        assert!(self.client().await.shut_down(true).await.unwrap().accepted);
        self.join();
    }
}

/// Reads to the end of the job.
async fn rest(session: &mut Session) -> Vec<Update> {
    let mut updates = Vec::new();
    loop {
        let update = session.next().await.unwrap();
        let is_last = matches!(
            update,
            Update::Event(Event::Finished(_)) | Update::Failed(_)
        );
        updates.push(update);
        if is_last {
            return updates;
        }
    }
}

/// Reads until the scripted engine has made its step.
async fn until_first_step(session: &mut Session) {
    while !matches!(
        session.next().await.unwrap(),
        Update::Event(Event::StepAccepted { .. })
    ) {}
}

#[track_caller]
fn check_finished(updates: &[Update], expected: Ended) {
    match updates.last() {
        Some(Update::Event(Event::Finished(summary))) => assert_eq!(summary.ended, expected),
        other => panic!("{other:?} is no result"),
    }
}

/// A change that makes a request wrong.
type Change = fn(&mut reduce_engine::ReductionRequest);

#[tokio::test]
async fn a_request_that_cannot_be_meant_is_refused_and_the_daemon_goes_on() {
    let daemon = Daemon::start(LONG);
    let mut session = daemon.client().await;
    let absurd: [(&str, Change); 4] = [
        ("--jobs", |request| request.jobs = 1_000_000),
        ("--memory", |request| request.property.memory_mib = u64::MAX),
        ("--timeout", |request| {
            request.property.timeout_seconds = Some(u64::MAX)
        }),
        ("the output directory", |request| {
            request.output = "here".into()
        }),
    ];
    for (what, change) in absurd {
        let mut asked = request(Script::Quick, "absurd");
        change(&mut asked);
        match session.submit(&asked).await {
            Err(DaemonError::Refused(Refusal::Unable(reason))) => {
                assert!(reason.contains(what), "{reason}");
            }
            answer => panic!("{what}: {answer:?}"),
        }
    }
    assert_eq!(daemon.runs.load(Ordering::SeqCst), 0);
    session
        .submit(&request(Script::Quick, "fine"))
        .await
        .unwrap();
    rest(&mut session).await;
    drop(session);
    daemon.stop().await;
}

#[tokio::test]
async fn a_client_waits_for_so_many_jobs_and_no_more() {
    let daemon = Daemon::start(LONG);
    let mut session = daemon.client().await;
    let mut refused = None;
    for number in 0..17 {
        let asked = request(Script::Endless, &format!("job-{number}"));
        refused = session.submit(&asked).await.err();
    }
    // Events of the first job may have come in between.
    while refused.is_none() {
        refused = session.next().await.err();
    }
    match refused {
        Some(DaemonError::Refused(Refusal::Unable(reason))) => {
            assert!(reason.contains("16 jobs"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(daemon.client().await.status().await.unwrap().jobs.len(), 16);
    drop(session);
    daemon.stop().await;
}

#[tokio::test]
async fn clients_that_say_nothing_make_room_and_those_that_wait_for_jobs_stay() {
    let daemon = Daemon::start(LONG);
    let mut waiting = daemon.client().await;
    let endless = request(Script::Endless, "a");
    waiting.submit(&endless).await.unwrap();
    until_first_step(&mut waiting).await;
    // Some say hello and no more, and most not even that.
    let mut silent = Vec::new();
    for _ in 0..20 {
        silent.push(daemon.client().await);
    }
    let mut others = Vec::new();
    for number in 0..300 {
        others.push(UnixStream::connect(daemon.home.socket()).unwrap());
        if number % 50 == 0 {
            daemon.client().await.status().await.unwrap();
        }
    }
    let mut asking = daemon.client().await;
    let mut status = asking.status().await.unwrap();
    // A connection that makes room counts until its task has ended.
    for _ in 0..1000 {
        if status.clients <= 256 {
            break;
        }
        status = asking.status().await.unwrap();
    }
    assert!(status.clients <= 256, "{}", status.clients);
    assert_eq!(status.jobs.len(), 1);
    drop((silent, others));
    daemon.gate.cancel();
    check_finished(&rest(&mut waiting).await, Ended::Fixpoint);
    daemon.stop().await;
}

#[tokio::test]
async fn where_all_clients_wait_for_jobs_another_one_is_told_so() {
    let daemon = Daemon::start(LONG);
    let mut waiting = Vec::new();
    for _ in 0..256 {
        let mut client = daemon.client().await;
        client.submit(&request(Script::Endless, "a")).await.unwrap();
        waiting.push(client);
    }
    match connect(&daemon.home, &hello(VERSION)).await {
        Err(DaemonError::Refused(Refusal::TooManyClients(256))) => {}
        other => panic!("{other:?}"),
    }
    daemon.gate.cancel();
    check_finished(&rest(&mut waiting[0]).await, Ended::Fixpoint);
    drop(waiting);
    daemon.stop().await;
}

#[tokio::test]
async fn two_clients_that_ask_for_the_same_share_a_job() {
    let daemon = Daemon::start(LONG);
    let (mut first, mut second) = (daemon.client().await, daemon.client().await);
    let accepted = first.submit(&request(Script::Endless, "a")).await.unwrap();
    let Update::Accepted {
        job,
        joined: false,
        ahead: 0,
    } = accepted
    else {
        panic!("{accepted:?}")
    };
    until_first_step(&mut first).await;
    let joined = second.submit(&request(Script::Endless, "a")).await.unwrap();
    assert_eq!(
        joined,
        Update::Accepted {
            job,
            joined: true,
            ahead: 0
        }
    );
    daemon.gate.cancel();
    check_finished(&rest(&mut first).await, Ended::Fixpoint);
    let updates = rest(&mut second).await;
    assert!(
        matches!(updates[0], Update::Event(Event::Preparing { .. })),
        "{updates:?}"
    );
    check_finished(&updates, Ended::Fixpoint);
    assert_eq!(daemon.runs.load(Ordering::SeqCst), 1);
    daemon.stop().await;
}

#[tokio::test]
async fn a_client_that_leaves_does_not_stop_its_job() {
    let daemon = Daemon::start(LONG);
    let mut leaver = daemon.client().await;
    let accepted = leaver.submit(&request(Script::Endless, "a")).await.unwrap();
    let Update::Accepted { job, .. } = accepted else {
        panic!("{accepted:?}")
    };
    until_first_step(&mut leaver).await;
    drop(leaver);
    let mut stayer = daemon.client().await;
    while stayer.status().await.unwrap().clients > 1 {}
    let status = stayer.status().await.unwrap();
    assert_eq!(
        (status.jobs[0].job, status.jobs[0].state),
        (job, JobState::Running)
    );
    stayer.attach(job).await.unwrap();
    daemon.gate.cancel();
    check_finished(&rest(&mut stayer).await, Ended::Fixpoint);
    daemon.stop().await;
}

#[tokio::test]
async fn a_job_that_is_cancelled_ends_with_the_best_so_far() {
    let daemon = Daemon::start(LONG);
    let mut client = daemon.client().await;
    client.submit(&request(Script::Endless, "a")).await.unwrap();
    until_first_step(&mut client).await;
    client.leave().await.unwrap();
    check_finished(&rest(&mut client).await, Ended::Cancelled);
    daemon.stop().await;
}

#[tokio::test]
async fn a_job_waits_for_the_one_that_writes_where_it_does_and_can_be_cancelled_while_it_waits() {
    let daemon = Daemon::start(LONG);
    let (mut first, mut second) = (daemon.client().await, daemon.client().await);
    first.submit(&request(Script::Endless, "a")).await.unwrap();
    until_first_step(&mut first).await;
    let accepted = second.submit(&request(Script::Quick, "a")).await.unwrap();
    assert!(
        matches!(
            accepted,
            Update::Accepted {
                joined: false,
                ahead: 1,
                ..
            }
        ),
        "{accepted:?}"
    );
    second.leave().await.unwrap();
    match rest(&mut second).await.as_slice() {
        [.., Update::Failed(failure)] => assert_eq!(failure.kind, FailureKind::Cancelled),
        other => panic!("{other:?}"),
    }
    daemon.gate.cancel();
    check_finished(&rest(&mut first).await, Ended::Fixpoint);
    assert_eq!(daemon.runs.load(Ordering::SeqCst), 1);
    daemon.stop().await;
}

#[tokio::test]
async fn a_waiting_job_runs_when_its_turn_comes() {
    let daemon = Daemon::start(LONG);
    let (mut first, mut second) = (daemon.client().await, daemon.client().await);
    first.submit(&request(Script::Endless, "a")).await.unwrap();
    second.submit(&request(Script::Quick, "a")).await.unwrap();
    daemon.gate.cancel();
    check_finished(&rest(&mut first).await, Ended::Fixpoint);
    check_finished(&rest(&mut second).await, Ended::Fixpoint);
    daemon.stop().await;
}

#[tokio::test]
async fn jobs_run_at_the_same_time() {
    let daemon = Daemon::start(LONG);
    let (mut first, mut second) = (daemon.client().await, daemon.client().await);
    first.submit(&request(Script::Endless, "a")).await.unwrap();
    second.submit(&request(Script::Quick, "b")).await.unwrap();
    // The first one does not end before the gate is open.
    check_finished(&rest(&mut second).await, Ended::Fixpoint);
    daemon.gate.cancel();
    check_finished(&rest(&mut first).await, Ended::Fixpoint);
    daemon.stop().await;
}

/// Submits an endless job, and waits until it is under way.
async fn endless(client: &mut Session, name: &str) -> JobId {
    let accepted = client.submit(&request(Script::Endless, name)).await;
    let Ok(Update::Accepted { job, .. }) = accepted else {
        panic!("{accepted:?}")
    };
    until_first_step(client).await;
    job
}

#[tokio::test]
async fn a_listener_that_leaves_leaves_the_job_to_others_and_the_last_one_stops_it() {
    let daemon = Daemon::start(LONG);
    let (mut first, mut second) = (daemon.client().await, daemon.client().await);
    let job = endless(&mut first, "a").await;
    second.attach(job).await.unwrap();
    until_first_step(&mut second).await;
    first.leave().await.unwrap();
    let left = first.next().await.unwrap();
    assert_eq!(left, Update::Left { job, others: 1 });
    second.leave().await.unwrap();
    check_finished(&rest(&mut second).await, Ended::Cancelled);
    daemon.stop().await;
}

#[tokio::test]
async fn a_job_is_paused_resumed_and_finished_by_its_number() {
    let daemon = Daemon::start(LONG);
    let (mut client, mut other) = (daemon.client().await, daemon.client().await);
    let job = endless(&mut client, "a").await;
    let expected = [
        (JobCommand::Show, JobState::Running),
        (JobCommand::Pause, JobState::Paused),
        (JobCommand::Resume, JobState::Running),
        (JobCommand::Finish, JobState::Finishing),
    ];
    for (command, state) in expected {
        let status = other.command(job, command.clone()).await.unwrap();
        assert_eq!(status.state, state, "{command:?}");
        assert_eq!((status.job, status.listeners), (job, 1));
    }
    check_finished(&rest(&mut client).await, Ended::FinishedSoon);
    let skipped = other.command(job, JobCommand::Skip(None)).await;
    assert!(
        matches!(skipped, Err(DaemonError::Refused(_))),
        "{skipped:?}"
    );
    let refused = other.command(job, JobCommand::Pause).await;
    assert!(
        matches!(
            refused,
            Err(DaemonError::Refused(Refusal::HasEnded(ended))) if ended == job
        ),
        "{refused:?}"
    );
    let status = other.command(job, JobCommand::Show).await.unwrap();
    assert_eq!(status.ended, Some(Ended::FinishedSoon));
    let missing = other.command(JobId(99), JobCommand::Show).await;
    assert!(matches!(
        missing,
        Err(DaemonError::Refused(Refusal::NoSuchJob(JobId(99))))
    ));
    daemon.stop().await;
}

/// Waits until the job is as it is to be.
async fn until(client: &mut Session, job: JobId, is_so: impl Fn(&JobStatus) -> bool) -> JobStatus {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let status = client.command(job, JobCommand::Show).await.unwrap();
        if is_so(&status) {
            return status;
        }
        assert!(Instant::now() < deadline, "{status:?}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_job_that_a_client_holds_goes_on_without_the_client() {
    let daemon = Daemon::start(LONG);
    let (mut editing, mut other) = (daemon.client().await, daemon.client().await);
    let job = endless(&mut editing, "a").await;
    let paused = |status: &JobStatus| status.state == JobState::Paused;
    let running = |status: &JobStatus| status.state == JobState::Running;
    editing.hold().await.unwrap();
    until(&mut other, job, paused).await;
    editing.release().await.unwrap();
    until(&mut other, job, running).await;
    editing.hold().await.unwrap();
    until(&mut other, job, paused).await;
    drop(editing);
    until(&mut other, job, running).await;
    other.command(job, JobCommand::Cancel).await.unwrap();
    daemon.stop().await;
}

#[tokio::test]
async fn a_job_that_is_paused_by_a_command_stays_so_without_the_client_that_held_it() {
    let daemon = Daemon::start(LONG);
    let (mut editing, mut other) = (daemon.client().await, daemon.client().await);
    let job = endless(&mut editing, "a").await;
    let paused = other.command(job, JobCommand::Pause).await.unwrap();
    assert_eq!(paused.state, JobState::Paused);
    editing.hold().await.unwrap();
    editing.release().await.unwrap();
    editing.hold().await.unwrap();
    // The answer to the last message.
    editing.look(0).await.unwrap();
    while !matches!(editing.next().await.unwrap(), Update::Live(_)) {}
    drop(editing);
    let left = until(&mut other, job, |status| status.listeners == 0).await;
    assert_eq!(left.state, JobState::Paused);
    let resumed = other.command(job, JobCommand::Resume).await.unwrap();
    assert_eq!(resumed.state, JobState::Running);
    other.command(job, JobCommand::Cancel).await.unwrap();
    daemon.stop().await;
}

#[tokio::test]
async fn a_job_is_held_by_those_who_listen_to_it_and_goes_on_where_a_command_says_so() {
    let daemon = Daemon::start(LONG);
    let (mut editing, mut other) = (daemon.client().await, daemon.client().await);
    let job = endless(&mut editing, "a").await;
    editing.hold().await.unwrap();
    until(&mut other, job, |status| status.state == JobState::Paused).await;
    let resumed = other.command(job, JobCommand::Resume).await.unwrap();
    assert_eq!(resumed.state, JobState::Running);
    let hold = to_line(&ClientMessage::Hold(job)).unwrap();
    let hello = to_line(&ClientMessage::Hello(hello(VERSION))).unwrap();
    let said = raw(&daemon.home, &[hello, hold].concat());
    let refusal = ServerMessage::Refused(Refusal::NoSuchJob(job));
    assert_eq!(said.last(), Some(&refusal));
    other.command(job, JobCommand::Cancel).await.unwrap();
    daemon.stop().await;
}

#[tokio::test]
async fn a_live_view_looks_at_its_job_and_tells_it_what_to_do() {
    let daemon = Daemon::start(LONG);
    let mut client = daemon.client().await;
    endless(&mut client, "a").await;
    client.tell(JobCommand::Pause).await.unwrap();
    client
        .tell(JobCommand::Skip(Some("no_such_pass".to_owned())))
        .await
        .unwrap();
    client.look(0).await.unwrap();
    let live = loop {
        if let Update::Live(live) = client.next().await.unwrap() {
            break live;
        }
    };
    assert_eq!((live.state, live.listeners), (JobState::Paused, 1));
    assert!(live.output.ends_with("a"), "{}", live.output);
    client.tell(JobCommand::Finish).await.unwrap();
    check_finished(&rest(&mut client).await, Ended::FinishedSoon);
    // The job has ended, which is no error of the conversation.
    client.tell(JobCommand::Pause).await.unwrap();
    client.look(0).await.unwrap();
    let update = client.next().await.unwrap();
    assert!(matches!(update, Update::Live(_)), "{update:?}");
    daemon.stop().await;
}

#[tokio::test]
async fn what_ended_is_listed_with_its_log_and_its_failure() {
    let daemon = Daemon::start(LONG);
    let mut client = daemon.client().await;
    for (script, name) in [(Script::Quick, "a"), (Script::Panic, "b")] {
        client.submit(&request(script, name)).await.unwrap();
        rest(&mut client).await;
    }
    let status = client.status().await.unwrap();
    assert_eq!((status.jobs.len(), status.ended.len()), (0, 2));
    let [failed, finished] = status.ended.as_slice() else {
        panic!("{status:?}")
    };
    assert_eq!(
        (failed.state, finished.state),
        (JobState::Failed, JobState::Finished)
    );
    assert_eq!(status.errors[0].job, Some(failed.job));
    assert!(status.errors[0].message.contains("panicked"), "{status:?}");
    let lines = |log: &camino::Utf8Path| {
        let text = std::fs::read_to_string(log).unwrap();
        let lines = text.lines().map(serde_json::from_str::<JobLogLine>);
        lines.collect::<Result<Vec<_>, _>>().unwrap()
    };
    let last = lines(&finished.log).pop().unwrap().entry;
    assert!(
        matches!(last, JobLogEntry::Event(Event::Finished(_))),
        "{last:?}"
    );
    let last = lines(&failed.log).pop().unwrap().entry;
    assert!(matches!(last, JobLogEntry::Failed(_)), "{last:?}");
    daemon.stop().await;
}

#[tokio::test]
async fn what_is_kept_is_looked_after_while_the_daemon_has_the_store_open() {
    let daemon = Daemon::start(LONG);
    let mut client = daemon.client().await;
    client.submit(&request(Script::Quick, "a")).await.unwrap();
    rest(&mut client).await;
    let mut ask = async |command| client.look_after_cache(command).await.unwrap();
    let CacheReply::Stats(stats) = ask(CacheCommand::Stats).await else {
        panic!("no figures")
    };
    // The scripted engine keeps a step and never forgets it.
    assert_eq!((stats.checkpoints, stats.verdicts), (1, 0));
    assert_eq!(stats.queries, Some(0));
    let verified = ask(CacheCommand::Verify).await;
    assert!(
        matches!(
            verified,
            CacheReply::Verified(Verified {
                checkpoints: 1,
                bad_checkpoints: 0,
                ..
            })
        ),
        "{verified:?}"
    );
    drop(client);
    daemon.stop().await;
}

#[tokio::test]
async fn a_busy_daemon_stays_unless_forced_and_then_delivers_the_results() {
    let daemon = Daemon::start(LONG);
    let mut client = daemon.client().await;
    client.submit(&request(Script::Endless, "a")).await.unwrap();
    until_first_step(&mut client).await;
    let mut stopper = daemon.client().await;
    let reply = stopper.shut_down(false).await.unwrap();
    assert_eq!((reply.accepted, reply.jobs), (false, 1));
    assert!(stopper.shut_down(true).await.unwrap().accepted);
    check_finished(&rest(&mut client).await, Ended::Cancelled);
    daemon.join();
}

#[tokio::test]
async fn an_engine_that_panics_fails_its_job_and_nothing_else() {
    let daemon = Daemon::start(LONG);
    let mut client = daemon.client().await;
    client.submit(&request(Script::Panic, "a")).await.unwrap();
    let updates = rest(&mut client).await;
    assert!(
        matches!(updates.last(), Some(Update::Failed(_))),
        "{updates:?}"
    );
    client.submit(&request(Script::Quick, "b")).await.unwrap();
    check_finished(&rest(&mut client).await, Ended::Fixpoint);
    daemon.stop().await;
}

#[tokio::test]
async fn the_scratch_directory_is_empty_after_a_job_and_gone_after_the_daemon() {
    let daemon = Daemon::start(LONG);
    let scratch = daemon.home.base.join("scratch");
    let mut client = daemon.client().await;
    client.submit(&request(Script::Quick, "a")).await.unwrap();
    rest(&mut client).await;
    let of_daemon = scratch.join(std::process::id().to_string());
    assert_eq!(of_daemon.read_dir().unwrap().count(), 0);
    client.shut_down(true).await.unwrap();
    let temp = daemon.join();
    assert_eq!(scratch.read_dir().unwrap().count(), 0);
    drop(temp);
}

#[test]
fn a_second_daemon_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    let _first = Server::bind(&home(&temp), options(VERSION, LONG)).unwrap();
    let second = Server::bind(&home(&temp), options(VERSION, LONG));
    assert!(
        matches!(second, Err(DaemonError::AlreadyRunning { .. })),
        "{second:?}"
    );
    assert!(home(&temp).socket().exists());
}

#[tokio::test]
async fn a_stale_socket_is_replaced() {
    let temp = tempfile::tempdir().unwrap();
    std::fs::create_dir(home(&temp).run).unwrap();
    drop(UnixListener::bind(home(&temp).socket()).unwrap());
    assert!(
        connect(&home(&temp), &hello(VERSION))
            .await
            .unwrap()
            .is_none()
    );
    let daemon = Daemon::start_in(temp, LONG);
    assert_eq!(
        daemon.client().await.status().await.unwrap().pid,
        std::process::id()
    );
    daemon.stop().await;
}

#[test]
fn a_daemon_without_work_leaves() {
    Daemon::start(Duration::from_millis(20)).join();
}

#[tokio::test]
async fn a_daemon_with_a_client_stays_and_leaves_after_it() {
    let idle_exit = Duration::from_millis(200);
    let daemon = Daemon::start(idle_exit);
    let mut client = daemon.client().await;
    let connected = Instant::now();
    while connected.elapsed() < 3 * idle_exit {
        client.status().await.unwrap();
    }
    drop(client);
    daemon.join();
}

#[tokio::test]
async fn a_newer_store_fails_the_job_with_a_way_out() {
    let temp = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home(&temp).store()).unwrap();
    std::fs::write(home(&temp).store().join("format"), "99").unwrap();
    let daemon = Daemon::start_in(temp, LONG);
    let mut client = daemon.client().await;
    client.submit(&request(Script::Quick, "a")).await.unwrap();
    match rest(&mut client).await.pop() {
        Some(Update::Failed(failure)) => {
            assert_eq!(failure.kind, FailureKind::Store);
            assert!(failure.message.contains("format 99"), "{failure}");
        }
        other => panic!("{other:?}"),
    }
    let mut without = request(Script::Quick, "b");
    without.cache = CacheUse::ThisRunOnly;
    client.submit(&without).await.unwrap();
    check_finished(&rest(&mut client).await, Ended::Fixpoint);
    let format = std::fs::read_to_string(daemon.home.store().join("format")).unwrap();
    assert_eq!(format, "99");
    daemon.stop().await;
}

#[tokio::test]
async fn a_damaged_store_is_set_aside_and_the_user_is_told() {
    let temp = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home(&temp).store()).unwrap();
    std::fs::write(home(&temp).store().join("format"), "?").unwrap();
    let daemon = Daemon::start_in(temp, LONG);
    let mut client = daemon.client().await;
    client.submit(&request(Script::Quick, "a")).await.unwrap();
    let updates = rest(&mut client).await;
    let is_warning = |update: &Update| match update {
        Update::Event(Event::Warning { message }) => message.contains("store.corrupt-"),
        _ => false,
    };
    assert!(updates.iter().any(is_warning), "{updates:?}");
    check_finished(&updates, Ended::Fixpoint);
    daemon.stop().await;
}

#[tokio::test]
async fn a_run_without_the_daemon_is_told_when_the_daemon_has_the_store() {
    let daemon = Daemon::start(LONG);
    let mut client = daemon.client().await;
    client.submit(&request(Script::Quick, "a")).await.unwrap();
    rest(&mut client).await;
    match local(&daemon.home, CacheUse::Persistent).await.pop() {
        Some(Update::Failed(failure)) => {
            assert_eq!(failure.kind, FailureKind::Store);
            assert!(
                failure
                    .hints
                    .iter()
                    .any(|hint| hint.contains("daemon stop")),
                "{failure:?}"
            );
        }
        other => panic!("{other:?}"),
    }
    check_finished(
        &local(&daemon.home, CacheUse::ThisRunOnly).await,
        Ended::Fixpoint,
    );
    daemon.stop().await;
}

#[tokio::test]
async fn a_run_without_the_daemon_leaves_the_store_free_when_it_ends() {
    let temp = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        check_finished(
            &local(&home(&temp), CacheUse::Persistent).await,
            Ended::Fixpoint,
        );
    }
}

async fn local(home: &Home, cache: CacheUse) -> Vec<Update> {
    let gate = Cancel::new().unwrap();
    let engine: Arc<reduce_daemon::Reduce> = Arc::new(move |request, site, store, emit, cancel| {
        scripted::reduce(request, site, store, emit, cancel, &gate)
    });
    let mut request = request(Script::Quick, "a");
    request.cache = cache;
    let mut run = LocalRun::start(home, "/capture".into(), engine, request).unwrap();
    let mut updates = Vec::new();
    while let Some(update) = run.next().await {
        updates.push(update);
    }
    updates
}

/// Says lines to the daemon as they are, and reads all it answers.
fn raw(home: &Home, lines: &str) -> Vec<ServerMessage> {
    let mut stream = UnixStream::connect(home.socket()).unwrap();
    stream.write_all(lines.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let lines = BufReader::new(stream).lines();
    lines
        .map(|line| from_line(&line.unwrap()).unwrap())
        .collect()
}

#[tokio::test]
async fn a_line_that_is_no_message_is_refused() {
    let daemon = Daemon::start(LONG);
    let hello = to_line(&ClientMessage::Hello(hello(VERSION))).unwrap();
    let answers = raw(&daemon.home, &format!("{hello}{{\"dance\":1}}\n"));
    assert!(
        matches!(
            answers[1..],
            [ServerMessage::Refused(Refusal::Malformed(_))]
        ),
        "{answers:?}"
    );
    let answers = raw(&daemon.home, "\"status\"\n");
    assert!(
        matches!(
            answers[1..],
            [ServerMessage::Refused(Refusal::Malformed(_))]
        ),
        "{answers:?}"
    );
    daemon.stop().await;
}

#[tokio::test]
async fn a_client_of_another_version_can_only_stop_the_daemon() {
    let daemon = Daemon::start(LONG);
    let hello = to_line(&ClientMessage::Hello(hello("0.9.0"))).unwrap();
    let answers = raw(&daemon.home, &format!("{hello}\"status\"\n"));
    assert_eq!(
        answers[1..],
        [ServerMessage::Refused(Refusal::VersionMismatch)]
    );
    let answers = raw(
        &daemon.home,
        &format!("{hello}{{\"shutdown\":{{\"force\":false}}}}\n"),
    );
    assert!(matches!(answers[1..], [ServerMessage::Shutdown(reply)] if reply.accepted));
    daemon.join();
}

/// 8 MiB for all jobs, each of which is taken to need one.
#[tokio::test]
async fn a_job_that_would_go_past_the_disk_limit_waits_for_another_to_end() {
    let temp = tempfile::tempdir().unwrap();
    let build = home(&temp).builds().join("project");
    std::fs::create_dir_all(&build).unwrap();
    std::fs::write(build.join("lib"), vec![0; (6 << 20) + (1 << 19)]).unwrap();
    let options = ServerOptions {
        disk_limit_bytes: 8 << 20,
        ..options(VERSION, LONG)
    };
    let daemon = Daemon::start_with(temp, options);
    let mut first = daemon.client().await;
    first
        .submit(&request(Script::Endless, "first"))
        .await
        .unwrap();
    until_first_step(&mut first).await;
    let mut second = daemon.client().await;
    second
        .submit(&request(Script::Quick, "second"))
        .await
        .unwrap();
    let told = loop {
        if let Update::Event(Event::Preparing { what }) = second.next().await.unwrap() {
            break what;
        }
    };
    assert!(told.contains("waiting for another job to end"), "{told}");
    let status = daemon.client().await.status().await.unwrap();
    let states: Vec<JobState> = status.jobs.iter().map(|job| job.state).collect();
    assert_eq!(states, [JobState::Running, JobState::Waiting]);
    assert!(status.disk_bytes > 6 << 20);
    assert_eq!(status.disk_limit_bytes, 8 << 20);
    daemon.gate.cancel();
    check_finished(&rest(&mut first).await, Ended::Fixpoint);
    check_finished(&rest(&mut second).await, Ended::Fixpoint);
    daemon.stop().await;
}
