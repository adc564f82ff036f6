//! Finds in a crate's definitions which names may take each other's place in a mutant: functions with two parameters of one type
//! (these may come in the other order), functions of equal signature, fields of equal type, and variants without fields. Which
//! fields of structs have the type of another one, and what may stand in place of a variant without fields.

use super::variables::is_copied;
use crate::instrument::Substitutes;
use crate::mutant::Operator;
use reduce_syntax::{
    ParsedFiles, SourceTree, byte_range, is_integer_type, is_number_type, is_primitive_type,
};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{
    Fields, FieldsNamed, FnArg, Ident, ImplItem, ReturnType, Signature, TraitItem, Type, Variant,
};

/// The largest number of fields that may stand in place of a parameter.
const MOST_PARTS: usize = 3;

/// For each name, the only other name that may stand in its place; `None` for a name that several definitions have, as
/// nothing tells which of them is meant.
type OnlyOthers = BTreeMap<String, Option<String>>;

/// For the name of a function, method, field or variant, another one that fits in its place, which a mutant may name instead.
/// A name may have several definitions: the one that is called need not be the one that was found here.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// Functions that take two values of types that are written alike.
    of_one_type: BTreeSet<String>,
    /// For each function that has the signature of others in the same `impl` or trait, the next of these, in a circle.
    siblings: BTreeMap<String, String>,
    /// For each field whose values are copied, the next field of the same type in its struct, in a circle.
    fields: BTreeMap<String, String>,
    /// For each type with each primitive type that some of its fields have, the first of these fields.
    parts: BTreeMap<(String, String), Vec<String>>,
    /// For each field on which methods are called, of whatever type, the next field of the same type in its struct, in a circle.
    receivers: OnlyOthers,
    /// For each method that returns nothing, another method of the same type that has no argument but the receiver.
    shorter_calls: OnlyOthers,
    /// For each variant without fields, such as `Shape::Dot`, the next one of the same type, in a circle: a variant may be
    /// the only one, and then is its own. In an `impl`, the type may be called `Self`.
    variants: OnlyOthers,
    /// For each type, a function that makes a value of it without arguments.
    constructors: OnlyOthers,
    /// The names by which mutants that were marked before replace others; they come before those of the definitions.
    known: Substitutes,
    /// Names of fields that are numbers in some struct.
    numbers: BTreeSet<String>,
    /// Names of fields that are something else than numbers in some struct.
    no_numbers: BTreeSet<String>,
    /// For each name of a function, whether all functions of this name return an integer.
    gives_integer: BTreeMap<String, bool>,
    /// Whether the crate defines `*` for some type, so that the order of factors may matter.
    has_products: bool,
}

impl Signatures {
    /// Reads the definitions of a crate.
    pub(crate) fn of(sources: &SourceTree, parsed: &ParsedFiles) -> Self {
        let mut all = Self::default();
        for (&file, one) in parsed {
            let text = sources.text(file);
            if let Some(syntax) = one.file() {
                let mut reader = SignatureReader {
                    text,
                    all: &mut all,
                };
                reader.visit_file(syntax);
            }
        }
        all
    }

    /// Adds the substitutes of names that marked mutants use.
    pub(crate) fn with(self, known: &Substitutes) -> Self {
        Self {
            known: known.clone(),
            ..self
        }
    }

    fn known(&self, operator: Operator, name: &str) -> Option<&str> {
        let known = self.known.get(&(operator, name.to_owned()));
        known.map(String::as_str)
    }

    /// Whether a function of this name takes two values of one type.
    pub(super) fn takes_two_of_one_type(&self, name: &str) -> bool {
        self.of_one_type.contains(name)
    }

    /// Returns the function that may be called in place of the one of this name, with the same arguments.
    pub(super) fn sibling(&self, name: &str) -> Option<&str> {
        let known = self.known(Operator::Call, name);
        known.or_else(|| self.siblings.get(name).map(String::as_str))
    }

    /// Returns the method without arguments that may be called in place of the one of this name; both return nothing.
    pub(super) fn shorter_call(&self, name: &str) -> Option<&str> {
        let known = self.known(Operator::ShorterCall, name);
        known.or_else(|| self.shorter_calls.get(name)?.as_deref())
    }

    /// Returns the variant that may take the place of a variant without fields.
    pub(super) fn sibling_variant(&self, ty: &str, variant: &str) -> Option<&str> {
        let known = self.known(Operator::Variant, variant);
        let other = known.or_else(|| self.variants.get(&path_of(ty, variant))?.as_deref());
        other.filter(|other| *other != variant)
    }

    /// Returns the function that may be called in place of a variant without fields.
    pub(super) fn constructor(&self, ty: &str, variant: &str) -> Option<&str> {
        let is_variant = || self.variants.contains_key(&path_of(ty, variant));
        let known = self.known(Operator::ShorterCall, variant);
        known.or_else(|| {
            self.constructors
                .get(ty)?
                .as_deref()
                .filter(|_| is_variant())
        })
    }

