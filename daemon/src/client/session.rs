//! A conversation with a daemon, after both have said hello.

use crate::channel::{MessageReader, MessageWriter};
use crate::error::DaemonError;
use crate::home::Home;
use crate::private_dir;
use crate::update::Update;
use camino::Utf8PathBuf;
use reduce_engine::ReductionRequest;
use reduce_platform::sockets::{self, Reader, Stream, Writer};
use reduce_protocol::{
    CacheCommand, CacheReply, ClientMessage, Hello, JobCommand, JobId, JobStatus, LineError,
    MAX_REQUEST_BYTES, Refusal, ServerMessage, ShutdownReply, Status, to_line,
};
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};

/// The time that a daemon may take to say hello.
const HELLO_PATIENCE: Duration = Duration::from_secs(10);

/// The time between two tries where too many clients wait to be let in.
const PAUSE: Duration = Duration::from_millis(30);

/// A conversation with a daemon.
#[derive(Debug)]
pub struct Session {
    reader: MessageReader<Reader>,
    writer: MessageWriter<Writer>,
    daemon: Hello,
    job: Option<JobId>,
    log: Utf8PathBuf,
}

impl Session {
    /// Connects to the daemon and exchanges greetings, or returns `None` if no daemon listens.
    pub(super) async fn open(home: &Home, hello: &Hello) -> Result<Option<Self>, DaemonError> {
        let Some(stream) = connect(home).await? else {
            return Ok(None);
        };
        let (read, write) = stream.split();
        let (mut reader, mut writer) = (MessageReader::new(read), MessageWriter::new(write));
        let exchanged = async {
            // One that refuses us at once may have closed its side, but has said why before.
            let sent = writer.send(&ClientMessage::Hello(hello.clone())).await;
            match reader.next().await {
                Ok(None) | Err(_) if sent.is_err() => sent.map(|()| None),
                first => first,
            }
        };
        let Ok(first) = timeout(HELLO_PATIENCE, exchanged).await else {
            let seconds = HELLO_PATIENCE.as_secs();
            return Err(DaemonError::NoAnswer {
                seconds,
                log: home.log(),
            });
        };
        match first {
            Ok(Some(ServerMessage::Hello(daemon))) => Ok(Some(Self {
                reader,
                writer,
                daemon,
                job: None,
                log: home.log(),
            })),
            // The daemon was on its way out.
            Ok(None) | Err(DaemonError::Connection(_)) => Ok(None),
            Ok(Some(ServerMessage::Refused(refusal))) => Err(refusal.into()),
            Ok(Some(other)) => Err(DaemonError::Unexpected(format!("{other:?}"))),
            Err(error) => Err(error),
        }
    }

    /// Returns the greeting of the daemon.
    #[must_use]
    pub fn daemon(&self) -> &Hello {
        &self.daemon
    }

    /// Submits a request; the answer is an [`Update::Accepted`], and the job's updates follow.
    ///
    /// # Errors
    /// Where the daemon refuses or goes away.
    pub async fn submit(&mut self, request: &ReductionRequest) -> Result<Update, DaemonError> {
        let message = ClientMessage::Submit(Box::new(request.clone()));
        if to_line(&message)?.len() > MAX_REQUEST_BYTES {
            return Err(LineError::TooLong(MAX_REQUEST_BYTES).into());
        }
        self.send(&message).await?;
        self.attached().await
    }

    /// Begins to listen to a job that another client has submitted.
    ///
    /// # Errors
    /// Where the daemon refuses or goes away.
    pub async fn attach(&mut self, job: JobId) -> Result<Update, DaemonError> {
        self.send(&ClientMessage::Attach(job)).await?;
        self.attached().await
    }

