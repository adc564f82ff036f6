//! Makes a test the `main` of a program, which then needs no test harness.

use crate::program::{Change, Program, SyntaxFile};
use reduce_model::Position;
use reduce_syntax::{Located, SourceTree};
use syn::{Attribute, Item, ItemFn, ReturnType, Visibility};

/// Makes the test of this path the crate's `main`: the function itself where it is in the crate root, else a new `main` calls it.
/// Modules are followed in the root's file.
///
/// Returns `None` if there is no such function, if it has parameters or is `async` or should panic,
/// if there is a `main` already, or if a function in a module returns something.
#[must_use]
pub fn test_as_main(sources: &SourceTree, test: &str) -> Option<SourceTree> {
    let program = Program::new(sources);
    let file = program.files().find(|file| file.id == sources.root())?;
    let mut items = file.syntax.items.as_slice();
    if has_main(items) {
        return None;
    }
    let mut change = program.change();
    let mut path: Vec<&str> = test.split("::").collect();
    let name = path.pop()?;
    for (depth, module) in path.iter().enumerate() {
        let found = items.iter().find_map(|item| match item {
            Item::Mod(found) if found.ident == *module => Some(found),
            _ => None,
        })?;
        // The root sees the private items of its own modules.
        if depth > 0 {
            make_visible(file, &found.vis, &found.mod_token, &mut change);
        }
        items = &found.content.as_ref()?.1;
    }
    let function = items.iter().find_map(|item| match item {
        Item::Fn(found) if found.sig.ident == name => Some(found),
        _ => None,
    })?;
    let end = Position::new(file.id, sources.text(file.id).len());
    run_by_main((file, end), function, &path, &mut change)?;
    Some(change.finish()?.apply(sources))
}

/// Renames a test function to `main`, or, if it is in modules, adds a `main` that calls it to the end of the file.
fn run_by_main(
    (file, end): (SyntaxFile<'_>, Position),
    function: &ItemFn,
    modules: &[&str],
    change: &mut Change<'_>,
) -> Option<()> {
    let (signature, attributes) = (&function.sig, &function.attrs);
    let is_plain = signature.inputs.is_empty() && signature.asyncness.is_none();
    let mut all = attributes.iter();
    let should_panic = all.any(|one| one.path().is_ident("should_panic"));
    let returns = !matches!(signature.output, ReturnType::Default);
    if !is_plain || should_panic || (returns && !modules.is_empty()) {
        return None;
    }
    for attribute in attributes.iter().filter(|one| is_of_harness(one)) {
        change.delete(&file.place(attribute));
    }
    if modules.is_empty() {
        change.replace(&file.place(&signature.ident), "main");
        return Some(());
    }
    make_visible(file, &function.vis, signature, change);
    let path = modules.join("::");
    let main = format!("\nfn main() {{ {path}::{}() }}\n", signature.ident);
    change.insert(end, &main);
    Some(())
}

fn make_visible(
    file: SyntaxFile<'_>,
    visibility: &Visibility,
    item: &impl Located,
    change: &mut Change<'_>,
) {
    if matches!(visibility, Visibility::Inherited) {
        change.insert(file.place(item).start(), "pub ");
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
