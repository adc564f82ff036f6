//! Finds the place of a test in its crate, and the parts of the crate that belong to it.

use camino::Utf8PathBuf;
use reduce_syntax::{
    FileId, ItemParts, ModuleDirectory, Parsed, SourceTree, byte_range, is_only_for_tests,
    makes_test,
};
use std::ops::Range;
use syn::{Item, ItemMod, Visibility};

/// The usual names of modules that have only tests, with or without `#[cfg(test)]`.
const USUAL: [&str; 2] = ["test", "tests"];

/// The place of the tests that are reduced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestPlace {
    /// The tests are all of a module that is written with braces.
    Module {
        /// The path of the module.
        module: String,
        /// The file that it stands in.
        file: Utf8PathBuf,
    },
    /// The tests are all of a file.
    File {
        /// The path of that file.
        file: Utf8PathBuf,
    },
    /// The tests are some items of a module, with other items that are only there for tests.
    Items {
        /// The path of the module; empty for the crate root.
        module: String,
        /// The path of the file in which the module is.
        file: Utf8PathBuf,
    },
}

/// The part of a crate that belongs to a test.
#[derive(Debug)]
pub(super) struct TestPart {
    /// The file in which the part of the crate is.
    pub(super) file: FileId,
    pub(super) form: Form,
    pub(super) place: TestPlace,
    /// The number of names of the test's path that lead to the module whose content belongs to the test, or
    /// a part of that.
    pub(super) n_modules: usize,
}

#[derive(Debug)]
pub(super) enum Form {
    /// A module with braces.
    Inline {
        /// The byte at which the module begins.
        declaration: usize,
        braces: Range<usize>,
        content: Range<usize>,
        /// The directory of files for modules beside this one.
        around: ModuleDirectory,
        inside: ModuleDirectory,
    },
    /// The part is a file.
    File {
        /// The file that declares the part by `mod x;`.
        declared_in: FileId,
        declaration: usize,
        /// The directory of files for modules beside the `mod x;`.
        around: ModuleDirectory,
        inside: ModuleDirectory,
    },
    /// The part is some items of a module, in their order.
    Items { ranges: Vec<Range<usize>> },
}

impl TestPart {
    /// Finds the part of a crate that belongs to the test with this path.
    pub(super) fn find(sources: &SourceTree, test: &str) -> Option<Self> {
        let path: Vec<&str> = test.split("::").collect();
        let root = sources.root();
        let parsed = Parsed::new(sources.text(root));
        let syntax = parsed
            .file()
            .filter(|file| !is_only_for_tests(&file.attrs))?;
        let level = Level {
            sources,
            file: root,
            directory: ModuleDirectory::of_file(sources.path(root), true, false),
            path: &path,
            depth: 0,
        };
        level.find(&syntax.items)
    }
}

/// The items of a module on the way to a test.
struct Level<'l> {
    sources: &'l SourceTree,
    file: FileId,
    directory: ModuleDirectory,
    /// The path of the test.
    path: &'l [&'l str],
    /// The number of names of the path that lead to this module.
    depth: usize,
}