    /// Returns the function that may be called in place of the one of this name, among those names that are known to be defined.
    pub(super) fn sibling_among(
        &self,
        name: &str,
        is_known: impl Fn(&str) -> bool,
    ) -> Option<&str> {
        let others = std::iter::successors(self.sibling(name), |other| self.sibling(other));
        let mut others = others.take(self.siblings.len());
        let other = others.find(|other| is_known(other));
        other.filter(|other| *other != name)
    }

    /// Whether all fields of this name are numbers.
    pub(super) fn is_number(&self, name: &str) -> bool {
        self.numbers.contains(name) && !self.no_numbers.contains(name)
    }

    /// Whether all functions of this name give an integer.
    pub(super) fn gives_integer(&self, name: &str) -> bool {
        self.gives_integer.get(name) == Some(&true)
    }

    /// Whether exchanging the factors of a product may change it in this crate.
    pub(super) fn has_products(&self) -> bool {
        self.has_products
    }

    /// Returns the field that may be read in place of the one of this name.
    pub(super) fn sibling_field(&self, name: &str) -> Option<&str> {
        let known = self.known(Operator::Variable, name);
        known.or_else(|| self.fields.get(name).map(String::as_str))
    }

    /// Returns the first fields of a type that are of a primitive type.
    pub(super) fn parts(&self, of: &str, ty: &str) -> &[String] {
        let parts = self.parts.get(&(of.to_owned(), ty.to_owned()));
        parts.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the field on which a method may be called in place of the one of this name.
    pub(super) fn sibling_receiver(&self, name: &str) -> Option<&str> {
        let known = self.known(Operator::Variable, name);
        known.or_else(|| self.receivers.get(name)?.as_deref())
    }
}

/// Returns the path of a variant: `Type::Variant`.
fn path_of(ty: &str, variant: &str) -> String {
    format!("{ty}::{variant}")
}

/// Collects the names of a file's definitions for `Signatures`.
struct SignatureReader<'s> {
    text: &'s str,
    all: &'s mut Signatures,
}

impl SignatureReader<'_> {
    fn note(&mut self, name: &syn::Ident, types: &[&Type]) {
        let text = |ty: &Type| &self.text[byte_range(ty)];
        if let [first, second] = types
            && text(first) == text(second)
        {
            self.all.of_one_type.insert(name.to_string());
        }
    }

    /// Notes the functions of an `impl` or a trait that have equal signatures.
    fn note_siblings<'a>(&mut self, signatures: impl Iterator<Item = &'a Signature>) {
        let mut alike: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for signature in signatures {
            let names = alike.entry(self.types_of(signature)).or_default();
            names.push(signature.ident.to_string());
        }
        let siblings = &mut self.all.siblings;
        alike.values().for_each(|names| add_circle(siblings, names));
    }

    /// Notes the fields of a struct that are of primitive types.
    fn note_parts(&mut self, of: &Ident, fields: &FieldsNamed) {
        for field in &fields.named {
            let ty = &self.text[byte_range(&field.ty)];
            if let Some(name) = field.ident.as_ref().filter(|_| is_primitive_type(ty)) {
                let parts = self.all.parts.entry((of.to_string(), ty.to_owned()));
                let parts = parts.or_default();
                if parts.len() < MOST_PARTS {
                    parts.push(name.to_string());
                }
            }
        }
    }

    /// Notes the fields of a struct that have equal types, for reading one in place of another.
    fn note_fields(&mut self, fields: &FieldsNamed) {
        let mut alike: BTreeMap<(String, bool), Vec<String>> = BTreeMap::new();
        for field in &fields.named {
            let ty = self.text[byte_range(&field.ty)].to_owned();
            let Some(name) = &field.ident else { continue };
            match is_number_type(&ty) {
                true => self.all.numbers.insert(name.to_string()),
                false => self.all.no_numbers.insert(name.to_string()),
            };
            let names = alike.entry((ty, is_copied(&field.ty))).or_default();
            names.push(name.to_string());
        }
        for ((_, is_copied), names) in alike {
            self.note_receivers(&names);
            if is_copied {
                add_circle(&mut self.all.fields, &names);
            }
        }
    }

    /// Notes the fields of a struct that have equal types, for calling a method on one in place of another.
    fn note_receivers(&mut self, names: &[String]) {
        for (name, next) in circle(names) {
            let other = (next != name).then_some(next);
            add_only(&mut self.all.receivers, name, other);
        }
    }

    /// Notes for each method that returns nothing another one that takes nothing but the receiver.
    fn note_shorter_calls<'a>(&mut self, signatures: impl Iterator<Item = &'a Signature>) {
        let mut alike: BTreeMap<&str, Vec<&Signature>> = BTreeMap::new();
        for signature in signatures.filter(|one| gives_nothing(one)) {
            if let Some(FnArg::Receiver(receiver)) = signature.inputs.first() {
                let receiver = &self.text[byte_range(receiver)];
                alike.entry(receiver).or_default().push(signature);
            }
        }
        for methods in alike.values() {
            let (short, longer): (Vec<&Signature>, Vec<_>) =
                methods.iter().partition(|one| one.inputs.len() == 1);
            let Some(short) = short.first().map(|one| one.ident.to_string()) else {
                continue;
            };
            for one in longer {
                let name = one.ident.to_string();
                add_only(&mut self.all.shorter_calls, &name, Some(&short));
            }
        }
    }

    /// Notes the first function of a type that makes a value of the type without arguments.
    fn note_constructor<'a>(
        &mut self,
        ty: &Type,
        mut signatures: impl Iterator<Item = &'a Signature>,
    ) {
        let Some(name) = last_name(ty) else { return };
        let first = signatures.find(|one| {
            let result = match &one.output {
                ReturnType::Type(_, result) => last_name(result),
                ReturnType::Default => None,
            };
            let is_own = result.is_some_and(|result| result == "Self" || result == name);
            is_own && one.inputs.is_empty() && one.asyncness.is_none()
        });
        if let Some(first) = first {
            let first = first.ident.to_string();
            for ty in [&*name.to_string(), "Self"] {
                add_only(&mut self.all.constructors, ty, Some(&first));
            }
        }
    }

    /// Notes the variants of a type that have no fields.
    fn note_variants<'a>(&mut self, ty: &Ident, variants: impl Iterator<Item = &'a Variant>) {
        let names = variants.filter(|one| matches!(one.fields, Fields::Unit));
        let names: Vec<String> = names.map(|one| one.ident.to_string()).collect();
        for (name, next) in circle(&names) {
            for ty in [&*ty.to_string(), "Self"] {
                add_only(&mut self.all.variants, &path_of(ty, name), Some(next));
            }
        }
    }

    /// Returns the text of all types in a signature.
    fn types_of(&self, signature: &Signature) -> String {
        let mut types = String::new();
        for input in &signature.inputs {
            let ty = match input {
                FnArg::Receiver(receiver) => byte_range(receiver),
                FnArg::Typed(typed) => byte_range(&typed.ty),
            };
            types = types + &self.text[ty] + ", ";
        }
        if signature.asyncness.is_some() {
            types += "async ";
        }
        if let ReturnType::Type(_, ty) = &signature.output {
            types += &self.text[byte_range(ty)];
        }
        types
    }
}

