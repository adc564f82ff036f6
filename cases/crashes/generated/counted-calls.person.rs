const fn step(x: u8) -> u8 {
    x + 1
}

const LAST: u8 = step(255);
