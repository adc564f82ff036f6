//! Which names a text defines where, by spelling: whether `log` in `log::x` may be anything but the
//! crate of that name. Each pair of braces is a scope, those of macros too.

use super::imports::{ExternCrate, Import, extern_crates, imports};
use reduce_syntax::TokenCursor;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What may be told apart from a crate: these define a name that a path may begin with.
const DEFINING: [&str; 6] = ["mod", "struct", "enum", "union", "trait", "type"];

/// The text outside of all braces.
pub(super) const TOP: usize = 0;

/// The scopes of a text.
pub(super) struct Scopes<'t> {
    scopes: Vec<Scope<'t>>,
    /// The innermost scope of each token.
    of_tokens: Vec<usize>,
    /// Scopes by the token that opens them.
    by_opener: BTreeMap<usize, usize>,
    pub(super) imports: Vec<Import>,
    pub(super) extern_crates: Vec<ExternCrate>,
    /// What `extern crate` defines at the top, with the crate's own name. All of the crate sees it.
    pub(super) top_crates: BTreeMap<&'t str, &'t str>,
    known: RefCell<BTreeMap<(usize, String), bool>>,
}

struct Scope<'t> {
    parent: usize,
    /// Its name, where it is a module.
    module: Option<&'t str>,
    items: BTreeSet<&'t str>,
    /// Imported names, each with the first name of the path that it comes by.
    imported: BTreeMap<&'t str, &'t str>,
    globs: Vec<Vec<&'t str>>,
}

impl<'t> Scopes<'t> {
    pub(super) fn new(cursor: &TokenCursor<'t>) -> Self {
        let mut scopes = Self {
            scopes: vec![Scope::new(TOP, Some(""))],
            of_tokens: Vec::with_capacity(cursor.len()),
            by_opener: BTreeMap::new(),
            imports: imports(cursor),
            extern_crates: extern_crates(cursor),
            top_crates: BTreeMap::new(),
            known: RefCell::default(),
        };
        scopes.find(cursor);
        scopes.read_imports(cursor);
        scopes.read_extern_crates(cursor);
        scopes
    }

    fn find(&mut self, cursor: &TokenCursor<'t>) {
        let mut current = TOP;
        for idx in cursor.indices() {
            if cursor.is(idx, "}") {
                current = self.scopes[current].parent;
            }
            self.of_tokens.push(current);
            if cursor.is(idx, "{") {
                let is_module = idx >= 2 && cursor.is(idx - 2, "mod") && cursor.is_name(idx - 1);
                let module = is_module.then(|| cursor.before(idx, 1));
                self.by_opener.insert(idx, self.scopes.len());
                self.scopes.push(Scope::new(current, module));
                current = self.scopes.len() - 1;
            } else if DEFINING.contains(&cursor.word(idx)) && cursor.is_name(idx + 1) {
                self.scopes[current].items.insert(cursor.word(idx + 1));
            }
        }
    }

    fn read_imports(&mut self, cursor: &TokenCursor<'t>) {
        for import in &self.imports {
            let scope = &mut self.scopes[self.of_tokens[import.keyword]];
            for leaf in &import.leaves {
                let words = leaf.words(cursor);
                if leaf.is_glob {
                    scope.globs.push(words);
                } else if let (Some(name), Some(head)) = (leaf.name(cursor), words.first()) {
                    scope.imported.insert(name, head);
                }
            }
        }
    }

    fn read_extern_crates(&mut self, cursor: &TokenCursor<'t>) {
        for found in &self.extern_crates {
            let (here, name) = (cursor.word(found.here()), cursor.word(found.name()));
            match self.of_tokens[found.keyword] {
                TOP => self.top_crates.insert(here, name),
                scope => self.scopes[scope].imported.insert(here, name),
            };
        }
    }

    /// Whether a token stands at the top of the text: in no scope.
    pub(super) fn is_top(&self, idx: usize) -> bool {
        self.of_tokens.get(idx) == Some(&TOP)
    }

    /// Whether a bracket opens a module.
    pub(super) fn opens_module(&self, opener: usize) -> bool {
        let scope = self.by_opener.get(&opener);
        scope.is_some_and(|&scope| self.scopes[scope].module.is_some())
    }

