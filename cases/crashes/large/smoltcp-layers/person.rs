struct Tagged<T>(T);

fn consume_tagged<T>(token: T) {
    consume_tagged(Tagged(token));
}

pub fn send_tagged() {
    consume_tagged(());
}
