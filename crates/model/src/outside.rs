//! Finds the path by which something of another crate is named, with the imports of the crate followed:
//! behind `use std::io::{self, Read};`, both `Read` and `io::Read` are `std::io::Read`.

use crate::definitions::{DefKind, Namespace};
use crate::ids::{DefId, ImportId, NameId, PathId, Position, ScopeId, WordId};
use crate::model::{Model, Resolution};
use crate::names::Hint;
use crate::scopes::{PathStart, ScopeKind, WordRole};
use crate::std_names::home_in_std;

/// A path to something of another crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsidePath<'m> {
    /// The names of the path. The first is that of the other crate, as it is called here.
    pub names: Vec<&'m str>,
    /// The number of names at the beginning that are not written where the path stands.
    pub n_before: usize,
    /// Whether the names that are not written come from an import.
    pub is_imported: bool,
}

/// A path as it is written in the source.
struct WrittenPath {
    names: Vec<NameId>,
    /// The scope in which the path's first name is looked for; `None` if that is the name of a crate in
    /// any case.
    scope: Option<ScopeId>,
}

impl Model {
    /// Returns the path by which a word means something, from the first name on that is no module of
    /// the crate. To be asked of words that do not mean a definition of the crate: their path begins
    /// with the name of a crate, or with a name that nobody knows.
    #[must_use]
    pub fn whole_path(&self, word: WordId) -> Vec<&str> {
        let path = match self.role(word) {
            WordRole::ImportName(import) => {
                self.written(self.collected().imports[import.idx()].path)
            }
            WordRole::Segment(path, last) => {
                let mut path = self.written(path);
                path.names.truncate(last + 1);
                path
            }
            _ => self.loose_path(word),
        };
        self.texts(&self.followed(&path, &mut Vec::new()))
    }

