//! The main loop of the client's process, which reads requests from standard input and writes replies.
//!
//! Each request has a thread of its own, which waits most of the time. When standard input ends, whoever asked is gone:
//! runs that are under way are given up, and the server is told so.

use crate::error::RemoteError;
use crate::remote::Remote;
use reduce_platform::Cancel;
use reduce_remote_protocol::{Answer, Hello, NoAnswer, Reply, Request, line_of, read_line};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The longest time that runs under way may take to end once nobody waits for them.
const GIVEN_UP_WITHIN: Duration = Duration::from_millis(500);

/// The state that all requests share.
struct Serving<W> {
    to: Mutex<W>,
    /// The client of the server, once a request has named its address.
    remote: Mutex<Option<Arc<Remote>>>,
    /// The signals to cancel the runs under way, by the numbers of their requests.
    waited_for: Mutex<HashMap<u64, Cancel>>,
    /// Wakes the thread that waits, at the end, until all runs under way have ended.
    answered: Condvar,
}

/// Writes the greeting, and then answers requests until standard input ends.
///
/// # Errors
/// Where a request cannot be read, or nobody hears.
pub fn serve(mut from: impl BufRead, to: impl Write + Send + 'static) -> io::Result<()> {
    let serving = Arc::new(Serving {
        to: Mutex::new(to),
        remote: Mutex::default(),
        waited_for: Mutex::default(),
        answered: Condvar::new(),
    });
    write(&mut *lock(&serving.to), &line_of(&Hello::own()))?;
    let served = serving.until_the_end(&mut from);
    serving.give_up();
    served
}

impl<W: Write + Send + 'static> Serving<W> {
    fn until_the_end(self: &Arc<Self>, from: &mut impl BufRead) -> io::Result<()> {
        while let Some(request) = read_line(from)? {
            let (id, request) = match request {
                Request::Cancel { id } => {
                    lock(&self.waited_for).get(&id).map(Cancel::cancel);
                    continue;
                }
                Request::Open { id, .. } | Request::Run { id, .. } => (id, request),
            };
            let cancel = Cancel::new()?;
            lock(&self.waited_for).insert(id, cancel.clone());
            let serving = Arc::clone(self);
            std::thread::Builder::new().spawn(move || serving.answer(id, request, &cancel))?;
        }
        Ok(())
    }

    fn answer(&self, id: u64, request: Request, cancel: &Cancel) {
        let answer = match request {
            Request::Open { settings, .. } => Remote::new(&settings).and_then(|remote| {
                let remote = Arc::clone(lock(&self.remote).insert(Arc::new(remote)));
                remote.look(cancel).map(|()| Answer::There)
            }),
            Request::Run { command, .. } => match self.remote() {
                Some(remote) => remote.run(&command, cancel).map(Answer::Ended),
                None => Err(RemoteError::Setting {
                    what: "the server".to_owned(),
                    reason: "it has no address yet".to_owned(),
                }),
            },
            Request::Cancel { .. } => return,
        };
        self.reply(id, answer.map_err(NoAnswer::from));
        lock(&self.waited_for).remove(&id);
        self.answered.notify_all();
    }

    /// Writes the reply to a request, with counts that never become smaller from one reply to the next.
    fn reply(&self, id: u64, answer: Result<Answer, NoAnswer>) {
        let mut to = lock(&self.to);
        let counts = self.remote().map(|remote| remote.counts());
        let reply = Reply {
            id,
            counts: counts.unwrap_or_default(),
            answer,
        };
        // If nobody hears it, the requests end too.
        let _unheard = write(&mut *to, &line_of(&reply));
    }

    fn remote(&self) -> Option<Arc<Remote>> {
        lock(&self.remote).clone()
    }

    /// Cancels the runs under way, and tells the server to stop them.
    fn give_up(&self) {
        let waited_for = lock(&self.waited_for);
        waited_for.values().for_each(Cancel::cancel);
        let are_there = |waited_for: &mut HashMap<u64, Cancel>| !waited_for.is_empty();
        let answered = &self.answered;
        // Those that have not ended by then are left alone.
        drop(answered.wait_timeout_while(waited_for, GIVEN_UP_WITHIN, are_there));
        let remote = lock(&self.remote).take();
        drop(remote);
    }
}

fn write(to: &mut impl Write, line: &str) -> io::Result<()> {
    to.write_all(line.as_bytes())?;
    to.flush()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
