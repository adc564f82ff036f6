//! Clients that are connected, say nothing and wait for no job. There is a bound on the number of clients; where it is reached,
//! the one that has been silent for longest goes, so that nobody is kept out by connections that were forgotten.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;

/// The clients that wait for no job, by the moments at which they fell silent.
#[derive(Debug, Default)]
pub(super) struct Idle(Mutex<Silent>);

#[derive(Debug, Default)]
struct Silent {
    last: u64,
    clients: BTreeMap<u64, Arc<Notify>>,
}

/// A guard of a client that says nothing and waits for no job, while it exists.
#[derive(Debug)]
pub(super) struct Silence<'a> {
    idle: &'a Idle,
    number: u64,
    to_go: Arc<Notify>,
}

impl Idle {
    /// Notes that a client falls silent.
    pub(super) fn enter(&self) -> Silence<'_> {
        let mut silent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        silent.last += 1;
        let (number, to_go) = (silent.last, Arc::<Notify>::default());
        silent.clients.insert(number, Arc::clone(&to_go));
        Silence {
            idle: self,
            number,
            to_go,
        }
    }

    /// Tells the client that has been silent for longest to go, and returns whether there is one.
    pub(super) fn let_one_go(&self) -> bool {
        let mut silent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let longest = silent.clients.pop_first();
        longest.is_some_and(|(_, to_go)| {
            to_go.notify_one();
            true
        })
    }
}

impl Silence<'_> {
    /// Waits until the client is told to go, to make room for another one.
    pub(super) async fn ends(&self) {
        self.to_go.notified().await;
    }
}

impl Drop for Silence<'_> {
    fn drop(&mut self) {
        let silent = &mut self.idle.0.lock().unwrap_or_else(PoisonError::into_inner);
        silent.clients.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_client_that_is_silent_for_longest_goes() {
        let idle = Idle::default();
        assert!(!idle.let_one_go());
        let (first, second) = (idle.enter(), idle.enter());
        drop(first);
        let third = idle.enter();
        assert!(idle.let_one_go());
        second.ends().await;
        assert!(idle.let_one_go());
        third.ends().await;
        assert!(!idle.let_one_go());
    }
}