    /// Returns the path that a word is a part of, from the root of the other crate that it leads to;
    /// what the prelude has is of `std`. `None` if it is not certain that it leads to another crate,
    /// and of the names of macros.
    #[must_use]
    pub fn path_outside(&self, word: WordId) -> Option<OutsidePath<'_>> {
        let path = match self.role(word) {
            WordRole::Segment(path, _) | WordRole::Pattern(path, _) => path,
            WordRole::ImportName(import) => self.collected().imports[import.idx()].path,
            _ => return None,
        };
        let site = self.collected().path(path);
        let first = *site.words.first()?;
        let is_other = matches!(site.start, PathStart::Qualified(_))
            || site.namespace == Some(Namespace::Macro);
        if is_other || self.resolve(first) != Resolution::Outside {
            return None;
        }
        let written = self.written(path);
        let import = |scope| self.import_of(scope, self.name_at(first), &mut Vec::new());
        let is_imported = written.scope.and_then(import).is_some();
        let home = home_in_std(self.text(first)).filter(|_| written.scope.is_some());
        let mut names = match home.filter(|_| !is_imported) {
            Some(home) => ["std"].into_iter().chain(home.split("::")).collect(),
            None => Vec::new(),
        };
        names.extend(self.texts(&self.followed(&written, &mut Vec::new())));
        Some(OutsidePath {
            n_before: names.len().checked_sub(written.names.len())?,
            names,
            is_imported,
        })
    }

    fn texts(&self, names: &[NameId]) -> Vec<&str> {
        names.iter().map(|&name| self.spelling(name)).collect()
    }

    /// Returns the first name of the path by which a name means something outside of the crate where
    /// it begins a path at a position; `None` if it means something that the crate defines.
    #[must_use]
    pub fn outside_head<'n>(&'n self, name: &'n str, position: Position) -> Option<&'n str> {
        let words = &self.collected().words;
        let (Some(known), Some(scope)) = (words.name(name), self.scope_at(position)) else {
            return Some(name);
        };
        let namespace = Some(Namespace::Type);
        let found = self
            .names()
            .visible_at(scope, known, position.at, namespace);
        let is_own = |&def: &DefId| self.definition(def).kind != DefKind::ExternCrate;
        if found.definitions.iter().any(is_own) {
            return None;
        }
        let path = WrittenPath {
            names: vec![known],
            scope: Some(scope),
        };
        let path = self.followed(&path, &mut Vec::new());
        path.first().map(|&first| self.spelling(first))
    }

    fn written(&self, path: PathId) -> WrittenPath {
        let site = self.collected().path(path);
        let words = site.words.iter();
        WrittenPath {
            names: words.map(|&word| self.name_at(word)).collect(),
            scope: (site.start == PathStart::Scope).then_some(site.scope),
        }
    }

    /// Returns the path up to a word that has no syntax.
    fn loose_path(&self, word: WordId) -> WrittenPath {
        let before = |word: &WordId| match self.hint(*word) {
            Hint::After(before) => before,
            _ => None,
        };
        let words: Vec<WordId> = std::iter::successors(Some(word), before).collect();
        let first = words.last().map(|&first| self.hint(first));
        let scope = self.scope_at(self.position(word));
        WrittenPath {
            names: words.iter().rev().map(|&one| self.name_at(one)).collect(),
            scope: scope.filter(|_| first != Some(Hint::After(None))),
        }
    }

    fn name_at(&self, word: WordId) -> NameId {
        self.collected().words.get(word).name
    }

    /// Returns a path without the modules that it leads through, and with the paths of the imports
    /// that it comes by. The imports in `open` are being followed.
    fn followed(&self, path: &WrittenPath, open: &mut Vec<ImportId>) -> Vec<NameId> {
        let mut scope = path.scope;
        for (idx, &name) in path.names.iter().enumerate() {
            let module = scope.and_then(|scope| self.module_named(scope, name));
            if module.is_some() {
                scope = module;
                continue;
            }
            let Some(import) = scope.and_then(|scope| self.import_of(scope, name, open)) else {
                return path.names[idx..].to_vec();
            };
            open.push(import);
            let before = self.written(self.collected().imports[import.idx()].path);
            let mut whole = self.followed(&before, open);
            open.pop();
            whole.extend(&path.names[idx + 1..]);
            return whole;
        }
        path.names.clone()
    }

    /// Returns the scope inside of the module of the crate that a name means in a scope.
    fn module_named(&self, scope: ScopeId, name: NameId) -> Option<ScopeId> {
        let found = self
            .names()
            .visible_at(scope, name, 0, Some(Namespace::Type));
        let module = self.definition(found.only()?);
        module.inside.filter(|_| module.kind == DefKind::Module)
    }

    /// Returns the import by which a name is visible in a scope.
    fn import_of(
        &self,
        scope: ScopeId,
        name: NameId,
        open: &mut Vec<ImportId>,
    ) -> Option<ImportId> {
        let here = self.collected().scope(scope);
        let mut named = here.imports.get(&name).into_iter().flatten();
        if let Some(&import) = named.find(|import| !open.contains(import)) {
            return Some(import);
        }
        for &glob in &here.globs {
            if open.contains(&glob) {
                continue;
            }
            let module = self
                .names()
                .path(self.collected().imports[glob.idx()].path)
                .only();
            if let Some(inside) = module.and_then(|module| self.definition(module).inside) {
                open.push(glob);
                let found = self.import_of(inside, name, open);
                open.pop();
                if found.is_some() {
                    return found;
                }
            }
        }
        let outer = here
            .parent
            .filter(|_| !matches!(here.kind, ScopeKind::Module(_)));
        self.import_of(outer?, name, open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    /// Checks the path of the word that stands behind `$0`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let at = text.find("$0").expect("a word is marked");
        let text = text.replacen("$0", "", 1);
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let model = Model::new(&sources);
        let word = model.word_at(Position::new(sources.root(), at));
        let path = model.whole_path(word.expect("it is a word"));
        assert_eq!(path.join("::"), expected);
    }

    #[test]
    fn imports_are_followed_to_the_crate_that_they_begin_with() {
        check(
            "use std::io::{self, Read}; fn f(_: &dyn $0Read) {}",
            "std::io::Read",
        );
        check(
            "use std::io::{self as i}; fn f(_: &dyn i::$0Read) {}",
            "std::io::Read",
        );
        check(
            "use a::b as c; mod m { use super::c::d as e; fn f() { e::$0g() } }",
            "a::b::d::g",
        );
        check("mod m { pub use a::B; } fn f(_: m::$0B) {}", "a::B");
        check("use a::B; mod m { use super::*; fn f(_: $0B) {} }", "a::B");
        check("fn f() { use a::B; let x: $0B; }", "a::B");
        check("use $0log; use log::x;", "log");
        check("use log; fn f() { log::$0x() }", "log::x");
    }

    #[test]
    fn a_head_is_that_of_the_crate_or_leads_out_of_it() {
        let text = "use a::b; mod c {} use d::d; fn f<e>() { mod g {} }";
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let model = Model::new(&sources);
        let head = |name, behind: &str| {
            let at = text.find(behind).expect("it is in the text");
            model.outside_head(name, Position::new(sources.root(), at))
        };
        assert_eq!(head("b", "mod c"), Some("a"));
        assert_eq!(head("c", "mod c"), None);
        assert_eq!(head("d", "mod c"), Some("d"));
        assert_eq!(head("x", "mod c"), Some("x"));
        assert_eq!((head("g", "mod c"), head("g", "mod g")), (Some("g"), None));
        assert_eq!(head("e", "mod g"), None);
    }

    #[test]
    fn what_nobody_knows_is_as_it_is_written() {
        check("fn f(_: a::b::$0C) {}", "a::b::C");
        check("use x::a; fn f(_: ::a::$0C) {}", "a::C");
        check("mod m {} use m::*; fn f(_: $0C) {}", "C");
        check("use a::b as c; use c::d as b; fn f() { $0b }", "a::b::d");
    }

    #[test]
    fn words_in_macros_have_the_imports_around_them() {
        check(
            "use a::B; macro_rules! m { () => { fn f(_: &$0B) {} } }",
            "a::B",
        );
        check(
            "use a::B; macro_rules! m { () => { B::C::$0d } }",
            "a::B::C::d",
        );
    }

    /// The path of the name after `$`, as `what is before|what is written`, with a `*` if it is imported.
    #[track_caller]
    fn check_outside(text: &str, expected: Option<&str>) {
        let at = text.find('$').unwrap();
        let plain = text.replace('$', "");
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(plain));
        let model = Model::new(&sources);
        let word = model.word_at(Position::new(sources.root(), at)).unwrap();
        let found = model.path_outside(word).map(|path| {
            let (before, written) = path.names.split_at(path.n_before);
            let star = if path.is_imported { "*" } else { "" };
            format!("{star}{}|{}", before.join("::"), written.join("::"))
        });
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn a_path_begins_with_the_name_of_a_crate() {
        check_outside("fn f(x: $std::vec::Vec<u8>) {}", Some("|std::vec::Vec"));
        check_outside("fn f(x: ::$other::T) {}", Some("|other::T"));
        check_outside(
            "fn f(x: <u8 as $core::ops::Not>::Output) {}",
            Some("|core::ops::Not"),
        );
        check_outside(
            "extern crate alloc; fn f(x: $alloc::rc::Rc<u8>) {}",
            Some("|alloc::rc::Rc"),
        );
    }

    #[test]
    fn a_path_follows_imports_one_after_the_other() {
        check_outside(
            "use std::fmt; fn f(x: $fmt::Error) {}",
            Some("*std|fmt::Error"),
        );
        check_outside(
            "use std::fmt::{self as f}; use f::Error as E; fn f(x: $E) {}",
            Some("*std::fmt|Error"),
        );
        check_outside(
            "use std::cmp::Ordering::Less; fn f() { $Less; }",
            Some("*std::cmp::Ordering|Less"),
        );
    }

    #[test]
    fn the_prelude_has_types_and_variants() {
        check_outside("fn f(x: $Vec<u8>) {}", Some("std::vec|Vec"));
        check_outside(
            "fn f() { $Option::Some(1); }",
            Some("std::option|Option::Some"),
        );
        check_outside(
            "fn f() { match x { $None => {} } }",
            Some("std::option::Option|None"),
        );
    }

    #[test]
    fn what_the_crate_has_is_not_outside() {
        check_outside("struct Vec; fn f(x: $Vec) {}", None);
        check_outside("fn f<Vec>(x: $Vec) {}", None);
        check_outside("mod std {} fn f(x: $std::vec::Vec) {}", None);
        check_outside("fn f(x: $crate::T) {}", None);
        check_outside("fn f() { $vec![1]; }", None);
    }
}
