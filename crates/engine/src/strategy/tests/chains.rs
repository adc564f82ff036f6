//! Slices of chains of callers.

use super::super::slices::keep_slice;
use super::oracle::ClosureOracle;
use super::{Found, Setting, has_all, methods, tree};
use crate::propose::Named;
use reduce_model::Seed;
use reduce_oracle::Verdict;

/// The number of functions that call the one which the compiler was making code of.
const N_CALLERS: usize = 6;

/// Makes a generic function with its callers, each of which has a type of its own.
fn program() -> String {
    let caller = |idx| format!("struct S{idx};\npub fn f{idx}() {{ made::<S{idx}>() }}\n");
    let callers: String = (0..N_CALLERS).map(caller).collect();
    format!("fn made<T>() {{ }}\n{callers}fn other() {{}}\n")
}

/// Makes the compiler's printouts of the program: with `-Zunpretty=hir-tree`, and with
/// `-Zunpretty=thir-flat`.
fn printed() -> [String; 2] {
    let callers = (0..N_CALLERS).flat_map(|idx| {
        [
            (format!("S{idx}"), 2 * idx + 2, None),
            (format!("f{idx}"), 2 * idx + 3, Some(format!("S{idx}"))),
        ]
    });
    let all = std::iter::once(("made".to_owned(), 1, None)).chain(callers);
    let (mut definitions, mut bodies) = (String::new(), String::new());
    for (name, line, mentioned) in all {
        let id = |name: &str| format!("DefId(0:1 ~ lib[1]::{name})");
        definitions += &format!(
            "{} => OwnerNodes {{\n    node: ParentedNode {{\n        span: lib.rs:{line}:1: {line}:9 (#0),\n",
            id(&name)
        );
        if let Some(mentioned) = mentioned {
            definitions += &format!("    bodies: {{\n        {},\n", id(&mentioned));
            bodies += &format!("{}:\n    {},\n", id(&name), id("made"));
        } else if name == "made" {
            bodies += &format!("{}:\n", id(&name));
        }
    }
    [definitions, bodies]
}

/// Keeps chains of the program, of which the verdict is interesting if it has all of some parts, or is whole.
fn chained(needed: &'static [&'static str], made: &[&str]) -> Found {
    chained_in(&program(), needed, made, Vec::new())
}

/// Runs the search with a program, and with places in it that the compiler points at.
fn chained_in(
    text: &str,
    needed: &'static [&'static str],
    made: &[&str],
    pointed_at: Vec<Seed>,
) -> Found {
    let text = text.to_owned();
    let whole = super::spaced(&text);
    let of_whole = text.clone();
    let oracle = ClosureOracle::new(move |candidate| {
        let tree = &candidate.tree;
        let is_whole = super::spaced(tree.text(tree.root())) == whole;
        match is_whole || has_all(tree, needed) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.printing_calls(move |text| (text == of_whole).then(printed));
    let seed = |name: &&str| Seed::Name((*name).to_owned());
    let named = Named {
        made: made.iter().map(seed).collect(),
        pointed_at,
        ..Named::default()
    };
    let files = [("lib.rs", text.as_str())];
    let setting = Setting::new(&files, &oracle);
    let found = setting.run_with(|session| keep_slice(session, &methods(), &named).map(drop));
    found.expect("nothing fails")
}

#[test]
fn the_first_chain_is_tried_first() {
    let found = chained(&["made"], &["made"]);
    let expected = "fn made < T > ( ) { } struct S0 ; pub fn f0 ( ) { made :: < S0 > ( ) }";
    assert_eq!((found.root().as_str(), found.queries), (expected, 1));
}

#[test]
fn chains_are_doubled_and_those_left_out_that_are_not_needed() {
    let found = chained(&["S2"], &["made"]);
    let expected = "fn made < T > ( ) { } struct S2 ; pub fn f2 ( ) { made :: < S2 > ( ) }";
    assert_eq!(found.root(), expected);
    assert!(found.queries <= 3 + 2 * 2, "{found:?}");
}

#[test]
fn several_chains_may_be_needed() {
    let found = chained(&["S1", "S4"], &["made"]);
    let expected = "fn made < T > ( ) { } struct S1 ; pub fn f1 ( ) { made :: < S1 > ( ) } \
                    struct S4 ; pub fn f4 ( ) { made :: < S4 > ( ) }";
    assert_eq!(found.root(), expected);
}

#[test]
fn of_what_was_made_only_the_statements_that_are_pointed_at_stay() {
    let body = "fn made<T>() { let a = 1; let b = 2; crash(a); b }";
    let text = program().replace("fn made<T>() { }", body);
    let root = tree(&[("lib.rs", &text)]).root();
    let pointed_at = |column| vec![Seed::Position(root, 1, column)];
    let rest = "struct S0 ; pub fn f0 ( ) { made :: < S0 > ( ) }";
    let at_call = body.find("crash").expect("it is there") + 1;
    let found = chained_in(&text, &["made"], &["made"], pointed_at(at_call));
    let made = "fn made < T > ( ) { let a = 1 ; crash ( a ) ; }";
    assert_eq!((found.root(), found.queries), (format!("{made} {rest}"), 2));
    // The body stays as it is where the program without it does not crash.
    let found = chained_in(&text, &["let b"], &["made"], pointed_at(at_call));
    assert_eq!(found.root(), format!("{} {rest}", super::spaced(body)));
}

#[test]
fn without_an_instance_there_are_no_chains() {
    for made in [&[][..], &["nobody"], &["S1"]] {
        let found = chained(&["made"], made);
        assert_eq!((found.steps, found.queries), (0, 0), "{made:?}");
    }
}
