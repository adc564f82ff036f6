//! The text of a stub of a crate: empty types and traits of the names by which a program mentions the crate. A program that only
//! names what a crate defines need not have the crate.

use reduce_syntax::{SourceTree, UseEnd, UseLeaf, parse_tokens, use_leaves};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, GenericArgument, Item, Macro, Pat, Path, PathArguments, TypeParamBound,
};

/// Makes the text of a stub of the crate that a program knows by these names. `None` if the program mentions more of it than types
/// and traits, or nothing.
///
/// Of `use syn::Path; fn f(_: syn::visit::Visitor<u8>) {}` it is
/// `pub mod visit { pub struct Visitor<A0>(pub A0); } pub struct Path;`.
#[must_use]
pub fn stub_of_crate(sources: &SourceTree, names: &BTreeSet<String>) -> Option<String> {
    let mut mentions = MentionsOfCrate {
        names,
        imported: BTreeMap::new(),
        root: Module::default(),
        is_more: false,
    };
    let parse = |text: &str| syn::parse2(parse_tokens(text).ok()?).ok();
    let parsed = sources.files().map(|(_, _, text)| parse(text));
    let parsed: Vec<syn::File> = parsed.collect::<Option<_>>()?;
    parsed.iter().for_each(|file| mentions.imports(file));
    parsed.iter().for_each(|file| mentions.visit_file(file));
    let is_stub = !mentions.is_more && mentions.root != Module::default();
    is_stub.then(|| mentions.root.text())
}

/// The kind of an item in a stub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The item is only imported, so that it may be anything: a type will do.
    Unknown,
    Type(Parameters),
    Trait(Parameters),
}

/// The numbers of parameters that a program gives to an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Parameters {
    n_lifetimes: usize,
    n_types: usize,
}

/// A module of a stub, with the modules and items in it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Module {
    modules: BTreeMap<String, Module>,
    items: BTreeMap<String, Kind>,
}

impl Module {
    fn text(&self) -> String {
        let modules = self.modules.iter();
        let modules = modules.map(|(name, one)| format!("pub mod {name} {{ {} }}", one.text()));
        let items = self.items.iter().map(|(name, kind)| match kind {
            Kind::Unknown => format!("pub struct {name};"),
            Kind::Type(parameters) => parameters.of_type(name),
            Kind::Trait(parameters) => {
                format!("pub trait {name}{} {{}}", parameters.declared())
            }
        });
        modules.chain(items).collect::<Vec<_>>().join(" ")
    }
}

impl Parameters {
    fn of_type(self, name: &str) -> String {
        let lifetimes = (0..self.n_lifetimes).map(|idx| format!("pub &'a{idx} ()"));
        let types = (0..self.n_types).map(|idx| format!("pub A{idx}"));
        let fields: Vec<String> = lifetimes.chain(types).collect();
        match fields.is_empty() {
            true => format!("pub struct {name};"),
            false => format!(
                "pub struct {name}{}({});",
                self.declared(),
                fields.join(", ")
            ),
        }
    }

    fn declared(self) -> String {
        let lifetimes = (0..self.n_lifetimes).map(|idx| format!("'a{idx}"));
        let types = (0..self.n_types).map(|idx| format!("A{idx}"));
        let all: Vec<String> = lifetimes.chain(types).collect();
        match all.is_empty() {
            true => String::new(),
            false => format!("<{}>", all.join(", ")),
        }
    }
}

/// The mentions of a crate in a program, as far as it was read.
struct MentionsOfCrate<'n> {
    names: &'n BTreeSet<String>,
    /// The paths, without the crate, that imports give a name.
    imported: BTreeMap<String, Vec<String>>,
    root: Module,
    /// Whether the program mentions more than types and traits.
    is_more: bool,
}

impl MentionsOfCrate<'_> {
    /// Reads the imports at the root of a file and in its modules.
    fn imports(&mut self, file: &syn::File) {
        struct Uses<'r, 'n>(&'r mut MentionsOfCrate<'n>);
        impl<'a> Visit<'a> for Uses<'_, '_> {
            fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
                for leaf in use_leaves(&item.tree) {
                    self.0.import(&leaf);
                }
            }
        }
        Uses(self).visit_file(file);
    }

    fn import(&mut self, leaf: &UseLeaf<'_>) {
        let original = leaf.original().filter(|name| *name != "self");
        let path = leaf.prefix.iter().copied().chain(original);
        let path: Vec<String> = path.map(ToString::to_string).collect();
        let Some((_, within)) = path
            .split_first()
            .filter(|(first, _)| self.names.contains(*first))
        else {
            return;
        };
        match leaf.end {
            UseEnd::Glob => self.is_more = true,
            UseEnd::Name(_) | UseEnd::Rename(..) => {
                self.add(within, Kind::Unknown);
                let new = leaf.name().filter(|name| *name != "self");
                let new = new.map(ToString::to_string).or(path.last().cloned());
                self.imported
                    .insert(new.unwrap_or_default(), within.to_vec());
            }
        }
    }

    /// Returns the path without the crate, if a path leads into the crate.
    fn within(&self, path: &Path) -> Option<Vec<String>> {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|one| one.ident.to_string())
            .collect();
        let (first, rest) = names.split_first()?;
        if let Some(imported) = self.imported.get(first) {
            return Some([imported, rest].concat());
        }
        self.names.contains(first).then(|| rest.to_vec())
    }

    /// Notes a path that is used for more than a type or a trait.
    fn note_use(&mut self, path: &Path) {
        self.is_more |= self.within(path).is_some();
    }

    fn mention(&mut self, path: &Path, kind: fn(Parameters) -> Kind) {
        let Some(names) = self.within(path) else {
            return;
        };
        let arguments = path.segments.iter().rev().map(|one| &one.arguments);
        let mut arguments = arguments.map(parameters);
        let parameters = arguments.next().flatten();
        // Arguments within a path are those of a variant's type, or of an associated one.
        let is_plain = arguments.all(|one| one == Some(Parameters::default()));
        match parameters.filter(|_| is_plain) {
            Some(parameters) => self.add(&names, kind(parameters)),
            None => self.is_more = true,
        }
    }

    fn add(&mut self, path: &[String], kind: Kind) {
        let Some((name, modules)) = path.split_last() else {
            // The crate itself is named, as by an import.
            return;
        };
        let is_type = |name: &String| name.starts_with(char::is_uppercase);
        if modules.iter().any(is_type) {
            self.is_more = true;
            return;
        }
        let mut module = &mut self.root;
        for name in modules {
            module = module.modules.entry(name.clone()).or_default();
        }
        if !is_type(name) {
            match kind {
                Kind::Unknown => drop(module.modules.entry(name.clone()).or_default()),
                _ => self.is_more = true,
            }
            return;
        }
        let known = module.items.entry(name.clone()).or_insert(kind);
        if *known == Kind::Unknown {
            *known = kind;
        }
        self.is_more |= kind != Kind::Unknown && *known != kind;
    }
}

