//! Which functions of a crate take two values of one type, so that these may come in the other order, and which have
//! the signature of another one beside them, so that this may be called in their place. And which fields of structs have
//! the type of another one.

use super::variables::is_copied;
use crate::instrument::Receivers;
use reduce_syntax::{ParsedFiles, SourceTree, byte_range, is_number_type};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Fields, FieldsNamed, FnArg, ImplItem, ReturnType, Signature, TraitItem, Type};

/// What is known of functions, methods and tuple structs by their names. Who has such a name need not be the one that is
/// called.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// Those that take two values of types that are written alike.
    of_one_type: BTreeSet<String>,
    /// For those that have the signature of others in the same `impl` or trait the next of these, in a circle.
    siblings: BTreeMap<String, String>,
    /// The same for fields of structs whose values are copied.
    fields: BTreeMap<String, String>,
    /// For fields of structs, whatever their type, the next one of the same type, in a circle. None for a name that
    /// fields of several structs have, if these have not the same one beside them.
    receivers: BTreeMap<String, Option<String>>,
    /// Fields that are numbers in some struct.
    numbers: BTreeSet<String>,
    /// Fields that are something else in some struct.
    no_numbers: BTreeSet<String>,
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

    /// The same, where it is known of some fields which others are called on in their place.
    pub(crate) fn with_receivers(mut self, receivers: &Receivers) -> Self {
        let known = receivers.iter();
        let known = known.map(|(name, other)| (name.clone(), Some(other.clone())));
        self.receivers.extend(known);
        self
    }

    /// Whether something of this name takes two values of one type.
    pub(super) fn takes_two_of_one_type(&self, name: &str) -> bool {
        self.of_one_type.contains(name)
    }

    /// What may be called in place of a function of this name.
    pub(super) fn sibling(&self, name: &str) -> Option<&str> {
        self.siblings.get(name).map(String::as_str)
    }

    /// The same where only some names are known to be defined.
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

    /// The field that may be read in place of one of this name.
    pub(super) fn sibling_field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// The field on which a method may be called in place of one of this name.
    pub(super) fn sibling_receiver(&self, name: &str) -> Option<&str> {
        self.receivers.get(name)?.as_deref()
    }
}

/// Goes through a file and notes names.
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

    /// Notes which of the functions of an `impl` or a trait have one signature.
    fn note_siblings<'a>(&mut self, signatures: impl Iterator<Item = &'a Signature>) {
        let mut alike: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for signature in signatures {
            let names = alike.entry(self.types_of(signature)).or_default();
            names.push(signature.ident.to_string());
        }
        let siblings = &mut self.all.siblings;
        alike.values().for_each(|names| add_circle(siblings, names));
    }

    /// Notes which fields of a struct have one type.
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

    /// Notes the fields of a struct that have one type.
    fn note_receivers(&mut self, names: &[String]) {
        for (name, next) in circle(names) {
            let other = (next != name).then(|| next.clone());
            let known = self.all.receivers.entry(name.clone());
            let known = known.or_insert_with(|| other.clone());
            if *known != other {
                *known = None;
            }
        }
    }

    /// All types of a signature, as they are written.
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

/// Of names that are alike, adds the next one for each, in a circle.
fn add_circle(next: &mut BTreeMap<String, String>, names: &[String]) {
    for (name, other) in circle(names).filter(|_| names.len() > 1) {
        let known = next.entry(name.clone());
        known.or_insert_with(|| other.clone());
    }
}

/// Each name with the next one; with the last one comes the first.
fn circle(names: &[String]) -> impl Iterator<Item = (&String, &String)> {
    names.iter().zip(names.iter().cycle().skip(1))
}

impl<'ast> Visit<'ast> for SignatureReader<'_> {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let functions = item.items.iter().filter_map(|one| match one {
            ImplItem::Fn(function) => Some(&function.sig),
            _ => None,
        });
        self.note_siblings(functions);
        visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let functions = item.items.iter().filter_map(|one| match one {
            TraitItem::Fn(function) => Some(&function.sig),
            _ => None,
        });
        self.note_siblings(functions);
        visit::visit_item_trait(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        let inputs = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        });
        self.note(&signature.ident, &inputs.collect::<Vec<_>>());
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        match &item.fields {
            Fields::Unnamed(fields) => {
                let types = fields.unnamed.iter().map(|field| &field.ty);
                self.note(&item.ident, &types.collect::<Vec<_>>());
            }
            Fields::Named(fields) => self.note_fields(fields),
            Fields::Unit => {}
        }
        visit::visit_item_struct(self, item);
    }
}
