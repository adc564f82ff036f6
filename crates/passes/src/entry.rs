//! A test as the `main` of a program that needs no harness.

use reduce_syntax::{Edit, EditSet, Parsed, SourceTree, byte_range};
use syn::spanned::Spanned;
use syn::{Attribute, Item, ItemFn, ReturnType, Visibility};

/// The crate with the test of this path as its `main`: the function itself where it stands in the
/// crate root, else a `main` that calls it. Modules are followed in the root's file.
///
/// Returns `None` if there is no such function, if it has parameters or is `async` or should panic,
/// if there is a `main` already, or if a function in a module returns something.
#[must_use]
pub fn test_as_main(sources: &SourceTree, test: &str) -> Option<SourceTree> {
    let parsed = Parsed::new(sources.text(sources.root()));
    let file = parsed.file()?;
    let mut edits = EditSet::new();
    let mut change = Change {
        sources,
        edits: &mut edits,
    };
    let is_done = !has_main(&file.items) && change.follow(&file.items, test).is_some();
    is_done.then(|| edits.apply(sources))
}

struct Change<'c> {
    sources: &'c SourceTree,
    edits: &'c mut EditSet,
}

impl Change<'_> {
    fn follow(&mut self, root: &[Item], test: &str) -> Option<()> {
        let mut items = root;
        let (modules, name) = test.rsplit_once("::").unwrap_or(("", test));
        let modules: Vec<&str> = modules
            .split("::")
            .filter(|name| !name.is_empty())
            .collect();
        for (depth, module) in modules.iter().enumerate() {
            let found = items.iter().find_map(|item| match item {
                Item::Mod(found) if found.ident == *module => Some(found),
                _ => None,
            })?;
            // What is private in a module of the root is seen from the root.
            if depth > 0 {
                self.make_visible(&found.vis, found.mod_token.span());
            }
            items = &found.content.as_ref()?.1;
        }
        let function = items.iter().find_map(|item| match item {
            Item::Fn(found) if found.sig.ident == name => Some(found),
            _ => None,
        })?;
        self.change(function, &modules)
    }

    fn change(&mut self, function: &ItemFn, modules: &[&str]) -> Option<()> {
        let signature = &function.sig;
        let is_plain = signature.inputs.is_empty() && signature.asyncness.is_none();
        let should_panic = function
            .attrs
            .iter()
            .any(|one| one.path().is_ident("should_panic"));
        let returns = !matches!(signature.output, ReturnType::Default);
        if !is_plain || should_panic || (returns && !modules.is_empty()) {
            return None;
        }
        for attribute in function.attrs.iter().filter(|one| is_of_harness(one)) {
            let range = byte_range(&attribute.span());
            self.edits.add(Edit::delete(self.sources.root(), &range));
        }
        let root = self.sources.root();
        if modules.is_empty() {
            let range = byte_range(&signature.ident.span());
            self.edits.add(Edit::replace(root, &range, "main"));
            return Some(());
        }
        self.make_visible(&function.vis, signature.span());
        let end = self.sources.text(root).len();
        let path = modules.join("::");
        let main = format!("\nfn main() {{ {path}::{}() }}\n", signature.ident);
        self.edits.add(Edit::replace(root, &(end..end), &main));
        Some(())
    }

    fn make_visible(&mut self, visibility: &Visibility, item: proc_macro2::Span) {
        if matches!(visibility, Visibility::Inherited) {
            let start = byte_range(&item).start;
            let root = self.sources.root();
            self.edits.add(Edit::replace(root, &(start..start), "pub "));
        }
    }
}

fn has_main(items: &[Item]) -> bool {
    items
        .iter()
        .any(|item| matches!(item, Item::Fn(found) if found.sig.ident == "main"))
}

fn is_of_harness(attribute: &Attribute) -> bool {
    let names = attribute.path().segments.iter();
    let names: Vec<String> = names.map(|segment| segment.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(
        names[..],
        ["test" | "ignore"] | ["core" | "std", "prelude", .., "test"]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn changed(text: &str, test: &str) -> Option<String> {
        let tree = SourceTree::single("t.rs".into(), Arc::from(text));
        let changed = test_as_main(&tree, test)?;
        Some(changed.text(changed.root()).to_owned())
    }

    #[track_caller]
    fn check(text: &str, test: &str, expected: &str) {
        assert_eq!(changed(text, test).as_deref(), Some(expected));
    }

    #[test]
    fn a_test_in_the_root_becomes_main() {
        check("#[test] fn a() { b(); }", "a", " fn main() { b(); }");
        check(
            "#[test]\n#[ignore = \"slow\"]\n#[inline]\nfn a() {}",
            "a",
            "\n\n#[inline]\nfn main() {}",
        );
        check(
            "use x::y;\n#[test] fn a() -> Result<(), E> { y() }",
            "a",
            "use x::y;\n fn main() -> Result<(), E> { y() }",
        );
    }

    #[test]
    fn a_test_in_a_module_is_called() {
        check(
            "mod m { #[test] fn a() {} }",
            "m::a",
            "mod m {  pub fn a() {} }\nfn main() { m::a() }\n",
        );
        check(
            "mod m { mod n { #[test] pub fn a() {} } }",
            "m::n::a",
            "mod m { pub mod n {  pub fn a() {} } }\nfn main() { m::n::a() }\n",
        );
    }

    #[test]
    fn a_shebang_and_a_byte_order_mark_stay() {
        check("\u{feff}#[test] fn a() {}", "a", "\u{feff} fn main() {}");
    }

    #[test]
    fn what_is_no_plain_test_stays() {
        for (text, test) in [
            ("#[test] fn a() {}", "b"),
            ("#[test] fn a() {} fn main() {}", "a"),
            ("#[test] #[should_panic] fn a() {}", "a"),
            ("#[test] async fn a() {}", "a"),
            ("#[test] fn a(x: u8) {}", "a"),
            (
                "mod m { #[test] fn a() -> Result<(), ()> { Ok(()) } }",
                "m::a",
            ),
            ("mod m;", "m::a"),
            ("fn a() {", "a"),
        ] {
            assert_eq!(changed(text, test), None, "{text}");
        }
    }
}
