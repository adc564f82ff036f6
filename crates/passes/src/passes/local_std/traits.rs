//! Defines local traits in place of those of the standard library, with the members that impls have, and with the
//! usual members that the program names.

use super::LocalItems;
use super::known::members_of;
use super::shape::Shape;
use super::uses::{Role, StdUse};
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Role as WordRole;
use reduce_syntax::{Edit, EditSet, ItemParts, Located, with_words};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{FnArg, GenericArgument, ImplItem, ItemImpl, PathArguments, Type};

impl LocalItems<'_> {
    /// Returns the possible definitions of a local trait, the simplest first.
    pub(super) fn traits(&self, item: &StdUse<'_>, name: &str) -> Vec<String> {
        let shape = Shape::of(&item.mentions);
        let mut members = Members::default();
        members.of_bounds(item);
        let mut has_impls = false;
        for mention in &item.mentions {
            if let Role::Impl(file, block) = mention.role {
                has_impls = true;
                members.of_impl(self.program, item, file, block);
            }
        }
        members.known(self.program, item);
        let default = shape.has_default.then_some("Self");
        let parameters = shape.parameters(default);
        let all = members.texts(&shape);
        let declared: Vec<String> = all.iter().map(|(_, text)| format!("{text};")).collect();
        let (head, declared) = (self.head, declared.join(" "));
        let alone = format!("{head}trait {name}{parameters} {{ {declared} }}");
        let has_types = all.iter().any(|(is_function, _)| !is_function);
        if has_impls || has_types {
            return vec![alone];
        }
        let everywhere = blanket(name, &shape, &all);
        vec![alone.clone(), format!("{alone} {everywhere}")]
    }
}

/// Writes an impl for all types of a trait that has nothing but functions.
fn blanket(name: &str, shape: &Shape, functions: &[(bool, String)]) -> String {
    let everything = match functions.is_empty() {
        true => "X: ?Sized",
        false => "X",
    };
    let own = shape.parameters(None);
    let own = own.strip_prefix('<').and_then(|own| own.strip_suffix('>'));
    let parameters = match own {
        Some(own) if shape.n_lifetimes == 0 => format!("{everything}, {own}"),
        Some(own) => format!("{own}, {everything}"),
        None => everything.to_owned(),
    };
    let bodies = functions.iter();
    let bodies: Vec<String> = bodies
        .map(|(_, one)| format!("{one} {{ loop {{}} }}"))
        .collect();
    let (arguments, bodies) = (shape.arguments(), bodies.join(" "));
    format!("impl<{parameters}> {name}{arguments} for X {{ {bodies} }}")
}

/// The declarations of a trait's members, by whether the member is a function, and by its name.
#[derive(Default)]
struct Members(BTreeMap<(bool, String), String>);

impl Members {
    /// Adds the associated types of bounds such as `Iterator<Item = u8>`.
    fn of_bounds(&mut self, item: &StdUse<'_>) {
        for name in item.mentions.iter().flat_map(|one| &one.arguments.bound) {
            self.0.insert((false, name.clone()), format!("type {name}"));
        }
    }

    fn of_impl(
        &mut self,
        program: &Program,
        item: &StdUse<'_>,
        file: SyntaxFile<'_>,
        block: &ItemImpl,
    ) {
        let known = members_of(item.name()).unwrap_or_default();
        for member in &block.items {
            let Some(parts) = ItemParts::of_impl_item(member) else {
                continue;
            };
            let Some(name) = parts.name else { continue };
            let usual = known.iter().find(|one| name == one.0);
            let text = match usual {
                Some((_, text)) => Some((*text).to_owned()),
                None => declaration(program, file, block, member),
            };
            if let Some(text) = text {
                self.0
                    .entry((parts.keyword == "fn", name.to_string()))
                    .or_insert(text);
            }
        }
    }

