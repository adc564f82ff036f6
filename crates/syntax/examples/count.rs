//! c
fn main() {
    for f in std::env::args().skip(1) {
        println!(
            "{} {f}",
            reduce_syntax::count_tokens(&std::fs::read_to_string(&f).unwrap())
        );
    }
}
