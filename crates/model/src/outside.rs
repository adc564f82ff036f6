//! Paths that lead out of a crate: from the name of another crate, through an import, or by the prelude.

use crate::definitions::Namespace;
use crate::ids::{PathId, WordId};
use crate::model::{Model, Resolution};
use crate::scopes::{PathStart, WordRole};
use crate::std_names::home_in_std;

/// A path to something of another crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutsidePath<'m> {
    /// Its names. The first is that of the other crate, as it is called here.
    pub names: Vec<&'m str>,
    /// How many of the names, at the beginning, are not written where the path stands.
    pub n_before: usize,
    /// Whether an import has them.
    pub is_imported: bool,
}

impl Model {
    /// The path that begins with a word, from the root of the other crate that it leads to. `None` if it
    /// is not certain that it leads to another crate, and of the names of macros.
    #[must_use]
    pub fn path_outside(&self, first: WordId) -> Option<OutsidePath<'_>> {
        match self.role(first) {
            WordRole::Segment(path, 0) | WordRole::Pattern(path, _) => {
                self.followed(path, &mut Vec::new())
            }
            _ => None,
        }
    }

    /// `trail` has the paths that led to this one.
    fn followed(&self, path: PathId, trail: &mut Vec<PathId>) -> Option<OutsidePath<'_>> {
        let site = self.collected().path(path);
        let (&first, rest) = site.words.split_first()?;
        let is_other = matches!(site.start, PathStart::Qualified(_))
            || site.namespace == Some(Namespace::Macro)
            || trail.contains(&path);
        if is_other || self.resolve(first) != Resolution::Outside {
            return None;
        }
        trail.push(path);
        let is_in_scope = site.start == PathStart::Scope;
        let import = is_in_scope.then(|| self.imported(path)).flatten();
        let home = home_in_std(self.text(first)).filter(|_| is_in_scope);
        let mut names = match (import, home) {
            (Some(import), _) => self.followed(import, trail)?.names,
            (None, Some(home)) => ["std"].into_iter().chain(home.split("::")).collect(),
            (None, None) => Vec::new(),
        };
        if import.is_none() {
            names.push(self.text(first));
        }
        let n_before = names.len() - 1;
        names.extend(rest.iter().map(|&word| self.text(word)));
        Some(OutsidePath {
            names,
            n_before,
            is_imported: import.is_some(),
        })
    }

    /// The path of the import that makes the first name of a path visible.
    fn imported(&self, path: PathId) -> Option<PathId> {
        match self.role(self.word_at(self.importing(path)?)?) {
            WordRole::Segment(imported, _) => Some(imported),
            WordRole::ImportName(import) => Some(self.collected().imports[import.idx()].path),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Position;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    /// The path of the name after `$`, as `what is before|what is written`, with a `*` if it is imported.
    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
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
        check("fn f(x: $std::vec::Vec<u8>) {}", Some("|std::vec::Vec"));
        check("fn f(x: ::$other::T) {}", Some("|other::T"));
        check(
            "fn f(x: <u8 as $core::ops::Not>::Output) {}",
            Some("|core::ops::Not"),
        );
        check(
            "extern crate alloc; fn f(x: $alloc::rc::Rc<u8>) {}",
            Some("|alloc::rc::Rc"),
        );
    }

    #[test]
    fn a_path_follows_imports_one_after_the_other() {
        check(
            "use std::fmt; fn f(x: $fmt::Error) {}",
            Some("*std|fmt::Error"),
        );
        check(
            "use std::fmt::{self as f}; use f::Error as E; fn f(x: $E) {}",
            Some("*std::fmt|Error"),
        );
        check(
            "use std::cmp::Ordering::Less; fn f() { $Less; }",
            Some("*std::cmp::Ordering|Less"),
        );
        check("use a::b; use b::a; fn f() { $a::c(); }", None);
    }

    #[test]
    fn the_prelude_has_types_and_variants() {
        check("fn f(x: $Vec<u8>) {}", Some("std::vec|Vec"));
        check(
            "fn f() { $Option::Some(1); }",
            Some("std::option|Option::Some"),
        );
        check(
            "fn f() { match x { $None => {} } }",
            Some("std::option::Option|None"),
        );
    }

    #[test]
    fn what_the_crate_has_is_not_outside() {
        check("struct Vec; fn f(x: $Vec) {}", None);
        check("fn f<Vec>(x: $Vec) {}", None);
        check("mod std {} fn f(x: $std::vec::Vec) {}", None);
        check("fn f(x: $crate::T) {}", None);
        check("fn f() { $vec![1]; }", None);
    }
}
