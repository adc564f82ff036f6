//! Users and distances of the parts of small programs.

use super::*;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::{ListKind, SourceTree, build_tree};
use std::sync::Arc;

const ITEMS: &[ListKind] = &[ListKind::Items];
const MEMBERS: &[ListKind] = &[ListKind::Members];
const STATEMENTS: &[ListKind] = &[ListKind::Statements];

fn crate_of(files: &[(&str, &str)]) -> SourceTree {
    let file = |(path, text): &(&str, &str)| (Utf8PathBuf::from(*path), Arc::from(*text));
    SourceTree::from_files(Utf8Path::new(files[0].0), files.iter().map(file)).expect("has a root")
}

/// The elements of lists of some kinds, in order of the source.
fn parts(sources: &SourceTree, kinds: &[ListKind]) -> Vec<Place> {
    let tree = build_tree(sources);
    let lists = tree.lists.iter().filter(|list| kinds.contains(&list.kind));
    let elements = lists.flat_map(|list| &list.elements);
    let mut parts: Vec<_> = elements.map(Place::from).collect();
    parts.sort_by_key(|part| (part.start(), std::cmp::Reverse(part.range.end)));
    parts
}

fn pairs(sources: &SourceTree, kinds: &[ListKind]) -> Vec<(usize, usize)> {
    let users = Relations::of(&Model::new(sources)).users(&parts(sources, kinds));
    let of_one =
        |(used, users): (usize, Vec<usize>)| users.into_iter().map(move |user| (used, user));
    users.into_iter().enumerate().flat_map(of_one).collect()
}

/// `expected` has pairs of what is used and its user, as indices in order of the source.
#[track_caller]
fn check(kinds: &[ListKind], text: &str, expected: &[(usize, usize)]) {
    assert_eq!(pairs(&crate_of(&[("lib.rs", text)]), kinds), expected);
}

/// The distance of each item from a name.
#[track_caller]
fn check_distances(seed: Seed, kinds: &[ListKind], text: &str, expected: &[Option<usize>]) {
    let sources = crate_of(&[("lib.rs", text)]);
    let found = Relations::of(&Model::new(&sources)).distances(&[seed], &parts(&sources, kinds));
    assert_eq!(found, expected);
}

fn name(name: &str) -> Seed {
    Seed::Name(name.to_owned())
}

fn path(names: &[&str]) -> Seed {
    Seed::Path(names.iter().map(|&name| name.to_owned()).collect())
}

#[test]
fn a_function_is_used_where_it_is_named() {
    check(
        ITEMS,
        "fn f() { g(); g() } fn g() { h() } fn h() {} fn i() {}",
        &[(1, 0), (2, 1)],
    );
}

#[test]
fn a_recursive_function_does_not_use_itself() {
    check(ITEMS, "fn f() { f() } struct S(Option<Box<S>>);", &[]);
}

#[test]
fn types_are_used_by_signatures_fields_and_types() {
    check(
        ITEMS,
        "struct A; struct B { a: A } enum C { D(B) } type E = C; const F: E = 1; fn g(_: &dyn Fn(A)) {}",
        &[(0, 1), (0, 5), (1, 2), (2, 3), (3, 4)],
    );
}

#[test]
fn an_impl_uses_its_trait_and_its_type() {
    check(
        ITEMS,
        "trait T {} struct S; impl T for S {} impl Clone for S {} impl S {}",
        &[(0, 2), (1, 2), (1, 3), (1, 4)],
    );
}

#[test]
fn an_import_uses_what_it_names() {
    check(
        ITEMS,
        "mod a { pub struct A; pub struct B; } use a::A;",
        // The items of the module come after it.
        &[(0, 3), (1, 3)],
    );
}

#[test]
fn an_import_is_used_in_its_module_only() {
    check(
        ITEMS,
        "use std::fmt; fn f() -> fmt::Result {} mod m { use std::fmt; } fn g() { a::fmt() }",
        &[(0, 1)],
    );
}

#[test]
fn an_import_of_something_else_hides_what_the_crate_defines() {
    check(
        ITEMS,
        "mod m { pub fn swap() {} } use std::mem::swap; fn f() { swap() } fn g() { std::mem::swap() }",
        &[(2, 3)],
    );
}

