//! Daemons in processes of their own, started as a client starts them. This file is its own
//! daemon: with `scripted-daemon` as first argument it runs one, otherwise the tests.

#![expect(
    clippy::unwrap_used,
    reason = "this is a test without the usual harness"
)]

#[path = "support/scripted.rs"]
mod scripted;

use camino::Utf8PathBuf;
use libtest_mimic::{Arguments, Failed, Trial};
use reduce_daemon::{
    DaemonError, Home, Launch, Session, StartedBy, Update, connect, connect_or_start, serve, submit,
};
use reduce_engine::{Cancel, Ended, Event};
use rustix::process::{Pid, Signal, getsid, kill_process};
use scripted::{Script, hello, home, options, request};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// A test of the list in `main`.
type Test = fn() -> Result<(), Failed>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if let [_, command, base, run, version] = words.as_slice()
        && command == "scripted-daemon"
    {
        return run_scripted_daemon(base, run, version);
    }
    let tests: [(&str, Test); 9] = [
        (
            "a_killed_daemon_leaves_its_checkpoint",
            a_killed_daemon_leaves_its_checkpoint,
        ),
        (
            "a_terminated_daemon_writes_the_best_so_far",
            a_terminated_daemon_writes_the_best_so_far,
        ),
        (
            "a_started_daemon_has_a_session_of_its_own",
            a_started_daemon_has_a_session_of_its_own,
        ),
        (
            "an_idle_older_daemon_is_replaced",
            an_idle_older_daemon_is_replaced,
        ),
        (
            "a_busy_older_daemon_is_left_alone",
            a_busy_older_daemon_is_left_alone,
        ),
        ("a_newer_daemon_is_left_alone", a_newer_daemon_is_left_alone),
        (
            "clients_that_start_daemons_at_once_meet",
            clients_that_start_daemons_at_once_meet,
        ),
        (
            "a_daemon_that_cannot_start_says_why",
            a_daemon_that_cannot_start_says_why,
        ),
        (
            "a_program_that_is_no_daemon_is_noticed",
            a_program_that_is_no_daemon_is_noticed,
        ),
    ];
    let trials = tests.map(|(name, test)| Trial::test(name, test));
    libtest_mimic::run(&Arguments::from_args(), trials.into()).exit_code()
}

