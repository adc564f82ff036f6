//! Halves of a crate of which a crash names nothing.

use super::super::slices::keep_slice;
use super::oracle::ClosureOracle;
use super::{Found, Setting, has_all, methods};
use crate::propose::Named;
use reduce_oracle::Verdict;

/// Makes a line of the program: one type, and a function that needs that of the line before.
fn line(idx: usize) -> String {
    let before = idx - idx % 2;
    format!("struct S{idx}; fn f{idx}(s: S{before}) {{ let s = 1; }}\n")
}

fn program(n_lines: usize) -> String {
    (0..n_lines).map(line).collect()
}

/// Prints a program of such lines, some of which are gone or have no body, as `-Zunpretty=hir-tree` would.
fn printed(text: &str) -> String {
    let id = |name: &str| format!("DefId(0:1 ~ lib[1]::{name})");
    let mut printed = String::new();
    for (number, line) in text.lines().enumerate() {
        for (column, _) in line
            .match_indices("struct ")
            .chain(line.match_indices("fn "))
        {
            let words = || line[column..].split(|one: char| !one.is_alphanumeric());
            let name = words().nth(1).expect("it has a name");
            let (line, column) = (number + 1, column + 1);
            printed += &format!(
                "{} => OwnerNodes {{\n    node: ParentedNode {{\n        span: lib.rs:{line}:{column}: {line}:99 (#0),\n",
                id(name)
            );
            let mentioned = words().skip(2).take(4).find(|word| word.starts_with('S'));
            if let Some(mentioned) = mentioned.filter(|_| name.starts_with('f')) {
                printed += &format!("        {},\n", id(mentioned));
            }
        }
    }
    printed
}

/// Keeps halves of a program, of which the verdict is interesting if it has all of some parts.
fn halved(n_lines: usize, needed: &'static [&'static str]) -> Found {
    let text = program(n_lines);
    let oracle = ClosureOracle::new(move |candidate| match has_all(&candidate.tree, needed) {
        true => Verdict::Interesting,
        false => Verdict::Compiles,
    });
    let oracle = oracle.naming(|text| Some(printed(text)));
    let files = [("lib.rs", text.as_str())];
    let setting = Setting::new(&files, &oracle);
    let named = Named::default();
    let found = setting.run_with(|session| keep_slice(session, &methods(), &named).map(drop));
    found.expect("nothing fails")
}

#[test]
fn one_item_is_found_in_a_few_queries_with_what_it_needs() {
    let found = halved(200, &["fn f77"]);
    assert_eq!(found.root(), "struct S76 ; fn f77 ( s : S76 ) { loop { } }");
    assert!(found.queries < 50, "{}", found.queries);
}

#[test]
fn items_that_are_far_from_each_other_are_found() {
    let found = halved(200, &["fn f12", "fn f150"]);
    let expected = "struct S12 ; fn f12 ( s : S12 ) { loop { } } \
                    struct S150 ; fn f150 ( s : S150 ) { loop { } }";
    assert_eq!(found.root(), expected);
    assert!(found.queries < 120, "{}", found.queries);
}

#[test]
fn a_body_stays_if_it_is_needed() {
    let found = halved(200, &["fn f30", "s = 1"]);
    assert_eq!(
        found.root(),
        "struct S30 ; fn f30 ( s : S30 ) { let s = 1 ; }"
    );
}

#[test]
fn where_no_half_will_do_few_queries_are_lost() {
    static ALL: [&str; 4] = ["fn f0", "fn f60", "fn f120", "fn f199"];
    let mut all: Vec<&'static str> = ALL.to_vec();
    all.push("s = 1");
    // All types are needed too, so that no group can go.
    let needed: Vec<String> = (0..200).map(|idx| format!("struct S{idx}")).collect();
    all.extend(needed.into_iter().map(|one| &*one.leak()));
    let found = halved(200, all.leak());
    assert!(found.queries <= 64, "{}", found.queries);
}

#[test]
fn a_small_crate_is_not_halved() {
    let found = halved(20, &["fn f7"]);
    assert_eq!((found.steps, found.queries), (0, 0));
}
