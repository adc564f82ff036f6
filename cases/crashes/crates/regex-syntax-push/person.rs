fn push<I>() {
    const { assert!(size_of::<I>() == 2, "an interval is two bytes") }
}

pub fn class() {
    push::<u8>();
}
