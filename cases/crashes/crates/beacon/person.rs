fn spawn(_: impl Send) {}

async fn ask() {}

fn start(guard: std::sync::MutexGuard<u8>) {
    spawn(async {
        let _report = guard;
        ask().await;
    });
}
