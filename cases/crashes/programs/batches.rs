//! A stream that collects messages into batches, as a state machine that is polled by hand.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

/// Values that arrive one after the other.
pub trait Stream {
    type Item;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>>;
}

impl<S: Stream + Unpin + ?Sized> Stream for Box<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        Pin::new(&mut **self).poll_next(cx)
    }
}

pub trait StreamExt: Stream {
    fn next(&mut self) -> Next<'_, Self>
    where
        Self: Unpin,
    {
        Next { stream: self }
    }

    fn batches(self, size: usize, delay: u32) -> Batches<Self>
    where
        Self: Sized,
    {
        Batches {
            stream: self,
            state: State::Idle,
            size,
            delay,
        }
    }
}

impl<S: Stream + ?Sized> StreamExt for S {}

/// The next value of a stream.
#[derive(Debug)]
pub struct Next<'a, S: ?Sized> {
    stream: &'a mut S,
}

impl<S: Stream + Unpin + ?Sized> Future for Next<'_, S> {
    type Output = Option<S::Item>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut *self.stream).poll_next(cx)
    }
}

#[derive(Debug)]
struct Shared<T> {
    queue: VecDeque<T>,
    waker: Option<Waker>,
    is_closed: bool,
}

/// The end of a channel into which messages go.
#[derive(Debug)]
pub struct Sender<T> {
    shared: Arc<Mutex<Shared<T>>>,
}

impl<T> Sender<T> {
    pub fn send(&self, message: T) {
        let mut shared = self.shared.lock().expect("nobody panics with the lock");
        shared.queue.push_back(message);
        if let Some(waker) = shared.waker.take() {
            waker.wake();
        }
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        if let Ok(mut shared) = self.shared.lock() {
            shared.is_closed = true;
            if let Some(waker) = shared.waker.take() {
                waker.wake();
            }
        }
    }
}

#[derive(Debug)]
pub struct Receiver<T> {
    shared: Arc<Mutex<Shared<T>>>,
}

impl<T> Stream for Receiver<T> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let mut shared = self.shared.lock().expect("nobody panics with the lock");
        match shared.queue.pop_front() {
            Some(message) => Poll::Ready(Some(message)),
            None if shared.is_closed => Poll::Ready(None),
            None => {
                shared.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Arc::new(Mutex::new(Shared {
        queue: VecDeque::new(),
        waker: None,
        is_closed: false,
    }));
    let sender = Sender {
        shared: Arc::clone(&shared),
    };
    (sender, Receiver { shared })
}

/// Wakes its task at once, a given number of times.
#[derive(Debug)]
struct Ticks {
    left: u32,
}

impl Future for Ticks {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.left == 0 {
            return Poll::Ready(());
        }
        self.left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

#[derive(Debug)]
enum State<T> {
    Idle,
    Filling { batch: Vec<T>, timer: Ticks },
    Done,
}

impl<T> State<T> {
    fn take(&mut self) -> Vec<T> {
        match std::mem::replace(self, State::Idle) {
            State::Filling { batch, .. } => batch,
            State::Idle | State::Done => Vec::new(),
        }
    }
}

/// Collects values until there are `size`, or until they have waited for `delay` ticks.
#[derive(Debug)]
pub struct Batches<S: Stream> {
    stream: S,
    state: State<S::Item>,
    size: usize,
    delay: u32,
}

impl<S: Stream + Unpin> Batches<S> {
    fn put(&mut self, value: S::Item) -> Option<Vec<S::Item>> {
        match &mut self.state {
            State::Filling { batch, .. } => batch.push(value),
            State::Idle | State::Done => {
                self.state = State::Filling {
                    batch: vec![value],
                    timer: Ticks { left: self.delay },
                };
            }
        }
        match &self.state {
            State::Filling { batch, .. } if batch.len() >= self.size => Some(self.state.take()),
            _ => None,
        }
    }

    fn is_overdue(&mut self, cx: &mut Context<'_>) -> bool {
        match &mut self.state {
            State::Filling { timer, .. } => Pin::new(timer).poll(cx).is_ready(),
            _ => false,
        }
    }
}

impl<S> Stream for Batches<S>
where
    S: Stream + Unpin,
    S::Item: Unpin,
{
    type Item = Vec<S::Item>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if matches!(this.state, State::Done) {
            return Poll::Ready(None);
        }
        loop {
            match Pin::new(&mut this.stream).poll_next(cx) {
                Poll::Ready(Some(value)) => {
                    if let Some(batch) = this.put(value) {
                        return Poll::Ready(Some(batch));
                    }
                }
                Poll::Ready(None) => {
                    let batch = this.state.take();
                    this.state = State::Done;
                    let last = if batch.is_empty() { None } else { Some(batch) };
                    return Poll::Ready(last);
                }
                Poll::Pending if this.is_overdue(cx) => {
                    return Poll::Ready(Some(this.state.take()));
                }
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

/// Feeds all batches of a stream to a function, and counts them.
pub struct ForEach<S: Stream, F> {
    batches: Batches<S>,
    function: F,
    count: usize,
}

impl<S, F> Future for ForEach<S, F>
where
    S: Stream + Unpin,
    S::Item: Unpin,
    F: FnMut(Vec<S::Item>) + Unpin,
{
    type Output = usize;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<usize> {
        loop {
            match Pin::new(&mut self.batches).poll_next(cx) {
                Poll::Ready(Some(batch)) => {
                    self.count += 1;
                    (self.function)(batch);
                }
                Poll::Ready(None) => return Poll::Ready(self.count),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

#[derive(Debug, Default)]
struct Counter {
    woken: AtomicUsize,
}

impl Wake for Counter {
    fn wake(self: Arc<Self>) {
        self.woken.fetch_add(1, Ordering::SeqCst);
    }
}

/// Polls a future as long as it wakes itself.
pub fn run<F: Future>(future: F) -> Option<F::Output> {
    let counter = Arc::new(Counter::default());
    let waker = Waker::from(Arc::clone(&counter));
    let mut cx = Context::from_waker(&waker);
    let mut future = Box::pin(future);
    let mut seen = 0;
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return Some(output);
        }
        let woken = counter.woken.load(Ordering::SeqCst);
        if woken == seen {
            return None;
        }
        seen = woken;
    }
}

pub fn sums(numbers: &[u32]) -> Option<Vec<u32>> {
    let (sender, receiver) = channel();
    for number in numbers {
        sender.send(*number);
    }
    drop(sender);
    let mut sums = Vec::new();
    run(async {
        let mut batches = receiver.batches(3, 10);
        while let Some(batch) = batches.next().await {
            sums.push(batch.iter().sum());
        }
    })?;
    Some(sums)
}

pub fn print_all(receiver: Receiver<String>) -> Option<usize> {
    run(ForEach {
        batches: receiver.batches(10, 5),
        function: |batch: Vec<String>| println!("{}", batch.join(", ")),
        count: 0,
    })
}
