fn discount(_: u32) {}

fn sale() {
    discount("free");
}
