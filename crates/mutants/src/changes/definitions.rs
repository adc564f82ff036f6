//! The functions of a file, each with the type whose method it is.

use reduce_syntax::is_only_for_tests;
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Pat, ReceiverKind, Signature, Type};

/// A function with a body.
pub(super) struct Definition<'ast> {
    /// The name of the type that `self` has in the function, if it is in an `impl`.
    pub(super) self_type: Option<String>,
    pub(super) signature: &'ast Signature,
    pub(super) body: &'ast Block,
}

impl<'ast> Definition<'ast> {
    /// Returns the name of the type of `self`, if the function has that.
    pub(super) fn receiver(&self) -> Option<&str> {
        let self_type = self.self_type.as_deref();
        self_type.filter(|_| self.signature.receiver().is_some())
    }

    /// Whether the function has `self`, as a shared reference.
    pub(super) fn has_shared_self(&self) -> bool {
        let receiver = self.signature.receiver();
        receiver.is_some_and(|receiver| match &receiver.kind {
            ReceiverKind::Reference(.., mutability) => mutability.is_none(),
            ReceiverKind::Typed(_, ty) => match &**ty {
                Type::Reference(reference) => reference.mutability.is_none(),
                _ => false,
            },
            _ => false,
        })
    }

    /// Returns the names of the parameters but for `self`.
    pub(super) fn parameters(&self) -> impl Iterator<Item = String> + use<'ast> {
        let inputs = self.signature.inputs.iter();
        inputs.filter_map(|input| match input {
            FnArg::Typed(typed) => name_of(&typed.pat),
            FnArg::Receiver(_) => None,
        })
    }
}

/// Finds the functions of a file in the order of the source, but for those that only tests have.
pub(super) fn definitions_of(syntax: &syn::File) -> Vec<Definition<'_>> {
    let mut finder = Finder::default();
    finder.visit_file(syntax);
    finder.found
}

/// Returns the name that a pattern binds, if it is nothing but a name.
pub(super) fn name_of(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(named) if named.subpat.is_none() => Some(named.ident.to_string()),
        Pat::Type(typed) => name_of(&typed.pat),
        _ => None,
    }
}

/// Returns the variable at the beginning of fields of fields.
pub(super) fn base_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Field(field) => base_of(&field.base),
        _ => None,
    }
}

#[derive(Default)]
struct Finder<'ast> {
    self_type: Option<String>,
    found: Vec<Definition<'ast>>,
}

impl<'ast> Finder<'ast> {
    fn function(&mut self, signature: &'ast Signature, body: &'ast Block) {
        self.found.push(Definition {
            self_type: self.self_type.clone(),
            signature,
            body,
        });
        visit::visit_block(self, body);
    }
}

impl<'ast> Visit<'ast> for Finder<'ast> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_only_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_impl(&mut self, implementation: &'ast syn::ItemImpl) {
        let name = match &*implementation.self_ty {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let outer = std::mem::replace(&mut self.self_type, name);
        visit::visit_item_impl(self, implementation);
        self.self_type = outer;
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_only_for_tests(&function.attrs) {
            let outer = self.self_type.take();
            self.function(&function.sig, &function.block);
            self.self_type = outer;
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_only_for_tests(&function.attrs) {
            self.function(&function.sig, &function.block);
        }
    }
}
