//! Worker threads that answer questions. Each has a questioner, and so a scratch directory, of its
//! own; replies come in any order. Some ask here, and others a server.

use super::ask::{Oracle, Questioner};
use super::queue::Queue;
use super::remote::RemoteWorkers;
use super::simulation::{SimulatedWorkers, Simulation};
use crate::answer::Answer;
use crate::candidate::Candidate;
use crate::decider::Decider;
use crate::failure::Failure;
use crate::live::Live;
use crate::turns::{Turns, Work};
use reduce_model::{Inspection, Outside, ResolvedNames};
use reduce_oracle::{Cancel, Expectation, Late, Verdict};
use reduce_platform::cancel::wait_for_either;
use reduce_syntax::{SourceTree, is_parsable};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::thread::Scope;

/// Names a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct QuestionId(pub(crate) u64);

/// A candidate to be decided.
pub(crate) struct Question {
    pub(crate) id: QuestionId,
    pub(crate) candidate: Candidate,
    pub(crate) check: Check,
    pub(crate) expectation: Expectation,
    pub(crate) asking: Asking,
    pub(crate) cancel: Cancel,
}

/// What is done where a candidate runs out of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    /// That is the answer.
    Once,
    /// It is asked about again, alone and with more time, where its time says little: the machine did not
    /// get to it, or it is larger than the program by which its time was bounded.
    Twice,
    /// It ran out of time before, and is asked about alone and with more time.
    Again,
}

/// What is looked at before the compiler is asked.
pub(crate) enum Check {
    /// These texts must parse: the files that are not as they were in the last accepted state.
    Syntax(Vec<Arc<str>>),
    /// The files that are not as they were must parse, have no name that is unresolved,
    /// and call nothing with a wrong number of arguments.
    Names(Accepted),
}

/// An accepted state in which all names are resolved.
#[derive(Debug, Clone)]
pub(crate) struct Accepted {
    pub(crate) tree: SourceTree,
    pub(crate) outside: Arc<Outside>,
    /// Read by the first worker that needs it.
    pub(crate) names: Arc<OnceLock<ResolvedNames>>,
}

/// A decided candidate.
pub(crate) struct Reply {
    pub(crate) id: QuestionId,
    pub(crate) answer: Result<Answer, Failure>,
}

/// The threads, seen from the search. They end when this is dropped.
pub(crate) struct Pool {
    workers: Workers,
    /// Those that came while another was waited for.
    early: RefCell<VecDeque<Reply>>,
    /// What cancels the questions that have no reply yet.
    open: Arc<Mutex<BTreeMap<QuestionId, Cancel>>>,
    /// Raised when this is dropped.
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

    /// The same, with workers that ask a server, if there are some.
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

    /// How many workers here wait for a question.
    #[cfg(test)]
    fn idle(&self) -> usize {
        match &self.workers {
            Workers::Threads { questions, .. } => questions.idle(),
            Workers::Simulated(_) => 0,
        }
    }

    /// Waits until so many workers here wait for a question.
    #[cfg(test)]
    fn wait_for_idle(&self, workers: usize) {
        while self.idle() < workers {
            std::thread::yield_now();
        }
    }

    /// Waits until no worker here waits for a question.
    #[cfg(test)]
    fn wait_until_busy(&self) {
        while self.idle() > 0 {
            std::thread::yield_now();
        }
    }

    /// Workers of a simulation, which need no threads.
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
            wait_for_either(&user, &over);
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

    /// The next reply; `None` if all threads are gone.
    pub(crate) fn wait(&self) -> Option<Reply> {
        let early = self.early.borrow_mut().pop_front();
        early.or_else(|| self.receive())
    }

    /// The reply to one question; others that come before it are for the next [`Pool::wait`].
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

/// What a thread asks with.
pub(super) struct Asker {
    questioner: Box<dyn Questioner>,
    /// Who asks alone has it for itself.
    side: Arc<RwLock<()>>,
    turns: Arc<dyn Turns>,
    live: Live,
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
        let answer = asker.answer(&question, remote);
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

impl Asker {
    pub(super) fn answer(
        &mut self,
        question: &Question,
        remote: Option<&RemoteWorkers<'_>>,
    ) -> Result<Answer, Failure> {
        if question.cancel.is_cancelled() {
            return Ok(cancelled());
        }
        if let Some(refusal) = question.check.refusal(&question.candidate) {
            return Ok(refusal);
        }
        match self.ask_remotely(question, remote)? {
            Some(answer) => Ok(answer),
            None => self.ask(question),
        }
    }

