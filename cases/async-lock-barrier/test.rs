//! Workers in rounds, such as those of a simulation: each does its part, then all wait for the last one.

use async_lock::{Barrier, Mutex, Semaphore};
use std::cell::RefCell;
use std::future::Future;
use std::pin::{pin, Pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

struct Unpark {
    thread: Thread,
    wakes: AtomicUsize,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.wakes.fetch_add(1, Ordering::Relaxed);
        self.thread.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let unpark = Arc::new(Unpark {
        thread: thread::current(),
        wakes: AtomicUsize::new(0),
    });
    let waker = Waker::from(unpark.clone());
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        assert!(unpark.wakes.load(Ordering::Relaxed) < 10_000, "it wakes for ever");
        thread::park();
    }
}

type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// All of several tasks, polled in the order in which they were added.
#[derive(Default)]
struct All<'a> {
    tasks: Vec<Option<Task<'a>>>,
}

impl<'a> All<'a> {
    fn and(mut self, task: impl Future<Output = ()> + 'a) -> Self {
        self.tasks.push(Some(Box::pin(task)));
        self
    }
}

impl Future for All<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        for slot in &mut self.tasks {
            if let Some(task) = slot {
                if task.as_mut().poll(context).is_ready() {
                    *slot = None;
                }
            }
        }
        match self.tasks.iter().all(Option::is_none) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }
}

/// Lets the others go first once.
async fn pause() {
    let mut has_paused = false;
    std::future::poll_fn(move |context| {
        if has_paused {
            return Poll::Ready(());
        }
        has_paused = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Began(&'static str, u32),
    Ended(&'static str, u32),
    Over(u32),
}

#[derive(Default)]
struct Log(RefCell<Vec<Step>>);

impl Log {
    fn add(&self, step: Step) {
        self.0.borrow_mut().push(step);
    }

    /// How many had ended each round when it was over.
    fn ended_at_end(&self) -> Vec<(u32, usize)> {
        let steps = self.0.borrow();
        let over = steps.iter().enumerate().filter_map(|(at, step)| match step {
            Step::Over(round) => Some((at, *round)),
            _ => None,
        });
        over.map(|(at, round)| {
            let is_end = |step: &&Step| matches!(step, Step::Ended(_, of) if *of == round);
            (round, steps[..at].iter().filter(is_end).count())
        })
        .collect()
    }
}

struct Worker<'a> {
    name: &'static str,
    pauses: usize,
    barrier: &'a Barrier,
    log: &'a Log,
}

impl Worker<'_> {
    async fn work(self, rounds: u32) {
        for round in 1..=rounds {
            self.log.add(Step::Began(self.name, round));
            for _ in 0..self.pauses {
                pause().await;
            }
            self.log.add(Step::Ended(self.name, round));
            if self.barrier.wait().await.is_leader() {
                self.log.add(Step::Over(round));
            }
        }
    }
}

fn run(team: &[(&'static str, usize)], rounds: u32) -> Log {
    let log = Log::default();
    let barrier = Barrier::new(team.len());
    let mut all = All::default();
    for &(name, pauses) in team {
        let worker = Worker { name, pauses, barrier: &barrier, log: &log };
        all = all.and(worker.work(rounds));
    }
    block_on(all);
    log
}

#[test]
fn who_works_alone_waits_for_nobody() {
    let log = run(&[("ada", 1)], 3);
    assert_eq!(log.ended_at_end(), [(1, 1), (2, 1), (3, 1)]);
    assert_eq!(log.0.borrow().len(), 9);
}

#[test]
fn a_round_is_over_when_the_slowest_has_ended() {
    let log = run(&[("ada", 0), ("bob", 3), ("cy", 1)], 1);
    let steps = log.0.into_inner();
    assert_eq!(steps[..2], [Step::Began("ada", 1), Step::Ended("ada", 1)]);
    assert_eq!(steps[5..], [Step::Ended("bob", 1), Step::Over(1)]);
}

#[test]
fn a_mutex_keeps_the_others_out() {
    let sum = Mutex::new(0);
    let add = |amount: u32| {
        let sum = &sum;
        async move {
            let mut guard = sum.lock().await;
            let before = *guard;
            pause().await;
            *guard = before + amount;
        }
    };
    block_on(All::default().and(add(1)).and(add(10)).and(add(100)));
    assert_eq!(sum.into_inner(), 111);
}

#[test]
fn a_semaphore_lets_two_in() {
    let semaphore = Semaphore::new(2);
    let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let visit = || async {
        let _permit = semaphore.acquire().await;
        most.fetch_max(inside.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        pause().await;
        inside.fetch_sub(1, Ordering::Relaxed);
    };
    block_on(All::default().and(visit()).and(visit()).and(visit()));
    assert_eq!(most.into_inner(), 2);
}

#[test]
fn nobody_starts_a_round_before_all_have_ended_the_last() {
    let log = run(&[("ada", 0), ("bob", 2), ("cy", 1)], 2);
    let steps = log.0.borrow().clone();
    assert_eq!(steps.first(), Some(&Step::Began("ada", 1)));
    let begun = steps.iter().filter(|step| matches!(step, Step::Began(..)));
    assert_eq!(begun.count(), 6);
    assert_eq!(log.ended_at_end(), [(1, 3), (2, 3)]);
}
