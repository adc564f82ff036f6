//! The blocking interface of the client: a call returns when the answer is there.
//!
//! All of the client runs on one runtime with two threads, however many threads ask.

use crate::capabilities::{Capabilities, capabilities};
use crate::connection::Connection;
use crate::contents::Contents;
use crate::counts::Counting;
use crate::error::RemoteError;
use crate::execution::{Action, Server};
use crate::retry::{SHORT, persist};
use crate::stamps::Stamps;
use reduce_platform::Cancel;
use reduce_remote_protocol::{Command, Counts, Ended, Property, Settings};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

/// The number of threads on which the client runs its asynchronous work. Most of the client's time passes with waiting.
const THREADS: usize = 2;
/// The time in which the server is told, at the end of the client, that nobody waits for its runs any more.
const FAREWELL: Duration = Duration::from_millis(500);

/// A server that runs commands.
#[derive(Debug)]
pub struct Remote {
    /// The asynchronous runtime of the client, which is `None` only while it is shut down.
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
    address: String,
    stamps: Stamps,
    /// The tasks that tell the server to stop runs for which nobody waits any more.
    given_up: Mutex<JoinSet<()>>,
}

#[derive(Debug)]
struct Shared {
    connection: Connection,
    platform: Vec<Property>,
    contents: Contents,
    counting: Counting,
    capabilities: tokio::sync::OnceCell<Capabilities>,
}

impl Remote {
    /// Makes a client of a server. Nothing is sent before the first command, or [`Self::look`].
    ///
    /// # Errors
    /// Where a certificate or a header cannot be used, or the client cannot start.
    pub fn new(settings: &Settings) -> Result<Self, RemoteError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("remote")
            .enable_all()
            .build()
            .map_err(RemoteError::Start)?;
        let connection = {
            let _entered = runtime.enter();
            Connection::new(settings)?
        };
        Ok(Self {
            runtime: Some(runtime),
            shared: Arc::new(Shared {
                connection,
                platform: settings.platform.clone(),
                contents: Contents::default(),
                counting: Counting::default(),
                capabilities: tokio::sync::OnceCell::new(),
            }),
            address: settings.address.to_string(),
            stamps: Stamps::default(),
            given_up: Mutex::default(),
        })
    }

    /// Asks the server whether it is there, and whether it can run commands.
    ///
    /// # Errors
    /// Where it is not or cannot.
    pub fn look(&self, cancel: &Cancel) -> Result<(), RemoteError> {
        self.wait(cancel, async {
            let known = self.shared.capabilities().await;
            known
                .map(|_| ())
                .map_err(|trouble| trouble.into_error(&self.address))
        })
    }

    /// Runs a command on the server, or takes its result from the server's cache. The run is cancelled when nobody waits
    /// any more.
    ///
    /// # Errors
    /// Where there is no answer. Nothing is known of the command then.
    pub fn run(&self, command: &Command, cancel: &Cancel) -> Result<Ended, RemoteError> {
        let action = Action::new(command, &self.shared.platform, &self.stamps)?;
        let action = Arc::new(action);
        let ended = self.wait(cancel, async {
            let ended = self.shared.result(&action).await;
            ended.map_err(|trouble| trouble.into_error(&self.address))
        });
        if let (Err(RemoteError::Cancelled), Some(runtime)) = (&ended, &self.runtime) {
            let shared = Arc::clone(&self.shared);
            let tell = async move { shared.cancel(&action).await };
            let mut given_up = self.given_up();
            while given_up.try_join_next().is_some() {}
            given_up.spawn_on(tell, runtime.handle());
        }
        ended
    }

    /// Returns the counts of the work that was done so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.shared.counting.counts()
    }

    fn given_up(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for an answer of the server, or until the request is cancelled.
    fn wait<T>(
        &self,
        cancel: &Cancel,
        answer: impl Future<Output = Result<T, RemoteError>>,
    ) -> Result<T, RemoteError> {
        let Some(runtime) = &self.runtime else {
            return Err(RemoteError::Cancelled);
        };
        runtime.block_on(async {
            tokio::select! {
                answer = answer => answer,
                () = cancel.cancelled() => Err(RemoteError::Cancelled),
            }
        })
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // The server is told of runs that were given up, but it is not waited for.
            let given_up = std::mem::take(&mut *self.given_up());
            let told = given_up.join_all();
            let _late = runtime.block_on(async { tokio::time::timeout(FAREWELL, told).await });
            runtime.shutdown_background();
        }
    }
}

impl Shared {
    async fn capabilities(&self) -> Result<Capabilities, crate::error::Trouble> {
        let ask = async || {
            persist(SHORT, &self.counting, async || {
                capabilities(&self.connection).await
            })
            .await
        };
        self.capabilities.get_or_try_init(ask).await.copied()
    }

    async fn result(&self, action: &Action) -> Result<Ended, crate::error::Trouble> {
        let capabilities = self.capabilities().await?;
        self.server(capabilities).result(action).await
    }

    async fn cancel(&self, action: &Action) {
        if let Some(capabilities) = self.capabilities.get() {
            self.server(*capabilities).cancel(action).await;
        }
    }

    fn server(&self, capabilities: Capabilities) -> Server<'_> {
        Server {
            connection: &self.connection,
            capabilities,
            contents: &self.contents,
            counting: &self.counting,
        }
    }
}