impl Level<'_> {
    fn find(&self, items: &[Item]) -> Option<TestPart> {
        let name = self.path.get(self.depth)?;
        let modules = items.iter().filter_map(|item| match item {
            Item::Mod(module) if is_called(&module.ident, name) => Some(module),
            _ => None,
        });
        let mut parts = modules.filter_map(|module| self.in_module(module));
        parts.next().or_else(|| self.among(items, name))
    }

    fn in_module(&self, module: &ItemMod) -> Option<TestPart> {
        match &module.content {
            Some((braces, _)) if is_module_of_tests(module) => {
                let (open, close) = (braces.span.open(), braces.span.close());
                let form = Form::Inline {
                    declaration: byte_range(module).start,
                    braces: open.byte_range().start..close.byte_range().end,
                    content: open.byte_range().end..close.byte_range().start,
                    around: self.directory.clone(),
                    inside: self.directory.inline(module),
                };
                let has_path = module.attrs.iter().any(|one| one.path().is_ident("path"));
                (!has_path).then(|| TestPart {
                    file: self.file,
                    form,
                    place: TestPlace::Module {
                        module: self.path[..=self.depth].join("::"),
                        file: self.sources.path(self.file).to_owned(),
                    },
                    n_modules: self.depth + 1,
                })
            }
            Some((_, items)) => self
                .inner(self.file, self.directory.inline(module))
                .find(items),
            None => self.in_files(module),
        }
    }

    fn in_files(&self, module: &ItemMod) -> Option<TestPart> {
        let candidates = self.directory.candidates(module).into_iter();
        let mut parts = candidates.filter_map(|(path, by_path_attribute)| {
            let file = self.sources.find(&path)?;
            let inside = ModuleDirectory::of_file(&path, false, by_path_attribute);
            let parsed = Parsed::new(self.sources.text(file));
            let syntax = parsed.file()?;
            if !is_module_of_tests(module) && !is_only_for_tests(&syntax.attrs) {
                return self.inner(file, inside).find(&syntax.items);
            }
            let form = Form::File {
                declared_in: self.file,
                declaration: byte_range(module).start,
                around: self.directory.clone(),
                inside,
            };
            let place = TestPlace::File { file: path };
            Some(TestPart {
                file,
                form,
                place,
                n_modules: self.depth + 1,
            })
        });
        parts.next()
    }

    fn inner(&self, file: FileId, directory: ModuleDirectory) -> Self {
        Self {
            file,
            directory,
            depth: self.depth + 1,
            ..*self
        }
    }

    /// Returns the items that are only there for tests, if the test with this name is among them.
    fn among(&self, items: &[Item], name: &str) -> Option<TestPart> {
        if !items.iter().any(|item| is_test(item, name)) {
            return None;
        }
        let ranges = of_tests(items, name).collect();
        Some(TestPart {
            file: self.file,
            form: Form::Items { ranges },
            place: TestPlace::Items {
                module: self.path[..self.depth].join("::"),
                file: self.sources.path(self.file).to_owned(),
            },
            n_modules: self.depth,
        })
    }
}

/// Returns whether a module is only there for tests.
pub(super) fn is_module_of_tests(module: &ItemMod) -> bool {
    let is_private = matches!(module.vis, Visibility::Inherited);
    let has_usual_name = USUAL.iter().any(|name| is_called(&module.ident, name));
    is_only_for_tests(&module.attrs) || (is_private && has_usual_name)
}

pub(super) fn is_called(ident: &syn::Ident, name: &str) -> bool {
    let ident = ident.to_string();
    ident.trim_start_matches("r#") == name.trim_start_matches("r#")
}

/// Returns the ranges of a module's items that are only there for tests, with the test of this name.
pub(super) fn of_tests(items: &[Item], name: &str) -> impl Iterator<Item = Range<usize>> {
    let belongs = move |item: &&Item| is_test(item, name) || is_for_tests(item);
    items.iter().filter(belongs).map(byte_range)
}

/// Returns whether an item makes the test of this name: its function, or the call of a macro that names it.
fn is_test(item: &Item, name: &str) -> bool {
    match item {
        Item::Fn(function) => {
            let is_marked = function.attrs.iter().any(makes_test);
            is_marked && is_called(&function.sig.ident, name)
        }
        Item::Macro(call) if call.ident.is_none() => names(&call.mac.tokens, name),
        _ => false,
    }
}

fn names(tokens: &proc_macro2::TokenStream, name: &str) -> bool {
    use proc_macro2::TokenTree;
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_called(&ident, name),
        TokenTree::Group(group) => names(&group.stream(), name),
        _ => false,
    })
}

/// Returns whether an item that is no module is only there for tests.
fn is_for_tests(item: &Item) -> bool {
    let parts = ItemParts::of(item).filter(|_| !matches!(item, Item::Mod(_)));
    parts.is_some_and(|parts| is_only_for_tests(parts.attributes))
}
