//! Functions in which all operators of mutants occur. What they do is printed, and panics are caught.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::{Add, Sub};

fn relations(a: i32, b: i32) -> (bool, bool, bool, bool) {
    (a < b, a <= b, a > b, a >= b)
}

fn equality_of_unsized(a: &str, b: &[u8]) -> bool {
    *a == *"ab" && *b != *b"ab".as_slice()
}

fn equality_of_options(a: Option<String>, b: &Option<String>) -> bool {
    a == *b || a == None
}

fn short_circuit(a: &[u8], at: usize) -> bool {
    at < a.len() && a[at] == 1 || a.is_empty()
}

fn arithmetic(a: i64, b: i64) -> i64 {
    a * b - a / b + a % b + -a
}

fn bits(a: u32, b: u32) -> u32 {
    (a & b | a ^ !b) >> 2 << 1
}

fn two_phase(mut v: Vec<usize>) -> Vec<usize> {
    let last = v.len() - 1;
    v[0] += v.len();
    v[last] *= v[0] + 1;
    v[last - 1] -= 1;
    v
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
struct Money(i64);

impl Add for Money {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Money {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

fn generic<T: Add<Output = T> + Sub<Output = T> + PartialOrd + Copy>(a: T, b: T) -> T {
    if a < b { a + b } else { a - b }
}

fn literals(a: u8) -> (u8, i16, char, &'static str, bool, f64, u64) {
    (a.wrapping_add(5), -7, 'x', "text", true, 1.5, 0xffff_ffff_ff as u64)
}

fn ranges(n: usize, m: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..n).collect();
    for i in 1..=m {
        all.push(i * 10);
    }
    all[1..n].to_vec()
}

fn statements(v: &mut Vec<i32>, m: &mut BTreeMap<i32, i32>) {
    v.push(4);
    v[0] = 9;
    v.reverse();
    m.insert(1, 2);
    *m.entry(1).or_default() += 5;
}

fn may_fail(text: &str) -> Result<u32, std::num::ParseIntError> {
    let mut all = Vec::new();
    check(text, &mut all)?;
    all.push(1);
    Ok(all.len() as u32 + text.parse::<u32>()?)
}

fn check(text: &str, all: &mut Vec<u8>) -> Result<(), std::num::ParseIntError> {
    text.parse::<u32>()?;
    all.extend(text.bytes());
    Ok(())
}

fn arms(a: u8, b: &str) -> u8 {
    match (a, b) {
        (1, "one") => 10,
        (2, _) if b.len() > 2 => 20,
        (n, "n") => n,
        _ => 0,
    }
}

fn defaults(a: &[u8]) -> Option<usize> {
    let found = a.iter().position(|byte| *byte == 3);
    found.map(|at| at + 1)
}

fn name(of: u8) -> String {
    let mut text = String::from("n");
    text.push((b'a' + of) as char);
    text
}

fn names(n: u8) -> Vec<String> {
    (0..n).map(name).filter(|name| !name.ends_with('b')).collect()
}

fn closures(v: &[i32]) -> i32 {
    let sum: i32 = v.iter().map(|x| x * 2 + 1).filter(|x| x % 3 != 0).sum();
    sum - v.iter().fold(0, |a, b| if a > *b { a } else { *b })
}

fn loops(limit: u32) -> u32 {
    let mut sum = 0;
    let mut i = 0;
    while i < limit && i < 100 {
        i += 1;
        if i % 2 == 0 {
            continue;
        }
        sum += i;
    }
    sum
}

struct Shape {
    sides: [u32; 3],
    is_open: bool,
}

impl Shape {
    fn is_right(&self) -> bool {
        let [a, b, c] = self.sides;
        !self.is_open && a * a + b * b == c * c
    }

    fn grow(&mut self, by: u32) {
        for side in &mut self.sides {
            *side *= by;
        }
        self.is_open = by > 10;
    }
}

fn temporaries(cell: &std::cell::RefCell<Vec<i32>>) -> bool {
    !cell.borrow_mut().is_empty() && cell.borrow().len() > 1 && cell.borrow_mut().pop() == Some(2)
}

const TABLE: [u8; 2 + 1] = [1, 2, 3];

const fn constant(a: u8) -> u8 {
    a + TABLE[0]
}

fn many_lines(v: &[u64]) -> u64 {
    // A comment.
    v.iter()
        .map(|x| {
            // Another one.
            x + 1
        })
        .sum::<u64>()
        / 2
}

#[repr(C, packed)]
struct Packed {
    a: u8,
    b: u32,
}

fn packed(p: &Packed) -> bool {
    p.b > 3 && p.a as u32 + p.b < 20
}

fn pointers(v: &[u16]) -> u16 {
    let start = v.as_ptr();
    let mut sum = 0;
    for i in 0..v.len().min(2) {
        sum += unsafe { *start.add(i) * 2 };
    }
    sum
}

fn between(a: i32, b: i32) -> Ordering {
    a.pow(2).min(7).cmp(&b).reverse().then(Ordering::Less)
}

fn difference(a: i32, b: i32) -> Option<i32> {
    if a == b {
        return None;
    }
    Some(a.abs_diff(b) as i32 - b)
}

async fn twice(a: u32) -> u32 {
    a * 2
}

async fn waits(a: u32) -> bool {
    twice(a).await + 1 > twice(2).await && a != 9
}

fn poll(a: u32) -> bool {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(waits(a)).as_mut().poll(&mut context) {
        std::task::Poll::Ready(is_so) => is_so,
        _ => panic!(),
    }
}

trait Area {
    const SIDES: u32 = 4 + 0;
    fn side(&self) -> u32;
    fn area(&self) -> u32 {
        self.side() * self.side() + Self::SIDES - 4
    }
}

impl Area for u32 {
    fn side(&self) -> u32 {
        *self + 1
    }
}

fn moved(a: Option<String>, b: Result<Vec<u8>, String>) -> usize {
    let Some(text) = a else {
        return 77;
    };
    match b {
        Ok(bytes) if bytes.is_empty() => text.len() + 1,
        Ok(bytes) => bytes.into_iter().map(usize::from).sum(),
        Err(error) if error == text => 5,
        _ => 6,
    }
}

fn labels(n: u32) -> u32 {
    let mut count = 0;
    'outer: for a in 1..n {
        for b in a..=n {
            if a * b > 12 {
                break 'outer;
            }
            if (a + b) % 2 == 1 {
                continue 'outer;
            }
            count += 1;
        }
    }
    count
}

fn borrowed<'a>(all: &'a [&'a str], word: &str) -> Option<&'a str> {
    all.iter().copied().find(|one| one.len() >= word.len() && !one.is_empty())
}

fn table(of: u8) -> &'static [(char, i8)] {
    match of {
        0 => &[('a', 1), ('b', -2)],
        _ => &[],
    }
}

fn show<T: std::fmt::Debug>(what: impl FnOnce() -> T + std::panic::UnwindSafe) {
    match std::panic::catch_unwind(what) {
        Ok(value) => println!("{value:?}"),
        Err(_) => println!("panicked"),
    }
}

fn main() {
    show(|| [(1, 2), (2, 2), (3, 2)].map(|(a, b)| relations(a, b)));
    show(|| (equality_of_unsized("ab", b"a"), equality_of_unsized("b", b"ab")));
    show(|| [None, Some("a"), Some("b")].map(|a| equality_of_options(a.map(str::to_owned), &Some("a".to_owned()))));
    show(|| [0, 1, 2].map(|at| short_circuit(&[1, 0], at)));
    show(|| (short_circuit(&[], 0), arithmetic(7, 2), arithmetic(-7, 3), bits(0xf0f0, 0x3c3c)));
    show(|| two_phase(vec![1, 2, 3]));
    show(|| two_phase(vec![1]));
    show(|| (generic(1, 2), generic(5u8, 3), generic(Money(4), Money(9)), generic(0.5, 0.25)));
    show(|| (literals(1), literals(254)));
    show(|| ranges(4, 2));
    show(|| ranges(2, 0));
    show(|| {
        let (mut v, mut m) = (vec![1, 2], BTreeMap::<i32, i32>::new());
        statements(&mut v, &mut m);
        (v, m)
    });
    show(|| (may_fail("12"), may_fail("x").is_err()));
    show(|| (arms(1, "one"), arms(2, "two"), arms(2, "t"), arms(7, "n"), arms(7, "m")));
    show(|| (defaults(&[1, 2, 3]), defaults(&[]), names(3)));
    show(|| closures(&[1, 5, 3]));
    show(|| (loops(7), loops(200)));
    show(|| {
        let mut shape = Shape { sides: [3, 4, 5], is_open: false };
        let before = shape.is_right();
        shape.grow(2);
        let after = shape.is_right();
        shape.grow(11);
        (before, after, shape.is_right(), shape.sides)
    });
    show(|| temporaries(&std::cell::RefCell::new(vec![1, 2])));
    show(|| (packed(&Packed { a: 1, b: 4 }), packed(&Packed { a: 16, b: 4 }), pointers(&[3, 4, 5])));
    show(|| (table(0), table(1)));
    show(|| (poll(1), poll(2), poll(9), 6u32.area()));
    show(|| (moved(None, Ok(vec![])), moved(Some("a".into()), Ok(vec![])), moved(Some("a".into()), Ok(vec![1, 2]))));
    show(|| (moved(Some("a".into()), Err("a".into())), moved(Some("a".into()), Err("b".into()))));
    show(|| (labels(4), labels(9), borrowed(&["", "abc"], "ab"), borrowed(&["a"], "ab")));
    show(|| [(1, 2), (3, 3), (-2, 1)].map(|(a, b)| (between(a, b), difference(b, a))));
    show(|| (constant(2), many_lines(&[1, 2, 3])));
}
