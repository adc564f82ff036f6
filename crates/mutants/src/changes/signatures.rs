//! Which functions of a crate take two values of one type, so that these may come in the other order.

use reduce_syntax::{ParsedFiles, SourceTree, byte_range};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::{FnArg, Signature, Type};

/// The names of the functions, methods and tuple structs that take two values of types that are written alike. Who has
/// such a name need not be the one that is called.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    of_one_type: BTreeSet<String>,
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
}

impl<'ast> Visit<'ast> for SignatureReader<'_> {
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
