//! Tests of programs of 200 ordinary functions with one construct that syn refuses in their middle. The error that the compiler
//! reports for the construct is its crash. The result has the tokens that come out where something ordinary is wrong at that place,
//! and those of the construct.

use crate::support::{Reduction, Running, World};

/// The constructs: the name, the place and the text of each, something ordinary that is wrong at that place, and the number of the
/// construct's tokens.
const CONSTRUCTS: [(&str, Middle, &str, &str, u64); 25] = [
    (
        "super let",
        Statement,
        "super let x = 1;",
        "let x: () = 1;",
        5,
    ),
    (
        "use of a value",
        Statement,
        "let x = list.use;",
        "let x = list.no;",
        3,
    ),
    (
        "closure that uses",
        Statement,
        "let x = use || 1;",
        "let x = no;",
        3,
    ),
    (
        "unsafe binder",
        Item,
        "type X = unsafe<'a> &'a u8;",
        "type X = no;",
        5,
    ),
    (
        "negative bound",
        Item,
        "type X = Box<dyn !Send>;",
        "type X = Box<dyn No>;",
        1,
    ),
    (
        "delegation",
        Item,
        "mod inner { pub fn one() {} } reuse inner::one;",
        "mod inner {} use inner::one;",
        2,
    ),
    (
        "captured names as a bound",
        Item,
        "trait Tr<T: use<Self>> {}",
        "trait Tr<T: No> {}",
        3,
    ),
    (
        "constant without a type",
        Item,
        "const C = 1;",
        "const C: u8 = no;",
        0,
    ),
    (
        "missing semicolon",
        Statement,
        "let x = 1 let y = 2;",
        "no;",
        7,
    ),
    (
        "where clause before fields",
        Item,
        "struct S where u8: Copy (u8);",
        "struct S where u8: No;",
        3,
    ),
    (
        "yeet",
        Statement,
        "let f = || -> Option<u8> { do yeet };",
        "let f = || -> Option<u8> { no };",
        2,
    ),
    (
        "builtin syntax",
        Statement,
        "let x = builtin # offset_of(u8, x);",
        "let x = no;",
        8,
    ),
    (
        "loop that awaits",
        Statement,
        "async fn g() { for await x in y() {} }",
        "async fn g() { for x in y() {} }",
        7,
    ),
    (
        "match after a value",
        Statement,
        "let x = count.match { 0 => 1, _ => 2 };",
        "let x = match no { 0 => 1 };",
        8,
    ),
    (
        "pinned reference",
        Item,
        "fn pinned(x: &pin const u8) {}",
        "fn pinned(x: impl No) {}",
        3,
    ),
    (
        "const bound",
        Item,
        "fn bounded<T: [const] Copy>() {}",
        "fn bounded<T: No>() {}",
        3,
    ),
    (
        "tail call",
        Statement,
        "fn g() { become helper0(1) }",
        "fn g() { no(1) }",
        3,
    ),
    (
        "unsafe field",
        Item,
        "struct U { unsafe x: u8 }",
        "struct U { x: U }",
        3,
    ),
    (
        "default of a field",
        Item,
        "struct D { x: u8 = 1 }",
        "struct D { x: D }",
        4,
    ),
    (
        "mutable reference binding",
        Statement,
        "let mut ref x = count;",
        "let (x, x) = count;",
        2,
    ),
    (
        "guard in a pattern",
        Statement,
        "let (x if true) = count;",
        "let (x, x) = count;",
        4,
    ),
    (
        "restricted trait",
        Item,
        "impl(crate) trait R {}",
        "trait R: No {}",
        4,
    ),
    (
        "types of returned values",
        Item,
        "trait A { fn f() -> impl Sized; } fn n<T: A<f(..): Send>>() {}",
        "fn n<T: No>() {}",
        9,
    ),
    (
        "typed try block",
        Statement,
        "let x = try bikeshed Option<u8> { 1 };",
        "let x = no;",
        6,
    ),
    (
        "value that is moved",
        Statement,
        "let x = || move(count);",
        "let x = || no(count);",
        3,
    ),
];

use Middle::{Item, Statement};

/// The place of a construct in the middle of the program.
#[derive(Clone, Copy)]
enum Middle {
    Item,
    /// A place in a function with other statements.
    Statement,
}

impl Middle {
    fn with(self, text: &str) -> String {
        match self {
            Self::Item => format!("{text}\n"),
            Self::Statement => format!(
                "pub fn middle(list: &[u8]) -> usize {{\n    let count = list.len();\n    {text}\n    count + usize::from(helper1(3) > 2)\n}}\n"
            ),
        }
    }
}

fn functions(numbers: std::ops::Range<u32>) -> String {
    let function = |number: u32| {
        let (helper, step) = (number % 7, number + 2);
        format!(
            "pub fn filler{number}(a: u32, b: &[u8]) -> u32 {{
                let mut sum = a;
                for (index, byte) in b.iter().enumerate() {{
                    if index % {step} == 0 {{ sum += u32::from(*byte); }}
                }}
                helper{helper}(sum)
            }}\n"
        )
    };
    numbers.map(function).collect()
}

/// The tokens before and after, and how many of the input stand in islands.
fn reduced(middle: &str) -> [u64; 3] {
    let world = World::empty();
    let helpers =
        (0..7).map(|number| format!("fn helper{number}(x: u32) -> u32 {{ x ^ {number} }}\n"));
    let text = [
        helpers.collect(),
        functions(0..100),
        middle.to_owned(),
        functions(100..200),
    ];
    let path = world.work().join("input.rs");
    std::fs::write(path, text.concat()).expect("a file can be written");
    let out = world.beside("out");
    let mut command = world.ice(&["--no-daemon", "input.rs", "--edition", "2021", "--output"]);
    command.arg(&out).env("RUSTC_BOOTSTRAP", "1");
    command.args(["--", "--crate-type", "lib", "-Ztreat-err-as-bug=1"]);
    Running::start(command).finish().expect_success();
    let reduction = Reduction::read(&out);
    assert!(!reduction.code().contains("\n\n\n"), "{}", reduction.code());
    ["tokens_before", "tokens_after", "tokens_in_islands"].map(|field| reduction.number(field))
}

#[test]
fn one_construct_that_syn_refuses_costs_no_more_than_its_own_tokens() {
    let mut wrong = Vec::new();
    for (name, middle, construct, ordinary, n_tokens) in CONSTRUCTS {
        let [before, after, in_islands] = reduced(&middle.with(construct));
        let [_, expected, _] = reduced(&middle.with(ordinary));
        println!(
            "{name}: {before}, {in_islands} in islands, {after}; {expected} where it is ordinary"
        );
        if after > expected + n_tokens || in_islands > before / 20 {
            wrong.push(format!(
                "{name}: {after} tokens, and {expected} where it is ordinary"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
