//! Finds the tests that choose their input at random, as far as their text tells: an outcome of such a test is not the same
//! in each run.

use camino::Utf8Path;
use reduce_syntax::{SourceTree, TokenCursor};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The libraries by which tests choose their input at random.
const LIBRARIES: [&str; 4] = ["quickcheck", "proptest", "rand", "arbtest"];

/// The tests of a crate that choose their input at random.
#[derive(Debug, Default, Clone)]
pub(crate) struct RandomTests {
    /// The functions by their paths, and whether each chooses its input at random.
    functions: BTreeMap<String, bool>,
    /// The paths of the modules that name a library for random input themselves. A macro may make tests there that have no
    /// function in the text.
    modules: BTreeSet<String>,
}

impl RandomTests {
    pub(crate) fn of(tree: &SourceTree) -> Self {
        let mut found = Self::default();
        let root = tree.path(tree.root());
        let directory = root.parent().unwrap_or(root);
        for (file, path, text) in tree.files() {
            let module = match file == tree.root() {
                true => String::new(),
                false => module_of_file(path.strip_prefix(directory).unwrap_or(path)),
            };
            found.read(&module, text);
        }
        found
    }

    /// Whether a test of this name chooses its input at random. Macros make several tests of one function, whose names
    /// begin with that of it.
    pub(crate) fn has(&self, test: &str) -> bool {
        let is_of = |function: &str| {
            let rest = test.strip_prefix(function);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', ':']))
        };
        let functions = self.functions.iter();
        let of_it = functions.filter(|(function, _)| is_of(function));
        let longest = of_it.max_by_key(|(function, _)| function.len());
        let module = || test.rsplit_once("::").map_or("", |(module, _)| module);
        longest.map_or_else(
            || self.modules.contains(module()),
            |(_, is_random)| *is_random,
        )
    }

    /// Reads a file that is the module with this path.
    fn read(&mut self, module: &str, text: &str) {
        let cursor = TokenCursor::new(text);
        let mut file = File {
            cursor: &cursor,
            names: LIBRARIES.into_iter().collect(),
            found: Self::default(),
        };
        // Functions that call a random function are random as well.
        loop {
            let n_names = file.names.len();
            file.items(cursor.indices(), module, false);
            if file.names.len() == n_names {
                break;
            }
        }
        self.functions.extend(file.found.functions);
        self.modules.extend(file.found.modules);
    }
}

/// A file whose functions are being read.
struct File<'c, 't> {
    cursor: &'c TokenCursor<'t>,
    /// The names that stand for a choice at random: libraries, imports from them, functions and macros.
    names: BTreeSet<&'t str>,
    found: RandomTests,
}

impl<'t> File<'_, 't> {
    /// Reads the items of a module; all its functions are random where `is_random` says so.
    fn items(&mut self, tokens: Range<usize>, module: &str, mut is_random: bool) {
        let cursor = self.cursor;
        let (mut first, mut at) = (tokens.start, tokens.start);
        while at < tokens.end {
            let end = match cursor.word(at) {
                "use" => {
                    let end = cursor.find(at..tokens.end, ";").unwrap_or(tokens.end);
                    is_random |= self.import(at..end, module);
                    end
                }
                "mod" if cursor.is(at + 2, "{") => {
                    let end = cursor.partner(at + 2).unwrap_or(tokens.end);
                    let path = path(module, cursor.word(at + 1));
                    self.items(at + 3..end, &path, false);
                    end
                }
                "fn" if cursor.is_name(at + 1) => {
                    let open = cursor.find(at..tokens.end, "{").unwrap_or(tokens.end);
                    let end = cursor.partner(open).unwrap_or(tokens.end);
                    self.function(cursor.word(at + 1), first..end, module, is_random);
                    end
                }
                "!" if at > first && cursor.is_name(at - 1) => {
                    let is_named = cursor.is_name(at + 1);
                    let open = at + 1 + usize::from(is_named);
                    let end = cursor.partner(open).unwrap_or(open);
                    if is_named {
                        self.name_if_random(cursor.word(at + 1), open..end);
                    } else if end > open {
                        let is_random = is_random || self.is_random(first..at);
                        self.note_module(module, first..end);
                        self.items(open + 1..end, module, is_random);
                    }
                    end
                }
                // An attribute belongs to the item after it.
                "#" if cursor.is(at + 1, "[") => {
                    at = cursor.partner(at + 1).unwrap_or(tokens.end) + 1;
                    continue;
                }
                "{" => {
                    let end = cursor.partner(at).unwrap_or(tokens.end);
                    self.note_module(module, first..end);
                    end
                }
                ";" => at,
                _ => {
                    at += 1;
                    continue;
                }
            };
            at = end.max(at) + 1;
            first = at;
        }
    }

    /// Notes the names that are imported from a library for random input. Returns whether that is all of a module, so that
    /// the names are not known.
    fn import(&mut self, tokens: Range<usize>, module: &str) -> bool {
        if !self.note_module(module, tokens.clone()) {
            return false;
        }
        let is_keyword =
            |word: &str| matches!(word, "use" | "self" | "super" | "crate" | "as" | "_");
        let names = tokens.clone().filter(|&at| self.cursor.is_name(at));
        let names = names.map(|at| self.cursor.word(at));
        let names: Vec<&str> = names.filter(|word| !is_keyword(word)).collect();
        self.names.extend(names);
        tokens.clone().any(|at| self.cursor.is(at, "*"))
    }

    /// Notes whether a function is random; `tokens` has its attributes too.
    fn function(&mut self, name: &'t str, tokens: Range<usize>, module: &str, is_random: bool) {
        let is_random = is_random || self.is_random(tokens.clone());
        self.note_module(module, tokens);
        if is_random {
            self.names.insert(name);
        }
        self.found.functions.insert(path(module, name), is_random);
    }

    fn name_if_random(&mut self, name: &'t str, tokens: Range<usize>) {
        if self.is_random(tokens) {
            self.names.insert(name);
        }
    }

    /// Notes a module that names a library for random input. Returns whether it does.
    fn note_module(&mut self, module: &str, mut tokens: Range<usize>) -> bool {
        let names_library = tokens.any(|at| LIBRARIES.contains(&self.cursor.word(at)));
        if names_library {
            self.found.modules.insert(module.to_owned());
        }
        names_library
    }

    fn is_random(&self, mut tokens: Range<usize>) -> bool {
        tokens.any(|at| self.names.contains(self.cursor.word(at)))
    }
}

