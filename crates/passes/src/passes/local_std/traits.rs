//! Local traits: with the members that impls have and those of the usual ones that the program names.

use super::found::Item;
use super::known::members_of;
use super::reader::{Implementation, Reading};
use super::shape::Shape;
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Role;
use reduce_syntax::{Edit, EditSet, with_words};
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{FnArg, GenericArgument, ImplItem, PathArguments, Type};

/// What the definition may be, the simplest first. `head` is what stands before the keyword.
pub(super) fn forms(
    program: &Program,
    reading: &Reading<'_>,
    item: &Item,
    name: &str,
    head: &str,
) -> Vec<String> {
    let shape = Shape::of(&item.uses);
    let blocks = implementations(reading, item);
    let mut members = Members::default();
    members.of_uses(item);
    blocks
        .iter()
        .for_each(|block| members.of_impl(program, item, block));
    members.known(program, item);
    let default = shape.has_default.then_some("Self");
    let parameters = shape.parameters(default);
    let (types, functions) = members.texts(&shape);
    let declared: Vec<String> = types
        .iter()
        .chain(&functions)
        .map(|one| format!("{one};"))
        .collect();
    let declared = declared.join(" ");
    let alone = format!("{head}trait {name}{parameters} {{ {declared} }}");
    if !blocks.is_empty() || !types.is_empty() {
        return vec![alone];
    }
    let everywhere = blanket(name, &shape, &functions);
    vec![alone.clone(), format!("{alone} {everywhere}")]
}

/// An impl for all types.
fn blanket(name: &str, shape: &Shape, functions: &[String]) -> String {
    let everything = match functions.is_empty() {
        true => "X: ?Sized",
        false => "X",
    };
    let own = shape.parameters(None);
    let own = own.strip_prefix('<').and_then(|own| own.strip_suffix('>'));
    let parameters = match own {
        Some(own) if shape.n_lifetimes == 0 => format!("<{everything}, {own}>"),
        Some(own) => format!("<{own}, {everything}>"),
        None => format!("<{everything}>"),
    };
    let bodies: Vec<String> = functions
        .iter()
        .map(|one| format!("{one} {{ loop {{}} }}"))
        .collect();
    let arguments = shape.arguments();
    format!(
        "impl{parameters} {name}{arguments} for X {{ {} }}",
        bodies.join(" ")
    )
}

fn implementations<'r, 'p>(reading: &'r Reading<'p>, item: &Item) -> Vec<&'r Implementation<'p>> {
    let named: BTreeSet<usize> = item.uses.iter().map(|one| one.at).collect();
    let all = reading.implementations.iter();
    all.filter(|one| named.contains(&one.at)).collect()
}

/// Declarations by name.
#[derive(Default)]
struct Members {
    types: BTreeMap<String, String>,
    functions: BTreeMap<String, String>,
}

impl Members {
    /// `Iterator<Item = u8>`
    fn of_uses(&mut self, item: &Item) {
        for name in item.uses.iter().flat_map(|one| &one.arguments.bound) {
            self.types.insert(name.clone(), format!("type {name}"));
        }
    }

    fn of_impl(&mut self, program: &Program, item: &Item, block: &Implementation<'_>) {
        let known = members_of(item.name()).unwrap_or_default();
        for member in &block.block.items {
            let (name, is_function) = match member {
                ImplItem::Fn(one) => (&one.sig.ident, true),
                ImplItem::Type(one) => (&one.ident, false),
                ImplItem::Const(one) => (&one.ident, false),
                _ => continue,
            };
            let name = name.to_string();
            let usual = known.iter().find(|one| one.0 == name);
            let text = match usual {
                Some((_, text)) => Some((*text).to_owned()),
                None => declaration(program, block, member),
            };
            let members = match is_function {
                true => &mut self.functions,
                false => &mut self.types,
            };
            if let Some(text) = text {
                members.entry(name).or_insert(text);
            }
        }
    }

    /// The usual members that are named anywhere, and the types in their declarations.
    fn known(&mut self, program: &Program, item: &Item) {
        let known = members_of(item.name()).unwrap_or_default();
        let is_named = |name: &str| {
            let mut all = program.mentions().spelled(name).iter();
            all.any(|one| matches!(one.role, Role::Method | Role::PathEnd))
        };
        for (name, text) in known.iter().rev() {
            let is_type = text.starts_with("type");
            let in_others = format!("Self::{name}");
            let mut others = self.functions.values();
            let is_wanted = is_named(name) || others.any(|other| other.contains(&in_others));
            let members = match is_type {
                true => &mut self.types,
                false => &mut self.functions,
            };
            if is_wanted {
                let known = members.entry((*name).to_owned());
                *known.or_default() = (*text).to_owned();
            }
        }
    }

    /// The declarations of types and constants, and of functions. Without a parameter, `T` is the
    /// type itself.
    fn texts(self, shape: &Shape) -> (Vec<String>, Vec<String>) {
        let fit = |text: String| match shape.others.is_empty() {
            true => with_words(&text, |word| (word == "T").then_some("Self")),
            false => text,
        };
        let types = self.types.into_values().map(fit);
        (
            types.collect(),
            self.functions.into_values().map(fit).collect(),
        )
    }
}

/// A member of an impl as a trait would declare it: without names of arguments, with `Self` for the
/// type, and with the trait's parameter for its argument.
fn declaration(program: &Program, block: &Implementation<'_>, member: &ImplItem) -> Option<String> {
    let file = block.file;
    let mut writer = Writer {
        file,
        known: known_types(block),
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

/// The texts of types that have a name in the trait.
fn known_types(block: &Implementation<'_>) -> Vec<(String, String)> {
    let own = block.file.text(&block.block.self_ty).to_owned();
    let mut known = vec![(own, "Self".to_owned())];
    let path = block.block.trait_.as_ref().map(|(path, _)| path);
    let last = path.and_then(|path| path.segments.last());
    if let Some(PathArguments::AngleBracketed(all)) = last.map(|one| &one.arguments) {
        let types = all.args.iter().filter_map(|one| match one {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        let names = Shape::of_types(types.clone().count()).arguments();
        let names = names.trim_matches(['<', '>']).split(", ");
        let texts = types.map(|ty| block.file.text(ty).to_owned());
        known.extend(texts.zip(names.map(str::to_owned)));
    }
    known
}

struct Writer<'p> {
    file: SyntaxFile<'p>,
    known: Vec<(String, String)>,
    edits: EditSet,
}

impl Writer<'_> {
    fn replace(&mut self, syntax: &impl Spanned, text: &str) {
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
