//! Finds the meaning that a name would have at another place, and the module or block around a place:
//! for callers that move names, or write them in another way.

use crate::definitions::Namespace;
use crate::ids::{DefId, Place, Position};
use crate::model::{Model, Resolution};
use crate::scopes::{Scope, ScopeKind};

impl Model {
    /// Resolves a name as if it began a path at a place.
    #[must_use]
    pub fn visible(&self, name: &str, at: Position, namespace: Namespace) -> Resolution {
        let name = self.collected().words.name(name);
        let Some((name, scope)) = name.zip(self.scope_at(at)) else {
            return Resolution::Unknown;
        };
        let names = self.names();
        let meaning = names.visible_at(scope, name, at.at, Some(namespace));
        self.resolution(meaning, false)
    }

    /// Returns the module around a place.
    #[must_use]
    pub fn module_around(&self, at: Position) -> Option<DefId> {
        self.scopes_around(at).find_map(|scope| match scope.kind {
            ScopeKind::Module(module) => Some(module),
            _ => None,
        })
    }

    /// Returns the inside of the module or the block in which the items at a place are visible.
    #[must_use]
    pub fn items_around(&self, at: Position) -> Option<&Place> {
        let mut scopes = self.scopes_around(at);
        let around = scopes.find(|one| matches!(one.kind, ScopeKind::Module(_) | ScopeKind::Block));
        around.map(|scope| &scope.place)
    }

    /// Returns the inside of a module: what stands between its braces, or its file.
    #[must_use]
    pub fn inside(&self, module: DefId) -> Option<&Place> {
        let scope = self.definition(module).inside?;
        Some(&self.collected().scope(scope).place)
    }

    /// Returns the scopes around a place, the innermost first, up to that of the module.
    fn scopes_around(&self, at: Position) -> impl Iterator<Item = &Scope> {
        let innermost = self.scope_at(at).into_iter();
        let around = innermost.flat_map(|id| self.collected().scopes_around(id));
        around.map(|one| one.scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    fn model(text: &str) -> (Model, Position) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let at = text.find('|').expect("a place is marked by `|`");
        (Model::new(&sources), Position::new(sources.root(), at))
    }

    /// The name of the type that `T` would mean at a place.
    #[track_caller]
    fn check_visible(text: &str, expected: Option<&str>) {
        let (model, at) = model(text);
        let name = match model.visible("T", at, Namespace::Type) {
            Resolution::Certain(def) => model.definition(def).whole.clone(),
            other => return assert_eq!(None, expected, "{other:?}"),
        };
        assert_eq!(Some(model.text_at(&name)), expected);
    }

    #[test]
    fn a_name_means_what_is_visible_at_a_place() {
        check_visible("struct T; fn f() { /*|*/ }", Some("struct T;"));
        check_visible("struct T; mod m { /*|*/ }", None);
        check_visible("struct T; mod m { use super::*; /*|*/ }", Some("struct T;"));
        check_visible("struct T; fn f<T>() { /*|*/ }", Some("T"));
    }

    #[track_caller]
    fn check_around(text: &str, module: &str, items: &str) {
        let (model, at) = model(text);
        let around = model.module_around(at).and_then(|one| model.inside(one));
        let of_place = |place: Option<&Place>| place.map(|one| model.text_at(one).to_owned());
        assert_eq!(of_place(around).as_deref(), Some(module));
        assert_eq!(of_place(model.items_around(at)).as_deref(), Some(items));
    }

    #[test]
    fn items_are_visible_in_a_module_or_in_a_block() {
        let text = "mod m { fn f() { use a; /*|*/ } }";
        check_around(text, " fn f() { use a; /*|*/ } ", " use a; /*|*/ ");
        check_around("impl S { /*|*/ }", "impl S { /*|*/ }", "impl S { /*|*/ }");
    }
}