    /// Waits for the next update about the job. May be dropped and called again without loss.
    ///
    /// # Errors
    /// Where the daemon refuses or goes away.
    pub async fn next(&mut self) -> Result<Update, DaemonError> {
        loop {
            return match self.receive().await? {
                ServerMessage::Accepted { job, joined, ahead } => {
                    Ok(Update::Accepted { job, joined, ahead })
                }
                ServerMessage::Event { event, .. } => Ok(Update::Event(event)),
                ServerMessage::Failed { failure, .. } => Ok(Update::Failed(failure)),
                ServerMessage::Live(live) => Ok(Update::Live(live)),
                ServerMessage::Left { job, others } => Ok(Update::Left { job, others }),
                // The answers to what was told: how the job is, or that it has ended, of which an update tells.
                ServerMessage::Job(_) => continue,
                ServerMessage::Refused(Refusal::HasEnded(job)) if self.job == Some(job) => continue,
                ServerMessage::Refused(refusal) => Err(refusal.into()),
                other => Err(DaemonError::Unexpected(format!("{other:?}"))),
            };
        }
    }

    /// Returns the job that this session listens to.
    #[must_use]
    pub fn job(&self) -> Option<JobId> {
        self.job
    }

    /// Sends a command about the job that this session listens to. What comes of it is seen in the updates.
    ///
    /// # Errors
    /// Where the daemon is gone.
    pub async fn tell(&mut self, command: JobCommand) -> Result<(), DaemonError> {
        match self.job {
            Some(job) => self.send(&ClientMessage::Command { job, command }).await,
            None => Ok(()),
        }
    }

    /// Holds the job that this session listens to, while the user edits its program: no query is made until
    /// [`Self::release`], or until this client is gone.
    ///
    /// # Errors
    /// Where the daemon is gone.
    pub async fn hold(&mut self) -> Result<(), DaemonError> {
        match self.job {
            Some(job) => self.send(&ClientMessage::Hold(job)).await,
            None => Ok(()),
        }
    }

    /// Lets the held job make queries again, as its program is not edited any more.
    ///
    /// # Errors
    /// Where the daemon is gone.
    pub async fn release(&mut self) -> Result<(), DaemonError> {
        match self.job {
            Some(job) => self.send(&ClientMessage::Release(job)).await,
            None => Ok(()),
        }
    }

    /// Asks for the state of the job, for a live view that already shows the program of this number. The answer is an
    /// [`Update::Live`].
    ///
    /// # Errors
    /// Where the daemon is gone.
    pub async fn look(&mut self, program: u64) -> Result<(), DaemonError> {
        match self.job {
            Some(job) => self.send(&ClientMessage::Look { job, program }).await,
            None => Ok(()),
        }
    }

    /// Leaves the job, as the user is not interested in it any more: it is stopped, or goes on for others. What comes of
    /// it comes as an update.
    ///
    /// # Errors
    /// Where the daemon is gone.
    pub async fn leave(&mut self) -> Result<(), DaemonError> {
        match self.job {
            Some(job) => self.send(&ClientMessage::Leave(job)).await,
            None => Ok(()),
        }
    }

    /// Sends a command about a job, and returns the state of the job after that.
    ///
    /// # Errors
    /// Where the daemon refuses or goes away.
    pub async fn command(
        &mut self,
        job: JobId,
        command: JobCommand,
    ) -> Result<JobStatus, DaemonError> {
        let message = ClientMessage::Command { job, command };
        self.send(&message).await?;
        match self.receive().await? {
            ServerMessage::Job(status) => Ok(*status),
            ServerMessage::Refused(refusal) => Err(refusal.into()),
            other => Err(DaemonError::Unexpected(format!("{other:?}"))),
        }
    }

    /// Removes jobs that have ended from the daemon's list. Returns their number.
    ///
    /// # Errors
    /// Where the daemon refuses or goes away.
    pub async fn forget(&mut self) -> Result<u64, DaemonError> {
        self.send(&ClientMessage::Forget).await?;
        match self.receive().await? {
            ServerMessage::Forgotten(forgotten) => Ok(forgotten),
            ServerMessage::Refused(refusal) => Err(refusal.into()),
            other => Err(DaemonError::Unexpected(format!("{other:?}"))),
        }
    }

