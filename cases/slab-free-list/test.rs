use slab::Slab;

#[derive(Debug, PartialEq)]
enum State {
    Open,
    Waiting { since: u64 },
}

#[derive(Debug)]
struct Session {
    name: String,
    state: State,
}

struct Server {
    sessions: Slab<Session>,
    clock: u64,
}

impl Server {
    fn new() -> Self {
        Server { sessions: Slab::with_capacity(8), clock: 0 }
    }

    fn open(&mut self, name: &str) -> usize {
        self.clock += 1;
        let entry = self.sessions.vacant_entry();
        let key = entry.key();
        entry.insert(Session { name: name.to_string(), state: State::Open });
        key
    }

    fn wait(&mut self, key: usize) {
        self.clock += 10;
        if let Some(session) = self.sessions.get_mut(key) {
            session.state = State::Waiting { since: self.clock };
        }
    }

    fn close(&mut self, key: usize) -> Option<String> {
        self.clock += 1;
        let session = self.sessions.try_remove(key)?;
        Some(session.name)
    }

    fn names(&self) -> Vec<(usize, &str)> {
        self.sessions.iter().map(|(key, session)| (key, session.name.as_str())).collect()
    }
}

#[test]
fn waiting_sessions_know_since_when() {
    let mut server = Server::new();
    let key = server.open("ann");
    server.wait(key);
    assert_eq!(server.sessions[key].state, State::Waiting { since: 11 });
}

#[test]
fn numbers_of_closed_sessions_are_given_again() {
    let mut server = Server::new();
    let keys: Vec<usize> = ["ann", "bob", "cy", "dan"].iter().map(|name| server.open(name)).collect();
    assert_eq!(keys, [0, 1, 2, 3]);
    server.wait(keys[2]);
    assert_eq!(server.close(keys[1]).as_deref(), Some("bob"));
    assert_eq!(server.close(keys[3]).as_deref(), Some("dan"));
    assert_eq!(server.close(keys[3]), None);
    server.open("eve");
    server.open("flo");
    let last = server.open("gus");
    assert_eq!(last, 4);
    assert_eq!(server.names(), [(0, "ann"), (1, "flo"), (2, "cy"), (3, "eve"), (4, "gus")]);
}
