//! Asks all services side by side, again and again.

use crate::error::Error;
use crate::probe::{self, Service};
use crate::report::Report;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time;

pub struct Watch {
    services: Vec<Service>,
    longest: Duration,
    at_once: Arc<Semaphore>,
    report: Arc<Mutex<Report>>,
}

impl Watch {
    pub fn new(services: Vec<Service>, longest: Duration) -> Self {
        Watch {
            services,
            longest,
            at_once: Arc::new(Semaphore::new(8)),
            report: Arc::default(),
        }
    }

    pub fn report(&self) -> Report {
        self.report.lock().map(|report| report.clone()).unwrap_or_default()
    }

    pub async fn run(&self, interval: Duration, rounds: u32) -> Result<(), Error> {
        let mut ticks = time::interval(interval);
        for _ in 0..rounds {
            ticks.tick().await;
            let mut tasks = JoinSet::new();
            for service in self.services.clone() {
                self.start(&mut tasks, service);
            }
            while let Some(ended) = tasks.join_next().await {
                ended?;
            }
        }
        Ok(())
    }

    fn start(&self, tasks: &mut JoinSet<()>, service: Service) {
        let report = Arc::clone(&self.report);
        let at_once = Arc::clone(&self.at_once);
        let longest = self.longest;
        tasks.spawn(async move {
            let Ok(_permit) = at_once.acquire().await else {
                return;
            };
            let mut report = report.lock().expect("nobody panics with the lock");
            report.add(&service.name, probe::ask(&service, longest).await);
        });
    }
}