/// Returns the last name in a type's path: `Vec` of `std::vec::Vec<u8>`.
fn last_name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}

/// Whether a function returns nothing, and is not asynchronous.
fn gives_nothing(signature: &Signature) -> bool {
    signature.asyncness.is_none() && super::functions::returns_nothing(signature)
}

/// Notes that `other` may take the place of a name; if several definitions have the name, nothing may.
fn add_only(others: &mut OnlyOthers, name: &str, other: Option<&String>) {
    let known = others.entry(name.to_owned());
    let known = known.or_insert_with(|| other.cloned());
    if known.as_ref() != other {
        *known = None;
    }
}

/// Notes that each of some names may be replaced by the one after it, and the last by the first, if there are several.
fn add_circle(next: &mut BTreeMap<String, String>, names: &[String]) {
    for (name, other) in circle(names).filter(|_| names.len() > 1) {
        let known = next.entry(name.clone());
        known.or_insert_with(|| other.clone());
    }
}

/// Pairs each name with the next one, and the last one with the first.
fn circle(names: &[String]) -> impl Iterator<Item = (&String, &String)> {
    names.iter().zip(names.iter().cycle().skip(1))
}

impl<'ast> Visit<'ast> for SignatureReader<'_> {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let functions = item.items.iter().filter_map(|one| match one {
            ImplItem::Fn(function) => Some(&function.sig),
            _ => None,
        });
        self.note_siblings(functions.clone());
        self.note_shorter_calls(functions.clone());
        let implemented = item
            .trait_
            .as_ref()
            .and_then(|(path, _)| path.segments.last());
        self.all.has_products |= implemented.is_some_and(|name| name.ident == "Mul");
        if item.trait_.is_none() {
            self.note_constructor(&item.self_ty, functions);
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let functions = item.items.iter().filter_map(|one| match one {
            TraitItem::Fn(function) => Some(&function.sig),
            _ => None,
        });
        self.note_siblings(functions.clone());
        self.note_shorter_calls(functions);
        visit::visit_item_trait(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        let inputs = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        });
        self.note(&signature.ident, &inputs.collect::<Vec<_>>());
        let is_integer = match &signature.output {
            ReturnType::Type(_, ty) => is_integer_type(&self.text[byte_range(ty)]),
            ReturnType::Default => false,
        };
        let of_name = self.all.gives_integer.entry(signature.ident.to_string());
        *of_name.or_insert(true) &= is_integer;
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.note_variants(&item.ident, item.variants.iter());
        visit::visit_item_enum(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        match &item.fields {
            Fields::Unnamed(fields) => {
                let types = fields.unnamed.iter().map(|field| &field.ty);
                self.note(&item.ident, &types.collect::<Vec<_>>());
            }
            Fields::Named(fields) => {
                self.note_fields(fields);
                self.note_parts(&item.ident, fields);
            }
            Fields::Unit => {}
        }
        visit::visit_item_struct(self, item);
    }
}