#[test]
fn a_renamed_import_is_used_by_its_new_name() {
    check(
        ITEMS,
        "struct A; use self::A as B; fn f(_: B) {} fn g(_: A) {}",
        &[(0, 1), (0, 3), (1, 2)],
    );
}

#[test]
fn an_import_of_a_module_itself_has_its_name() {
    check(
        ITEMS,
        "use std::fmt::{self, Write}; fn f(_: fmt::Arguments) {} fn g(_: Arguments) {}",
        &[(0, 1)],
    );
}

#[test]
fn an_extern_crate_is_used_by_paths_into_it() {
    check(
        ITEMS,
        "extern crate alloc as a; fn f(_: a::vec::Vec<u8>) {} fn g(_: alloc::X) {}",
        &[(0, 1)],
    );
}

#[test]
fn names_that_are_defined_twice_are_told_apart_by_their_paths() {
    check(
        ITEMS,
        "mod a { pub fn f() {} } mod b { pub fn f() {} } fn g() { a::f() }",
        &[(0, 4), (1, 4)],
    );
}

#[test]
fn a_module_is_used_by_who_uses_what_is_in_it() {
    check(
        ITEMS,
        "mod a { pub fn f() {} } use a::*; fn g() { f() }",
        &[(0, 2), (0, 3), (1, 3)],
    );
}

#[test]
fn members_with_names_of_the_standard_library_have_no_certain_users() {
    check(
        ITEMS,
        "type Result<T> = T; fn f() -> Result<u8> {} struct S; impl S { fn len(&self) {} } \
         fn g(x: &[u8]) { x.len() }",
        // An item with such a name is the definition that is meant.
        &[(0, 1), (2, 3)],
    );
}

#[test]
fn members_are_used_by_calls_and_paths() {
    check(
        MEMBERS,
        "struct S; impl S { fn a(&self) { self.bee(); Self::c() } fn bee(&self) {} fn c() {} \
         fn d() { bee() } }",
        // A member has no name without a path; what has is unknown.
        &[(1, 0), (1, 3), (2, 0)],
    );
}

#[test]
fn common_members_count_after_a_type_of_the_crate() {
    check(
        MEMBERS,
        "struct S; impl S { fn new() {} fn f() { S::new() } fn g() { Vec::<u8>::new() } \
         fn h() { Vec::new() } }",
        &[(0, 1)],
    );
}

#[test]
fn members_of_impls_use_those_of_the_trait() {
    check(
        MEMBERS,
        "trait T { fn t(); const C: u8; } impl T for u8 { fn t() {} const C: u8 = 0; } \
         impl fmt::Debug for S { fn t() {} }",
        &[(0, 2), (1, 3)],
    );
}

#[test]
fn fields_and_methods_of_one_name_are_told_apart() {
    let text = "struct S { size: u8, other: u8 } impl S { fn size(&self) -> u8 { self.size } \
                fn f(&self) { self.size() } fn g(size: u8, other: u8) -> S { S { size, other: 1 } } \
                fn h(S { size, .. }: S) {} }";
    check(MEMBERS, text, &[(0, 1)]);
    check(
        &[ListKind::Fields, ListKind::Members],
        text,
        &[(0, 2), (0, 4), (0, 5), (1, 4), (2, 3)],
    );
}

#[test]
fn variants_are_used_by_paths() {
    check(
        &[ListKind::Variants, ListKind::Items],
        "enum E { A, B } fn f() { E::A } fn g(e: E) { match e { E::B => {} } } fn h() { Less::B }",
        &[(0, 3), (0, 4), (1, 3), (2, 4)],
    );
}

#[test]
fn arguments_of_macros_are_mentions() {
    check(
        ITEMS,
        "macro_rules! m { ($x:tt) => { g($x) } } fn f() { m!(h => #) } fn g() {} fn h() {}",
        &[(0, 1), (2, 0), (3, 1)],
    );
}

#[test]
fn variables_of_macros_are_no_mentions() {
    check(
        ITEMS,
        "macro_rules! m { ($g:path) => { $g }; } fn g() {} fn path() {}",
        &[],
    );
}

#[test]
fn what_a_macro_call_defines_is_used() {
    check(
        ITEMS,
        "flags! { struct Flags: u8 { const A = 1; } } fn f(_: Flags) {}",
        &[(0, 1)],
    );
}

#[test]
fn attributes_mention_nothing() {
    check(ITEMS, "#[cfg(test)] mod test {} #[test] fn f() {}", &[]);
}

