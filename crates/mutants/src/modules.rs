//! Finds the path of the module that each file of a crate is, and the files that are only there for tests.

use reduce_syntax::{FileId, ModuleDirectory, ParsedFiles, SourceTree, is_only_for_tests};
use std::collections::{BTreeMap, BTreeSet};
use syn::Item;

/// The module paths of a crate's files, and the files that only tests have. Files that no `mod x;`
/// names have no entry: macros name them.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    paths: BTreeMap<FileId, String>,
    only_for_tests: BTreeSet<FileId>,
}

impl Modules {
    /// Finds the modules of a crate, from its root on.
    pub(crate) fn of(sources: &SourceTree, parsed: &ParsedFiles) -> Self {
        let mut modules = Self::default();
        let root = sources.root();
        let directory = ModuleDirectory::of_file(sources.path(root), true, false);
        let root = Module {
            path: String::new(),
            is_test: false,
            directory,
        };
        modules.file(sources, parsed, sources.root(), &root);
        modules
    }

    /// Returns the path of a file's module; it is empty for the root.
    pub(crate) fn path(&self, file: FileId) -> &str {
        self.paths.get(&file).map_or("", String::as_str)
    }

    /// Whether a file is only there if tests are compiled.
    pub(crate) fn is_only_for_tests(&self, file: FileId) -> bool {
        self.only_for_tests.contains(&file)
    }

    fn file(&mut self, sources: &SourceTree, parsed: &ParsedFiles, file: FileId, module: &Module) {
        if self.paths.insert(file, module.path.clone()).is_some() {
            return;
        }
        if module.is_test {
            self.only_for_tests.insert(file);
        }
        if let Some(syntax) = parsed.get(&file).and_then(|parsed| parsed.file()) {
            self.items(sources, parsed, &syntax.items, module);
        }
    }

    fn items(
        &mut self,
        sources: &SourceTree,
        parsed: &ParsedFiles,
        items: &[Item],
        module: &Module,
    ) {
        for item in items {
            let Item::Mod(item) = item else { continue };
            if let Some((_, items)) = &item.content {
                let inner = module.inner(item, module.directory.inline(item));
                self.items(sources, parsed, items, &inner);
            } else {
                for (path, by_attribute) in module.directory.candidates(item) {
                    if let Some(file) = sources.find(&path) {
                        let directory = ModuleDirectory::of_file(&path, false, by_attribute);
                        self.file(sources, parsed, file, &module.inner(item, directory));
                    }
                }
            }
        }
    }
}

/// A module that was reached from the crate root.
struct Module {
    path: String,
    is_test: bool,
    directory: ModuleDirectory,
}

impl Module {
    fn inner(&self, item: &syn::ItemMod, directory: ModuleDirectory) -> Self {
        let separator = if self.path.is_empty() { "" } else { "::" };
        Self {
            path: format!("{}{separator}{}", self.path, item.ident),
            is_test: self.is_test || is_only_for_tests(&item.attrs),
            directory,
        }
    }
}
