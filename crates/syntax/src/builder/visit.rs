//! Which syntax has which removable lists, parts and replaceable nodes.

use super::Builder;
use crate::macro_arguments::MacroArguments;
use crate::parse::byte_range;
use crate::tree::{Category, Element, ListKind};
use proc_macro2::TokenStream;
use std::ops::Range;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, File, GenericParam, ImplItem, Item, MacroDelimiter, Meta, Pat, ReturnType, Safety,
    Stmt, Token, TraitItem, Type, UseTree, Visibility,
};

impl Builder<'_> {
    /// The list of some items. They are visited here, because an item's weight includes the files
    /// of the modules in it.
    fn items(&mut self, items: &[Item]) {
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

    fn members<T: Spanned>(&mut self, members: &[T]) {
        self.list(ListKind::Members, self.elements(members));
    }

    fn bounds<T: Spanned, P: Spanned>(
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

    fn default_value<T: Spanned>(&mut self, default: Option<&(Token![=], T)>) {
        if let Some((equals, value)) = default {
            self.part_between(equals, value);
        }
    }

    fn contents_of(&self, braces: &syn::token::Brace) -> Range<usize> {
        let open = braces.span.open().byte_range();
        let close = braces.span.close().byte_range();
        open.end..close.start
    }

    /// The tokens of a macro call: items, statements or expressions if they parse as such.
    fn macro_tokens(&mut self, tokens: &TokenStream, delimiter: &MacroDelimiter) {
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

    fn expressions(&mut self, kind: ListKind, all: &Punctuated<Expr, Token![,]>) {
        self.separated_list(kind, all);
        for one in all {
            self.deeper(|inside| inside.visit_expr(one));
        }
    }

    fn statements(&mut self, statements: &[Stmt]) {
        self.list(ListKind::Statements, self.elements(statements));
        for statement in statements {
            self.deeper(|inside| inside.visit_stmt(statement));
        }
    }

    fn expression_lists(&mut self, expression: &Expr) {
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

    fn expression_parts(&mut self, expression: &Expr) {
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
                self.part_if(range.start.as_ref());
                self.part_if(range.end.as_ref());
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

    /// The `: T` of a pattern that is not a function's parameter.
    fn type_ascription(&mut self, pattern: &Pat) {
        if let Pat::Type(typed) = pattern {
            self.part_between(&typed.colon_token, &typed.ty);
        }
    }

    fn type_lists(&mut self, ty: &Type) {
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

    fn pattern_lists(&mut self, pattern: &Pat) {
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

    fn attribute_arguments(&mut self, attribute: &syn::Attribute) {
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

impl<'ast> Visit<'ast> for Builder<'_> {
    fn visit_file(&mut self, file: &'ast File) {
        for attribute in &file.attrs {
            self.visit_attribute(attribute);
        }
        self.items(&file.items);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let element = self.element(byte_range(attribute));
        self.attributes.elements.push(element);
        self.attribute_arguments(attribute);
    }

    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Verbatim(tokens) = item {
            return self.token_chunks(tokens.clone());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        for attribute in &module.attrs {
            self.visit_attribute(attribute);
        }
        self.visit_visibility(&module.vis);
        if let Some((braces, items)) = &module.content {
            let inside = self.current.directory.inline(module);
            let outside = std::mem::replace(&mut self.current.directory, inside);
            let (whole, contents) = (byte_range(module), self.contents_of(braces));
            self.node(Category::Module, whole, |builder| {
                builder.node(Category::ModuleContents, contents, |inner| {
                    inner.items(items)
                });
            });
            self.current.directory = outside;
            return;
        }
        for (path, by_path_attribute) in self.current.directory.candidates(module) {
            match self.sources.find(&path) {
                Some(file) if !self.visited.contains(&file) => self.file(file, by_path_attribute),
                _ => {}
            }
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.members(&item.items);
        self.part_if(item.unsafety.as_ref());
        if let Some((path, keyword)) = &item.trait_ {
            let start = item.modifiers.polarity.as_ref().map_or_else(
                || byte_range(path).start,
                |polarity| byte_range(polarity).start,
            );
            self.part(start..byte_range(keyword).end);
        }
        self.deeper(|inside| visit::visit_item_impl(inside, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.members(&item.items);
        self.part_if(item.unsafety.as_ref());
        self.bounds(item.colon_token.as_ref(), &item.supertraits);
        self.deeper(|inside| visit::visit_item_trait(inside, item));
    }

    fn visit_item_foreign_mod(&mut self, item: &'ast syn::ItemForeignMod) {
        self.members(&item.items);
        self.deeper(|inside| visit::visit_item_foreign_mod(inside, item));
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.separated_list(ListKind::Variants, &item.variants);
        self.deeper(|inside| visit::visit_item_enum(inside, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if item.mac.path.is_ident("macro_rules") {
            for attribute in &item.attrs {
                self.visit_attribute(attribute);
            }
            return self.deeper(|inside| inside.macro_rules(item.mac.tokens.clone()));
        }
        visit::visit_item_macro(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        match item {
            ImplItem::Verbatim(tokens) => return self.token_chunks(tokens.clone()),
            ImplItem::Fn(function) => self.function(&function.sig, &function.block),
            _ => {}
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        match item {
            TraitItem::Verbatim(tokens) => return self.token_chunks(tokens.clone()),
            TraitItem::Fn(function) => {
                if let Some(block) = &function.default {
                    self.function(&function.sig, block);
                    self.replaceable_part(byte_range(block), ";");
                }
            }
            TraitItem::Type(ty) => {
                self.bounds(ty.colon_token.as_ref(), &ty.bounds);
                self.default_value(ty.default.as_ref());
            }
            TraitItem::Const(constant) => self.default_value(constant.default.as_ref()),
            _ => {}
        }
        visit::visit_trait_item(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.list_before(
            ListKind::Parameters,
            &signature.inputs,
            signature.variadic.as_ref(),
        );
        self.part_if(signature.constness.as_ref());
        self.part_if(signature.asyncness.as_ref());
        self.part_if(signature.abi.as_ref());
        if !matches!(signature.safety, Safety::Default) {
            let range = byte_range(&signature.safety);
            self.part(range);
        }
        self.deeper(|inside| visit::visit_signature(inside, signature));
    }

    fn visit_receiver(&mut self, receiver: &'ast syn::Receiver) {
        self.part_if(receiver.mutability.as_ref());
        if let syn::ReceiverKind::Reference(_, lifetime, mutability) = &receiver.kind {
            self.part_if(lifetime.as_ref());
            self.part_if(mutability.as_ref());
        }
        visit::visit_receiver(self, receiver);
    }

    fn visit_return_type(&mut self, output: &'ast ReturnType) {
        if let ReturnType::Type(arrow, ty) = output {
            self.part_between(arrow, ty);
        }
        visit::visit_return_type(self, output);
    }

    fn visit_visibility(&mut self, visibility: &'ast Visibility) {
        if !matches!(visibility, Visibility::Inherited) {
            let range = byte_range(visibility);
            self.part(range);
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.default_value(variant.discriminant.as_ref());
        visit::visit_variant(self, variant);
    }

    fn visit_fields_named(&mut self, fields: &'ast syn::FieldsNamed) {
        self.separated_list(ListKind::Fields, &fields.named);
        self.deeper(|inside| visit::visit_fields_named(inside, fields));
    }

    fn visit_fields_unnamed(&mut self, fields: &'ast syn::FieldsUnnamed) {
        self.separated_list(ListKind::Fields, &fields.unnamed);
        self.deeper(|inside| visit::visit_fields_unnamed(inside, fields));
    }

    fn visit_generics(&mut self, generics: &'ast syn::Generics) {
        let elements = self.separated(&generics.params);
        let wrapper = generics
            .lt_token
            .as_ref()
            .zip(generics.gt_token.as_ref())
            .map(|(open, close)| byte_range(open).start..byte_range(close).end);
        self.wrapped_list(ListKind::GenericParameters, elements, wrapper);
        self.deeper(|inside| visit::visit_generics(inside, generics));
    }

    fn visit_where_clause(&mut self, clause: &'ast syn::WhereClause) {
        let elements = self.separated(&clause.predicates);
        let wrapper = byte_range(clause);
        self.wrapped_list(ListKind::WherePredicates, elements, Some(wrapper));
        self.deeper(|inside| visit::visit_where_clause(inside, clause));
    }

    fn visit_predicate_type(&mut self, predicate: &'ast syn::PredicateType) {
        self.bounds(None, &predicate.bounds);
        self.deeper(|inside| visit::visit_predicate_type(inside, predicate));
    }

    fn visit_generic_param(&mut self, parameter: &'ast GenericParam) {
        match parameter {
            GenericParam::Lifetime(lifetime) => {
                self.bounds(lifetime.colon_token.as_ref(), &lifetime.bounds)
            }
            GenericParam::Type(ty) => {
                self.bounds(ty.colon_token.as_ref(), &ty.bounds);
                self.default_value(ty.default.as_ref());
            }
            GenericParam::Const(constant) => self.default_value(constant.default.as_ref()),
        }
        self.deeper(|inside| visit::visit_generic_param(inside, parameter));
    }

    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        arguments: &'ast syn::AngleBracketedGenericArguments,
    ) {
        let elements = self.separated(&arguments.args);
        let wrapper = byte_range(arguments);
        self.wrapped_list(ListKind::GenericArguments, elements, Some(wrapper));
        self.deeper(|inside| visit::visit_angle_bracketed_generic_arguments(inside, arguments));
    }

    fn visit_parenthesized_generic_arguments(
        &mut self,
        arguments: &'ast syn::ParenthesizedGenericArguments,
    ) {
        self.separated_list(ListKind::Parameters, &arguments.inputs);
        self.deeper(|inside| visit::visit_parenthesized_generic_arguments(inside, arguments));
    }

    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        self.part_if(bound.lifetimes.as_ref());
        visit::visit_trait_bound(self, bound);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let (whole, contents) = (byte_range(block), self.contents_of(&block.brace_token));
        self.node(Category::Expression, whole, |outer| {
            outer.node(Category::BlockContents, contents, |inner| {
                inner.statements(&block.stmts)
            });
        });
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let range = byte_range(statement);
        self.node(Category::Statement, range, |inside| {
            visit::visit_stmt(inside, statement)
        });
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            match &init.diverge {
                Some((_, otherwise)) => self.part_between(&init.eq_token, otherwise),
                None => self.part_between(&init.eq_token, &init.expr),
            }
        }
        self.type_ascription(&local.pat);
        visit::visit_local(self, local);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.deeper(|inside| inside.macro_tokens(&call.tokens, &call.delimiter));
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.expression_lists(expression);
        self.expression_parts(expression);
        if let Expr::Verbatim(tokens) = expression {
            return self.token_chunks(tokens.clone());
        }
        let range = byte_range(expression);
        self.node(Category::Expression, range, |inside| {
            visit::visit_expr(inside, expression)
        });
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        self.type_lists(ty);
        if let Type::Verbatim(tokens) = ty {
            return self.token_chunks(tokens.clone());
        }
        let range = byte_range(ty);
        self.node(Category::Type, range, |inside| {
            visit::visit_type(inside, ty)
        });
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        self.pattern_lists(pattern);
        let range = byte_range(pattern);
        self.node(Category::Pattern, range, |inside| {
            visit::visit_pat(inside, pattern)
        });
    }

    fn visit_use_tree(&mut self, tree: &'ast UseTree) {
        if let UseTree::Group(group) = tree {
            self.separated_list(ListKind::UseTrees, &group.items);
        }
        let range = byte_range(tree);
        self.node(Category::UseTree, range, |inside| {
            visit::visit_use_tree(inside, tree)
        });
    }
}