#[test]
fn variables_hide_items() {
    check(
        ITEMS,
        "fn f(g: u8) { g } fn g() {} fn h() { let g = g(); g } fn i<S>(s: S) {} struct S; \
         fn j(x: X) { x.map(|g| g); match x { g => g } }",
        &[(1, 2)],
    );
}

#[test]
fn statements_use_the_variables_of_earlier_ones() {
    check(
        STATEMENTS,
        "fn f() { let a = 1; let (b, c) = (a, 2); g(b); h(c + a); i(); }",
        &[(0, 1), (0, 3), (1, 2), (1, 3)],
    );
}

#[test]
fn the_nearest_earlier_variable_is_used() {
    check(
        STATEMENTS,
        "fn f() { let a = 1; g(a); let a = a + 1; h(a); }",
        &[(0, 1), (0, 2), (2, 3)],
    );
}

#[test]
fn variables_end_with_their_block() {
    check(
        STATEMENTS,
        "fn f(a: u8) { { let a = 1; g(a) } h(a); } fn i() { a }",
        // The outer statement is around the two inner ones.
        &[(1, 2)],
    );
}

#[test]
fn patterns_of_conditions_arms_and_closures_hide_variables() {
    check(
        STATEMENTS,
        "fn f() { let a = 1; let b = 2; \
         if let Some(a) = b && a > 0 { g!(a) } \
         while let Some(b) = h() { b } \
         match 0 { a if a > 1 => a, _ => 0 } \
         for a in 0..1 { a } \
         |a: u8| a; \
         let _ = if let 0 = a { 0 } else { b }; }",
        // The last `b` is a statement of its own.
        &[(0, 10), (1, 2), (1, 12)],
    );
}

#[test]
fn format_strings_use_variables() {
    check(
        STATEMENTS,
        r#"fn f() { let a = 1; let b = 1; println!("{a} {{b}}"); }"#,
        &[(0, 2)],
    );
}

#[test]
fn statements_use_items_of_their_block() {
    check(
        STATEMENTS,
        "fn f() { g(); fn g() {} use a::h; h(); } fn i() { g(); fn g() {} }",
        &[(1, 0), (2, 3), (5, 4)],
    );
}

#[test]
fn parts_in_one_another_do_not_use_each_other() {
    check(
        &[ListKind::Items, ListKind::Members],
        "mod m { struct S; impl S { fn f() { Self::g(); n::o() } fn g() { m::S } } } \
         mod n { pub fn o() { m::S::f() } }",
        // m, S, impl, f, g, n, o
        &[
            (0, 6),
            (1, 2),
            (1, 4),
            (1, 6),
            (2, 6),
            (3, 6),
            (4, 3),
            (5, 3),
            (6, 3),
        ],
    );
}

#[test]
fn an_external_module_stands_for_its_files() {
    let sources = crate_of(&[
        ("lib.rs", "mod a; mod b; fn f() { g() }"),
        ("a.rs", "pub fn g() { h() } mod c;"),
        ("a/c.rs", "pub fn i() {}"),
        ("b.rs", "pub fn h() { i() }"),
    ]);
    let at_root = parts(&sources, ITEMS)
        .into_iter()
        .filter(|Place { file, .. }| *file == sources.root());
    let users = Relations::of(&Model::new(&sources)).users(&at_root.collect::<Vec<_>>());
    assert_eq!(users, [vec![1, 2], vec![0], vec![]]);
}

#[test]
fn a_module_in_the_arguments_of_a_macro_stands_for_its_file() {
    let sources = crate_of(&[
        ("lib.rs", "group! { mod m; } fn a() { m::serve() }"),
        ("m.rs", "pub fn serve() {}"),
    ]);
    // The call, `mod m;`, and the two functions.
    assert_eq!(pairs(&sources, ITEMS), [(0, 2), (1, 2), (3, 2)]);
}

#[test]
fn text_that_does_not_parse_is_read_too() {
    let sources = crate_of(&[
        ("lib.rs", "mod a; fn f() {} fn g() { h() }"),
        ("a.rs", "fn fn h() { f() }"),
    ]);
    let users = Relations::of(&Model::new(&sources)).users(&parts(&sources, ITEMS));
    assert_eq!(users, [vec![2], vec![3], vec![], vec![2]]);
}