/// Joins the path of a module, which is empty for the crate root, and the name of an item in it.
fn path(module: &str, name: &str) -> String {
    match module {
        "" => name.to_owned(),
        module => format!("{module}::{name}"),
    }
}

/// Returns the path of the module that a file is, relative to the directory of the crate root.
fn module_of_file(path: &Utf8Path) -> String {
    let stem = path.with_extension("");
    let parts = stem.components().map(|part| part.as_str());
    let names: Vec<&str> = parts.filter(|name| *name != "mod").collect();
    names.join("::")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Compares the tests among `tests` that are random.
    #[track_caller]
    fn check(text: &str, tests: &[&str], expected: &[&str]) {
        let tree = SourceTree::single("src/lib.rs".into(), text.into());
        let random = RandomTests::of(&tree);
        let found: Vec<&str> = tests
            .iter()
            .copied()
            .filter(|test| random.has(test))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn functions_that_name_a_library_or_what_is_imported_from_it_are_random() {
        let text =
            "#[cfg(test)] mod tests { use super::*; use rand::{Rng, rngs::StdRng as Numbers};
            #[test] fn plain() { f(1) }
            #[test] fn direct() { f(rand::random::<u8>()) }
            #[test] fn imported() { f(Numbers::new()) }
            #[quickcheck] fn attribute(x: u8) -> bool { f(x) } }
            fn brand() {}";
        let names = ["plain", "direct", "imported", "attribute"];
        let names = names.map(|name| format!("tests::{name}"));
        let tests: Vec<&str> = names.iter().map(String::as_str).collect();
        check(text, &tests, &tests[1..]);
        check(text, &["brand"], &[]);
    }

    #[test]
    fn what_calls_a_random_function_or_macro_is_random() {
        check(
            "#[test] fn a() { b() } fn b() { c() } fn c() { rand::random() } #[test] fn d() { e!() }
            macro_rules! e { () => { f() } } fn f() { c() } #[test] fn g() { h() } fn h() {}",
            &["a", "d", "g"],
            &["a", "d"],
        );
    }

    #[test]
    fn functions_in_a_macro_of_such_a_library_are_random() {
        check(
            "quickcheck! { fn a(x: u8) -> bool { h(x) } } mod m { proptest! { #[test] fn b(x in 0..9) { h(x) } } }
            table! { #[test] fn c() { h(1) } }",
            &["a", "m::b", "c"],
            &["a", "m::b"],
        );
    }

    #[test]
    fn all_of_a_module_is_random_where_the_names_are_not_known() {
        check(
            "mod m { use rand::prelude::*; #[test] fn a() { f() } } #[test] fn b() { f() }",
            &["m::a", "b"],
            &["m::a"],
        );
    }

    #[test]
    fn tests_that_macros_make_are_those_of_their_function_or_module() {
        let text = "mod m { use rand::random; cases! { one, two } #[case(1)] #[case(2)] fn a(x: u8) {} fn b() { random() } } cases! { c }";
        check(
            text,
            &["m::one", "m::a_case_1", "m::a::case_2", "m::b_1", "c"],
            &["m::one", "m::b_1"],
        );
    }

    #[test]
    fn a_file_is_a_module() {
        let check = |path: &str, expected| assert_eq!(module_of_file(path.into()), expected);
        check("a.rs", "a");
        check("a/mod.rs", "a");
        check("a/b.rs", "a::b");
        let mut tree = SourceTree::single("tests/t.rs".into(), "mod a; #[test] fn b() {}".into());
        tree.add(
            "tests/a.rs".into(),
            Arc::from("#[test] fn c() { rand::random() }"),
        );
        let random = RandomTests::of(&tree);
        assert!(random.has("a::c") && !random.has("b"));
    }
}
