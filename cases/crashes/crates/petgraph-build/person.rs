fn try_add_node<N>() {
    const { assert!(size_of::<N>() == 0, "a weight is a small number") }
}

pub fn circle_line() {
    try_add_node::<u8>();
}
