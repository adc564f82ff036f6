#[tokio::test(flavor = "current_thread")]
async fn the_rest_of_the_work_is_done_when_a_worker_leaves() {
    let (jobs, first) = async_channel::unbounded();
    let second = first.clone();
    drop(first);
    assert!(jobs.send(()).await.is_ok());
    drop(second);
}
