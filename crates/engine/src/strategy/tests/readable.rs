//! Names, order and layout of the result.

use super::super::course::run as run_phase;
use super::super::stages::READABLE;
use super::oracle::ClosureOracle;
use super::{Found, JOB, Setting, methods, methods_of, needing};
use crate::propose::Methods;
use crate::store::{MemoryStore, Store};
use reduce_oracle::Verdict;

fn run(text: &str, oracle: &ClosureOracle, methods: &Methods) -> Found {
    let files = [("lib.rs", text)];
    Setting::new(&files, oracle)
        .run_with(|session| run_phase(session, methods, &READABLE, 1).map(drop))
        .unwrap()
}

const NAMED: &str = "struct Record; fn begin(count: Record) {}";

#[test]
fn all_definitions_are_renamed_with_one_query() {
    let methods = methods_of(&["rename_definitions"]);
    let found = run(NAMED, &needing(&[]), &methods);
    assert_eq!(found.root(), "struct Foo ; fn foo ( x : Foo ) { }");
    assert_eq!((found.steps, found.queries), (1, 1));
}

#[test]
fn where_one_name_must_stay_the_others_are_renamed_one_by_one() {
    let methods = methods_of(&["rename_definitions"]);
    let found = run(NAMED, &needing(&["begin"]), &methods);
    assert_eq!(found.root(), "struct Foo ; fn begin ( x : Foo ) { }");
    assert_eq!((found.steps, found.queries), (2, 4));
}

#[test]
fn names_that_are_short_are_not_asked_about() {
    let methods = methods_of(&["rename_definitions"]);
    let found = run("fn f(x: u8) {}", &needing(&[]), &methods);
    assert_eq!(found.queries, 0);
}

#[test]
fn items_are_put_in_order_if_the_crash_stays() {
    let methods = methods_of(&["order_items"]);
    let text = "fn main() {} struct S; use a::B;";
    let ordered = run(text, &needing(&[]), &methods);
    assert_eq!(ordered.root(), "use a :: B ; struct S ; fn main ( ) { }");
    let kept = run(text, &needing(&["struct S ; use"]), &methods);
    assert_eq!(kept.files[0].1, text);
}

#[test]
fn the_layout_is_that_of_the_formatter() {
    let oracle = needing(&[]).formatting(|text| Some(text.replace("S;", "S\n;")));
    let found = run("struct   S;", &oracle, &methods_of(&["print"]));
    assert_eq!(found.files[0].1, "struct S\n;\n");
}

#[test]
fn without_a_formatter_the_layout_is_ours() {
    let found = run("struct   S;", &needing(&[]), &methods_of(&["print"]));
    assert_eq!(found.files[0].1, "struct S;\n");
}

#[test]
fn where_the_formatters_layout_does_not_crash_ours_is_tried() {
    let oracle =
        needing(&["S ( )"]).formatting(|text| Some(text.replace("( )", "()").replace("()", "(,)")));
    let found = run("struct   S()  ;", &oracle, &methods_of(&["print"]));
    assert_eq!(found.files[0].1, "struct S();\n");
}

#[test]
fn commas_that_only_one_layout_adds_are_left_out() {
    let long = "a_name_that_is_long_enough_for_a_line_of_its_own";
    let text = format!("fn f() {{ assert!({long}({long}, &[{long}]).ends()); }}");
    let in_short_lines = |text: &str| Some(text.replace(' ', "\n"));
    let oracle = needing(&[]).formatting(in_short_lines);
    let found = run(&text, &oracle, &methods_of(&["print"]));
    assert!(!found.root().contains(", )"), "{}", found.root());
    // A line that is too long is worse.
    let oracle = needing(&[]).formatting(|text| Some(text.to_owned()));
    let found = run(&text, &oracle, &methods_of(&["print"]));
    assert!(found.root().contains(", )"), "{}", found.root());
}

/// prettyplease leaves `..` out there.
#[test]
fn where_our_printer_changes_the_text_the_formatter_lays_out_the_text_itself() {
    let text = "fn f() { S { x, .. } = s; where_it_is_long(a) }";
    let oracle = needing(&[".."]).formatting(|text| Some(text.replace("= s;", "=\ns;")));
    let found = run(text, &oracle, &methods_of(&["print"]));
    let laid_out = &found.files[0].1;
    assert!(
        laid_out.contains("..") && laid_out.contains("=\ns;"),
        "{laid_out}"
    );
}

/// Our printer lays out in one line what syn does not understand.
#[test]
fn no_line_is_long_that_one_of_the_layouts_breaks() {
    let call = "an_argument_that_is_rather_long(another_one);";
    let text = format!("const C = {{ {call} {call} {call} }};");
    let found = run(&text, &needing(&[]), &methods_of(&["print"]));
    let laid_out = &found.files[0].1;
    assert!(laid_out.lines().all(|line| line.len() <= 100), "{laid_out}");
}

/// A literal that an assertion expects must not go as long as it may be a part of the setup.
#[test]
fn a_statement_of_a_program_that_does_nothing_goes_at_the_end_though_no_candidate_may_lose_it() {
    let text = "fn f() { \"fort\"; g(); }";
    let methods = methods_of(&["print"]);
    let oracle = needing(&["\"fort\""]);
    let crash = run(text, &oracle, &methods);
    assert!(crash.root().contains("fort"), "{}", crash.root());
    let program = run(
        text,
        &oracle.linting(|_| [Vec::new(), Vec::new()]),
        &methods,
    );
    assert_eq!(program.files[0].1, "fn f() {\n    g();\n}\n");
}

#[test]
fn a_layout_that_does_not_crash_is_not_taken() {
    let oracle = ClosureOracle::new(|_| Verdict::Compiles);
    let text = "fn  begin( count:u8 ){}\nstruct  Record( ) ;";
    let found = run(text, &oracle, &methods());
    assert_eq!((found.files[0].1.as_str(), found.steps), (text, 0));
}

#[test]
fn an_interrupted_job_does_not_go_on_from_another_form() {
    let (oracle, store) = (needing(&[]), MemoryStore::default());
    let files = [("lib.rs", NAMED)];
    let setting = Setting::new(&files, &oracle).with_store(&store);
    let found = setting.run_with(|session| {
        session
            .without_checkpoints(|session| run_phase(session, &methods(), &READABLE, 1).map(drop))
    });
    assert!(found.unwrap().steps > 0);
    assert!(store.checkpoint(&JOB).unwrap().is_none());
}
