//! Worker threads that answer questions. Each has a questioner, and so a scratch directory, of its
//! own; replies come in any order. Some ask here, and others a server.

use super::asker::{Asker, Question, QuestionId, Reply};
use super::oracle::Oracle;
use super::queue::Queue;
use super::remote::RemoteWorkers;
use super::simulation::{SimulatedWorkers, Simulation};
use crate::failure::Failure;
use crate::live::Live;
use crate::turns::Turns;
use reduce_oracle::Cancel;
use reduce_platform::cancel::wait_for_either;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::Scope;

/// The worker threads, as the search sees them. They end when this is dropped.
pub(crate) struct Pool {
    workers: Workers,
    /// The replies that came while the search waited for the reply to another question.
    early: RefCell<VecDeque<Reply>>,
    /// The handles that cancel the questions which have no reply yet.
    open: Arc<Mutex<BTreeMap<QuestionId, Cancel>>>,
    /// A flag that is raised when the pool is dropped.
    ended: Option<Cancel>,
}

enum Workers {
    Threads {
        questions: Arc<Queue>,
        replies: Receiver<Reply>,
    },
    Simulated(RefCell<SimulatedWorkers>),
}

impl Pool {
    /// Starts `jobs` threads in `scope`, each of which waits for a turn before it asks.
    ///
    /// # Errors
    /// Where a questioner or a thread cannot be made.
    #[cfg(test)]
    pub(crate) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        oracle: &dyn Oracle,
        jobs: usize,
        turns: &Arc<dyn Turns>,
    ) -> Result<Self, Failure> {
        Self::start_with(scope, oracle, (jobs, None), (turns, &Live::default()))
    }

    /// Starts threads, with workers that ask a server, if there are some.
    ///
    /// # Errors
    /// Where a questioner or a thread cannot be made.
    pub(crate) fn start_with<'scope>(
        scope: &'scope Scope<'scope, '_>,
        oracle: &dyn Oracle,
        (jobs, remote): (usize, Option<&'scope RemoteWorkers<'_>>),
        (turns, live): (&Arc<dyn Turns>, &Live),
    ) -> Result<Self, Failure> {
        let queue = Arc::<Queue>::default();
        let side = Arc::new(RwLock::new(()));
        let (outbox, replies) = channel();
        // Closes the queue where not all threads can be started.
        let questions = queue.clone();
        let pool = Self {
            workers: Workers::Threads { questions, replies },
            early: RefCell::default(),
            open: Arc::default(),
            ended: None,
        };
        let jobs = jobs.max(1);
        for worker in 0..jobs + remote.map_or(0, |remote| remote.jobs) {
            let mut questioner = oracle.questioner(worker)?;
            let remote = remote.filter(|_| worker >= jobs);
            if let Some(remote) = remote {
                remote.equip(&mut *questioner);
            }
            let (queue, outbox, side) = (queue.clone(), outbox.clone(), side.clone());
            let asker = Asker {
                questioner,
                side,
                turns: Arc::clone(turns),
                live: live.clone(),
            };
            let work = move || work(asker, remote, &queue, &outbox);
            crate::thread::thread("worker")
                .spawn_scoped(scope, work)
                .map_err(|error| Failure::io("start a thread", &error))?;
        }
        Ok(pool)
    }

    /// Returns the number of threads for queries on this machine that wait for a question.
    #[cfg(test)]
    fn idle(&self) -> usize {
        match &self.workers {
            Workers::Threads { questions, .. } => questions.idle(),
            Workers::Simulated(_) => 0,
        }
    }

    /// Waits until `workers` threads for queries on this machine wait for a question.
    #[cfg(test)]
    fn wait_for_idle(&self, workers: usize) {
        while self.idle() < workers {
            std::thread::yield_now();
        }
    }

    /// Waits until no thread for queries on this machine waits for a question.
    #[cfg(test)]
    fn wait_until_busy(&self) {
        while self.idle() > 0 {
            std::thread::yield_now();
        }
    }

    /// Makes a pool with the workers of a simulation, which need no threads.
    ///
    /// # Errors
    /// Where a questioner cannot be made.
    pub(crate) fn simulated(
        simulation: Arc<Simulation>,
        oracle: &dyn Oracle,
        jobs: usize,
        (turns, live): (&Arc<dyn Turns>, &Live),
    ) -> Result<Self, Failure> {
        let asker = Asker {
            questioner: oracle.questioner(0)?,
            side: Arc::default(),
            turns: Arc::clone(turns),
            live: live.clone(),
        };
        let workers = SimulatedWorkers::new(simulation, asker, jobs);
        Ok(Self {
            workers: Workers::Simulated(RefCell::new(workers)),
            early: RefCell::default(),
            open: Arc::default(),
            ended: None,
        })
    }

    /// Cancels all questions that are under way once the user cancels: whoever waits for a reply to one looks at nothing
    /// else, and it may take long.
    ///
    /// # Errors
    /// Where a thread cannot be made.
    pub(crate) fn cancelled_by<'scope>(
        mut self,
        scope: &'scope Scope<'scope, '_>,
        user: &Cancel,
    ) -> Result<Self, Failure> {
        let ended = Cancel::new().map_err(|error| Failure::io("make a pipe", &error))?;
        let (open, user, over) = (Arc::clone(&self.open), user.clone(), ended.clone());
        let work = move || {
            wait_for_either(&user, &over, None);
            if user.is_cancelled() {
                let open = open.lock().unwrap_or_else(PoisonError::into_inner);
                open.values().for_each(Cancel::cancel);
            }
        };
        crate::thread::thread("cancel")
            .spawn_scoped(scope, work)
            .map_err(|error| Failure::io("start a thread", &error))?;
        self.ended = Some(ended);
        Ok(self)
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<QuestionId, Cancel>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn receive(&self) -> Option<Reply> {
        let reply = match &self.workers {
            Workers::Threads { replies, .. } => replies.recv().ok(),
            Workers::Simulated(workers) => workers.borrow_mut().wait(),
        }?;
        self.open().remove(&reply.id);
        Some(reply)
    }

    /// Puts a question at the end of the queue.
    pub(crate) fn submit(&self, question: Question) {
        self.open().insert(question.id, question.cancel.clone());
        match &self.workers {
            Workers::Threads { questions, .. } => questions.put(question),
            Workers::Simulated(workers) => workers.borrow_mut().submit(question),
        }
    }

    /// Waits for the next reply; `None` if all threads are gone.
    pub(crate) fn wait(&self) -> Option<Reply> {
        let early = self.early.borrow_mut().pop_front();
        early.or_else(|| self.receive())
    }

    /// Waits for the reply to one question; others that come before it are for the next
    /// [`Pool::wait`].
    pub(crate) fn wait_for(&self, id: QuestionId) -> Option<Reply> {
        loop {
            let reply = self.receive()?;
            if reply.id == id {
                return Some(reply);
            }
            self.early.borrow_mut().push_back(reply);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Some(ended) = &self.ended {
            ended.cancel();
        }
        if let Workers::Threads { questions, .. } = &self.workers {
            questions.close();
        }
    }
}

fn work(
    mut asker: Asker,
    remote: Option<&RemoteWorkers<'_>>,
    queue: &Queue,
    outbox: &Sender<Reply>,
) {
    loop {
        let next = match remote {
            Some(remote) => queue.take_if_there(|| remote.is_there()),
            None => queue.take(),
        };
        let Some(question) = next else { return };
        let answer = asker.screen_and_ask(&question, remote);
        if outbox
            .send(Reply {
                id: question.id,
                answer,
            })
            .is_err()
        {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
