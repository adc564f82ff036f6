//! Departures at a small station: one task announces trains, and each display is a task that shows them.

use async_broadcast::{broadcast, InactiveReceiver, Receiver, Sender};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

struct Task {
    name: String,
    future: Pin<Box<dyn Future<Output = ()>>>,
    flag: Arc<Flag>,
}

/// Polls the tasks that were woken, in the order in which they were started.
#[derive(Default)]
struct Executor {
    tasks: Vec<Task>,
    polls: usize,
}

impl Executor {
    fn start(&mut self, name: impl Into<String>, future: impl Future<Output = ()> + 'static) {
        self.tasks.push(Task {
            name: name.into(),
            future: Box::pin(future),
            flag: Arc::new(Flag(AtomicBool::new(true))),
        });
    }

    /// Runs until nobody is awake. Gives back who still waits.
    fn run(&mut self) -> Vec<String> {
        loop {
            let mut has_polled = false;
            let mut at = 0;
            while at < self.tasks.len() {
                let task = &mut self.tasks[at];
                if !task.flag.0.swap(false, Ordering::SeqCst) {
                    at += 1;
                    continue;
                }
                has_polled = true;
                self.polls += 1;
                assert!(self.polls < 10_000, "the tasks wake each other for ever");
                let waker = Waker::from(task.flag.clone());
                match task.future.as_mut().poll(&mut Context::from_waker(&waker)) {
                    Poll::Ready(()) => drop(self.tasks.remove(at)),
                    Poll::Pending => at += 1,
                }
            }
            if !has_polled {
                return self.tasks.iter().map(|task| task.name.clone()).collect();
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Departure {
    line: &'static str,
    minute: u32,
    platform: u8,
}

impl Departure {
    fn new(line: &'static str, minute: u32, platform: u8) -> Self {
        Departure {
            line,
            minute,
            platform,
        }
    }
}

#[derive(Default)]
struct Station {
    executor: Executor,
    shown: Rc<RefCell<BTreeMap<&'static str, Vec<&'static str>>>>,
    unannounced: Rc<Cell<Option<usize>>>,
    asleep: BTreeMap<&'static str, InactiveReceiver<Departure>>,
}

impl Station {
    fn announce(&mut self, sender: Sender<Departure>, departures: Vec<Departure>) {
        let unannounced = self.unannounced.clone();
        self.executor.start("announcer", async move {
            let mut left = departures.len();
            for departure in departures {
                if sender.broadcast(departure).await.is_err() {
                    break;
                }
                left -= 1;
            }
            unannounced.set(Some(left));
        });
    }

    /// A display of one platform, or of all, which shows a number of departures and is then switched off.
    fn display(
        &mut self,
        name: &'static str,
        mut receiver: Receiver<Departure>,
        platform: Option<u8>,
        rows: usize,
    ) {
        let shown = self.shown.clone();
        self.executor.start(name, async move {
            for _ in 0..rows {
                let departure = match receiver.recv().await {
                    Ok(departure) => departure,
                    Err(_) => return,
                };
                if platform.map_or(true, |platform| departure.platform == platform) {
                    shown.borrow_mut().entry(name).or_default().push(departure.line);
                }
            }
        });
    }

    fn sleep(&mut self, name: &'static str, receiver: Receiver<Departure>) {
        self.asleep.insert(name, receiver.deactivate());
    }

    fn wake(&mut self, name: &'static str, rows: usize) {
        if let Some(receiver) = self.asleep.remove(name) {
            self.display(name, receiver.activate(), None, rows);
        }
    }

    fn switch_off(&mut self, name: &str) -> bool {
        self.asleep.remove(name).is_some()
    }

    fn lines(&self, name: &str) -> String {
        let shown = self.shown.borrow();
        shown.get(name).map(|lines| lines.join(" ")).unwrap_or_default()
    }
}

fn morning() -> Vec<Departure> {
    vec![
        Departure::new("S1", 3, 1),
        Departure::new("RE7", 11, 2),
        Departure::new("S1", 23, 1),
        Departure::new("IC", 40, 3),
        Departure::new("S2", 52, 2),
    ]
}

#[test]
fn a_display_shows_the_trains_of_its_platform() {
    let mut station = Station::default();
    let (sender, receiver) = broadcast(2);
    station.display("platform 1", receiver.clone(), Some(1), 5);
    station.display("hall", receiver, None, 5);
    station.announce(sender, morning());
    assert!(station.executor.run().is_empty());
    assert_eq!(station.lines("platform 1"), "S1 S1");
    assert_eq!(station.lines("hall"), "S1 RE7 S1 IC S2");
    assert_eq!(station.unannounced.get(), Some(0));
}

#[test]
fn a_display_that_was_asleep_has_missed_nothing() {
    let mut station = Station::default();
    let (sender, receiver) = broadcast(8);
    station.sleep("hall", receiver);
    station.announce(sender, morning());
    assert_eq!(station.executor.run(), ["announcer"]);
    station.wake("hall", 9);
    assert!(station.executor.run().is_empty());
    assert_eq!(station.lines("hall"), "S1 RE7 S1 IC S2");
}

#[test]
fn the_last_display_ends_the_announcements() {
    let mut station = Station::default();
    let (sender, receiver) = broadcast(1);
    station.display("hall", receiver, None, 3);
    station.announce(sender, morning());
    assert!(station.executor.run().is_empty());
    assert_eq!(station.lines("hall"), "S1 RE7 S1");
    assert_eq!(station.unannounced.get(), Some(2));
}

#[test]
fn nobody_announces_to_displays_that_are_switched_off() {
    let mut station = Station::default();
    let (sender, receiver) = broadcast(3);
    for platform in 1..=2 {
        let name = ["", "platform 1", "platform 2"][usize::from(platform)];
        station.display(name, receiver.clone(), Some(platform), 3);
    }
    station.sleep("hall", receiver.clone());
    station.sleep("entrance", receiver);
    station.announce(sender, morning());

    assert_eq!(station.executor.run(), ["announcer"]);
    assert_eq!(station.lines("platform 1"), "S1 S1");
    assert_eq!(station.lines("platform 2"), "RE7");

    assert!(station.switch_off("hall"));
    assert_eq!(station.executor.run(), ["announcer"]);
    assert!(station.switch_off("entrance"));
    assert!(!station.switch_off("platform 1"));
    station.executor.run();
    assert_eq!(station.unannounced.get(), Some(2));
}
