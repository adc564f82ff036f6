//! The lists and parts of single pieces of syntax, for the visitor that meets them.

use super::Builder;
use crate::interruption::interrupt_if_over;
use crate::located::Located;
use crate::macro_arguments::MacroArguments;
use crate::mir_body::MirBody;
use crate::parse::byte_range;
use crate::tree::{Element, ListKind};
use proc_macro2::TokenStream;
use std::ops::Range;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, File, Item, MacroDelimiter, Meta, Pat, RangeLimits, Stmt, Token, Type};

impl Builder<'_> {
    /// Adds the list of some items. They are visited here, because an item's weight includes the files of the modules in it.
    pub(super) fn items(&mut self, items: &[Item]) {
        let mut elements = Vec::with_capacity(items.len());
        for item in items {
            let visited_before = self.visited.len();
            self.deeper(|inside| inside.visit_item(item));
            elements.push(self.item_element(item, visited_before));
        }
        self.list(ListKind::Items, elements);
    }

    fn item_element(&self, item: &Item, visited_before: usize) -> Element {
        let files = self.visited[visited_before..].to_vec();
        let element = self.element(byte_range(item));
        let mut weight = element.weight;
        for &file in &files {
            weight += crate::lexer::count_tokens(self.sources.text(file));
        }
        Element {
            weight,
            files,
            ..element
        }
    }

    pub(super) fn members<T: Located>(&mut self, members: &[T]) {
        self.list(ListKind::Members, self.elements(members));
    }

    pub(super) fn bounds<T: Located, P: Located>(
        &mut self,
        colon: Option<&Token![:]>,
        bounds: &Punctuated<T, P>,
    ) {
        let elements = self.separated(bounds);
        let wrapper = colon
            .zip(elements.last())
            .map(|(colon, last)| byte_range(colon).start..last.range.end);
        self.wrapped_list(ListKind::Bounds, elements, wrapper);
    }

    pub(super) fn default_value<T: Located>(&mut self, default: Option<&(Token![=], T)>) {
        if let Some((equals, value)) = default {
            self.part_between(equals, value);
        }
    }

    pub(super) fn contents_of(&self, braces: &syn::token::Brace) -> Range<usize> {
        let open = braces.span.open().byte_range();
        let close = braces.span.close().byte_range();
        open.end..close.start
    }

    /// Adds the contents of a macro call: as items, statements or expressions if they parse as such, else as tokens.
    pub(super) fn macro_tokens(&mut self, tokens: &TokenStream, delimiter: &MacroDelimiter) {
        // What stands in calls in calls is parsed at each of them.
        interrupt_if_over();
        if let Ok(file) = syn::parse2::<File>(tokens.clone())
            && !file.items.is_empty()
        {
            return self.items(&file.items);
        }
        match MacroArguments::of(tokens) {
            MacroArguments::Expressions(all) => self.expressions(ListKind::Arguments, &all),
            MacroArguments::Statements(all) if matches!(delimiter, MacroDelimiter::Brace(_)) => {
                self.statements(&all);
            }
            _ => self.macro_chunks(tokens.clone()),
        }
    }

    /// Adds the declarations, blocks and statements that may go from a function body written as MIR. Where the function
    /// begins, and how each block ends, stays.
    pub(super) fn mir_body(&mut self, body: &MirBody) {
        let declared = body.declarations.iter();
        let declared = declared.map(|one| self.element(one.range.clone()));
        self.list(ListKind::Statements, declared.collect());
        let named = body.blocks.iter().filter(|block| block.name.is_some());
        let named = named.map(|block| self.element(block.range.clone()));
        self.list(ListKind::Statements, named.collect());
        let locals = body
            .declarations
            .iter()
            .filter_map(|one| one.local.as_ref());
        let of_blocks = body.blocks.iter().flat_map(|block| &block.statements);
        for block in &body.blocks {
            let (_, before_end) = block.statements.split_last().unzip();
            let before_end = self.elements(before_end.unwrap_or_default());
            self.list(ListKind::Statements, before_end);
        }
        for statement in locals.chain(of_blocks) {
            self.deeper(|inside| inside.visit_stmt(statement));
        }
    }

    fn expressions(&mut self, kind: ListKind, all: &Punctuated<Expr, Token![,]>) {
        self.separated_list(kind, all);
        for one in all {
            self.deeper(|inside| inside.visit_expr(one));
        }
    }

    pub(super) fn statements(&mut self, statements: &[Stmt]) {
        self.list(ListKind::Statements, self.elements(statements));
        for statement in statements {
            self.deeper(|inside| inside.visit_stmt(statement));
        }
    }

    pub(super) fn expression_lists(&mut self, expression: &Expr) {
        match expression {
            Expr::Call(call) => self.separated_list(ListKind::Arguments, &call.args),
            Expr::MethodCall(call) => self.separated_list(ListKind::Arguments, &call.args),
            Expr::Array(array) => self.separated_list(ListKind::Elements, &array.elems),
            Expr::Tuple(tuple) => self.tuple(&tuple.elems),
            Expr::Struct(literal) => self.struct_expression(literal),
            Expr::Match(matching) => self.list(ListKind::Arms, self.elements(&matching.arms)),
            Expr::Closure(closure) => self.closure(closure),
            _ => {}
        }
    }

    pub(super) fn expression_parts(&mut self, expression: &Expr) {
        match expression {
            Expr::If(branches) => {
                if let Some((keyword, otherwise)) = &branches.else_branch {
                    self.part_between(keyword, otherwise);
                }
            }
            Expr::Return(leaving) => self.part_if(leaving.expr.as_ref()),
            Expr::Break(leaving) => {
                self.part_if(leaving.label.as_ref());
                self.part_if(leaving.expr.as_ref());
            }
            Expr::Continue(leaving) => self.part_if(leaving.label.as_ref()),
            Expr::Loop(looping) => self.part_if(looping.label.as_ref()),
            Expr::While(looping) => self.part_if(looping.label.as_ref()),
            Expr::ForLoop(looping) => self.part_if(looping.label.as_ref()),
            Expr::Block(block) => self.part_if(block.label.as_ref()),
            Expr::Reference(reference) => self.part_if(reference.mutability.as_ref()),
            Expr::Unsafe(block) => self.part_if(Some(&block.unsafe_token)),
            Expr::Range(range) => {
                self.range_end(range.start.as_ref());
                // `..=` without an end is no range.
                if let RangeLimits::HalfOpen(_) = range.limits {
                    self.range_end(range.end.as_ref());
                }
            }
            _ => {}
        }
    }

    fn struct_expression(&mut self, literal: &syn::ExprStruct) {
        self.list_before(
            ListKind::Elements,
            &literal.fields,
            literal.dot2_token.as_ref(),
        );
        if let (Some(dots), Some(rest)) = (&literal.dot2_token, &literal.rest) {
            self.part_between(dots, rest);
        }
    }

    fn closure(&mut self, closure: &syn::ExprClosure) {
        self.separated_list(ListKind::Parameters, &closure.inputs);
        self.part_if(closure.capture.as_ref());
        self.part_if(closure.asyncness.as_ref());
        self.part_if(closure.constness.as_ref());
        for input in &closure.inputs {
            self.type_ascription(input);
        }
    }

    /// Adds the `: T` of a pattern that is not a function's parameter as a part that may go.
    pub(super) fn type_ascription(&mut self, pattern: &Pat) {
        if let Pat::Type(typed) = pattern {
            self.part_between(&typed.colon_token, &typed.ty);
        }
    }

    pub(super) fn type_lists(&mut self, ty: &Type) {
        match ty {
            Type::Tuple(tuple) => self.tuple(&tuple.elems),
            Type::FnPtr(pointer) => {
                self.list_before(
                    ListKind::Parameters,
                    &pointer.inputs,
                    pointer.variadic.as_ref(),
                );
                self.part_if(pointer.unsafety.as_ref());
                self.part_if(pointer.abi.as_ref());
                self.part_if(pointer.lifetimes.as_ref());
            }
            Type::Reference(reference) => {
                self.part_if(reference.lifetime.as_ref());
                self.part_if(reference.mutability.as_ref());
            }
            Type::ImplTrait(opaque) => self.bounds(None, &opaque.bounds),
            Type::TraitObject(object) => self.bounds(None, &object.bounds),
            _ => {}
        }
    }

    pub(super) fn pattern_lists(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Tuple(tuple) => self.tuple(&tuple.elems),
            Pat::TupleStruct(tuple) => self.separated_list(ListKind::Elements, &tuple.elems),
            Pat::Slice(slice) => self.separated_list(ListKind::Elements, &slice.elems),
            Pat::Struct(fields) => {
                self.list_before(ListKind::Elements, &fields.fields, fields.rest.as_ref())
            }
            Pat::Or(or) => self.separated_list(ListKind::Elements, &or.cases),
            Pat::Ident(binding) => {
                self.part_if(binding.by_ref.as_ref());
                self.part_if(binding.mutability.as_ref());
                if let Some((at, subpattern)) = &binding.subpat {
                    self.part_between(at, subpattern);
                }
            }
            Pat::Guard(guard) => self.part_between(&guard.if_token, &guard.guard),
            _ => {}
        }
    }

    pub(super) fn attribute_arguments(&mut self, attribute: &syn::Attribute) {
        if let Meta::List(list) = &attribute.meta {
            let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone());
            let Ok(metas) = metas else { return };
            let wrapper = byte_range(attribute);
            let elements = self.separated(&metas);
            if elements.len() > 1 {
                self.wrapped_list(ListKind::AttributeArguments, elements, Some(wrapper));
            }
        }
    }
}
