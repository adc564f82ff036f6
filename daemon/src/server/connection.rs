//! One client of the daemon. Messages are read here; each job's events are sent by a task of their
//! own, so that a client can cancel while it listens.

use super::idle::Silence;
use super::status::status;
use super::{Shared, Writer};
use crate::channel::{MessageReader, MessageWriter};
use crate::error::{DaemonError, one_line};
use crate::job::{End, JobReader, ListenerId};
use crate::jobs::Accepted;
use reduce_platform::sockets::{Reader, Stream};
use reduce_protocol::{
    Agreement, CacheCommand, CacheReply, ClientMessage, Hello, JobId, JobStatus, LiveJob, Refusal,
    ServerMessage, ShutdownReply, Status,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The time that a client may take to say hello.
const HELLO_PATIENCE: Duration = Duration::from_secs(10);

/// The number of clients that are served at once.
const MAX_CLIENTS: usize = 256;
/// The number of jobs that a client may listen to at once.
const MAX_ATTACHED: usize = 16;

struct Connection {
    shared: Arc<Shared>,
    reader: MessageReader<Reader>,
    writer: Arc<Writer>,
    /// The tasks that send events of jobs to the client, which end with the connection; the jobs go on.
    deliveries: JoinSet<()>,
    /// The listeners as whom the client listens to jobs.
    listening: BTreeMap<JobId, ListenerId>,
    /// The jobs that the client holds, which go on without it.
    holding: BTreeMap<JobId, ListenerId>,
}

/// A guard that adds one to a count while it exists.
struct Counted<'a>(&'a watch::Sender<usize>);

/// Talks with a client until it leaves.
pub(super) async fn serve(stream: Stream, shared: Arc<Shared>) {
    if !stream.is_of_this_user() {
        shared.log.write("refused a client of another user");
        return;
    }
    if *shared.clients.borrow() >= MAX_CLIENTS && !shared.idle.let_one_go() {
        shared.log.write("refused a client: there are too many");
        let refusal = Refusal::TooManyClients(MAX_CLIENTS as u64);
        let mut writer = MessageWriter::new(stream.split().1);
        // The client may have left.
        let _ = writer.send(&ServerMessage::Refused(refusal)).await;
        return;
    }
    let counting = Arc::clone(&shared);
    let _counted = Counted::new(&counting.clients);
    let (read, write) = stream.split();
    let reader = MessageReader::of_client(read, &shared.unread);
    let mut connection = Connection {
        shared,
        reader,
        writer: Arc::new(Writer::new(MessageWriter::new(write))),
        deliveries: JoinSet::new(),
        listening: BTreeMap::new(),
        holding: BTreeMap::new(),
    };
    let conversed = connection.converse().await;
    connection.release_all();
    if let Err(error) = conversed {
        counting
            .log
            .write(format!("a client was lost: {}", one_line(&error)));
    }
}

impl Connection {
    async fn converse(&mut self) -> Result<(), DaemonError> {
        let Some(agreement) = self.exchange_hellos().await? else {
            return Ok(());
        };
        loop {
            while self.deliveries.try_join_next().is_some() {}
            let shared = Arc::clone(&self.shared);
            let silence = self.deliveries.is_empty().then(|| shared.idle.enter());
            let next = tokio::select! {
                next = self.reader.next() => next,
                () = to_go(silence.as_ref()) => return Ok(()),
            };
            drop(silence);
            match next {
                Ok(Some(message)) => self.follow(message, agreement).await?,
                Ok(None) => return Ok(()),
                Err(error) => {
                    // The client may be gone; then the error says so.
                    let _ = self.refuse_as_malformed(one_line(&error)).await;
                    return Err(error);
                }
            }
        }
    }

    /// Exchanges greetings with the client, and returns `None` if it leaves, says nothing or something else.
    async fn exchange_hellos(&mut self) -> Result<Option<Agreement>, DaemonError> {
        let own = self.shared.options.hello.clone();
        self.send(&ServerMessage::Hello(own.clone())).await?;
        let shared = Arc::clone(&self.shared);
        let silence = shared.idle.enter();
        let first = tokio::select! {
            first = timeout(HELLO_PATIENCE, self.reader.next()) => first,
            () = silence.ends() => return Ok(None),
        };
        drop(silence);
        let Ok(first) = first else {
            return Ok(None);
        };
        match first? {
            Some(ClientMessage::Hello(hello)) => Ok(Some(Hello::agreement(&hello, &own))),
            Some(_) => {
                let reason = "the first message is not a hello".to_owned();
                self.refuse_as_malformed(reason).await.map(|()| None)
            }
            None => Ok(None),
        }
    }