#[test]
fn distances_count_mentions() {
    check_distances(
        name("f"),
        ITEMS,
        "fn f() { g() } fn g() { h() } fn h() {} fn i() { f() } struct S;",
        &[Some(0), Some(1), Some(2), None, None],
    );
}

#[test]
fn the_nearest_of_several_paths_counts() {
    check_distances(
        name("f"),
        ITEMS,
        "fn f() { a(); c() } fn a() { b() } fn b() { d() } fn c() { d() } fn d() { e() } fn e() {}",
        &[Some(0), Some(1), Some(2), Some(1), Some(2), Some(3)],
    );
}

#[test]
fn a_name_that_is_mentioned_leads_to_all_that_have_it() {
    let text = "mod a { fn f() { b::f() } } mod b { fn f() {} } mod c { fn f() {} }";
    let expected = [Some(0), Some(0), Some(1), Some(1), Some(1), Some(1)];
    check_distances(path(&["a", "f"]), ITEMS, text, &expected);
}

#[test]
fn what_is_in_a_definition_is_as_near_as_the_definition() {
    check_distances(
        name("f"),
        STATEMENTS,
        "fn f() { a(); g() } fn g() { b(); } fn h() { c(); }",
        &[Some(0), Some(0), Some(1), None],
    );
}

#[test]
fn what_contains_a_seed_is_near_and_its_neighbours_are_not() {
    check_distances(
        name("f"),
        &[ListKind::Items, ListKind::Members],
        "mod m { impl S { fn f() {} fn g() {} } fn h() {} } mod n {}",
        &[Some(0), Some(0), Some(0), None, None, None],
    );
}

#[test]
fn members_of_a_trait_that_is_a_seed_are_near() {
    check_distances(
        name("T"),
        MEMBERS,
        "trait T { fn a(); fn b() { c() } } trait U { fn d(); }",
        &[Some(0), Some(0), None],
    );
}

#[test]
fn an_import_is_a_step_from_the_mention_of_its_name() {
    check_distances(
        name("f"),
        ITEMS,
        "use a::{A, B}; use b::C; use c::*; fn f(_: A) {} extern crate d;",
        &[Some(1), None, Some(0), Some(0), Some(0)],
    );
}

#[test]
fn a_path_names_one_of_several_definitions() {
    let text = "mod a { pub fn f() {} } mod b { pub fn f() {} }";
    let of_b = [None, None, Some(0), Some(0)];
    check_distances(path(&["b", "f"]), ITEMS, text, &of_b);
    let both = [Some(0); 4];
    check_distances(path(&["c", "f"]), ITEMS, text, &both);
    check_distances(path(&["b", "g"]), ITEMS, text, &[None; 4]);
}

#[test]
fn positions_become_paths() {
    let text = "mod m {\n impl T for S {\n  fn f() {}\n }\n}\ntrait T { fn f(); }\nuse m::X;\n";
    let sources = crate_of(&[("lib.rs", text)]);
    let model = Model::new(&sources);
    let relations = Relations::of(&model);
    let lasting = |line, column| {
        let seeds = [Seed::Position(sources.root(), line, column)];
        relations.lasting(&seeds)
    };
    assert_eq!(lasting(3, 6), [path(&["m", "T", "S", "f"])]);
    assert_eq!(lasting(2, 3), [path(&["m", "S"]), path(&["m", "T"])]);
    assert_eq!(lasting(1, 2), [path(&["m"])]);
    assert_eq!(lasting(6, 12), [path(&["T", "f"])]);
    assert_eq!(lasting(7, 2), [path(&["X"])]);
    assert_eq!(lasting(99, 1), []);
}

#[test]
fn a_lasting_seed_is_found_in_a_later_state() {
    let before = crate_of(&[("lib.rs", "mod a {\n fn f() { g() }\n}\nmod b { fn f() {} }")]);
    let seeds = [Seed::Position(before.root(), 2, 5), name("x")];
    let lasting = Relations::of(&Model::new(&before)).lasting(&seeds);
    assert_eq!(lasting, [name("x"), path(&["a", "f"])]);
    let after = crate_of(&[("lib.rs", "mod b { fn f() {} } mod a { fn f() {} }")]);
    let found = Relations::of(&Model::new(&after)).distances(&lasting, &parts(&after, ITEMS));
    assert_eq!(found, [None, None, Some(0), Some(0)]);
}

mod real;