    /// The modules around a token, from the outermost on.
    pub(super) fn modules_around(&self, idx: usize) -> Vec<&'t str> {
        let mut names = Vec::new();
        let mut scope = self.of_tokens.get(idx).copied().unwrap_or(TOP);
        while scope != TOP {
            names.extend(self.scopes[scope].module);
            scope = self.scopes[scope].parent;
        }
        names.reverse();
        names
    }

    /// Whether the text has an item at its top that may be taken for a crate `name`, other than what
    /// comes from one of `crates`.
    pub(super) fn defines_at_top(&self, name: &str, crates: &[String]) -> bool {
        let top = &self.scopes[TOP];
        let is_foreign = |head: &&str| !crates.iter().any(|one| one == head);
        top.items.contains(name)
            || top.imported.get(name).is_some_and(is_foreign)
            || self.top_crates.get(name).is_some_and(is_foreign)
    }

    /// Whether the text imports that name at its top.
    pub(super) fn imports_at_top(&self, name: &str) -> bool {
        self.scopes[TOP].imported.contains_key(name)
    }

    /// Whether the text imports that name at its top by a path that begins with one of `crates`.
    pub(super) fn imports_at_top_from(&self, name: &str, crates: &impl Fn(&str) -> bool) -> bool {
        let head = self.scopes[TOP].imported.get(name);
        head.is_some_and(|head| crates(head))
    }

    /// Whether the text has a module or type of that name at its top.
    pub(super) fn has_item_at_top(&self, name: &str) -> bool {
        self.scopes[TOP].items.contains(name)
    }

    /// Whether `name` at a token may mean something other than a crate that is known by `crates`.
    pub(super) fn is_shadowed(
        &self,
        name: &str,
        idx: usize,
        crates: &impl Fn(&str) -> bool,
    ) -> bool {
        let mut scope = self.of_tokens.get(idx).copied().unwrap_or(TOP);
        loop {
            if self.defines(scope, name, crates) {
                return true;
            }
            if self.scopes[scope].module.is_some() {
                return false;
            }
            scope = self.scopes[scope].parent;
        }
    }

    fn defines(&self, scope: usize, name: &str, crates: &impl Fn(&str) -> bool) -> bool {
        let key = (scope, name.to_owned());
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        // What is asked again on the way, by imports in a circle, brings nothing new.
        self.known.borrow_mut().insert(key.clone(), false);
        let own = &self.scopes[scope];
        let is_foreign = |head: &&str| *head != name && !crates(head);
        let is_defined = own.items.contains(name)
            || own.imported.get(name).is_some_and(is_foreign)
            || own
                .globs
                .iter()
                .any(|path| self.glob_defines(scope, path, name, crates));
        self.known.borrow_mut().insert(key, is_defined);
        is_defined
    }

    fn glob_defines(
        &self,
        scope: usize,
        path: &[&str],
        name: &str,
        crates: &impl Fn(&str) -> bool,
    ) -> bool {
        let module = self.module_of(scope);
        let found = path.iter().try_fold(module, |at, word| self.step(at, word));
        found.is_some_and(|found| found != scope && self.defines(found, name, crates))
    }

    /// Where a path goes on from a module, as far as inline modules tell.
    fn step(&self, module: usize, word: &str) -> Option<usize> {
        match word {
            "self" => Some(module),
            "crate" => Some(TOP),
            "super" => Some(self.module_of(self.scopes[module].parent)),
            name => self.child(module, name),
        }
    }

    fn child(&self, module: usize, name: &str) -> Option<usize> {
        let mut scopes = self.scopes.iter().enumerate().skip(1);
        let is_child = |scope: &Scope<'_>| scope.parent == module && scope.module == Some(name);
        let found = scopes.find(|(_, scope)| is_child(scope));
        found.map(|(idx, _)| idx)
    }

    fn module_of(&self, mut scope: usize) -> usize {
        while self.scopes[scope].module.is_none() {
            scope = self.scopes[scope].parent;
        }
        scope
    }
}

impl<'t> Scope<'t> {
    fn new(parent: usize, module: Option<&'t str>) -> Self {
        Self {
            parent,
            module,
            items: BTreeSet::new(),
            imported: BTreeMap::new(),
            globs: Vec::new(),
        }
    }
}