    /// Adds the usual members of a trait that the program names anywhere, and the associated types in their declarations.
    fn known(&mut self, program: &Program, item: &StdUse<'_>) {
        let known = members_of(item.name()).unwrap_or_default();
        let is_named = |name: &str| {
            let mut all = program.mentions().spelled(name).iter();
            all.any(|one| matches!(one.role, WordRole::Method | WordRole::PathEnd))
        };
        for (name, text) in known.iter().rev() {
            let in_others = format!("Self::{name}");
            let is_wanted = is_named(name) || self.0.values().any(|one| one.contains(&in_others));
            if is_wanted {
                let key = (text.starts_with("fn"), (*name).to_owned());
                self.0.insert(key, (*text).to_owned());
            }
        }
    }

    /// Returns the declarations of types and constants, then those of functions, each with whether it is one of a
    /// function. Without a parameter, `T` is the type itself.
    fn texts(self, shape: &Shape) -> Vec<(bool, String)> {
        let fit = |text: String| match shape.others.is_empty() {
            true => with_words(&text, |word| (word == "T").then_some("Self")),
            false => text,
        };
        let all = self.0.into_iter();
        all.map(|((is_function, _), text)| (is_function, fit(text)))
            .collect()
    }
}

/// Writes a member of an impl as a trait would declare it: without names of arguments, with `Self` for the type, and
/// with the trait's parameter for its argument.
fn declaration(
    program: &Program,
    file: SyntaxFile<'_>,
    block: &ItemImpl,
    member: &ImplItem,
) -> Option<String> {
    let mut writer = Writer {
        file,
        known: known_types(file, block),
        edits: EditSet::new(),
    };
    let place = match member {
        ImplItem::Type(one) => return Some(format!("type {}", one.ident)),
        ImplItem::Const(one) => {
            writer.visit_type(&one.ty);
            file.between(&one.const_token, &one.ty)
        }
        ImplItem::Fn(one) => {
            writer.visit_signature(&one.sig);
            file.place(&one.sig)
        }
        _ => return None,
    };
    let Place { file, range } = &place;
    let text = writer.edits.text_within(program.sources(), *file, range);
    Some(text.trim().to_owned())
}

/// Returns types in an impl by their texts, with the names that they have in the trait: `Self` for the impl's type,
/// and parameters for the trait's arguments.
fn known_types(file: SyntaxFile<'_>, block: &ItemImpl) -> Vec<(String, String)> {
    let mut known = vec![(file.text(&block.self_ty).to_owned(), "Self".to_owned())];
    let path = block.trait_.as_ref().map(|(path, _)| path);
    let last = path.and_then(|path| path.segments.last());
    if let Some(PathArguments::AngleBracketed(all)) = last.map(|one| &one.arguments) {
        let types = all.args.iter().filter_map(|one| match one {
            GenericArgument::Type(ty) => Some(file.text(ty).to_owned()),
            _ => None,
        });
        let types: Vec<String> = types.collect();
        let shape = Shape::of_types(types.len());
        let names = (0..types.len()).map(|idx| shape.name(idx));
        known.extend(types.into_iter().zip(names));
    }
    known
}

struct Writer<'p> {
    file: SyntaxFile<'p>,
    known: Vec<(String, String)>,
    edits: EditSet,
}

impl Writer<'_> {
    fn replace(&mut self, syntax: &impl Located, text: &str) {
        let Place { file, range } = self.file.place(syntax);
        self.edits.add(Edit::replace(file, &range, text));
    }
}

impl<'ast> Visit<'ast> for Writer<'_> {
    fn visit_fn_arg(&mut self, argument: &'ast FnArg) {
        if let FnArg::Typed(typed) = argument {
            self.replace(&*typed.pat, "_");
            self.visit_type(&typed.ty);
        }
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        let text = self.file.text(ty);
        let known = self.known.iter().find(|one| one.0 == text);
        match known.map(|one| one.1.clone()) {
            Some(name) => self.replace(ty, &name),
            None => visit::visit_type(self, ty),
        }
    }
}
