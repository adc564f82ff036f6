//! Tests of lines that end at a value that a good version gives otherwise.

use super::*;

/// The bodies of a test that end at a difference from a good version: `happens` has each value with that of the good version behind it.
fn ended(text: &str, happens: [&[Happens]; 2]) -> Vec<String> {
    let path = Utf8PathBuf::from("tests/a.rs");
    let program = Program::new(&SourceTree::single(path, Arc::from(text)));
    let probes = TraceProbes::of(&program);
    let [failing, good] = happens.map(|happens| trace(&probes, happens).into_bytes());
    let forms = |good: Option<Vec<u8>>| {
        let passing = PassingTraces {
            mends: Vec::new(),
            good,
        };
        probes.carved(&failing, &passing).forms
    };
    let to_the_end: Vec<String> = forms(None).iter().map(body).collect();
    let all = forms(Some(good));
    let ended = all.iter().map(body).filter(|one| !to_the_end.contains(one));
    ended.collect()
}

/// The runs of a test whose expressions have these values in both versions.
fn both(values: &[(&'static str, &'static str, &'static str)]) -> [Vec<Happens>; 2] {
    [0, 1].map(|nth| {
        let values = values.iter().map(move |one| match nth {
            0 => Is(one.0, one.1),
            _ => Is(one.0, one.2),
        });
        let run = [Enters("test")].into_iter().chain(values).chain([Panics]);
        run.collect()
    })
}

/// Checks the first of the bodies that end at a difference, where expressions have these values in both versions.
#[track_caller]
fn check_first(text: &str, values: &[(&'static str, &'static str, &'static str)], expected: &str) {
    let [failing, good] = both(values);
    let found = ended(text, [&failing, &good]);
    assert_eq!(found.first().map_or("", String::as_str), expected);
}

#[test]
fn what_comes_after_the_first_difference_goes() {
    check_first(
        "fn test() { let a = lib::f(2); let b = lib::g(a, 1); assert_eq!(lib::h(b), 3); }",
        &[
            ("lib::f(2)", "5", "5"),
            ("lib::g(a, 1)", "Some(7)", "Some(8)"),
            ("lib::h(b)", "4", "3"),
        ],
        "assert_eq!(lib::g(5, 1), Some(8));",
    );
}

#[test]
fn what_is_computed_first_comes_first() {
    check_first(
        "fn test() { assert!(lib::f(lib::g(1)).is_some()); }",
        &[
            ("lib::g(1)", "2", "3"),
            ("lib::f(lib::g(1))", "None", "Some(1)"),
            ("lib::f(lib::g(1)).is_some()", "false", "true"),
        ],
        "assert!(lib::g(1) == 3);",
    );
}

#[test]
fn a_part_comes_before_the_whole_if_less_is_expected_of_it() {
    check_first(
        "fn test() { let n = lib::all(1)[2]; assert_eq!(lib::f(n), 3); }",
        &[
            ("lib::all(1)", "vec![1, 2, 3]", "vec![1, 2, 4]"),
            ("lib::all(1)[2]", "3", "4"),
            ("lib::f(n)", "2", "3"),
        ],
        "assert_eq!(lib::all(1)[2], 4);",
    );
}

#[test]
fn what_cannot_flow_into_the_assertion_does_not_count() {
    check_first(
        "fn test() { let a = lib::f(1); let b = lib::f(2); let c = a.g(); assert_eq!(c + 1, 4); }",
        &[
            ("lib::f(1)", "-", "-"),
            ("lib::f(2)", "5", "6"),
            ("a.g()", "4", "3"),
        ],
        "let mut a = lib::f(1);\nlet mut b = lib::f(2);\nassert_eq!(a.g(), 3);",
    );
}

#[test]
fn what_decides_on_a_branch_flows_into_all_that_comes_after() {
    let text = "enum Command { Help, Copy }\n\
         fn command() -> Command { let words = lib::words(2); if words.contains(\"-h\") { return Command::Help; } Command::Copy }\n\
         fn test() { assert_eq!(command(), Command::Copy); }";
    let beginning = || {
        let begin = [
            Enters("test"),
            Enters("command"),
            Is("lib::words(2)", "- lib::Words"),
        ];
        begin.into_iter()
    };
    let failing = beginning().chain([
        Is("words.contains(\"-h\")", "true"),
        Takes("return Command::Help;"),
        Leaves,
        Panics,
    ]);
    let good = beginning().chain([Is("words.contains(\"-h\")", "false"), Leaves, Panics]);
    let found = ended(
        text,
        [&failing.collect::<Vec<_>>(), &good.collect::<Vec<_>>()],
    );
    let expected = "assert_eq!(lib::words(2).contains(\"-h\"), false);";
    assert_eq!(found[0], expected);
}

#[test]
fn a_line_that_ends_otherwise_has_no_difference_to_end_at() {
    for end in [
        "assert!(a, \"why\");",
        "lib::g(a).unwrap();",
        "assert_ne!(a, 2);",
    ] {
        let text = format!("fn test() {{ let a = lib::f(1); {end} }}");
        check_first(&text, &[("lib::f(1)", "1", "2")], "");
    }
}

#[test]
fn a_difference_is_found_in_functions_and_in_fields() {
    let text = "struct Mesh { name: String }\n\
         fn mesh(n: u8) -> Mesh { let all = lib::mesh(n); Mesh { name: all.corners.name() } }\n\
         fn test() { let mesh = mesh(4); assert_eq!(mesh.name, \"square\"); }";
    let run = |corners, name| {
        [
            Enters("test"),
            Enters("mesh"),
            Is("n", "4_u8"),
            Is("lib::mesh(n)", "- lib::Mesh"),
            Field("all.corners", corners),
            Is("all.corners.name()", name),
            Leaves,
            Panics,
        ]
    };
    let found = ended(
        text,
        [
            &run("[3_u8]", "\"triangle\".to_string()"),
            &run("[4_u8]", "\"square\".to_string()"),
        ],
    );
    assert_eq!(found[0], "assert_eq!(lib::mesh(4).corners, [4]);");
}

#[test]
fn the_number_of_rounds_over_what_is_given_may_differ() {
    let text = "fn test() { let ring = lib::Ring::of([1, 2, 3]); let mut sum = 0; for one in ring.range(1..3) { sum += one; }\n\
         assert_eq!(sum, 5); }";
    let body = "sum += one;";
    let beginning = || {
        let begin = [
            Enters("test"),
            Is("lib::Ring::of([1, 2, 3])", "- lib::Ring"),
        ];
        begin.into_iter()
    };
    let failing = beginning().chain([Round(body), Ends(body), Is("sum", "2"), Panics]);
    let good = beginning().chain([Round(body), Round(body), Ends(body), Is("sum", "5"), Panics]);
    let found = ended(
        text,
        [&failing.collect::<Vec<_>>(), &good.collect::<Vec<_>>()],
    );
    let expected = "assert_eq!(lib::Ring::of([1, 2, 3]).range(1..3).into_iter().count(), 2);";
    assert_eq!(found[0], expected);
}

#[test]
fn a_line_ends_in_a_closure_with_a_branch_on_the_code_under_test() {
    const LETTER: &str = "|at| match set.get(at) { Some(_) => 'x', None => '.' }";
    let text = "fn test() { let set = lib::Set::new(); \
        let picture = [1_u8, 2].iter().map(|at| match set.get(at) { Some(_) => 'x', None => '.' }).collect::<String>(); \
        assert_eq!(picture, \"..\"); }";
    let run = |second: &'static str, arm: &'static str, picture: &'static str| {
        vec![
            Enters("test"),
            EntersClosure(LETTER),
            Is("set.get(at)", "None"),
            Takes("'.'"),
            Leaves,
            EntersClosure(LETTER),
            Is("set.get(at)", second),
            Takes(arm),
            Leaves,
            Is("picture", picture),
            Panics,
        ]
    };
    let failing = run("Some(1_u8)", "'x'", "\".x\".to_string()");
    let good = run("None", "'.'", "\"..\".to_string()");
    let found = ended(text, [&failing, &good]);
    let end = "assert_eq!(set.get(&2), None);";
    assert!(found[0].ends_with(end), "{}", found[0]);
    let is_of_literals = |one: &String| one.contains("assert_eq!('x', '.')");
    assert!(!found.iter().any(is_of_literals), "{found:?}");
}

#[test]
fn a_line_ends_at_what_a_text_shows() {
    check_first(
        "fn test() { let path = lib::path(1); assert_eq!(format!(\"at {}\", path.name()), \"at a\"); }",
        &[
            ("path.name()", "\"b\"", "\"a\""),
            (
                "format!(\"at {}\", path.name())",
                "\"at b\".to_string()",
                "\"at a\".to_string()",
            ),
        ],
        "assert_eq!(lib::path(1).name(), \"a\");",
    );
}

/// The bodies of a test that end at a difference under mends, as those with `--good` do not.
#[track_caller]
fn check_ended_by_mends(
    text: &str,
    values: &[(&'static str, &'static str, &'static str)],
    expected: &str,
) {
    let path = Utf8PathBuf::from("tests/a.rs");
    let program = Program::new(&SourceTree::single(path, Arc::from(text)));
    let probes = TraceProbes::of(&program);
    let [failing, passing] = both(values).map(|run| trace(&probes, &run).into_bytes());
    let anew = |passing: PassingTraces| {
        let forms = probes.carved(&failing, &passing).forms;
        let ended = forms.iter().find(|form| body(form) == expected);
        ended.map(|form| form.expects_anew)
    };
    let mends = PassingTraces {
        mends: vec![passing.clone()],
        good: None,
    };
    assert_eq!(anew(mends), Some(true));
    let good = PassingTraces {
        mends: Vec::new(),
        good: Some(passing),
    };
    assert_eq!(anew(good), None);
}

#[test]
fn a_test_that_panics_by_itself_ends_at_a_difference_under_mends() {
    check_ended_by_mends(
        "fn test() { let room = lib::room(7); let left = lib::left(room).unwrap(); lib::book(left); }",
        &[
            ("lib::room(7)", "5", "9"),
            ("lib::left(room)", "None", "Some(1)"),
        ],
        "assert_eq!(lib::room(7), 9);",
    );
}
