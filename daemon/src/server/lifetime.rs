//! When the daemon lives: it accepts clients until it is told to leave, and then until its jobs
//! have ended, so that a late client is told what happens instead of finding nobody.

use super::{Shared, connection};
use crate::error::DaemonError;
use reduce_platform::signals::{Asked, Signals};
use reduce_platform::sockets::{Listener, Socket};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The time that the last events may take on their way to the clients.
const DELIVERY_GRACE: Duration = Duration::from_secs(2);
/// The pause after a connection could not be accepted, such as for too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves clients until the daemon is told to leave, gets a signal or is idle for long enough, and then until its jobs
/// have ended.
pub(super) async fn serve(socket: Socket, shared: Arc<Shared>) -> Result<(), DaemonError> {
    let listener = socket.listen().map_err(DaemonError::Runtime)?;
    let mut signals = Signals::new(Asked::All).map_err(DaemonError::Runtime)?;
    let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
    tokio::select! {
        name = signals.next() => shared.log.write(format!("got {name}")),
        () = shared.stop.notified() => shared.log.write("told to leave"),
        () = until_idle(&shared) => shared.log.write("idle for long enough"),
    }
    stop_jobs(&shared).await;
    accepting.abort();
    Ok(())
}

async fn accept(listener: Listener, shared: Arc<Shared>) {
    loop {
        match listener.accept().await {
            Ok(stream) => {
                tokio::spawn(connection::serve(stream, Arc::clone(&shared)));
            }
            Err(error) => {
                shared
                    .log
                    .write(format!("failed to accept a client: {error}"));
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Waits until there was neither a job nor a client for the whole time.
async fn until_idle(shared: &Shared) {
    let mut jobs = shared.jobs.active();
    let mut clients = shared.clients.subscribe();
    loop {
        // The senders live in `shared`, so that waiting cannot fail.
        let _ = jobs.wait_for(|&count| count == 0).await;
        let _ = clients.wait_for(|&count| count == 0).await;
        if *jobs.borrow() > 0 {
            continue;
        }
        tokio::select! {
            () = tokio::time::sleep(shared.options.idle_exit) => return,
            _ = jobs.wait_for(|&count| count > 0) => {}
            _ = clients.wait_for(|&count| count > 0) => {}
        }
    }
}

/// Cancels all jobs, and waits until their results are written and their clients have been told.
async fn stop_jobs(shared: &Shared) {
    shared.jobs.close();
    let mut jobs = shared.jobs.active();
    if timeout(shared.options.grace, jobs.wait_for(|&count| count == 0))
        .await
        .is_err()
    {
        shared
            .log
            .write("a job did not stop in time; it will be resumed by the same command");
    }
    let mut deliveries = shared.deliveries.subscribe();
    if timeout(DELIVERY_GRACE, deliveries.wait_for(|&count| count == 0))
        .await
        .is_err()
    {
        shared
            .log
            .write("a client did not read the end of its job in time");
    }
}