    /// Has the daemon carry out a command about the cache that is kept across jobs.
    ///
    /// # Errors
    /// Where the daemon refuses or goes away.
    pub async fn look_after_cache(
        &mut self,
        command: CacheCommand,
    ) -> Result<CacheReply, DaemonError> {
        self.send(&ClientMessage::Cache(command)).await?;
        match self.receive().await? {
            ServerMessage::Cache(reply) => Ok(reply),
            ServerMessage::Refused(refusal) => Err(refusal.into()),
            other => Err(DaemonError::Unexpected(format!("{other:?}"))),
        }
    }

    /// Asks what the daemon does.
    ///
    /// # Errors
    /// Where the daemon refuses or goes away.
    pub async fn status(&mut self) -> Result<Status, DaemonError> {
        self.send(&ClientMessage::Status).await?;
        match self.receive().await? {
            ServerMessage::Status(status) => Ok(*status),
            ServerMessage::Refused(refusal) => Err(refusal.into()),
            other => Err(DaemonError::Unexpected(format!("{other:?}"))),
        }
    }

    /// Asks the daemon to leave; one with jobs stays unless forced. Works with any version.
    ///
    /// # Errors
    /// Where the daemon goes away without an answer.
    pub async fn shut_down(&mut self, force: bool) -> Result<ShutdownReply, DaemonError> {
        self.send(&ClientMessage::Shutdown { force }).await?;
        match self.receive().await? {
            ServerMessage::Shutdown(reply) => Ok(reply),
            other => Err(DaemonError::Unexpected(format!("{other:?}"))),
        }
    }

    /// Waits until the daemon has closed the connection.
    pub async fn wait_until_gone(mut self) {
        while self.receive().await.is_ok() {}
    }

    async fn attached(&mut self) -> Result<Update, DaemonError> {
        let update = self.next().await?;
        if let Update::Accepted { job, .. } = update {
            self.job = Some(job);
        }
        Ok(update)
    }

    async fn send(&mut self, message: &ClientMessage) -> Result<(), DaemonError> {
        let sent = self.writer.send(message).await;
        sent.map_err(|error| self.gone_if_closed(error))
    }

    async fn receive(&mut self) -> Result<ServerMessage, DaemonError> {
        let received = self.reader.next().await;
        let gone = || DaemonError::Gone {
            log: self.log.clone(),
        };
        received
            .map_err(|error| self.gone_if_closed(error))?
            .ok_or_else(gone)
    }

    fn gone_if_closed(&self, error: DaemonError) -> DaemonError {
        match error {
            DaemonError::Connection(_) => DaemonError::Gone {
                log: self.log.clone(),
            },
            error => error,
        }
    }
}

async fn connect(home: &Home) -> Result<Option<Stream>, DaemonError> {
    let path = home.socket();
    if !sockets::are_there() || !home.run.exists() {
        return Ok(None);
    }
    // A socket in a directory of someone else's is not our daemon's.
    private_dir::ensure(&home.run)?;
    let deadline = Instant::now() + HELLO_PATIENCE;
    loop {
        let error = match Stream::connect(path.as_std_path()).await {
            Ok(stream) => return Ok(Some(stream)),
            Err(error) => error,
        };
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::ConnectionRefused => return Ok(None),
            // The system takes no more clients, as so many wait to be let in.
            ErrorKind::WouldBlock if Instant::now() < deadline => sleep(PAUSE).await,
            ErrorKind::WouldBlock => {
                return Err(DaemonError::NoAnswer {
                    seconds: HELLO_PATIENCE.as_secs(),
                    log: home.log(),
                });
            }
            _ => return Err(DaemonError::io("connect to", path)(error)),
        }
    }
}
