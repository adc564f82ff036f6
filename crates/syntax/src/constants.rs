//! The parts of a file that the compiler evaluates: the values of constants, and functions that are `const`.

use crate::parse::byte_range;
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprConst, ExprRepeat, File, Signature};

/// The parts of a file that the compiler evaluates, or may evaluate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Constants {
    /// The bytes of the expressions that the compiler evaluates in any case, such as the value of a `static` and the
    /// length of an array.
    pub values: Vec<Range<usize>>,
    /// The functions that are `const`, which the compiler evaluates if such an expression calls them.
    pub functions: Vec<ConstFunction>,
    /// The bytes between the brackets of macro calls, which may expand to something that the compiler evaluates.
    pub macros: Vec<Range<usize>>,
}

/// A function that is `const`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstFunction {
    /// The bytes of the word `const`.
    pub keyword: Range<usize>,
    /// The function's own name, without those of its modules and its type.
    pub name: String,
    /// The bytes of its body.
    pub body: Range<usize>,
}

impl Constants {
    /// Finds the parts of a file that the compiler evaluates.
    #[must_use]
    pub fn of(file: &File) -> Self {
        let mut constants = Self::default();
        constants.visit_file(file);
        constants
    }

    /// Returns the bytes of all values of constants and of all bodies of functions.
    pub fn bodies(&self) -> impl Iterator<Item = Range<usize>> {
        let bodies = self.functions.iter().map(|function| &function.body);
        self.values.iter().chain(bodies).cloned()
    }

    fn add(&mut self, value: &Expr) {
        self.values.push(byte_range(value));
    }

    fn function(&mut self, signature: &Signature, body: &Block) {
        self.functions
            .extend(signature.constness.map(|keyword| ConstFunction {
                keyword: byte_range(&keyword),
                name: signature.ident.to_string(),
                body: byte_range(body),
            }));
    }
}

impl<'a> Visit<'a> for Constants {
    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.add(&item.expr);
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.add(&item.expr);
        visit::visit_item_static(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.add(&item.expr);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_trait_item_const(&mut self, item: &'a syn::TraitItemConst) {
        item.default.iter().for_each(|(_, value)| self.add(value));
        visit::visit_trait_item_const(self, item);
    }

    fn visit_macro(&mut self, macro_: &'a syn::Macro) {
        self.macros.push(byte_range(&macro_.tokens));
    }

    fn visit_variant(&mut self, variant: &'a syn::Variant) {
        let discriminant = variant.discriminant.iter();
        discriminant.for_each(|(_, value)| self.add(value));
        visit::visit_variant(self, variant);
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        let body = item.default.iter();
        body.for_each(|body| self.function(&item.sig, body));
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_expr_const(&mut self, block: &'a ExprConst) {
        self.values.push(byte_range(block));
        visit::visit_expr_const(self, block);
    }

    fn visit_expr_repeat(&mut self, repeated: &'a ExprRepeat) {
        self.add(&repeated.len);
        visit::visit_expr_repeat(self, repeated);
    }

    fn visit_type_array(&mut self, array: &'a syn::TypeArray) {
        self.add(&array.len);
        visit::visit_type_array(self, array);
    }

    fn visit_generic_argument(&mut self, argument: &'a syn::GenericArgument) {
        match argument {
            syn::GenericArgument::Const(value) => self.add(value),
            syn::GenericArgument::AssocConst(constant) => self.add(&constant.value),
            _ => {}
        }
        visit::visit_generic_argument(self, argument);
    }

    fn visit_const_param(&mut self, parameter: &'a syn::ConstParam) {
        let default = parameter.default.iter();
        default.for_each(|(_, value)| self.add(value));
        visit::visit_const_param(self, parameter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Parsed;

    #[test]
    fn values_and_functions_are_told_apart() {
        let text = "const C: [u8; 1 + 1] = f(); impl S { pub const fn f() { g() } fn g() { [0; N]; m!(x); } }";
        let parsed = Parsed::new(text);
        let constants = Constants::of(parsed.file().unwrap());
        let texts = |ranges: &[Range<usize>]| {
            let texts = ranges.iter().map(|range| &text[range.clone()]);
            texts.collect::<Vec<_>>()
        };
        assert_eq!(texts(&constants.values), ["f()", "1 + 1", "N"]);
        assert_eq!(texts(&constants.macros), ["x"]);
        let [function] = constants.functions.as_slice() else {
            panic!("{constants:?}");
        };
        let parts = [function.keyword.clone(), function.body.clone()];
        assert_eq!(function.name, "f");
        assert_eq!(texts(&parts), ["const", "{ g() }"]);
        assert_eq!(constants.bodies().count(), 4);
    }
}
