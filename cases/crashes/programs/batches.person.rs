fn poll(x: std::pin::Pin<&mut u8>) {
    loop {
        *x += 1;
    }
}
