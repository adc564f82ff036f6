//! A store of sessions as a web server has it: a session lives for so long after its last use, and
//! for a short grace period after somebody has logged out.

extern crate ttl_cache;

use std::thread;
use std::time::Duration;
use ttl_cache::{Entry, TtlCache};

const LIFETIME: Duration = Duration::from_secs(600);
const GRACE: Duration = Duration::from_millis(2);

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Anonymous,
    LoggedIn { user: String, is_admin: bool },
    LoggingOut,
}

#[derive(Debug)]
enum Event<'a> {
    LogIn(&'a str),
    Promote,
    LogOut,
    Touch,
}

struct Sessions {
    cache: TtlCache<u64, State>,
    next_id: u64,
}

impl Sessions {
    fn new(capacity: usize) -> Self {
        Sessions {
            cache: TtlCache::new(capacity),
            next_id: 1,
        }
    }

    fn open(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.cache.insert(id, State::Anonymous, LIFETIME);
        id
    }

    fn state(&self, id: u64) -> Option<&State> {
        self.cache.get(&id)
    }

    fn handle(&mut self, id: u64, event: Event<'_>) -> Result<(), String> {
        let mut entry = match self.cache.entry(id) {
            Entry::Occupied(entry) => entry,
            Entry::Vacant(_) => return Err(format!("no session {}", id)),
        };
        let next = match (entry.get().clone(), event) {
            (State::LoggingOut, event) => {
                return Err(format!("session {} is being closed: {:?}", id, event));
            }
            (State::Anonymous, Event::LogIn(user)) => State::LoggedIn {
                user: user.to_string(),
                is_admin: false,
            },
            (State::LoggedIn { user, .. }, Event::Promote) => State::LoggedIn {
                user,
                is_admin: true,
            },
            (State::LoggedIn { .. }, Event::LogOut) => State::LoggingOut,
            (state, Event::Touch) => state,
            (state, event) => return Err(format!("{:?} does not fit {:?}", event, state)),
        };
        let lifetime = if next == State::LoggingOut {
            GRACE
        } else {
            LIFETIME
        };
        entry.insert(next, lifetime);
        Ok(())
    }
}

#[test]
fn a_new_session_is_anonymous() {
    let mut sessions = Sessions::new(4);
    let id = sessions.open();
    assert_eq!(sessions.state(id), Some(&State::Anonymous));
    assert_eq!(sessions.state(id + 1), None);
}

#[test]
fn somebody_who_is_not_logged_in_cannot_be_promoted() {
    let mut sessions = Sessions::new(4);
    let id = sessions.open();
    assert!(sessions.handle(id, Event::Promote).is_err());
    assert!(sessions.handle(id, Event::LogIn("ada")).is_ok());
    assert!(sessions.handle(id, Event::Promote).is_ok());
}

#[test]
fn the_oldest_session_goes_when_there_are_too_many() {
    let mut sessions = Sessions::new(2);
    let first = sessions.open();
    let second = sessions.open();
    let third = sessions.open();
    assert_eq!(sessions.state(first), None);
    assert!(sessions.state(second).is_some());
    assert!(sessions.state(third).is_some());
}

#[test]
fn a_session_that_logs_out_is_gone_after_the_grace_period() {
    let mut sessions = Sessions::new(16);
    let guest = sessions.open();
    let ada = sessions.open();
    let grace = sessions.open();
    sessions.handle(guest, Event::Touch).unwrap();
    sessions.handle(ada, Event::LogIn("ada")).unwrap();
    sessions.handle(grace, Event::LogIn("grace")).unwrap();
    sessions.handle(grace, Event::Promote).unwrap();
    assert_eq!(
        sessions.state(grace),
        Some(&State::LoggedIn {
            user: "grace".to_string(),
            is_admin: true
        })
    );

    sessions.handle(ada, Event::LogOut).unwrap();
    thread::sleep(4 * GRACE);
    assert_eq!(sessions.state(guest), Some(&State::Anonymous));
    assert_eq!(sessions.state(ada), None);
    assert!(sessions.handle(ada, Event::Touch).is_err());
}