/// Counts the arguments of a segment of a path; `None` if they are no types and lifetimes.
fn parameters(arguments: &PathArguments) -> Option<Parameters> {
    let mut parameters = Parameters::default();
    match arguments {
        PathArguments::None => {}
        PathArguments::AngleBracketed(all) => {
            for one in &all.args {
                match one {
                    GenericArgument::Lifetime(_) => parameters.n_lifetimes += 1,
                    GenericArgument::Type(_) => parameters.n_types += 1,
                    _ => return None,
                }
            }
        }
        PathArguments::Parenthesized(_) => return None,
    }
    Some(parameters)
}

impl<'a> Visit<'a> for MentionsOfCrate<'_> {
    fn visit_item(&mut self, item: &'a Item) {
        match item {
            Item::Use(_) => {}
            Item::ExternCrate(item) => {
                self.is_more |= self.names.contains(&item.ident.to_string());
            }
            Item::Impl(block) => {
                if let Some((path, _)) = &block.trait_ {
                    self.mention(path, Kind::Trait);
                    // A trait of a stub has no members.
                    self.is_more |= self.within(path).is_some() && !block.items.is_empty();
                }
                visit::visit_item(self, item);
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_type_path(&mut self, ty: &'a syn::TypePath) {
        match ty.qself {
            Some(_) => self.note_use(&ty.path),
            None => self.mention(&ty.path, Kind::Type),
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_type_param_bound(&mut self, bound: &'a TypeParamBound) {
        if let TypeParamBound::Trait(bound) = bound {
            self.mention(&bound.path, Kind::Trait);
        }
        visit::visit_type_param_bound(self, bound);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        let path = match expression {
            Expr::Path(one) => Some(&one.path),
            Expr::Struct(one) => Some(&one.path),
            _ => None,
        };
        path.into_iter().for_each(|path| self.note_use(path));
        visit::visit_expr(self, expression);
    }

    fn visit_pat(&mut self, pattern: &'a Pat) {
        let path = match pattern {
            Pat::Path(one) => Some(&one.path),
            Pat::Struct(one) => Some(&one.path),
            Pat::TupleStruct(one) => Some(&one.path),
            _ => None,
        };
        path.into_iter().for_each(|path| self.note_use(path));
        visit::visit_pat(self, pattern);
    }

    fn visit_attribute(&mut self, attribute: &'a Attribute) {
        self.note_use(attribute.path());
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        self.note_use(&call.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stub(text: &str) -> Option<String> {
        let sources = SourceTree::single("lib.rs".into(), text.into());
        let names = BTreeSet::from(["syn".to_owned()]);
        stub_of_crate(&sources, &names)
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(stub(text).as_deref(), Some(expected));
    }

    #[test]
    fn types_and_traits_that_are_named_are_there() {
        check("use syn::Path;", "pub struct Path;");
        check(
            "use syn::{visit::Visit as V, Path}; fn f<T: V<u8>>(_: Path, _: &dyn syn::Parse) {}",
            "pub mod visit { pub trait Visit<A0> {} } pub trait Parse {} pub struct Path;",
        );
        check(
            "mod a { fn f(_: ::syn::token::Punctuated<'static, u8, u16>) {} }",
            "pub mod token { pub struct Punctuated<'a0, A0, A1>(pub &'a0 (), pub A0, pub A1); }",
        );
        check(
            "use syn::token::{self}; fn f(_: token::Comma) {}",
            "pub mod token { pub struct Comma; }",
        );
        check(
            "use syn::token; impl syn::Parse for u8 {} fn f(_: token::Comma) {}",
            "pub mod token { pub struct Comma; } pub trait Parse {}",
        );
    }

    #[test]
    fn no_crate_is_a_stub_of_which_more_is_used() {
        for text in [
            "fn f() { syn::parse(); }",
            "use syn::parse; fn f() { parse(); }",
            "use syn::*;",
            "fn f() -> syn::Type { syn::Type::Never }",
            "fn f() { if let syn::Type::Path(_) = g() {} }",
            "#[derive(syn::Parse)] struct S;",
            "syn::custom!(a);",
            "impl syn::Parse for u8 { fn parse() {} }",
            "fn f<T: syn::Parse>(_: <T as syn::Parse>::Error) {}",
            "extern crate syn; fn f(_: syn::Path) {}",
            "fn f(_: syn::Path<u8>, _: syn::Path) {}",
            "fn f() {}",
        ] {
            assert_eq!(stub(text), None, "{text}");
        }
    }
}
