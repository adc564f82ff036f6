use async_lock::Barrier;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};

#[test]
fn nobody_starts_a_round_before_all_have_ended_the_last() {
    let barrier = Barrier::new(2);
    let mut context = Context::from_waker(Waker::noop());
    let mut ended = Vec::new();
    let (mut first, mut second) = (pin!(barrier.wait()), pin!(barrier.wait()));
    let _ = first.as_mut().poll(&mut context);
    let _ = second.as_mut().poll(&mut context);
    ended.push(pin!(barrier.wait()).poll(&mut context).is_ready());
    assert_eq!(ended, [false]);
}
