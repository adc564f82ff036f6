//! Which functions of a crate take two values of one type, so that these may come in the other order, and which have
//! the signature of another one beside them, so that this may be called in their place.

use reduce_syntax::{ParsedFiles, SourceTree, byte_range};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{FnArg, ImplItem, ReturnType, Signature, TraitItem, Type};

/// What is known of functions, methods and tuple structs by their names. Who has such a name need not be the one that is
/// called.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// Those that take two values of types that are written alike.
    of_one_type: BTreeSet<String>,
    /// For those that have the signature of others in the same `impl` or trait the next of these, in a circle.
    siblings: BTreeMap<String, String>,
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

    /// Whether something of this name takes two values of one type.
    pub(super) fn takes_two_of_one_type(&self, name: &str) -> bool {
        self.of_one_type.contains(name)
    }

    /// What may be called in place of a function of this name.
    pub(super) fn sibling(&self, name: &str) -> Option<&str> {
        self.siblings.get(name).map(String::as_str)
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
        for names in alike.into_values().filter(|names| names.len() > 1) {
            for (idx, name) in names.iter().enumerate() {
                let next = &names[(idx + 1) % names.len()];
                let known = self.all.siblings.entry(name.clone());
                known.or_insert_with(|| next.clone());
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
        if let syn::Fields::Unnamed(fields) = &item.fields {
            let types = fields.unnamed.iter().map(|field| &field.ty);
            self.note(&item.ident, &types.collect::<Vec<_>>());
        }
        visit::visit_item_struct(self, item);
    }
}
