//! The client's side: find the daemon or start it, agree on a version, submit, listen.

mod session;
mod start;

pub use session::Session;
pub use start::Launch;

use crate::error::DaemonError;
use crate::home::Home;
use crate::update::Update;
use reduce_engine::ReductionRequest;
use reduce_platform::sockets;
use reduce_protocol::{Agreement, Hello, Refusal};
use std::time::{Duration, Instant};

/// The time for which a client tries to get a daemon.
const PATIENCE: Duration = Duration::from_secs(15);
/// The time between two attempts to connect, while another process's daemon starts or ends.
const PAUSE: Duration = Duration::from_millis(30);

/// Connects to the running daemon, and returns `None` if there is none.
///
/// # Errors
/// Where a daemon is there but cannot be talked to.
pub async fn connect(home: &Home, hello: &Hello) -> Result<Option<Session>, DaemonError> {
    Session::open(home, hello).await
}

/// Connects to a daemon of the same version and build as this program. Starts one if there is none, and replaces one of
/// another version or build that has no jobs, unless it is newer.
///
/// # Errors
/// Where the system has no sockets, or the daemon is newer, is another one and busy, or does not come up.
pub async fn connect_or_start(
    home: &Home,
    hello: &Hello,
    launch: &Launch,
) -> Result<Session, DaemonError> {
    if !sockets::are_there() {
        return Err(DaemonError::NoSockets);
    }
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        match Session::open(home, hello).await? {
            Some(session) => match agree(session, hello).await? {
                Some(session) => return Ok(session),
                None => continue,
            },
            None => match start::start(home, launch).await {
                Ok(()) => continue,
                Err(DaemonError::NotStarted(failure)) if failure.already_running => {}
                Err(error) => return Err(error),
            },
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(DaemonError::NoAnswer {
        seconds: PATIENCE.as_secs(),
        log: home.log(),
    })
}

/// Submits a request to a daemon of the same version and build as this program, and attaches to its job. A daemon that is
/// leaving is followed by a new one.
///
/// # Errors
/// As [`connect_or_start`], and where the daemon refuses.
pub async fn submit(
    home: &Home,
    hello: &Hello,
    launch: &Launch,
    request: &ReductionRequest,
) -> Result<(Session, Update), DaemonError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mut session = connect_or_start(home, hello, launch).await?;
        match session.submit(request).await {
            Ok(accepted) => return Ok((session, accepted)),
            Err(DaemonError::Refused(Refusal::ShuttingDown) | DaemonError::Gone { .. })
                if Instant::now() < deadline =>
            {
                session.wait_until_gone().await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns a session with a daemon of the same build, or tells an idle daemon of another one to leave and returns `None`.
async fn agree(mut session: Session, hello: &Hello) -> Result<Option<Session>, DaemonError> {
    let daemon = session.daemon().clone();
    match Hello::agreement(hello, &daemon) {
        Agreement::Same => Ok(Some(session)),
        Agreement::DaemonNewer => Err(DaemonError::Newer { daemon }),
        Agreement::DaemonOlder | Agreement::OtherBuild => {
            let reply = session.shut_down(false).await?;
            if !reply.accepted {
                return Err(DaemonError::BusyOtherVersion {
                    daemon,
                    jobs: reply.jobs,
                });
            }
            session.wait_until_gone().await;
            Ok(None)
        }
    }
}
