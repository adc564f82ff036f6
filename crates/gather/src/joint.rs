//! Several versions of a program as modules of one crate, so that one run of the compiler tells which of them do not
//! compile.
//!
//! Programs are left out where a module may have an error that the program alone does not have, or the other way round:
//! implementations that other modules see, macros that are exported, and programs whose attributes differ.

use reduce_syntax::{Parsed, TokenCursor, TokenKind, byte_range, tokens};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use syn::visit::Visit;
use syn::{File, Ident, Item, ItemExternCrate, ItemImpl, ItemMacro, Path, Type};

/// The kind of file of which several versions are compiled together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointFile {
    /// The file is the crate's root, and the crate has no other file.
    Root,
    /// The file is the root of a program that has no other file. The joint program runs the `main` of the version whose
    /// number [`JOINT_VARIABLE`] has.
    Program,
    /// The file is that of a module.
    Module,
}

/// The environment variable with the number of the version that a joint program runs.
pub const JOINT_VARIABLE: &str = "CARGO_REDUCE_JOINT";

/// A crate, or a module, in which versions of a program stand side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointCrate {
    /// The text of the joint file.
    pub text: String,
    /// The bytes of each version in the joint text, in the order in which the versions were passed to `joint_crate`.
    pub versions: Vec<Range<usize>>,
    /// Whether a version implements foreign traits with its own types as arguments, as in `impl From<Own> for u8`: type inference
    /// in one version may then be ambiguous because of the others.
    pub may_be_ambiguous: bool,
}

impl JointCrate {
    /// Returns the index of the version in which these bytes of the joint text are.
    #[must_use]
    pub fn version_at(&self, bytes: &Range<usize>) -> Option<usize> {
        let after = self.versions.partition_point(|one| one.end < bytes.end);
        let is_within = |one: &&Range<usize>| one.start <= bytes.start && bytes.end <= one.end;
        self.versions.get(after).filter(is_within).map(|_| after)
    }

    /// Returns whether a version is in the joint crate.
    #[must_use]
    pub fn has(&self, version: usize) -> bool {
        self.versions
            .get(version)
            .is_some_and(|one| !one.is_empty())
    }
}

/// Puts versions of a program side by side as modules of one crate; the others were made of the first one. A version that is not
/// there, does not parse, or has other attributes of the crate than the first, is left out: its place is empty.
///
/// Returns `None` where modules say little about the program alone.
#[must_use]
pub fn joint_crate(file: JointFile, versions: &[Option<&str>]) -> Option<JointCrate> {
    let first = (*versions.first()?)?;
    let attributes = attributes_of_crate(first);
    let parsed = Parsed::without_islands(first);
    let syntax = parsed.file()?;
    let definitions = Definitions::of(syntax);
    if !definitions.are_apart() {
        return None;
    }
    let mut text = format!("{attributes}\n{}", linked_crates(syntax, first));
    text.push_str(match file {
        JointFile::Root => "#[allow(dead_code)]\nfn main() {}\n",
        JointFile::Program => "",
        JointFile::Module => "#[allow(unused_imports)]\nuse super::*;\n",
    });
    let mut places = Vec::with_capacity(versions.len());
    for (number, version) in versions.iter().enumerate() {
        let rest = version.and_then(|version| version.strip_prefix(attributes));
        let start = text.len();
        if let Some((rest, linked)) = rest.and_then(without_linked_crates) {
            let name = module_name(number);
            let rest = match file {
                JointFile::Root => within(&rest, &name, &linked),
                JointFile::Program => within(&rest, &name, &linked) + CALLED,
                JointFile::Module => rest,
            };
            let _ = write!(text, "pub mod {name} {{\n{rest}\n}}\n");
        }
        places.push(start..text.len());
    }
    if file == JointFile::Program {
        text.push_str(&main_of(&places));
    }
    Some(JointCrate {
        text,
        versions: places,
        may_be_ambiguous: !definitions.are_of_own(),
    })
}

/// The function by which a joint program calls the `main` of a version, whatever that returns.
const CALLED: &str = "\npub fn joint_main() -> ::std::process::ExitCode { ::std::process::Termination::report(main()) }";

/// Returns the `main` of a joint program with these versions.
fn main_of(versions: &[Range<usize>]) -> String {
    let there = versions.iter().enumerate();
    let there = there.filter(|(_, place)| !place.is_empty());
    let arms = there.map(|(number, _)| {
        let name = module_name(number);
        format!("Ok(\"{number}\") => {name}::joint_main(), ")
    });
    let arms: String = arms.collect();
    format!(
        "fn main() -> ::std::process::ExitCode {{ match ::std::env::var(\"{JOINT_VARIABLE}\").as_deref() {{ {arms}\
         _ => ::std::process::ExitCode::FAILURE }} }}\n"
    )
}