fn run_scripted_daemon(base: &str, run: &str, version: &str) -> ExitCode {
    let home = Home {
        base: base.into(),
        run: run.into(),
        memory: None,
    };
    let gate = Cancel::new().unwrap();
    let engine: Arc<reduce_daemon::Reduce> =
        Arc::new(move |request, site, store, emit, control| {
            scripted::reduce(request, site, store, emit, control, &gate)
        });
    // A test that fails leaves its daemon behind, for as long as this at most.
    let options = options(version, Duration::from_secs(20));
    match serve(&home, options, engine, StartedBy::Client) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// A home with the means to start daemons in it.
struct Place {
    _temp: tempfile::TempDir,
    home: Home,
}

impl Place {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        Self {
            home: home(&temp),
            _temp: temp,
        }
    }

    fn launch(&self, version: &str) -> Launch {
        let program = Utf8PathBuf::from_path_buf(std::env::current_exe().unwrap()).unwrap();
        let words = [
            "scripted-daemon",
            self.home.base.as_str(),
            self.home.run.as_str(),
            version,
        ];
        Launch {
            program,
            arguments: words.map(str::to_owned).into(),
        }
    }

    /// A session with a daemon of this version, started if there is none.
    async fn session(&self, version: &str) -> Result<Session, DaemonError> {
        connect_or_start(&self.home, &hello(version), &self.launch(version)).await
    }

    async fn submit(&self, script: Script) -> Session {
        let (hello, launch) = (hello("1.0.0"), self.launch("1.0.0"));
        submit(&self.home, &hello, &launch, &request(script, "a"))
            .await
            .unwrap()
            .0
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(future)
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(number.try_into().unwrap()).unwrap()
}

async fn pid_of(session: &mut Session) -> Pid {
    pid(session.status().await.unwrap().pid)
}

/// Reads up to the first step, and says whether the job was resumed.
async fn until_first_step(session: &mut Session) -> bool {
    let mut is_resumed = false;
    loop {
        match session.next().await.unwrap() {
            Update::Event(Event::Resumed { steps: 1, .. }) => is_resumed = true,
            Update::Event(Event::StepAccepted { .. }) => return is_resumed,
            _ => {}
        }
    }
}

async fn stop(mut session: Session) {
    assert!(session.shut_down(true).await.unwrap().accepted);
    session.wait_until_gone().await;
}

fn a_killed_daemon_leaves_its_checkpoint() -> Result<(), Failed> {
    block_on(async {
        let place = Place::new();
        let mut observer = place.session("1.0.0").await?;
        let mut client = place.submit(Script::Endless).await;
        assert!(!until_first_step(&mut client).await);
        kill_process(pid_of(&mut observer).await, Signal::KILL)?;
        assert!(matches!(client.next().await, Err(DaemonError::Gone { .. })));
        assert!(place.home.socket().exists());
        let mut client = place.submit(Script::Endless).await;
        assert!(until_first_step(&mut client).await);
        stop(client).await;
        Ok(())
    })
}

fn a_terminated_daemon_writes_the_best_so_far() -> Result<(), Failed> {
    block_on(async {
        let place = Place::new();
        let mut observer = place.session("1.0.0").await?;
        let mut client = place.submit(Script::Endless).await;
        until_first_step(&mut client).await;
        kill_process(pid_of(&mut observer).await, Signal::TERM)?;
        match client.next().await? {
            Update::Event(Event::Finished(summary)) => {
                assert_eq!(summary.ended, Ended::Cancelled);
            }
            other => return Err(format!("{other:?} is no result").into()),
        }
        client.wait_until_gone().await;
        assert!(!place.home.socket().exists());
        let log = std::fs::read_to_string(place.home.log())?;
        assert!(
            log.contains("got SIGTERM") && log.contains("daemon leaves"),
            "{log}"
        );
        Ok(())
    })
}

fn a_started_daemon_has_a_session_of_its_own() -> Result<(), Failed> {
    block_on(async {
        let place = Place::new();
        let mut session = place.session("1.0.0").await?;
        let daemon = pid_of(&mut session).await;
        assert_eq!(getsid(Some(daemon))?, daemon);
        stop(session).await;
        Ok(())
    })
}

fn an_idle_older_daemon_is_replaced() -> Result<(), Failed> {
    block_on(async {
        let place = Place::new();
        let mut old = place.session("0.9.0").await?;
        let old_pid = pid_of(&mut old).await;
        let mut new = place.session("0.10.0").await?;
        assert_eq!(new.status().await?.version, "0.10.0");
        assert_ne!(pid_of(&mut new).await, old_pid);
        assert!(matches!(old.next().await, Err(DaemonError::Gone { .. })));
        stop(new).await;
        Ok(())
    })
}

fn a_busy_older_daemon_is_left_alone() -> Result<(), Failed> {
    block_on(async {
        let place = Place::new();
        let mut client = place.submit(Script::Endless).await;
        until_first_step(&mut client).await;
        match place.session("1.1.0").await {
            Err(DaemonError::BusyOtherVersion { jobs: 1, .. }) => {}
            other => return Err(format!("{other:?}").into()),
        }
        client.leave().await?;
        let mut last = client.next().await?;
        if matches!(last, Update::Left { others: 0, .. }) {
            last = client.next().await?;
        }
        assert!(
            matches!(last, Update::Event(Event::Finished(_))),
            "{last:?}"
        );
        stop(client).await;
        Ok(())
    })
}

fn a_newer_daemon_is_left_alone() -> Result<(), Failed> {
    block_on(async {
        let place = Place::new();
        let new = place.session("2.0.0").await?;
        let refused = place.session("1.0.0").await;
        assert!(
            matches!(refused, Err(DaemonError::Newer { .. })),
            "{refused:?}"
        );
        let other = connect(&place.home, &hello("1.0.0"))
            .await?
            .expect("it still listens");
        stop(other).await;
        new.wait_until_gone().await;
        Ok(())
    })
}

fn clients_that_start_daemons_at_once_meet() -> Result<(), Failed> {
    block_on(async {
        let place = Place::new();
        let (first, second, third) = tokio::join!(
            place.session("1.0.0"),
            place.session("1.0.0"),
            place.session("1.0.0")
        );
        let (mut first, mut second, mut third) = (first?, second?, third?);
        let daemon = pid_of(&mut first).await;
        assert_eq!(pid_of(&mut second).await, daemon);
        assert_eq!(pid_of(&mut third).await, daemon);
        stop(first).await;
        Ok(())
    })
}

fn a_daemon_that_cannot_start_says_why() -> Result<(), Failed> {
    block_on(async {
        let mut place = Place::new();
        let file = place.home.base.join("file");
        std::fs::write(&file, "")?;
        place.home.run = file.join("run");
        match place.session("1.0.0").await {
            Err(DaemonError::NotStarted(failure)) => {
                assert!(failure.message.contains("create directory"), "{failure}");
                assert!(!failure.already_running);
                Ok(())
            }
            other => Err(format!("{other:?}").into()),
        }
    })
}

fn a_program_that_is_no_daemon_is_noticed() -> Result<(), Failed> {
    block_on(async {
        let place = Place::new();
        let launch = Launch {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), ":".into()],
        };
        match connect_or_start(&place.home, &hello("1.0.0"), &launch).await {
            Err(DaemonError::NotStarted(failure)) => {
                assert!(failure.message.contains("without a word"), "{failure}");
                Ok(())
            }
            other => Err(format!("{other:?}").into()),
        }
    })
}