    async fn refuse_as_malformed(&self, reason: String) -> Result<(), DaemonError> {
        let refusal = Refusal::Malformed(reason);
        self.send(&ServerMessage::Refused(refusal)).await
    }

    async fn follow(
        &mut self,
        message: ClientMessage,
        agreement: Agreement,
    ) -> Result<(), DaemonError> {
        let followed = match message {
            ClientMessage::Shutdown { force } => return self.shut_down(force).await,
            _ if !matches!(agreement, Agreement::Same | Agreement::OtherBuild) => {
                Err(Refusal::VersionMismatch)
            }
            ClientMessage::Submit(_) | ClientMessage::Attach(_) if self.is_full() => {
                let reason = format!("this client is attached to {MAX_ATTACHED} jobs already");
                Err(Refusal::Unable(reason))
            }
            ClientMessage::Submit(request) => match request.check_bounds() {
                Ok(()) => self.shared.jobs.submit(*request),
                Err(error) => Err(Refusal::Unable(error.to_string())),
            },
            ClientMessage::Attach(job) => self.shared.jobs.find(job),
            ClientMessage::Status => {
                return match self.status().await {
                    Ok(status) => self.send(&ServerMessage::Status(status)).await,
                    Err(refusal) => self.send(&ServerMessage::Refused(refusal)).await,
                };
            }
            ClientMessage::Leave(job) => match self.leave(job) {
                Ok(others) => return self.send(&ServerMessage::Left { job, others }).await,
                Err(refusal) => Err(refusal),
            },
            ClientMessage::Hold(job) => match self.hold(job) {
                Ok(status) => return self.send(&ServerMessage::Job(Box::new(status))).await,
                Err(refusal) => Err(refusal),
            },
            ClientMessage::Release(job) => match self.release(job) {
                Ok(status) => return self.send(&ServerMessage::Job(Box::new(status))).await,
                Err(refusal) => Err(refusal),
            },
            ClientMessage::Command { job, command } => {
                match self.shared.jobs.command(job, command) {
                    Ok(status) => return self.send(&ServerMessage::Job(Box::new(status))).await,
                    Err(refusal) => Err(refusal),
                }
            }
            ClientMessage::Look { job, program } => match self.look(job, program).await {
                Ok(live) => return self.send(&ServerMessage::Live(Box::new(live))).await,
                Err(refusal) => Err(refusal),
            },
            ClientMessage::Forget => {
                let forgotten = self.shared.jobs.forget() as u64;
                return self.send(&ServerMessage::Forgotten(forgotten)).await;
            }
            ClientMessage::Cache(command) => {
                let reply = self.look_after_cache(command).await;
                return self.send(&ServerMessage::Cache(reply)).await;
            }
            ClientMessage::Hello(_) => Err(Refusal::Malformed("a second hello".to_owned())),
        };
        match followed {
            Ok(accepted) => self.attach(accepted).await,
            Err(refusal) => self.send(&ServerMessage::Refused(refusal)).await,
        }
    }

    /// Returns whether the client listens to as many jobs as it may; those that have ended do not count.
    fn is_full(&mut self) -> bool {
        while self.deliveries.try_join_next().is_some() {}
        self.deliveries.len() >= MAX_ATTACHED
    }

    async fn attach(&mut self, accepted: Accepted) -> Result<(), DaemonError> {
        let Accepted { job, joined, ahead } = accepted;
        self.send(&ServerMessage::Accepted {
            job: job.id,
            joined,
            ahead,
        })
        .await?;
        let (id, reader) = (job.id, job.read());
        self.listening.insert(id, reader.listener());
        let (writer, shared) = (Arc::clone(&self.writer), Arc::clone(&self.shared));
        self.deliveries.spawn(async move {
            let _counted = Counted::new(&shared.deliveries);
            // A client that cannot be written to is gone, which the reading side notices.
            let _ = deliver(id, reader, &writer).await;
        });
        Ok(())
    }

