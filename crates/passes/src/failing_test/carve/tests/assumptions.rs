//! Tests of lines in which the test ends well wherever the code under test decides otherwise than in the run.

use super::*;

/// Checks the first form of a test in which it may end well.
#[track_caller]
fn check_assumed(text: &str, happens: &[Happens], expected: &str) {
    let found = forms(text, happens);
    let mut assumed = found.iter().filter(|one| one.contains("return; }"));
    assert_eq!(
        assumed.next().map_or("", String::as_str),
        expected,
        "{found:#?}"
    );
}

#[test]
fn a_pattern_matches_or_the_test_ends_well() {
    check_assumed(
        "fn test() { if let lib::Word::Text { of: name, .. } = lib::read() { assert_eq!(name, 1); } }",
        &[Enters("test"), Takes("assert_eq!(name, 1);"), Panics],
        "let lib::Word::Text { of: name, .. } = lib::read() else { return; };\nassert_eq!(name, 1);",
    );
    check_assumed(
        "fn test() { let mut set = lib::Set::new(); if let Some(first) = set.first() { set.add(first); } else { set.clear(); }\n\
         assert_eq!(set.len(), 1); }",
        &[Enters("test"), Takes("set.clear();"), Panics],
        "let mut set = lib::Set::new();\nif matches!(set.first(), Some(_)) { return; }\nset.clear();\nassert_eq!(set.len(), 1);",
    );
}

#[test]
fn an_arm_is_taken_and_none_before_it_or_the_test_ends_well() {
    let text = "fn test() { let n = match lib::read() { lib::Word::End | lib::Word::Space => 0, lib::Word::Text(n) if lib::is(n) => 1,\n\
                lib::Word::Text(_) => 2, other => lib::size(other) }; assert_eq!(n, lib::size(3)); }";
    let takes_other = [Enters("test"), Takes("lib::size(other)"), Panics];
    // A guard may have been asked.
    check_assumed(text, &takes_other, "");
    check_assumed(
        &text.replace(" if lib::is(n)", ""),
        &takes_other,
        "let mut value = lib::read();\n\
         if matches!(value, lib::Word::End | lib::Word::Space | lib::Word::Text(_) | lib::Word::Text(_)) { return; }\n\
         assert_eq!(lib::size(value), lib::size(3));",
    );
    check_assumed(
        "fn test() { let n = match lib::read() { lib::Word::End => 0, lib::Word::Text(n) if lib::is(n) => 1, _ => 2 }; assert_eq!(n, lib::size(3)); }",
        &[Enters("test"), Takes("1"), Panics],
        "let lib::Word::Text(n) = lib::read() else { return; };\nif !lib::is(n) { return; }\nassert_eq!(1, lib::size(3));",
    );
    check_assumed(
        "fn test() { let n = match lib::read() { lib::Word::End | lib::Word::Space => 7, _ => 2 }; assert_eq!(n, lib::size(3)); }",
        &[Enters("test"), Takes("7"), Panics],
        "if !matches!(lib::read(), lib::Word::End | lib::Word::Space) { return; }\nassert_eq!(7, lib::size(3));",
    );
}

#[test]
fn a_loop_has_as_many_rounds_or_the_test_ends_well() {
    check_assumed(
        "fn test() { let mut set = lib::Set::new(); while set.len() < 1 { set.add(2); } assert!(set.has(3)); }",
        &[
            Enters("test"),
            Is("set.len() < 1", "true"),
            Round("set.add(2);"),
            Is("set.len() < 1", "false"),
            Ends("set.add(2);"),
            Panics,
        ],
        "let mut set = lib::Set::new();\nif !(set.len() < 1) { return; }\nset.add(2);\nif set.len() < 1 { return; }\nassert!(set.has(3));",
    );
    check_assumed(
        "fn test() { let mut set = lib::Set::new(); while let Some(n) = set.pop() { lib::see(n); } assert!(set.has(3)); }",
        &[
            Enters("test"),
            Round("lib::see(n);"),
            Ends("lib::see(n);"),
            Panics,
        ],
        "let mut set = lib::Set::new();\nlet Some(n) = set.pop() else { return; };\nlib::see(n);\n\
         if matches!(set.pop(), Some(_)) { return; }\nassert!(set.has(3));",
    );
}

