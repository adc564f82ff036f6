//! Tests the passes that say that they keep what a program computes: each of their edits of a
//! program that prints what it computes either does not compile, or leaves what is printed as it
//! was.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_passes::{Keeps, PASSES, Pass, Program};
use reduce_syntax::{EditSet, SourceTree};
use std::process::{Command, Output};
use std::sync::Arc;

/// A program with names that mean something else elsewhere, and values that differ for each mistake.
const PROGRAM: &str = r#"
mod shapes {
    pub const SIDES: u32 = 4;
    pub type Pair<T> = (T, T);
    pub mod plain {
        use super::SIDES;
        pub fn area(pair: super::Pair<u32>) -> u32 { pair.0 * pair.1 + SIDES }
        pub fn around(pair: super::Pair<u32>) -> u32 { (pair.0 + pair.1) * 2 }
    }
    pub fn area(side: u32) -> u32 { plain::area((side, side)) }
}
const POINTS: [(u8, u8); 2] = [(1, 2), (150, 4)];
mod other {
    pub fn area(side: u32) -> u32 { side + 1 }
    pub const SIDES: u32 = 3;
}
use other::SIDES;
use shapes::plain::around;

trait Named { fn name(&self) -> String { String::from("nobody") } }
trait Measured: Named {
    type Unit;
    fn unit(&self) -> Self::Unit;
    fn size(&self) -> u32;
}
trait Doubled { fn doubled(&self) -> u32; }
#[derive(Clone)]
#[derive(Copy)]
struct Meters(u32);
struct Marker {}
struct Grams { grams: u32 }
struct Kept<T> { value: T }
impl<T> Kept<T> { fn same(self) -> Kept<T> { Kept { value: self.value } } }
fn weight(of: Grams) -> u32 { of.grams + 1 }
fn unused() -> u32 { 1 }
struct Plot { long: Meters, wide: Meters }
impl Plot {
    fn new(long: u32, wide: u32) -> Plot { Plot { long: Meters(long), wide: Meters(wide) } }
}
impl Plot {
    fn longest(&self) -> u32 { self.long.0.max(self.wide.0) }
    fn turned(self) -> Plot { Plot { long: self.wide, wide: self.long } }
}
impl Named for Plot {}
impl Measured for Plot {
    type Unit = Marker;
    fn unit(&self) -> Marker { Marker {} }
    fn size(&self) -> u32 { self.long.0 * self.wide.0 }
}
impl Doubled for Meters { fn doubled(&self) -> u32 { self.0 * 2 } }
fn total<T>(all: &[T]) -> u32 where T: Measured { all.iter().map(|one| one.size()).sum() }
fn longest(plot: &Plot) -> u32 { plot.longest() + 100 }
macro_rules! twice { ($value:expr) => { $value + $value }; }

fn main() {
    let plot = Plot::new(3, 5).turned();
    let Marker {} = plot.unit();
    let doubled = twice!(plot.wide.0);
    println!("{} {}", Kept { value: weight(Grams { grams: 6 }) }.same().value, doubled * 3);
    println!("{} {}", plot.longest(), longest(&plot));
    println!("{} {}", shapes::area(SIDES), other::area(shapes::SIDES));
    println!("{} {}", around((2, 7)), plot.name());
    println!("{}", plot.long.doubled());
    println!("{}", total(&[plot, Plot::new(1, 9)]));
    for (idx, side) in [shapes::SIDES].iter().enumerate() {
        let doubled = side * 2;
        println!("{}", doubled + idx as u32);
    }
    let lengths = vec![Meters(doubled)];
    for length in &lengths { print!("{} ", length.doubled()); }
    for length in lengths { println!("{}", length.0); }
    for idx in [1, 2] { print!("{} ", idx); }
    println!("{}", doubled);
    let table = ((7, 'x'), [(3, true), (2, false)], 1);
    let width: (u64, u8) = (1, 200);
    println!("{} {} {}", table.0.0, table.0.1, table.0.1);
    println!("{} {} {}", table.1[1].0 - 1, table.1[0].1, u8::from(table.1[0].1));
    println!("{} {} {}", width.0 << 40, width.1.wrapping_add(100), u64::MAX >> table.2 << table.2);
    println!("{} {}", (doubled, [5]).0, POINTS[1].0.wrapping_mul(2));
    let mut height = 2;
    let area = { let height = 3 * { height + 1 }; height * 2 };
    *(&mut { height }) += 40;
    { height += 5; let area = 6; print!("{} ", area); }
    println!("{} {}", area, { height } * 2);
    println!("{}: {} {}{}", "it is", doubled, '{', -3);
    print!("{} ", 3); print!("{} ", 5); print!("{} ", 9); print!("{} ", 1);
    println!("{}", match level(doubled) { Level::High => 2, _ => 4 });
}
enum Level { Low, High }
fn level(size: u32) -> Level { if size > 5 { Level::High } else { Level::Low } }
"#;

