//! Workers that share a queue of jobs, and hand in what they have made.

use async_channel::{Receiver, RecvError, Sender, TrySendError};
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Job {
    Square(u32),
    Text(String),
    Leave,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Outcome {
    worker: usize,
    answer: String,
}

struct Pool {
    jobs: Sender<Job>,
    queue: Receiver<Job>,
    outcomes: Receiver<Outcome>,
    workers: Vec<Worker>,
}

struct Worker {
    number: usize,
    jobs: Receiver<Job>,
    outcomes: Sender<Outcome>,
}

impl Worker {
    /// Does one job. Gives back whether it stays.
    async fn step(&self) -> Result<bool, RecvError> {
        let answer = match self.jobs.recv().await? {
            Job::Square(number) => (number * number).to_string(),
            Job::Text(text) => text.to_uppercase(),
            Job::Leave => return Ok(false),
        };
        let outcome = Outcome {
            worker: self.number,
            answer,
        };
        self.outcomes
            .send(outcome)
            .await
            .expect("somebody waits for outcomes");
        Ok(true)
    }
}

impl Pool {
    fn new(size: usize, backlog: usize) -> Self {
        let (jobs, queue) = async_channel::bounded(backlog);
        let (outcome_queue, outcomes) = async_channel::unbounded();
        let workers = (0..size).map(|number| Worker {
            number,
            jobs: queue.clone(),
            outcomes: outcome_queue.clone(),
        });
        let workers = workers.collect();
        Pool {
            jobs,
            queue,
            outcomes,
            workers,
        }
    }

    /// Lets each worker do one job in turn until no job is left. Those that leave are dropped.
    async fn run(&mut self) {
        while !self.jobs.is_empty() && !self.workers.is_empty() {
            let worker = self.workers.remove(0);
            if let Ok(true) = worker.step().await {
                self.workers.push(worker);
            }
        }
    }

    fn answers(&self) -> BTreeSet<String> {
        let outcomes = std::iter::from_fn(|| self.outcomes.try_recv().ok());
        outcomes.map(|outcome| outcome.answer).collect()
    }
}

fn texts(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn jobs_are_done_in_turn() {
    let mut pool = Pool::new(3, 8);
    for number in 1..=4 {
        pool.jobs.send(Job::Square(number)).await.unwrap();
    }
    pool.run().await;
    assert_eq!(pool.answers(), texts(&["1", "16", "4", "9"]));
    assert_eq!(pool.workers.len(), 3);
}

#[tokio::test]
async fn a_full_queue_refuses_a_job() {
    let pool = Pool::new(1, 2);
    pool.jobs.send(Job::Square(2)).await.unwrap();
    pool.jobs.send(Job::Text("two".to_string())).await.unwrap();
    let refused = pool.jobs.try_send(Job::Leave);
    assert_eq!(refused, Err(TrySendError::Full(Job::Leave)));
    assert_eq!(pool.jobs.len(), 2);
}

#[tokio::test(flavor = "current_thread")]
async fn the_rest_of_the_work_is_done_when_a_worker_leaves() {
    let mut pool = Pool::new(3, 8);
    pool.jobs.send(Job::Square(7)).await.unwrap();
    pool.jobs.send(Job::Leave).await.unwrap();
    pool.jobs.send(Job::Text("done".to_string())).await.unwrap();
    pool.run().await;
    assert_eq!(pool.answers(), texts(&["49", "DONE"]));
    assert_eq!(pool.workers.len(), 2);

    let sent = pool.jobs.send(Job::Text("more".to_string())).await;
    assert!(sent.is_ok(), "{} workers are left", pool.workers.len());
    pool.run().await;
    assert_eq!(pool.answers(), texts(&["MORE"]));
}

#[tokio::test]
async fn outcomes_end_when_all_workers_are_gone() {
    let mut pool = Pool::new(1, 4);
    pool.jobs.send(Job::Leave).await.unwrap();
    pool.run().await;
    assert!(pool.workers.is_empty() && pool.queue.is_empty());
    assert_eq!(pool.outcomes.recv().await, Err(RecvError));
}
