//! Ordinary code of any length: items of several kinds, about thirty bytes a line.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::SourceTree;
use std::fmt::Write as _;
use std::sync::Arc;

/// Lines that [`write_items`] makes for one number.
const LINES_OF_ITEMS: usize = 50;

/// Makes a crate of about so many lines, in so many files.
pub(crate) fn program(lines: usize, files: usize) -> SourceTree {
    let per_file = lines / LINES_OF_ITEMS / files;
    let text = |file: usize| {
        let mut text = String::new();
        for number in file * per_file..(file + 1) * per_file {
            write_items(number, &mut text);
        }
        text
    };
    let mut root = "//! Generated.\n".to_owned();
    let mut all = Vec::new();
    for file in 1..files {
        writeln!(root, "mod part_{file};").expect("a string takes all");
        all.push((format!("src/part_{file}.rs").into(), Arc::from(text(file))));
    }
    root.push_str(&text(0));
    let path = Utf8Path::new("src/lib.rs");
    all.push((Utf8PathBuf::from(path), Arc::from(root)));
    SourceTree::from_files(path, all).expect("the root is among them")
}

fn write_items(number: usize, text: &mut String) {
    let n = number;
    let items = format!(
        r##"
/// Record number {n} of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Record{n}<'a, T: Copy> {{
    name: &'a str,
    values: Vec<Option<T>>,
    flags: u{size}, // not used
}}

impl<'a, T: Copy + Default> Record{n}<'a, T> {{
    /// Makes one.
    pub fn new(name: &'a str) -> Self {{
        let values = Vec::with_capacity({n});
        let flags = 0x{n:x} << 3 | 1;
        Self {{ name, values, flags }}
    }}

    pub fn sum(&self, zero: T) -> usize {{
        let mut total = self.values.len();
        for value in self.values.iter() {{
            match value {{
                Some(_) if total >= {n} => total += 1,
                Some(_) => total *= 2,
                None => {{
                    let text = r#"none of "{n}""#;
                    total -= text.len();
                }}
            }}
        }}
        /* the end */
        let zero = [zero; 3];
        total + zero.len()
    }}
}}

#[derive(Clone, Copy)]
enum Kind{n} {{
    First(u8),
    Second {{ left: i32, right: i32 }},
}}

fn function_{n}(kind: Kind{n}, limit: usize) -> i64 {{
    let mut result = {n}i64;
    let scale = |x: i64| x * 2 + 1;
    if let Kind{n}::Second {{ left, right }} = kind {{
        result += i64::from(left) - i64::from(right);
        println!("{{}} and {{:?}}", left, 'x');
    }}
    while result < limit as i64 {{ result = scale(result); }}
    result
}}
"##,
        size = [8, 16, 32][n % 3],
    );
    text.push_str(&items);
}