#[test]
fn a_test_with_a_result_ends_well_by_that() {
    let found = carved(
        "fn test() -> Result<(), lib::Error> { let set = lib::Set::new(); if set.has(1) { return Err(lib::error()); } Ok(()) }",
        &[
            Enters("test"),
            Is("set.has(1)", "true"),
            Takes("return Err(lib::error());"),
            Leaves,
        ],
    );
    let line = "let mut set = lib::Set::new();\nif !set.has(1) { return Ok(()); }\nlet mut value = lib::error();\nErr(value)\n}";
    let texts = found.iter().map(|one| one.tree.text(one.tree.root()));
    let texts: Vec<&str> = texts.collect();
    assert!(texts.iter().any(|text| text.ends_with(line)), "{texts:#?}");
}

#[test]
fn a_test_that_should_panic_does_not_end_well() {
    let found = forms(
        "fn test() { let mut set = lib::Set::new(); if set.has(1) { set.add(2); } lib::check(set); }",
        &[
            Enters("test"),
            Is("set.has(1)", "true"),
            Takes("set.add(2);"),
            Leaves,
        ],
    );
    assert!(!found.is_empty());
    assert!(
        found.iter().all(|one| !one.contains("return")),
        "{found:#?}"
    );
}

#[test]
fn a_line_that_may_panic_instead_does_not_keep_each_branch() {
    // The function goes on with the error that another version may give, and the line does not.
    let propagated = "fn get(set: &lib::Set) -> Option<u8> { let n = set.first()?; if set.has(n) { return None; } Some(n) }\n\
                      fn test() { let set = lib::Set::new(); assert_eq!(get(&set), None); }";
    let happens = [
        Enters("test"),
        Enters("get"),
        Is("set.first()?", "2_u8"),
        Is("set.has(n)", "false"),
        Takes("if set.has(n) { return None; }"),
        Leaves,
        Panics,
    ];
    let found = carved(propagated, &happens);
    let assumed = found.iter().filter(|one| body(one).contains("unwrap()"));
    let assumed = assumed.filter(|one| body(one).contains("return; }"));
    assert!(assumed.clone().count() > 0, "{found:#?}");
    assert!(assumed.clone().all(|one| !one.keeps_branches), "{found:#?}");
}

#[test]
fn a_test_that_fails_by_the_way_it_goes_ends_with_that() {
    let check_ended = |text: &str, happens: &[Happens], expected: &str| {
        let found = carved(text, happens);
        let ended = found.iter().find(|one| one.expects_anew);
        assert_eq!(ended.map(body).as_deref(), Some(expected), "{found:#?}");
        assert!(ended.is_some_and(|one| one.keeps_branches));
    };
    // No value of the code under test is in the assertion.
    check_ended(
        "fn test() { let set = lib::Set::new(); let text = if set.has(1) { \"one\" } else { \"none\" }; assert_eq!(text, \"none\"); }",
        &[
            Enters("test"),
            Is("set.has(1)", "true"),
            Takes("\"one\""),
            Panics,
        ],
        "assert!(!lib::Set::new().has(1));",
    );
    // The variants differ, whatever is in them.
    let found = [Enters("test"), Takes("Lookup::One(one)"), Panics];
    check_ended(
        "enum Lookup { One(u8), None }\n\
         fn test() { let found = match lib::look(3) { Ok(one) => Lookup::One(one), Err(_) => Lookup::None }; assert_eq!(found, Lookup::None); }",
        &found,
        "assert!(lib::look(3).is_err());",
    );
    check_ended(
        "enum Lookup { One(u8), None }\n\
         fn test() { let found = match lib::look(3) { lib::Seen::One { it: one } => Lookup::One(one), _ => Lookup::None }; assert_eq!(found, Lookup::None); }",
        &found,
        "assert!(!matches!(lib::look(3), lib::Seen::One { it: _ }));",
    );
    // Another value of the same variant may be equal.
    let kept = carved(
        "enum Lookup { One(u8), None }\n\
         fn test() { let found = match lib::look(3) { Ok(one) => Lookup::One(one), Err(_) => Lookup::None }; assert_eq!(found, Lookup::One(3)); }",
        &found,
    );
    assert!(!kept.is_empty());
    assert!(kept.iter().all(|one| !one.expects_anew), "{kept:#?}");
}