/// Whether a program can be a version of a joint program: it has a `main` of its own, and a standard library.
#[must_use]
pub fn has_joint_main(text: &str) -> bool {
    let parsed = Parsed::without_islands(text);
    let Some(file) = parsed.file() else {
        return false;
    };
    let is_bare = |attribute: &syn::Attribute| {
        ["no_main", "no_std", "no_core"]
            .iter()
            .any(|name| attribute.path().is_ident(name))
    };
    let is_main = |item: &Item| matches!(item, Item::Fn(function) if function.sig.ident == "main");
    !file.attrs.iter().any(is_bare) && file.items.iter().any(is_main)
}

/// Whether two versions have the same `extern crate` items, which stand once at the root of a joint crate: a version without one
/// of them would not notice there.
#[must_use]
pub fn links_the_same(one: &str, other: &str) -> bool {
    let linked = |text: &str| {
        let parsed = Parsed::without_islands(text);
        Some(linked_crates(parsed.file()?, text))
    };
    linked(one).is_some_and(|crates| linked(other) == Some(crates))
}

/// Returns the path by which the harness calls a test of one of the versions. `test` is its path in the crate, and `text`
/// the file of which there are versions; `None` where the test is not in it.
#[must_use]
pub fn joint_test(text: &str, test: &str, version: usize) -> Option<String> {
    let parsed = Parsed::without_islands(text);
    let items = &parsed.file()?.items;
    let path: Vec<&str> = test.split("::").collect();
    let start = (0..path.len()).find(|start| has_function(items, &path[*start..]))?;
    let name = module_name(version);
    let parts = [&path[..start], &[&*name], &path[start..]];
    Some(parts.concat().join("::"))
}

/// Returns whether a function with this path is among items and in their modules.
fn has_function(items: &[Item], path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else {
        return false;
    };
    items.iter().any(|item| match item {
        Item::Fn(function) => rest.is_empty() && function.sig.ident == *first,
        Item::Mod(module) => {
            let within = module.content.as_ref();
            module.ident == *first && within.is_some_and(|(_, items)| has_function(items, rest))
        }
        _ => false,
    })
}

/// Returns the `extern crate` items of a crate, a line each. In edition 2015 imports begin at the root, and macros of other
/// crates are imported there alone.
fn linked_crates(file: &File, text: &str) -> String {
    let items = extern_crates(file);
    items
        .map(|item| format!("{}\n", &text[byte_range(item)]))
        .collect()
}

/// Removes the `extern crate` items from a text, and returns the rest with the names that these items give; `None` where the text
/// does not parse.
fn without_linked_crates(text: &str) -> Option<(String, BTreeSet<String>)> {
    let parsed = Parsed::without_islands(text);
    let items: Vec<_> = extern_crates(parsed.file()?).collect();
    let mut left = text.to_owned();
    let mut names = BTreeSet::new();
    for item in items.into_iter().rev() {
        left.replace_range(byte_range(item), "");
        let renamed = item.rename.as_ref().map(|(_, name)| name);
        names.insert(renamed.unwrap_or(&item.ident).to_string());
    }
    Some((left, names))
}

fn extern_crates(file: &File) -> impl Iterator<Item = &ItemExternCrate> {
    file.items.iter().filter_map(|item| match item {
        Item::ExternCrate(item) => Some(item),
        _ => None,
    })
}

fn module_name(number: usize) -> String {
    format!("joint_{number}")
}

/// Returns the head of a crate, before its items: a shebang and the attributes of the crate.
fn attributes_of_crate(text: &str) -> &str {
    let cursor = TokenCursor::new(text);
    let mut at = 0;
    loop {
        at = match cursor.kind(at) {
            Some(TokenKind::InnerDoc) => at + 1,
            Some(_) if cursor.are(at, &["#", "!", "["]) => cursor.skip_group(at + 2),
            _ => break,
        };
    }
    match at {
        0 => &text[..0],
        _ => &text[..cursor.range(at - 1).end],
    }
}