    async fn shut_down(&mut self, force: bool) -> Result<(), DaemonError> {
        let jobs = *self.shared.jobs.active().borrow();
        let accepted = force || jobs == 0;
        let reply = ShutdownReply {
            accepted,
            jobs: jobs as u64,
        };
        self.send(&ServerMessage::Shutdown(reply)).await?;
        if accepted {
            self.shared.jobs.close();
            self.shared.stop.notify_one();
        }
        Ok(())
    }

    /// Returns the daemon's status. It is made on a thread of its own, as there may be many files to look at.
    async fn status(&self) -> Result<Box<Status>, Refusal> {
        let shared = Arc::clone(&self.shared);
        let done = tokio::task::spawn_blocking(move || Box::new(status(&shared))).await;
        done.map_err(|error| Refusal::Unable(error.to_string()))
    }

    /// Returns the state of a job for a live view. It is made on a thread of its own, as programs are compared.
    async fn look(&self, job: JobId, program: u64) -> Result<LiveJob, Refusal> {
        let shared = Arc::clone(&self.shared);
        let done = tokio::task::spawn_blocking(move || shared.jobs.look(job, program)).await;
        done.unwrap_or_else(|error| Err(Refusal::Unable(error.to_string())))
    }

    /// Carries out a command about the cache, on a thread of its own, as there may be much to read.
    async fn look_after_cache(&self, command: CacheCommand) -> CacheReply {
        let shared = Arc::clone(&self.shared);
        let asked = shared.jobs.overview().asked;
        let work = move || shared.runner.look_after(&command, asked);
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|error| CacheReply::Failed(error.to_string()))
    }

    /// Makes the client leave a job, and returns the number of other listeners. A job that the client does not listen to
    /// is refused.
    fn leave(&self, job: JobId) -> Result<u64, Refusal> {
        let listener = self.listening.get(&job).ok_or(Refusal::NoSuchJob(job))?;
        let job = self.shared.jobs.find(job)?.job;
        Ok(self.shared.jobs.leave(&job, *listener).unwrap_or_default())
    }

    /// Makes the client hold a job that it listens to, while its user edits the job's program.
    fn hold(&mut self, job: JobId) -> Result<JobStatus, Refusal> {
        let listener = self.listening.get(&job).ok_or(Refusal::NoSuchJob(job))?;
        let holder = *self.holding.entry(job).or_insert(*listener);
        self.shared.jobs.hold(job, holder)
    }

    fn release(&mut self, job: JobId) -> Result<JobStatus, Refusal> {
        let holder = self.holding.remove(&job).ok_or(Refusal::NoSuchJob(job))?;
        self.shared.jobs.release(job, holder)
    }

    /// Releases all jobs that the client holds, as it is gone, and its editor with it or soon.
    fn release_all(&mut self) {
        while let Some((job, holder)) = self.holding.pop_first() {
            // Nobody holds a job that is listed no more.
            let _ = self.shared.jobs.release(job, holder);
        }
    }

    async fn send(&self, message: &ServerMessage) -> Result<(), DaemonError> {
        self.writer.lock().await.send(message).await
    }
}

/// Waits until a silent client has to make room for another; for a client that waits for a job, this never returns.
async fn to_go(silence: Option<&Silence<'_>>) {
    match silence {
        Some(silence) => silence.ends().await,
        None => std::future::pending().await,
    }
}

async fn deliver(job: JobId, mut reader: JobReader, writer: &Writer) -> Result<(), DaemonError> {
    loop {
        let (events, end) = reader.next().await;
        let mut writer = writer.lock().await;
        for event in events {
            writer.send(&ServerMessage::Event { job, event }).await?;
        }
        match end {
            None => {}
            Some(End::Finished) => return Ok(()),
            Some(End::Failed(failure)) => {
                return writer.send(&ServerMessage::Failed { job, failure }).await;
            }
        }
    }
}

impl<'a> Counted<'a> {
    fn new(count: &'a watch::Sender<usize>) -> Self {
        count.send_modify(|count| *count += 1);
        Self(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}