    /// Asks a server, in a turn that takes nothing of this machine. `None` where there is none, or it has no certain answer.
    fn ask_remotely(
        &mut self,
        question: &Question,
        remote: Option<&RemoteWorkers<'_>>,
    ) -> Result<Option<Answer>, Failure> {
        let Question {
            candidate,
            expectation,
            cancel,
            ..
        } = question;
        match remote {
            // What has run out of time here is asked about here.
            Some(remote) if question.asking != Asking::Again => {
                let Some(_turn) = self.turns.wait(Work::QueryElsewhere, cancel) else {
                    return Ok(Some(cancelled()));
                };
                let _trying = self.live.trying([&candidate.tree]);
                remote.ask(&mut *self.questioner, candidate, *expectation, cancel)
            }
            _ => Ok(None),
        }
    }

    /// Asks side by side with the other workers, and alone where that is called for.
    fn ask(&mut self, question: &Question) -> Result<Answer, Failure> {
        if question.asking == Asking::Again {
            return self.ask_alone(question);
        }
        let answer = {
            let side = Arc::clone(&self.side);
            let _beside_others = side.read().unwrap_or_else(PoisonError::into_inner);
            self.ask_in_turn(question, question.expectation)?
        };
        let says_little = match answer.timing.late {
            // Where a hang is looked for, it was found.
            _ if answer.verdict != Verdict::TimedOut => false,
            Some(Late::Wall) => true,
            Some(Late::Cpu) => question.expectation.times > 1,
            Some(Late::Asleep) | None => false,
        };
        if !says_little || question.asking == Asking::Once {
            return Ok(answer);
        }
        let mut again = self.ask_alone(question)?;
        again.effort.add(answer.effort);
        Ok(again)
    }

    fn ask_alone(&mut self, question: &Question) -> Result<Answer, Failure> {
        let side = Arc::clone(&self.side);
        let _alone = side.write().unwrap_or_else(PoisonError::into_inner);
        let mut answer = self.ask_in_turn(question, question.expectation.again())?;
        answer.timing.is_asked_again = true;
        Ok(answer)
    }

    /// Who has a turn waits for nothing else, so that turns end.
    fn ask_in_turn(
        &mut self,
        question: &Question,
        expectation: Expectation,
    ) -> Result<Answer, Failure> {
        let (candidate, cancel) = (&question.candidate, &question.cancel);
        let Some(_turn) = self.turns.wait(self.questioner.work(), cancel) else {
            return Ok(cancelled());
        };
        let _trying = self.live.trying([&candidate.tree]);
        self.questioner.ask(candidate, expectation, cancel)
    }
}

pub(super) fn cancelled() -> Answer {
    Answer::free(Verdict::Cancelled, Decider::End)
}

impl Check {
    /// The answer where no compiler needs to be asked.
    pub(crate) fn refusal(&self, candidate: &Candidate) -> Option<Answer> {
        let rejected = |decider| Answer::free(Verdict::Rejected, decider);
        match self.inspect(candidate) {
            Inspection::Plausible => None,
            Inspection::Unparsable => {
                let reason = "a file does not parse that could be parsed before";
                Some(rejected(Decider::Syntax).because(reason))
            }
            Inspection::Unresolved(name) => {
                let reason = format!("the name `{name}` has no definition");
                Some(rejected(Decider::Names).because(reason))
            }
            Inspection::Miscalled(name) => {
                let reason = format!("`{name}` is called with a wrong number of arguments");
                Some(rejected(Decider::Names).because(reason))
            }
        }
    }

    /// Whether a candidate's changed files parse, no name in it is certainly unresolved, and no call is
    /// certainly wrong.
    pub(crate) fn inspect(&self, candidate: &Candidate) -> Inspection {
        match self {
            Self::Syntax(texts) => match texts.iter().all(|text| is_parsable(text)) {
                true => Inspection::Plausible,
                false => Inspection::Unparsable,
            },
            Self::Names(accepted) => {
                let read = || ResolvedNames::new(&accepted.tree, &accepted.outside);
                let names = accepted.names.get_or_init(read);
                names.inspect(&candidate.tree)
            }
        }
    }
}

#[cfg(test)]
mod tests;
