use super::*;
use crate::failing_test::run_values::sites::SiteKind;
use camino::Utf8PathBuf;
use std::sync::Arc;

/// Something that happens in a run, by the texts of what it happens to.
enum Happens {
    /// A function of this name is entered.
    Enters(&'static str),
    /// The closure of this text is entered.
    EntersClosure(&'static str),
    /// The function or closure that was entered last is left.
    Leaves,
    /// The function or closure that was entered last is left by a panic.
    Panics,
    /// An expression has a value.
    Is(&'static str, &'static str),
    /// A field on which a method is called has a value.
    Field(&'static str, &'static str),
    /// A call, whose surroundings decide its type, makes a value of this type.
    Makes(&'static str, &'static str),
    /// An expression has a value that can be copied, which shows this, of this type.
    Copied(&'static str, &'static str, &'static str),
    /// A call that stands as a statement gives a value that can be copied, which shows this, of this type.
    Gives(&'static str, &'static str, &'static str),
    /// A loop or closure binds a variable of this name to a value.
    Binds(&'static str, &'static str),
    /// A parameter of the function that was entered last is this type.
    Stands(&'static str, &'static str),
    /// A branch of this text is taken; that of an `if` without `else` by the whole `if`.
    Takes(&'static str),
    /// A round of the loop with this body begins.
    Round(&'static str),
    /// The loop with this body has come to its end.
    Ends(&'static str),
    /// This assertion holds.
    Holds(&'static str),
}

use Happens::{
    Binds, Copied, Ends, Enters, EntersClosure, Field, Gives, Holds, Is, Leaves, Makes, Panics,
    Round, Stands, Takes,
};

fn trace(probes: &TraceProbes<'_>, happens: &[Happens]) -> String {
    let program = probes.program;
    let by_text = |sites: &HashMap<crate::program::Place, usize>, text: &str| {
        let mut found: Vec<_> = sites
            .iter()
            .filter(|(place, _)| program.text(place).trim() == text)
            .collect();
        found.sort_by_key(|(place, _)| place.range.start);
        *found.first().unwrap_or_else(|| panic!("no `{text}`")).1
    };
    let mut open = Vec::new();
    let mut lines = Vec::new();
    for one in happens {
        let line = match one {
            Enters(name) => {
                let functions = &probes.sites.functions;
                let mut found = functions
                    .iter()
                    .filter(|(_, one)| one.signature.ident == *name);
                let site = *found.next().unwrap_or_else(|| panic!("no `{name}`")).0;
                open.push(site);
                format!("({site}")
            }
            EntersClosure(text) => {
                let site = by_text(&probes.sites.closures, text);
                open.push(site);
                format!("({site}")
            }
            Leaves => format!("){}", open.pop().unwrap()),
            Panics => format!("!{}", open.pop().unwrap()),
            Is(text, value) => format!("{} {value}", by_text(&probes.sites.values, text)),
            Copied(text, shown, ty) => {
                format!("{} = {shown} = {ty}", by_text(&probes.sites.values, text))
            }
            Gives(text, shown, ty) => {
                format!("{} = {shown} = {ty}", by_text(&probes.sites.copies, text))
            }
            Field(text, value) => format!("{} {value}", by_text(&probes.sites.receivers, text)),
            Makes(text, ty) => format!("{} {ty}", by_text(&probes.sites.types, text)),
            Binds(name, value) => {
                let mut bound = probes.sites.bound.values().flatten();
                let (_, site) = bound.find(|(of, _)| of == name).unwrap();
                format!("{site} {value}")
            }
            Stands(name, ty) => {
                let mut sites = probes.sites.all.iter();
                let kind = SiteKind::TypeOf(Some((*name).to_owned()));
                format!("{} {ty}", sites.position(|site| site.kind == kind).unwrap())
            }
            Takes(text) => format!("{} true", by_text(&probes.sites.branches, text)),
            Round(text) => format!(".{}", by_text(&probes.sites.loops, text)),
            Ends(text) => format!("<{}", by_text(&probes.sites.loops, text)),
            Holds(text) => format!("<{}", by_text(&probes.sites.assertions, text)),
        };
        lines.push(format!("t {line}\n"));
    }
    lines.concat()
}

/// The bodies of the test in the forms in which it is carved.
fn forms(text: &str, happens: &[Happens]) -> Vec<String> {
    carved(text, happens).iter().map(body).collect()
}

/// The body of the test in a form.
fn body(carved: &Carved) -> String {
    let text = carved.tree.text(carved.tree.root());
    let (_, body) = text.split_once("fn test() {").unwrap();
    let (body, _) = body.rsplit_once('}').unwrap();
    body.trim().to_owned()
}

/// The forms in which a test is carved, without those that are slices.
fn carved(text: &str, happens: &[Happens]) -> Vec<Carved> {
    of_walks(text, happens, |walks| walks.to_the_end(None).1.forms)
}

/// The result of a question to the walks through a test.
fn of_walks<T>(text: &str, happens: &[Happens], of: impl FnOnce(&Walks<'_, '_>) -> T) -> T {
    let path = Utf8PathBuf::from("tests/a.rs");
    let program = Program::new(&SourceTree::single(path, Arc::from(text)));
    let probes = TraceProbes::of(&program);
    let trace = trace(&probes, happens);
    let call = trace::read(trace.as_bytes(), |site| probes.sites.is_async(site));
    of(&Walks {
        probes: &probes,
        call: &call.expect("it is a trace"),
        taint: Taint::of(&program),
        own: own_names(&program, &probes.sources),
    })
}

/// Checks the straightest form of a test, the last function of a program.
#[track_caller]
fn check(text: &str, happens: &[Happens], expected: &str) {
    let found = forms(text, happens);
    assert_eq!(found.first().map(String::as_str), Some(expected));
}

#[test]
fn own_structs_and_functions_are_gone() {
    check(
        "struct Shop { stock: lib::Map, name: String }\n\
         impl Shop { fn open() -> Self { Shop { stock: lib::Map::new(), name: String::new() } }\n\
         fn sell(&mut self, n: u8) { self.stock.take(n + 1); } }\n\
         fn test() { let mut shop = Shop::open(); shop.sell(2); assert!(shop.stock.is_empty()); }",
        &[
            Enters("test"),
            Enters("open"),
            Is("String::new()", "\"\".to_string()"),
            Leaves,
            Enters("sell"),
            Is("n", "2_u8"),
            Is("n + 1", "3_u8"),
            Leaves,
            Is("shop.stock.is_empty()", "false"),
            Panics,
        ],
        "let mut stock = lib::Map::new();\nstock.take(3);\nassert!(stock.is_empty());",
    );
}

#[test]
fn what_the_code_under_test_gives_is_no_literal() {
    check(
        "fn test() { let n = lib::count(); let twice = n * 2; assert_eq!(twice, 4); }",
        &[
            Enters("test"),
            Is("lib::count()", "3_u8"),
            Is("n", "3_u8"),
            Is("n * 2", "6_u8"),
            Panics,
        ],
        "assert_eq!(lib::count() * 2, 4);",
    );
}

#[test]
fn what_the_message_of_the_failing_assertion_shows_is_a_literal() {
    let text = "fn test() { let set = lib::Set::new(); let other = lib::Set::of(1); assert!(other.is_full(), \"{}\", set.len());\n\
        assert!(set.is_empty(), \"{} are left\", other.len()); }";
    let happens = [
        Enters("test"),
        Is("other.is_full()", "true"),
        Holds("assert!(other.is_full(), \"{}\", set.len())"),
        Is("set.is_empty()", "false"),
        Is("other.len()", "2_usize"),
        Panics,
    ];
    let found = forms(text, &happens);
    let ends = |form: &str, end: &str| assert!(form.ends_with(end), "{form}");
    ends(
        &found[0],
        "assert!(lib::Set::of(1).is_full(), \"{}\", set.len());\nassert!(set.is_empty(), \"{} are left\", 2);",
    );
    ends(
        found.last().expect("there are forms"),
        "assert!(set.is_empty(), \"{} are left\", other.len());",
    );
}

#[test]
fn loops_over_known_values_become_their_rounds() {
    check(
        "fn test() { let mut set = lib::Set::new(); let mut sum = 0;\n\
         for n in [4, 5] { sum += n; set.add(sum); } assert_eq!(set.len(), 1); }",
        &[
            Enters("test"),
            Round("sum += n; set.add(sum);"),
            Is("sum", "4"),
            Round("sum += n; set.add(sum);"),
            Is("sum", "9"),
            Ends("sum += n; set.add(sum);"),
            Panics,
        ],
        "let mut set = lib::Set::new();\nset.add(4);\nset.add(9);\nassert_eq!(set.len(), 1);",
    );
}

#[test]
fn references_that_a_loop_binds_are_followed() {
    check(
        "fn test() { let mut set = lib::Set::new();\n\
         for n in [4, 5].iter() { set.add(*n); set.look(n); } assert_eq!(set.len(), 1); }",
        &[
            Enters("test"),
            Is("[4, 5].iter()", "-"),
            Round("set.add(*n); set.look(n);"),
            Binds("n", "&4"),
            Ends("set.add(*n); set.look(n);"),
            Panics,
        ],
        "let mut set = lib::Set::new();\nset.add(4);\nset.look(&4);\nassert_eq!(set.len(), 1);",
    );
}

#[test]
fn loops_over_values_of_the_code_under_test_are_their_rounds_or_stay() {
    let found = forms(
        "fn unused() { for one in 0..100 { println!(\"{one} is a number that no other part of this program prints\", one = one); } }\n\
         fn also_unused() { for one in 0..100 { println!(\"{one} is another number\", one = one); } }\n\
         fn test() { let mut n = 0; for one in lib::all() { n += one; } assert_eq!(n, 1); }",
        &[
            Enters("test"),
            Round("n += one;"),
            Round("n += one;"),
            Ends("n += one;"),
            Is("n", "3"),
            Panics,
        ],
    );
    let in_blocks = "let mut elements = lib::all().into_iter();\nlet mut one = elements.next().unwrap();\nlet mut n = 0;\nn += one;\n{\n\
                     let mut one_2 = elements.next().unwrap();\nn += one_2;\n}\nassert_eq!(n, 1);";
    let expected = [
        "let mut elements = lib::all().into_iter();\nlet mut one = elements.next().unwrap();\nlet mut n = 0;\nn += one;\n\
         n += elements.next().unwrap();\nassert_eq!(n, 1);",
        in_blocks,
        "let mut elements = lib::all().into_iter();\nlet Some(mut one) = elements.next() else { return; };\nlet mut n = 0;\nn += one;\n\
         let Some(mut one_2) = elements.next() else { return; };\nn += one_2;\nif elements.next().is_some() { return; }\nassert_eq!(n, 1);",
        "let mut n = 0;\nfor one in lib::all() { n += one; };\nassert_eq!(n, 1);",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_branch_on_known_values_is_what_ran() {
    check(
        "enum Event { Adds(u8), Waits }\n\
         fn test() { let mut set = lib::Set::new(); let event = Event::Adds(3);\n\
         match event { Event::Adds(n) => set.add(n), Event::Waits => set.clear() } assert!(set.is_empty()); }",
        &[Enters("test"), Takes("set.add(n)"), Is("n", "3_u8"), Panics],
        "let mut set = lib::Set::new();\nset.add(3);\nassert!(set.is_empty());",
    );
}

#[test]
fn a_branch_on_the_code_under_test_is_what_ran_or_stays() {
    let text = "fn test() { let mut set = lib::Set::new(); if set.has(1) { set.add(2); } assert!(set.is_empty()); }";
    let found = forms(
        text,
        &[
            Enters("test"),
            Is("set.has(1)", "true"),
            Takes("set.add(2);"),
            Panics,
        ],
    );
    let expected = [
        "let mut set = lib::Set::new();\nset.has(1);\nset.add(2);\nassert!(set.is_empty());",
        "let mut set = lib::Set::new();\nif !set.has(1) { return; }\nset.add(2);\nassert!(set.is_empty());",
        "let mut set = lib::Set::new();\nif set.has(1) { set.add(2); };\nassert!(set.is_empty());",
    ];
    assert_eq!(found, expected);
}

#[test]
fn it_is_known_which_forms_keep_each_branch() {
    let keep = |text: &str, happens: &[Happens]| -> Vec<bool> {
        let forms = carved(text, happens);
        forms.iter().map(|one| one.keeps_branches).collect()
    };
    let branch = "fn test() { let mut set = lib::Set::new(); if set.has(1) { set.add(2); } assert!(set.is_empty()); }";
    let takes = [
        Enters("test"),
        Is("set.has(1)", "true"),
        Takes("set.add(2);"),
        Panics,
    ];
    assert_eq!(keep(branch, &takes), [false, true, true]);
    let none = "fn test() { let mut set = lib::Set::new(); set.add(2); assert!(set.is_empty()); }";
    assert_eq!(keep(none, &[Enters("test"), Panics]), [true]);
}

#[test]
fn a_function_that_a_branch_may_leave_stays_where_the_branch_does() {
    let text = "fn fill(set: &mut lib::Set) { if set.has(1) { return; } set.add(2); }\n\
         fn test() { let mut set = lib::Set::new(); fill(&mut set); assert!(set.is_empty()); }";
    let found = forms(
        text,
        &[
            Enters("test"),
            Enters("fill"),
            Is("set.has(1)", "false"),
            Takes("if set.has(1) { return; }"),
            Leaves,
            Panics,
        ],
    );
    let expected = [
        "let mut set = lib::Set::new();\nset.has(1);\nset.add(2);\nassert!(set.is_empty());",
        "let mut set = lib::Set::new();\nif set.has(1) { return; }\nset.add(2);\nassert!(set.is_empty());",
        "let mut set = lib::Set::new();\nfill(&mut set);\nassert!(set.is_empty());",
    ];
    assert_eq!(found, expected);
}

#[test]
fn errors_of_the_code_under_test_that_did_not_come_are_unwrapped() {
    check(
        "fn get(set: &lib::Set) -> Option<u8> { let n = set.first()?; Some(n) }\n\
         fn test() { let set = lib::Set::new(); if let Some(n) = get(&set) { assert_eq!(n, 1); } }",
        &[
            Enters("test"),
            Enters("get"),
            Is("set.first()?", "2_u8"),
            Leaves,
            Takes("assert_eq!(n, 1);"),
            Panics,
        ],
        "assert_eq!(lib::Set::new().first().unwrap(), 1);",
    );
}

#[test]
fn closures_of_the_test_are_gone_where_the_test_calls_them() {
    check(
        "fn test() { let mut set = lib::Set::new(); let mut add = |n: u8| set.add(n); add(3); assert!(set.is_empty()); }",
        &[
            Enters("test"),
            EntersClosure("|n: u8| set.add(n)"),
            Leaves,
            Panics,
        ],
        "let mut set = lib::Set::new();\nset.add(3);\nassert!(set.is_empty());",
    );
}

#[test]
fn what_only_the_test_looks_at_is_gone() {
    check(
        "fn test() { let mut seen = Vec::new(); let set = lib::Set::new(); seen.push(1); assert_eq!(seen.len(), 1);\n\
         assert!(set.is_empty()); }",
        &[
            Enters("test"),
            Is("Vec::new()", "vec![]"),
            Is("seen.len()", "1_usize"),
            Holds("assert_eq!(seen.len(), 1)"),
            Panics,
        ],
        "assert!(lib::Set::new().is_empty());",
    );
}

#[test]
fn what_comes_after_the_assertion_that_fails_is_gone() {
    check(
        "fn test() { let set = lib::Set::new(); assert!(set.is_empty()); assert_eq!(set.len(), 1);\n\
         set.first() == Some(2); }",
        &[
            Enters("test"),
            Is("set.is_empty()", "true"),
            Holds("assert!(set.is_empty())"),
            Is("set.len()", "0"),
            Panics,
        ],
        "let mut set = lib::Set::new();\nassert!(set.is_empty());\nassert_eq!(set.len(), 1);",
    );
}

#[test]
fn the_line_ends_where_the_run_did() {
    check(
        "fn fill(set: &mut lib::Set) { set.add(1); set.add(2) }\n\
         fn test() { let mut set = lib::Set::new(); fill(&mut set); set.add(3); }",
        &[Enters("test"), Enters("fill"), Panics, Panics],
        "let mut set = lib::Set::new();\nset.add(1);\nset.add(2);",
    );
}

#[test]
fn a_struct_that_the_code_under_test_is_given_stays() {
    check(
        "struct Tile { x: u8, y: u8 }\n\
         fn test() { let mut set = lib::Set::new(); let corner = Tile { x: 1, y: 2 };\n\
         let tile = Tile { x: 3, ..corner }; set.add(&tile); assert!(set.is_empty()); }",
        &[Enters("test"), Panics],
        "let mut set = lib::Set::new();\nset.add(&Tile { x: 3, y: 2 });\nassert!(set.is_empty());",
    );
}

#[test]
fn a_program_without_code_under_test_is_not_carved() {
    let is_left_alone = |text: &str| {
        let path = Utf8PathBuf::from("tests/a.rs");
        let program = Program::new(&SourceTree::single(path, Arc::from(text)));
        TraceProbes::of(&program).is_empty()
    };
    assert!(is_left_alone("fn main() { let a = 1; assert_eq!(a, 2); }"));
    assert!(!is_left_alone(
        "fn main() { let a = lib::one(); assert_eq!(a, 2); }"
    ));
}

#[test]
fn what_is_done_beside_the_test_stays() {
    check(
        "fn test() { let set = lib::Set::new(); std::thread::sleep(PAUSE); assert!(set.is_empty()); }",
        &[
            Enters("test"),
            Is("PAUSE", "std::time::Duration::from_secs(1_u64)"),
            Panics,
        ],
        "let mut set = lib::Set::new();\nstd::thread::sleep(std::time::Duration::from_secs(1));\nassert!(set.is_empty());",
    );
}

#[test]
fn async_functions_of_the_test_are_gone_where_it_waits_for_them() {
    let text = "struct Pool { jobs: lib::Queue }\n\
         impl Pool { async fn put(&self, n: u8) -> bool { self.jobs.send(n + 1).await.is_ok() } }\n\
         async fn test() { let pool = Pool { jobs: lib::Queue::new() }; assert!(pool.put(2).await); }";
    let path = Utf8PathBuf::from("tests/a.rs");
    let program = Program::new(&SourceTree::single(path, Arc::from(text)));
    let probes = TraceProbes::of(&program);
    let happens = [
        Enters("test"),
        Is("pool.put(2)", "-"),
        Enters("put"),
        Is("n + 1", "3_u8"),
        Is("self.jobs.send(n + 1).await", "-"),
        Is("self.jobs.send(n + 1).await.is_ok()", "false"),
        Leaves,
        Is("pool.put(2).await", "false"),
        Panics,
    ];
    let carving = probes.carved(
        trace(&probes, &happens).as_bytes(),
        &PassingTraces::default(),
    );
    let carved = carving.forms[0].tree.text(program.sources().root());
    let expected = "async fn test() {\nassert!(lib::Queue::new().send(3).await.is_ok());\n\n}";
    assert!(carved.ends_with(expected), "{carved}");
}

#[test]
fn lists_of_the_test_are_their_elements() {
    check(
        "fn test() { let mut all = Vec::new(); for n in [4, 5] { all.push(lib::make(n)); }\n\
         for one in &all { one.start(); } assert!(all[1].is_done()); }",
        &[
            Enters("test"),
            Is("Vec::new()", "-"),
            Round("all.push(lib::make(n));"),
            Is("n", "4"),
            Is("lib::make(n)", "-"),
            Round("all.push(lib::make(n));"),
            Is("n", "5"),
            Is("lib::make(n)", "-"),
            Ends("all.push(lib::make(n));"),
            Round("one.start();"),
            Round("one.start();"),
            Ends("one.start();"),
            Panics,
        ],
        "let mut value = lib::make(4);\nlet mut value_2 = lib::make(5);\nvalue.start();\nvalue_2.start();\n\
         assert!(value_2.is_done());",
    );
}

#[test]
fn maps_of_the_test_are_their_values() {
    check(
        "use std::collections::HashMap;\n\
         struct User { name: lib::Name, n: u8 }\n\
         fn test() { let mut users = HashMap::new();\n\
         users.insert(\"a\".to_string(), User { name: lib::Name::new(), n: 1 });\n\
         let user = users.get_mut(\"a\").ok_or(2).unwrap(); user.name.change(); user.n += 1;\n\
         assert!(users[\"a\"].name.is_empty()); }",
        &[
            Enters("test"),
            Is("\"a\".to_string()", "\"a\".to_string()"),
            Panics,
        ],
        "let mut name = lib::Name::new();\nname.change();\nassert!(name.is_empty());",
    );
}

#[test]
fn words_for_errors_that_did_not_come_are_gone() {
    check(
        "fn size(text: &str) -> Result<lib::Size, String> { text.parse().map_err(|one| format!(\"{one}\")) }\n\
         fn test() { let size = size(\"4 k\").unwrap(); assert_eq!(size.bytes(), 4); }",
        &[
            Enters("test"),
            Enters("size"),
            Is("text.parse()", "-"),
            Leaves,
            Panics,
        ],
        "assert_eq!(\"4 k\".parse::<lib::Size>().unwrap().bytes(), 4);",
    );
}

#[test]
fn what_the_run_does_not_come_back_from_is_the_end_of_the_line() {
    check(
        "struct Bad; fn size(text: &str) -> Result<lib::Size, Bad> { text.parse().map_err(|_| Bad) }\n\
         fn test() { for one in [\"4 k\", \"5 é\"] { let _ = size(one); } }",
        &[
            Enters("test"),
            Round("let _ = size(one);"),
            Binds("one", "\"4 k\""),
            Enters("size"),
            Leaves,
            Round("let _ = size(one);"),
            Binds("one", "\"5 é\""),
            Enters("size"),
            Panics,
            Panics,
        ],
        "\"4 k\".parse::<lib::Size>().map_err(|_| Bad);\n\"5 é\".parse::<lib::Size>();",
    );
}

#[test]
fn what_is_evaluated_before_an_error_leaves_a_function_is_kept() {
    check(
        "struct Sizes { a: lib::Size, b: lib::Size, n: u8 }\n\
         fn n(text: &str) -> Result<u8, String> { Err(text.to_string()) }\n\
         fn sizes() -> Result<Sizes, String> { Ok(Sizes { a: lib::size(1), b: lib::size(2), n: n(\"x\")? }) }\n\
         fn test() { let _ = sizes(); assert!(lib::is_empty()); }",
        &[
            Enters("test"),
            Enters("sizes"),
            Enters("n"),
            Is("text.to_string()", "\"x\".to_string()"),
            Leaves,
            Leaves,
            Is("lib::is_empty()", "false"),
            Panics,
        ],
        "lib::size(1);\nlib::size(2);\nassert!(lib::is_empty());",
    );
}

#[test]
fn what_a_field_is_made_of_has_the_type_of_the_field_where_that_is_not_said() {
    let forms = forms(
        "struct Shop { stock: BTreeMap<String, Vec<lib::Set>>, ring: lib::Ring<3> }\n\
         fn test() { let mut shop = Shop { stock: BTreeMap::new(), ring: lib::Ring::new() };\n\
         let sets = shop.stock.entry(\"a\".to_string()).or_default(); sets.push(lib::Set::new()); assert!(sets[0].is_empty()); }",
        &[
            Enters("test"),
            Is("BTreeMap::new()", "std::collections::BTreeMap::from([])"),
            Is("\"a\".to_string()", "\"a\".to_string()"),
            Is("lib::Set::new()", "- lib::Set"),
            Is("sets[0].is_empty()", "false"),
            Panics,
        ],
    );
    let typed = [
        "let mut stock: BTreeMap<String, Vec<lib::Set>> = ",
        "let mut ring: lib::Ring<3> = lib::Ring::new();",
    ];
    let has_types = |form: &String| typed.iter().all(|one| form.contains(one));
    assert!(forms.iter().any(has_types), "{forms:?}");
}

#[test]
fn a_value_of_another_crate_is_kept_wherever_it_comes_from() {
    check(
        "fn test() { let size: lib::Size = 4.into(); let n: Vec<u8> = 5.into(); }",
        &[
            Enters("test"),
            Is("4.into()", "- lib::Size"),
            Is("5.into()", "- alloc::vec::Vec<u8>"),
            Panics,
        ],
        "let mut size: lib::Size = 4.into();",
    );
}

#[test]
fn an_error_that_leaves_functions_leaves_the_test() {
    let text = "fn get(set: &lib::Set) -> Result<u8, lib::Error> { let n = set.first()?; Ok(n) }\n\
         fn test() -> Result<(), lib::Error> { get(&lib::Set::new())?; Ok(()) }";
    let path = Utf8PathBuf::from("tests/a.rs");
    let program = Program::new(&SourceTree::single(path, Arc::from(text)));
    let probes = TraceProbes::of(&program);
    let happens = [Enters("test"), Enters("get"), Leaves, Leaves];
    let carving = probes.carved(
        trace(&probes, &happens).as_bytes(),
        &PassingTraces::default(),
    );
    let carved = carving.forms[0].tree.text(program.sources().root());
    let line = "(&lib::Set::new()).first()?;\n";
    assert!(carved.contains(line), "{carved}");
}

#[test]
fn parameters_of_functions_are_the_types_that_they_were() {
    let text = "trait Named { fn name() -> &'static str; } struct Own; impl Named for Own { fn name() -> &'static str { \"own\" } }\n\
         fn make<T: Named>() -> lib::Made { lib::Made::with(std::any::type_name::<T>(), 3) }\n\
         fn test() { let made = make::<Own>(); assert!(made.is_empty()); }";
    let happens = |ty| {
        let stands = Stands("T", ty);
        forms(
            text,
            &[Enters("test"), Enters("make"), stands, Leaves, Panics],
        )
    };
    let expected = "assert!(lib::Made::with(std::any::type_name::<Own>(), 3).is_empty());";
    assert_eq!(happens("crate::Own")[0], expected);
    // Only the crate that has the type can name it.
    assert_eq!(
        happens("lib::private::Own")[0],
        "assert!(make::<Own>().is_empty());"
    );
}

#[test]
fn what_has_no_literal_in_a_loop_stays_and_the_rest_is_carved() {
    check(
        "fn test() { let mut set = lib::Set::new(); let n = 1 + 1;\n\
         for one in WORDS.iter() { set.add(one); } set.add(n); assert!(set.is_empty()); }",
        &[
            Enters("test"),
            Is("1 + 1", "2"),
            Is("WORDS.iter()", "-"),
            Round("set.add(one);"),
            Binds("one", "-"),
            Ends("set.add(one);"),
            Is("n", "2"),
            Panics,
        ],
        "let mut set = lib::Set::new();\nfor one in WORDS.iter() { set.add(one); };\nset.add(2);\nassert!(set.is_empty());",
    );
}

#[test]
fn a_long_list_in_code_that_stays_is_a_variable() {
    let list = |n: usize| format!("vec![{}]", vec!["\"a\""; n].join(", "));
    let form = |n: usize| {
        let list: &'static str = list(n).leak();
        let text = "fn letters() -> Vec<&'static str> { \"a b c\".split(' ').collect() }\n\
             fn test() { let words = letters(); let mut all = lib::all().map(|(a, b)| (words[a], words[b])); assert!(all.next().is_none()); }";
        let happens = [Enters("test"), Is("letters()", list), Panics];
        forms(text, &happens).swap_remove(0)
    };
    let (short, long) = (list(3), list(10));
    assert_eq!(
        form(3),
        format!("assert!(lib::all().map(|(a, b)| ({short}[a], {short}[b])).next().is_none());")
    );
    assert_eq!(
        form(10),
        format!(
            "let mut words = {long};\nassert!(lib::all().map(|(a, b)| (words[a], words[b])).next().is_none());"
        )
    );
}

#[test]
fn the_last_form_drops_values_where_the_test_did() {
    let text = "fn look(cell: &lib::Cell) { let guard = cell.lock(); guard.look(); guard.look(); }\n\
         fn test() { let cell = lib::Cell::new(); look(&cell); assert!(cell.is_free()); }";
    let found = forms(text, &[Enters("test"), Enters("look"), Leaves, Panics]);
    let expected = "let mut cell = lib::Cell::new();\n{\nlet mut guard = cell.lock();\nguard.look();\n\
         guard.look();\n}\nassert!(cell.is_free());";
    assert_eq!(found.last().map(String::as_str), Some(expected));
}

#[test]
fn a_run_that_is_too_long_for_a_trace_is_no_test_to_carve() {
    let path = Utf8PathBuf::from("tests/a.rs");
    let text = "fn test() { lib::all(); }";
    let program = Program::new(&SourceTree::single(path, Arc::from(text)));
    let probes = TraceProbes::of(&program);
    let begun = trace(&probes, &[Enters("test")]);
    let carving = probes.carved(
        format!("{begun}cut\n").as_bytes(),
        &PassingTraces::default(),
    );
    assert!(carving.forms.is_empty());
    assert!(carving.obstacle.is_some());
}

#[test]
fn what_is_assigned_through_a_reference_has_no_probe() {
    let path = Utf8PathBuf::from("tests/a.rs");
    let text = "fn test(slot: &mut u8) { *slot = lib::get(); *slot += 1; lib::set(*slot); }";
    let program = Program::new(&SourceTree::single(path, Arc::from(text)));
    let probed = TraceProbes::of(&program).sources().sources;
    let probed = probed.text(probed.root());
    assert!(probed.contains("*slot = (match"), "{probed}");
    assert!(probed.contains("*slot += 1"), "{probed}");
}

#[test]
fn a_clone_of_a_struct_has_clones_of_its_parts() {
    check(
        "#[derive(Clone)] struct Shop { stock: lib::Map }\n\
         fn test() { let shop = Shop { stock: lib::Map::new() }; let other = shop.clone();\n\
         lib::close(shop.stock); assert!(other.stock.is_empty()); }",
        &[Enters("test"), Panics],
        "let mut stock = lib::Map::new();\nlet mut stock_2 = stock.clone();\nlib::close(stock);\n\
         assert!(stock_2.is_empty());",
    );
}

mod assumptions;
mod chains;
mod differences;

#[test]
fn what_is_given_where_the_test_passes_too_is_a_literal() {
    let text = "struct Notes { all: Vec<String> }\n\
        fn test() { let mut notes = Notes { all: vec![] };\n\
        match lib::merge(\"a\", \"b\") { Ok(text) => notes.all.push(text), Err(_) => panic!() }\n\
        let mut log = lib::Log::new();\n\
        log.add(1);\n\
        assert_eq!(log.len(), 1);\n\
        let last = notes.all.last().unwrap();\n\
        assert_eq!(lib::merge(last, \"d\").unwrap(), \"c\"); }";
    let run = |last| {
        [
            Enters("test"),
            Is("lib::merge(\"a\", \"b\")", "Ok(\"ab\".to_string())"),
            Takes("notes.all.push(text)"),
            Is("log.len()", "1"),
            Is("notes.all.last().unwrap()", "\"ab\".to_string()"),
            Is("lib::merge(last, \"d\").unwrap()", last),
            Leaves,
        ]
    };
    let path = Utf8PathBuf::from("tests/a.rs");
    let program = Program::new(&SourceTree::single(path, Arc::from(text)));
    let probes = TraceProbes::of(&program);
    let [failing, passing] =
        ["\"abd\".to_string()", "\"c\".to_string()"].map(|last| trace(&probes, &run(last)));
    let forms = |mends: &[Vec<u8>]| {
        let passing = PassingTraces {
            mends: mends.to_vec(),
            good: None,
        };
        let carving = probes.carved(failing.as_bytes(), &passing);
        carving.forms.iter().map(body).collect::<Vec<_>>()
    };
    let asked = "let mut log = lib::Log::new();\nlog.add(1);\nassert_eq!(log.len(), 1);\n";
    let expected = "assert_eq!(lib::merge(\"ab\", \"d\").unwrap(), \"c\");";
    assert_eq!(
        forms(&[passing.into_bytes()])[0],
        format!("{asked}{expected}")
    );
    // The failing run gives what it gives.
    let same = failing.clone().into_bytes();
    let slice = "assert_eq!(lib::merge(lib::merge(\"a\", \"b\").unwrap(), \"d\").unwrap(), \"c\");";
    let of_same = forms(&[same]);
    assert_eq!(of_same[0], slice);
    assert!(of_same[1].contains("assert_eq!(log.len(), 1);"));
}

#[test]
fn names_of_patterns_may_be_assigned_and_guards_of_arms_are_gone() {
    check(
        "fn test() { let (one, mut rest) = lib::split(&[1, 2]);\n\
         match lib::head(one) { long if long < 9 => rest = lib::skip(rest, long), _ => panic!() }\n\
         assert!(lib::is_done(rest)); }",
        &[
            Enters("test"),
            Is("lib::split(&[1, 2])", "-"),
            Is("lib::head(one)", "1"),
            Takes("rest = lib::skip(rest, long)"),
            Is("lib::skip(rest, long)", "-"),
            Is("lib::is_done(rest)", "false"),
            Panics,
        ],
        "let (one, mut rest) = lib::split(&[1, 2]);\n\
         assert!(lib::is_done(lib::skip(rest, lib::head(one))));",
    );
}

#[test]
fn a_field_that_a_pattern_has_bound_may_be_assigned() {
    check(
        "struct Unread { rest: lib::Rest }\n\
         fn test() { let (_, rest) = lib::split(3); let mut unread = Unread { rest }; let (one, other) = unread.rest.split(2);\n\
         unread.rest = other; assert_eq!(one, unread.rest); }",
        &[Enters("test"), Panics],
        "let (_, rest) = lib::split(3);\nlet (one, other) = rest.split(2);\nassert_eq!(one, other);",
    );
}

#[test]
fn the_line_ends_where_an_error_leaves_the_test() {
    let text = "fn read(text: &str) -> Result<Vec<u8>, lib::Error> { let one = lib::parse(text)?; Ok(vec![one]) }\n\
        fn test() -> Result<(), lib::Error> { let all = read(\"x\")?; lib::check(&all[0]); Ok(()) }";
    let happens = [
        Enters("test"),
        Enters("read"),
        Is("lib::parse(text)", "-"),
        Leaves,
        Leaves,
    ];
    let first = &carved(text, &happens)[0].tree;
    let (_, line) = first.text(first.root()).rsplit_once("{\n").unwrap();
    assert_eq!(line, "lib::parse(\"x\")?;\nOk(())\n}");
}

#[test]
fn a_test_that_should_panic_may_end_with_something_of_its_own() {
    check(
        "fn test() { let mut log = vec![]; lib::check(3); log.push(1); assert_eq!(log.len(), 1); }",
        &[Enters("test"), Is("log.len()", "1"), Leaves],
        "lib::check(3);",
    );
}

#[test]
fn an_error_that_leaves_a_function_is_the_tests_and_keeps_its_type() {
    const JSON: &str = "- core::result::Result<crate::Json, crate::JsonError>";
    let forms = carved(
        "use crate::{Json, JsonError}; enum Refused { Syntax(JsonError) } \
         impl From<JsonError> for Refused { fn from(error: JsonError) -> Self { Refused::Syntax(error) } } \
         fn read(frame: &str) -> Result<String, Refused> { let value: Json = frame.parse()?; Ok(value.to_string()) } \
         fn test() -> Result<(), Refused> { for text in [\"a\", \"b\"].iter() { read(text)?; } Ok(()) }",
        &[
            Enters("test"),
            Round("read(text)?;"),
            Enters("read"),
            Is("frame.parse()", JSON),
            Is("frame.parse()?", "- crate::Json"),
            Leaves,
            Round("read(text)?;"),
            Enters("read"),
            Is("frame.parse()", JSON),
            Enters("from"),
            Leaves,
            Leaves,
            Leaves,
        ],
    );
    let text = forms[0].tree.text(forms[0].tree.root());
    let (_, body) = text.split_once("Result<(), Refused> {").unwrap();
    assert_eq!(
        body.trim(),
        "let mut value_2 = \"a\".parse::<Json>().unwrap().to_string();\n\"b\".parse::<Json>()?;\nOk(())\n}"
    );
}

#[test]
fn variables_in_macros_of_other_crates_are_what_they_have() {
    check(
        "fn part(name: &str, steps: &[u8]) -> lib::Value { lib::json!({ \"name\": name, \"steps\": steps, name: x.name }) } \
         fn test() { let all = vec![part(\"a\", &[1, 2])]; assert_eq!(lib::text(lib::json!({ \"all\": all })), \"\"); }",
        &[Enters("test"), Enters("part"), Leaves, Panics],
        "let mut all = vec![lib::json!({ \"name\": \"a\", \"steps\": &[1, 2], name: x.name })];\n\
         assert_eq!(lib::text(lib::json!({ \"all\": all })), \"\");",
    );
}

#[test]
fn a_slice_has_what_flows_into_the_last_statement() {
    let forms = |text: &str| {
        let slices = of_walks(text, &[Enters("test"), Panics], |walks| {
            walks.to_the_end(None).0
        });
        slices.iter().map(body).collect::<Vec<_>>()
    };
    assert_eq!(
        forms(
            "fn test() { lib::open(1).unwrap().close(); let mut a = lib::open(2).unwrap(); let b = lib::key(3); \
             a.put(b); lib::close(4); assert!(a.is_empty()); }",
        ),
        ["let mut a = lib::open(2).unwrap();\na.put(lib::key(3));\nassert!(a.is_empty());"]
    );
    let returned = "fn test() -> Result<(), u8> { let a = lib::open(1); a.close() }";
    assert_eq!(forms(returned), [""; 0]);
}

#[test]
fn calls_behind_a_condition_that_is_known_are_walked_through() {
    check(
        "fn put(set: &mut lib::Set, n: u8) { set.add(n); }\n\
         fn test() { let mut set = lib::Set::new(); let n = 2;\n\
         if n > 3 { put(&mut set, 9); }\n\
         if n > 0 { put(&mut set, n); } assert!(set.is_empty()); }",
        &[
            Enters("test"),
            Is("n > 3", "false"),
            Takes("if n > 3 { put(&mut set, 9); }"),
            Is("n > 0", "true"),
            Takes("put(&mut set, n);"),
            Enters("put"),
            Leaves,
            Panics,
        ],
        "let mut set = lib::Set::new();\nset.add(2);\nassert!(set.is_empty());",
    );
}

#[test]
fn what_is_borrowed_for_a_later_statement_has_a_variable() {
    check(
        "fn test() { let names: Vec<String> = vec![\"a\".to_string()];\n\
         let mut pairs = lib::pairs(1).zip(names.iter()); pairs.skip(1); assert_eq!(pairs.count(), 2); }",
        &[
            Enters("test"),
            Is("vec![\"a\".to_string()]", "vec![\"a\".to_string()]"),
            Panics,
        ],
        "let mut value = lib::pairs(1);\nlet mut names = vec![\"a\".to_string()];\n\
         let mut pairs = value.zip(names.iter());\npairs.skip(1);\nassert_eq!(pairs.count(), 2);",
    );
}

#[test]
fn a_key_that_is_looked_up_is_the_one_that_was_given_before() {
    let text = "fn test() { let mut map = lib::Map::new(); let _ = map.add(\"a\"); let _ = map.add(\"b\");\n\
        map.take(map.get(\"a\")); assert_eq!(map.get(\"b\"), map.first()); }";
    let happens = [
        Enters("test"),
        Copied("map.add(\"a\")", "Id(1)", "lib::Id"),
        Copied("map.add(\"b\")", "Id(2)", "lib::Id"),
        Copied("map.get(\"a\")", "Id(1)", "lib::Id"),
        Copied("map.get(\"b\")", "Id(2)", "lib::Id"),
        Copied("map.first()", "Id(1)", "lib::Id"),
        Panics,
    ];
    let forms = forms(text, &happens);
    assert_eq!(
        forms[..2],
        [
            "let mut map = lib::Map::new();\nlet value = map.add(\"a\");\nlet value_2 = map.add(\"b\");\nmap.take(value);\n\
             assert_eq!(map.get(\"b\"), map.first());",
            "let mut map = lib::Map::new();\nmap.add(\"a\");\nmap.add(\"b\");\nmap.take(map.get(\"a\"));\n\
             assert_eq!(map.get(\"b\"), map.first());",
        ]
    );
}

#[test]
fn what_shows_no_number_is_no_key() {
    let text = "fn test() { let mut map = lib::Map::new(); map.add(1).unwrap(); map.add(2).unwrap(); assert!(map.is_empty()); }";
    let happens = [
        Enters("test"),
        Copied("map.add(1)", "Ok(())", "Result<(), lib::Full>"),
        Copied("map.add(2)", "Ok(())", "Result<(), lib::Full>"),
        Is("map.is_empty()", "false"),
        Panics,
    ];
    assert_eq!(
        forms(text, &happens)[0],
        "let mut map = lib::Map::new();\nmap.add(1).unwrap();\nmap.add(2).unwrap();\nassert!(map.is_empty());",
    );
}

#[test]
fn a_call_that_stands_as_a_statement_gives_a_key() {
    let text = "fn test() { let mut map = lib::Map::new(); map.add(\"a\"); map.clean(); \
        map.take(map.get(\"a\")); assert_eq!(map.len(), 0); }";
    let happens = [
        Enters("test"),
        Gives("map.add(\"a\")", "Id(1)", "lib::Id"),
        Copied("map.get(\"a\")", "Id(1)", "lib::Id"),
        Is("map.len()", "1_usize"),
        Panics,
    ];
    assert_eq!(
        forms(text, &happens)[0],
        "let mut map = lib::Map::new();\nlet value = map.add(\"a\");\nmap.clean();\nmap.take(value);\nassert_eq!(map.len(), 0);",
    );
}
