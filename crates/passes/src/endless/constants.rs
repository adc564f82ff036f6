//! Endless loops in what the compiler evaluates. Queries let it do so without an end: lints are capped, and what ends the
//! evaluation of a constant is a lint.

use super::is_endless_loop;
use reduce_syntax::{Parsed, SourceTree, TokenCursor, byte_range};
use std::ops::Range;
use std::sync::Arc;
use syn::visit::{self, Visit};
use syn::{Expr, ExprConst, ExprRepeat, Signature};

/// What stands in the place of such a loop. It is of each type, as that is, and ends the evaluation with an error.
const END: &str = "panic! {}";

/// A program with a panic in the place of each `loop {}` in its constants and constant functions, if it has more of them than
/// `known`. `None` otherwise, and where there is no such macro.
#[must_use]
pub fn halting_in_constants(tree: &SourceTree, known: usize) -> Option<SourceTree> {
    let loops: Vec<_> = tree
        .files()
        .map(|(file, _, text)| (file, loops_in_constants(text)))
        .collect();
    if loops.iter().map(|(_, loops)| loops.len()).sum::<usize>() <= known {
        return None;
    }
    let mut halting = tree.clone();
    for (file, loops) in loops {
        let mut text = tree.text(file).to_owned();
        for range in loops.into_iter().rev() {
            text.replace_range(range, END);
        }
        halting.set_text(file, Arc::from(text));
    }
    Some(halting)
}

/// How many `loop {}` a program has in its constants and constant functions.
#[must_use]
pub fn count_loops_in_constants(tree: &SourceTree) -> usize {
    let texts = tree.files().map(|(_, _, text)| text);
    texts.map(|text| loops_in_constants(text).len()).sum()
}

fn loops_in_constants(text: &str) -> Vec<Range<usize>> {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // Most programs are decided by this alone. A number of elements needs no word.
    if !has(&["loop"]) || !has(&["const", "static", "; ", "enum"]) || has(&["no_core"]) {
        return Vec::new();
    }
    let cursor = TokenCursor::without_docs(text);
    let is_endless = |idx: &usize| is_endless_loop(&cursor, *idx);
    let loops: Vec<usize> = cursor.indices().filter(is_endless).collect();
    if loops.is_empty() {
        return Vec::new();
    }
    let parsed = Parsed::new(text);
    let mut constants = Constants::default();
    if let Some(file) = parsed.file() {
        constants.visit_file(file);
    }
    let loops = loops.into_iter().map(|idx| cursor.bytes(idx, idx + 2));
    let is_evaluated = |one: &Range<usize>| {
        let mut all = constants.all.iter();
        all.any(|constant| constant.start <= one.start && one.end <= constant.end)
    };
    loops.filter(is_evaluated).collect()
}

/// Where what the compiler evaluates is, in bytes.
#[derive(Default)]
struct Constants {
    all: Vec<Range<usize>>,
}

impl Constants {
    fn add(&mut self, value: &Expr) {
        self.all.push(byte_range(value));
    }

    fn function(&mut self, signature: &Signature, block: &syn::Block) {
        if signature.constness.is_some() {
            self.all.push(byte_range(block));
        }
    }
}

impl<'a> Visit<'a> for Constants {
    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.add(&item.expr);
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.add(&item.expr);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.add(&item.expr);
    }

    fn visit_trait_item_const(&mut self, item: &'a syn::TraitItemConst) {
        item.default.iter().for_each(|(_, value)| self.add(value));
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
        let block = item.default.iter();
        block.for_each(|block| self.function(&item.sig, block));
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_expr_const(&mut self, block: &'a ExprConst) {
        self.all.push(byte_range(block));
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
        parameter
            .default
            .iter()
            .for_each(|(_, value)| self.add(value));
        visit::visit_const_param(self, parameter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let tree = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let halting = halting_in_constants(&tree, 0);
        let found = halting.as_ref().map(|tree| tree.text(tree.root()));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_is_evaluated_ends() {
        check(
            "const C: u8 = loop {}; fn f() { loop {} }",
            Some("const C: u8 = panic! {}; fn f() { loop {} }"),
        );
        check(
            "static S: u8 = { 1; loop {} };",
            Some("static S: u8 = { 1; panic! {} };"),
        );
        check(
            "const fn f() { loop {} }",
            Some("const fn f() { panic! {} }"),
        );
        check(
            "struct S; impl S { const C: u8 = loop {}; const fn f() { loop {} } }",
            Some("struct S; impl S { const C: u8 = panic! {}; const fn f() { panic! {} } }"),
        );
        check(
            "fn f(x: [u8; loop {}]) { const { loop {} }; [1; { loop {} }]; g::<{ loop {} }>() }",
            Some(
                "fn f(x: [u8; panic! {}]) { const { panic! {} }; [1; { panic! {} }]; g::<{ panic! {} }>() }",
            ),
        );
        check(
            "enum E { A = loop {} } trait T { const C: u8 = loop {}; }",
            Some("enum E { A = panic! {} } trait T { const C: u8 = panic! {}; }"),
        );
    }

    #[test]
    fn what_runs_or_has_no_macros_stays() {
        check("fn f() { loop {} } const C: u8 = 1;", None);
        check("fn f(x: *const u8) { loop {} }", None);
        check("#![no_core] const C: u8 = loop {};", None);
    }

    #[test]
    fn as_many_as_are_known_may_stay() {
        let text = "const C: u8 = loop {};";
        let tree = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        assert_eq!(count_loops_in_constants(&tree), 1);
        assert_eq!(halting_in_constants(&tree, 1), None);
    }
}
