pub fn count_declarations(program: &std::cell::Cell<u8>) {
    std::thread::scope(|scope| {
        scope.spawn(|| program);
    });
}
