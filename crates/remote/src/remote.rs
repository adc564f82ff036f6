//! The blocking handle: whoever asks is a thread that waits.
//!
//! All of the client runs on one runtime with two threads, however many threads ask. A server that cannot be reached is left
//! alone for some time, so that each command does not have to find out anew.

use crate::capabilities::{Capabilities, capabilities};
use crate::command::Command;
use crate::connection::Connection;
use crate::contents::Contents;
use crate::counts::{Counting, Counts};
use crate::error::{ErrorKind, RemoteError};
use crate::execution::{Action, Server};
use crate::retry::{SHORT, persist};
use crate::script::Ended;
use crate::settings::{Property, Settings};
use reduce_platform::Cancel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The threads of the client. Most of its time passes with waiting.
const THREADS: usize = 2;
/// So long a server is left alone that could not be reached,
const SHORTEST: Duration = Duration::from_secs(15);
/// each time twice as long as before, but not longer than this.
const LONGEST: Duration = Duration::from_secs(600);

/// A server that runs commands.
#[derive(Debug)]
pub struct Remote {
    /// Taken when this is dropped.
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
    address: String,
    absence: Mutex<Absence>,
}

#[derive(Debug)]
struct Shared {
    connection: Connection,
    platform: Vec<Property>,
    contents: Contents,
    counting: Counting,
    capabilities: tokio::sync::OnceCell<Capabilities>,
}

/// What is known of a server that is away.
#[derive(Debug, Default)]
struct Absence {
    /// Until then it is not asked.
    until: Option<Instant>,
    pause: Option<Duration>,
    /// It will not be of use any more.
    is_final: bool,
}

impl Remote {
    /// A handle for a server. Nothing is sent before the first command, or [`Self::look`].
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
            absence: Mutex::default(),
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

    /// Runs a command, or takes the result that is known of it. It is cancelled when nobody waits any more.
    ///
    /// # Errors
    /// Where there is no answer. Nothing is known of the command then.
    pub fn run(&self, command: &Command, cancel: &Cancel) -> Result<Ended, RemoteError> {
        if !self.is_there() {
            return Err(RemoteError::Away {
                address: self.address.clone(),
                reason: "it is not asked at the moment, as it could not be reached".to_owned(),
            });
        }
        let action = Arc::new(Action::new(command, &self.shared.platform));
        let ended = self.wait(cancel, async {
            let ended = self.shared.result(&action).await;
            ended.map_err(|trouble| trouble.into_error(&self.address))
        });
        self.note(&ended);
        if let (Err(RemoteError::Cancelled), Some(runtime)) = (&ended, &self.runtime) {
            let shared = Arc::clone(&self.shared);
            runtime.spawn(async move { shared.cancel(&action).await });
        }
        ended
    }

    /// Whether the server is asked at the moment.
    #[must_use]
    pub fn is_there(&self) -> bool {
        let absence = self.absence.lock().unwrap_or_else(PoisonError::into_inner);
        !absence.is_final && absence.until.is_none_or(|until| Instant::now() >= until)
    }

    /// What there was to do so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.shared.counting.counts()
    }

    fn note(&self, ended: &Result<Ended, RemoteError>) {
        let mut absence = self.absence.lock().unwrap_or_else(PoisonError::into_inner);
        match ended.as_ref().map_err(RemoteError::kind) {
            Err(ErrorKind::Refused) => absence.is_final = true,
            // Of several that find out at once, one counts.
            Err(ErrorKind::Away) if absence.until.is_none_or(|until| Instant::now() >= until) => {
                let pause = absence
                    .pause
                    .map_or(SHORTEST, |pause| (pause * 2).min(LONGEST));
                absence.pause = Some(pause);
                absence.until = Some(Instant::now() + pause);
            }
            Ok(_) => *absence = Absence::default(),
            Err(_) => {}
        }
    }

    /// Waits for an answer, or until nobody else does.
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
            // Runs that were given up are told so, but nobody waits for that.
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