/// The output of the program.
const PRINTED: &str = "7 18\n5 105\n13 5\n18 nobody\n10\n24\n\
    8\n12 6\n1 2 6\n\
    7 x x\n1 true 1\n1099511627776 44 18446744073709551614\n6 44\n6 18 14\n\
    it is: 6 {-3\n\
    3 5 9 1 2\n";

/// The most edits of one pass that are tried, evenly spread: each is compiled.
const MOST_EDITS: usize = 100;

#[test]
fn what_a_pass_keeps_that_keeps_behaviour_is_what_is_printed() {
    let sources = SourceTree::single(Utf8PathBuf::from("main.rs"), Arc::from(PROGRAM));
    assert_eq!(printed(&sources, "original").as_deref(), Some(PRINTED));
    let program = Program::new(&sources);
    let keeping = PASSES.iter().filter(|pass| pass.keeps == Keeps::Behaviour);
    let mut without_effect = Vec::new();
    for pass in keeping {
        let found = edits(pass, &program);
        let results = found.iter().map(|edits| {
            let edited = edits.apply(&sources);
            (printed(&edited, pass.name), edited)
        });
        let compiled: Vec<(String, SourceTree)> = results
            .filter_map(|(printed, edited)| Some((printed?, edited)))
            .collect();
        for (printed, edited) in &compiled {
            let text = edited.text(edited.root());
            assert_eq!(printed, PRINTED, "{} made\n{text}", pass.name);
        }
        if compiled.is_empty() {
            without_effect.push(pass.name);
        }
    }
    assert!(
        without_effect.is_empty(),
        "nothing of {without_effect:?} compiles"
    );
}

fn edits(pass: &Pass, program: &Program) -> Vec<EditSet> {
    let all = pass.single_edits(program);
    let step = all.len().div_ceil(MOST_EDITS).max(1);
    all.into_iter().step_by(step).collect()
}

/// Compiles and runs a program, and returns its output; `None` where it does not compile.
fn printed(sources: &SourceTree, name: &str) -> Option<String> {
    let directory = Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join("behaviour");
    let (source, program) = (directory.join("main.rs"), directory.join(name));
    std::fs::create_dir_all(&directory).expect("there is room for a program");
    std::fs::write(&source, sources.text(sources.root())).expect("there is room for a program");
    let flags = ["--edition=2021", "--cap-lints=allow", "-Cdebuginfo=0", "-o"];
    let compiled = output(
        "rustc",
        &[&flags[..], &[program.as_str(), source.as_str()]].concat(),
    );
    let is_there = compiled.status.success();
    is_there.then(|| String::from_utf8_lossy(&output(program.as_str(), &[]).stdout).into_owned())
}

#[expect(
    clippy::disallowed_methods,
    reason = "this test is about what programs print"
)]
fn output(program: &str, arguments: &[&str]) -> Output {
    let output = Command::new(program).args(arguments).output();
    output.expect("the program can be started")
}
