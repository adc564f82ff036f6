//! Removes the tests of a crate that have nothing to do with the failing one. They are left out, so that they are not compiled
//! for each candidate: modules with tests in them, and test functions. What something else mentions by name stays.

use super::place::is_module_of_tests;
use super::{blank_lines, fixed_files};
use reduce_syntax::{
    Edit, EditSet, FileId, ModuleDirectory, Parsed, SourceTree, TokenCursor, byte_range, makes_test,
};
use std::collections::BTreeSet;
use std::ops::Range;
use syn::{Item, ItemMod};

/// Returns the crate without the tests that nothing mentions. `tests` are those that are reduced.
pub(super) fn without_other_tests(rest: SourceTree, tests: &SourceTree) -> Option<SourceTree> {
    let mut others = other_tests(&rest, tests);
    loop {
        let mut edits = EditSet::new();
        for other in &others {
            let blank = blank_lines(&rest.text(other.file)[other.range.clone()]);
            edits.add(Edit::replace(other.file, &other.range, &blank));
        }
        let left = fixed_files(&edits.apply(&rest), tests)?;
        let mentioned = mentioned(&[&left, tests]);
        let n_before = others.len();
        others.retain(|other| !mentioned.contains(&other.name));
        if others.len() == n_before {
            return Some(left);
        }
    }
}

/// A test, or a module of tests, that may be removed.
struct OtherTest {
    file: FileId,
    range: Range<usize>,
    name: String,
}

fn other_tests(rest: &SourceTree, tests: &SourceTree) -> Vec<OtherTest> {
    let mut collector = Collector {
        rest,
        tests,
        done: BTreeSet::new(),
        others: Vec::new(),
    };
    let directory = ModuleDirectory::of_file(rest.path(rest.root()), true, false);
    collector.file(rest.root(), &directory);
    collector.others
}

struct Collector<'c> {
    rest: &'c SourceTree,
    tests: &'c SourceTree,
    /// The files that were searched already.
    done: BTreeSet<FileId>,
    others: Vec<OtherTest>,
}

impl Collector<'_> {
    fn file(&mut self, file: FileId, directory: &ModuleDirectory) {
        if !self.done.insert(file) {
            return;
        }
        let parsed = Parsed::new(self.rest.text(file));
        if let Some(syntax) = parsed.file() {
            self.items(file, &syntax.items, directory);
        }
    }

    fn items(&mut self, file: FileId, items: &[Item], directory: &ModuleDirectory) {
        for item in items {
            match item {
                Item::Fn(function) if function.attrs.iter().any(makes_test) => {
                    self.add(file, byte_range(function), &function.sig.ident);
                }
                Item::Mod(module) => self.module(file, module, directory),
                _ => {}
            }
        }
    }

    fn module(&mut self, file: FileId, module: &ItemMod, directory: &ModuleDirectory) {
        let files = match module.content {
            Some(_) => Vec::new(),
            None => directory.candidates(module),
        };
        if files
            .iter()
            .any(|(path, _)| self.tests.find(path).is_some())
        {
            return;
        }
        let files: Vec<(FileId, bool)> = files
            .into_iter()
            .filter_map(|(path, by_path)| Some((self.rest.find(&path)?, by_path)))
            .collect();
        let texts = files.iter().map(|(file, _)| self.rest.text(*file));
        let own = &self.rest.text(file)[byte_range(module)];
        let is_for_tests = is_module_of_tests(module) && !hands_macros_on(module);
        if is_for_tests && texts.chain([own]).any(has_test) {
            self.add(file, byte_range(module), &module.ident);
            return;
        }
        if let Some((_, items)) = &module.content {
            self.items(file, items, &directory.inline(module));
        }
        for (inner, by_path) in files {
            let directory = ModuleDirectory::of_file(self.rest.path(inner), false, by_path);
            self.file(inner, &directory);
        }
    }

    fn add(&mut self, file: FileId, range: Range<usize>, name: &syn::Ident) {
        self.others.push(OtherTest {
            file,
            range,
            name: name.to_string(),
        });
    }
}

/// Returns whether the code after a module may use the module's macros without naming the module.
fn hands_macros_on(module: &ItemMod) -> bool {
    let mut attributes = module.attrs.iter();
    attributes.any(|one| one.path().is_ident("macro_use"))
}

/// Returns whether a text has an attribute such as `#[test]`, also in the call of a macro.
fn has_test(text: &str) -> bool {
    let parsed = Parsed::new(text);
    let tokens = TokenCursor::new(text);
    let mut starts = tokens.indices().filter(|idx| tokens.are(*idx, &["#", "["]));
    parsed.has_matching_brackets()
        && starts.any(|idx| {
            let end = tokens.skip_attribute(idx);
            let attribute = tokens.text_of(&(idx..end));
            let function = syn::parse_str::<syn::ItemFn>(&format!("{attribute} fn f() {{}}"));
            function.is_ok_and(|function| function.attrs.iter().any(makes_test))
        })
}

/// Returns the names in some files, except those that a `mod` or a `fn` defines.
fn mentioned(trees: &[&SourceTree]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, _, text) in trees.iter().flat_map(|tree| tree.files()) {
        let tokens = TokenCursor::without_docs(text);
        let is_mention =
            |idx: &usize| tokens.is_name(*idx) && !["mod", "fn"].contains(&tokens.before(*idx, 1));
        let names = tokens.indices().filter(is_mention);
        found.extend(names.map(|idx| tokens.word(idx).to_owned()));
    }
    found
}
