use std::ops::Deref;

struct Visit;

impl Deref for Visit {
    type Target = u8;

    fn deref(&self) -> &u8 {
        loop {}
    }
}

fn stir(row: Visit) {
    let first = &*row;
    drop(row);
    first;
}