/// Adapts paths that begin at the crate's root to a version that is now the module `name`. Crates that it links are still at the
/// root.
fn within(text: &str, name: &str, linked: &BTreeSet<String>) -> String {
    let cursor = TokenCursor::new(text);
    let is_linked = |at: usize| linked.iter().any(|name| cursor.are(at, &[name.as_str()]));
    let mut written = String::with_capacity(text.len());
    let mut copied = 0;
    for at in cursor
        .indices()
        .filter(|&at| cursor.are(at, &["crate", "::"]) && !is_linked(at + 2))
    {
        let end = cursor.range(at + 1).end;
        written.push_str(&text[copied..end]);
        let _ = write!(written, "{name}::");
        copied = end;
    }
    written.push_str(&text[copied..]);
    written
}

/// The types and traits that a program defines, and the traits that it implements.
#[derive(Default)]
struct Definitions {
    /// The names of the types and traits.
    names: BTreeSet<String>,
    implementations: Vec<Implementation>,
    /// Whether other modules of the crate may notice something: an implementation by a macro, or a macro that is known in the
    /// whole crate.
    is_seen_elsewhere: bool,
}

/// The trait and the type of an implementation.
#[derive(Default)]
struct Implementation {
    /// The last names in the paths of the implemented trait and of the type.
    ends: Vec<String>,
    /// All names in the trait and the type, with those in generic arguments.
    all: BTreeSet<String>,
}

impl Definitions {
    fn of(file: &File) -> Self {
        let mut definitions = Self::default();
        definitions.visit_file(file);
        definitions
    }

    /// Returns whether no implementation concerns another version, as each names a trait or a type of the program itself.
    fn are_apart(&self) -> bool {
        let mut all = self.implementations.iter();
        !self.is_seen_elsewhere && all.all(|one| !one.all.is_disjoint(&self.names))
    }

    /// Returns whether each implementation is of a trait, or for a type, of the program itself.
    fn are_of_own(&self) -> bool {
        let is_own = |name: &String| self.names.contains(name);
        let mut all = self.implementations.iter();
        all.all(|one| one.ends.iter().any(is_own))
    }
}

impl<'ast> Visit<'ast> for Implementation {
    fn visit_ident(&mut self, name: &'ast Ident) {
        self.all.insert(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Definitions {
    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Enum(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            _ => None,
        };
        self.names.extend(name.map(ToString::to_string));
        syn::visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if let Some((of, _)) = &item.trait_ {
            let ends = [last_name(of), name_of_type(&item.self_ty)];
            let mut implementation = Implementation {
                ends: ends.into_iter().flatten().collect(),
                ..Implementation::default()
            };
            implementation.visit_path(of);
            implementation.visit_type(&item.self_ty);
            self.implementations.push(implementation);
        }
        syn::visit::visit_item_impl(self, item);
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        let text = item.mac.tokens.to_string();
        let implements = tokens(&text)
            .iter()
            .any(|token| &text[token.range()] == "impl");
        let is_exported = item
            .attrs
            .iter()
            .any(|one| one.path().is_ident("macro_export"));
        self.is_seen_elsewhere |= implements || is_exported;
    }
}

fn last_name(path: &Path) -> Option<String> {
    Some(path.segments.last()?.ident.to_string())
}

fn name_of_type(of: &Type) -> Option<String> {
    match of {
        Type::Path(path) => last_name(&path.path),
        Type::Reference(reference) => name_of_type(&reference.elem),
        Type::Group(group) => name_of_type(&group.elem),
        Type::Paren(paren) => name_of_type(&paren.elem),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn joint(versions: &[&str]) -> JointCrate {
        let versions: Vec<_> = versions.iter().copied().map(Some).collect();
        joint_crate(JointFile::Root, &versions).unwrap()
    }

    #[test]
    fn each_version_is_a_module_with_paths_of_its_own() {
        let joint = joint(&[
            "#![allow(unused)]\nuse crate::a::f; mod a { pub fn f() {} }",
            "#![allow(unused)]\nuse crate::a::f;",
        ]);
        assert_eq!(
            joint.text,
            "#![allow(unused)]\n#[allow(dead_code)]\nfn main() {}\n\
             pub mod joint_0 {\n\nuse crate::joint_0::a::f; mod a { pub fn f() {} }\n}\n\
             pub mod joint_1 {\n\nuse crate::joint_1::a::f;\n}\n"
        );
        let at = joint.text.find("crate::joint_1").unwrap();
        assert_eq!(joint.version_at(&(at..at + 5)), Some(1));
        assert_eq!(joint.version_at(&(0..5)), None);
    }

    #[test]
    fn a_joint_program_runs_the_main_of_the_version_that_is_asked_for() {
        let versions = [
            Some("fn main() { f() } fn f() {}"),
            Some("fn main( {}"),
            Some("fn main() {}"),
        ];
        let joint = joint_crate(JointFile::Program, &versions).unwrap();
        assert_eq!(joint.text.matches("Termination::report(main())").count(), 2);
        let arms = "{ Ok(\"0\") => joint_0::joint_main(), Ok(\"2\") => joint_2::joint_main(), _ =>";
        assert!(joint.text.contains(arms), "{}", joint.text);
        assert!(has_joint_main("fn main() {}") && !has_joint_main("fn f() {}"));
        assert!(!has_joint_main("#![no_main]\nfn main() {}"));
    }

    #[test]
    fn a_module_sees_what_is_around_it() {
        let joint = joint_crate(JointFile::Module, &[Some("use super::*; use crate::b;")]).unwrap();
        assert_eq!(
            joint.text,
            "\n#[allow(unused_imports)]\nuse super::*;\npub mod joint_0 {\nuse super::*; use crate::b;\n}\n"
        );
    }

    #[test]
    fn crates_are_linked_once_at_the_root() {
        let versions = [
            "#![a]\n#[macro_use] extern crate b; use crate::b::c;",
            "#![a]\nuse crate::b::c;",
        ];
        assert_eq!(
            joint(&versions).text,
            "#![a]\n#[macro_use] extern crate b;\n#[allow(dead_code)]\nfn main() {}\n\
             pub mod joint_0 {\n\n use crate::b::c;\n}\n\
             pub mod joint_1 {\n\nuse crate::joint_1::b::c;\n}\n"
        );
    }

    #[test]
    fn a_version_without_a_crate_links_not_the_same() {
        let with = "#[macro_use] extern crate b; fn f() {}";
        assert!(links_the_same(with, "#[macro_use] extern crate b;"));
        assert!(!links_the_same(with, "fn f() {}"));
        assert!(!links_the_same(with, "extern crate b;"));
        assert!(!links_the_same("fn f( {}", "fn f( {}"));
    }

    #[test]
    fn a_version_that_does_not_parse_has_no_place() {
        let joint = joint(&["fn f() {}", "fn f( {}", "fn g() {}"]);
        assert!(joint.has(0) && !joint.has(1) && joint.has(2) && !joint.has(3));
        assert_eq!(joint.text.matches("mod joint_").count(), 2);
        let at = joint.text.find("fn g").unwrap();
        assert_eq!(joint.version_at(&(at..at + 2)), Some(2));
    }

    #[test]
    fn a_version_with_other_attributes_has_no_place() {
        let joint = joint(&["//! Doc.\n#![no_std]\nfn f() {}", "fn f() {}"]);
        assert!(!joint.versions[0].is_empty());
        assert!(joint.versions[1].is_empty());
    }

    #[test]
    fn implementations_that_others_see_are_not_put_side_by_side() {
        let is_apart = |text: &str| joint_crate(JointFile::Root, &[Some(text)]).is_some();
        assert!(is_apart(
            "struct S; impl From<u8> for S { fn from(_: u8) -> S { S } }"
        ));
        assert!(is_apart("trait T {} impl T for u8 {} impl<A> T for &A {}"));
        assert!(is_apart(
            "struct S; impl Clone for &S {} macro_rules! m { () => { 1 } }"
        ));
        assert!(!is_apart("impl From<u8> for u8 {}"));
        assert!(!is_apart(
            "struct S; macro_rules! m { ($t:ty) => { impl From<S> for $t {} } }"
        ));
        assert!(!is_apart("#[macro_export] macro_rules! m { () => { 1 } }"));
        assert!(!is_apart("fn f( {}"));
    }

    #[test]
    fn what_is_inferred_by_an_argument_may_be_ambiguous_beside_others() {
        let may_be = |text: &str| joint(&[text]).may_be_ambiguous;
        assert!(may_be(
            "struct S; impl From<S> for u8 { fn from(_: S) -> u8 { 1 } }"
        ));
        assert!(!may_be("struct S; impl From<u8> for S {}"));
        assert!(!may_be("struct S; trait T {} impl T for u8 {} fn f() {}"));
    }

    #[test]
    fn a_test_of_a_version_is_in_its_module() {
        let text = "#[test] fn f() {} mod a { #[test] fn g() {} }";
        assert_eq!(joint_test(text, "f", 0).unwrap(), "joint_0::f");
        assert_eq!(joint_test(text, "a::g", 12).unwrap(), "joint_12::a::g");
        assert_eq!(
            joint_test(text, "b::tests::f", 1).unwrap(),
            "b::tests::joint_1::f"
        );
        assert_eq!(joint_test(text, "b::tests::h", 1), None);
    }
}
