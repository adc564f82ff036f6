//! Adds the removable lists, the parts and the replaceable nodes of each kind of syntax to the tree.

use super::Builder;
use crate::mir_body::MirBody;
use crate::parse::byte_range;
use crate::tree::{Category, ListKind};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, File, GenericParam, ImplItem, Item, Pat, ReturnType, Safety, Stmt, TraitItem,
    Type, UseTree, Visibility,
};

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
        if let ImplItem::Fn(function) = item {
            self.function(&function.sig, &function.block);
        }
        visit::visit_impl_item(self, item);
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        match item {
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

    /// Adds the chunks of tokens that syn does not understand.
    fn visit_token_stream(&mut self, tokens: &'ast proc_macro2::TokenStream) {
        self.macro_chunks(tokens.clone());
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.deeper(|inside| match MirBody::of(call) {
            Some(body) => inside.mir_body(&body),
            None => inside.macro_tokens(&call.tokens, &call.delimiter),
        });
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        if matches!(expression, Expr::Verbatim(tokens) if tokens.is_empty()) {
            // The `;` of an empty statement stands behind nothing, which has no place.
            return;
        }
        self.expression_lists(expression);
        self.expression_parts(expression);
        let range = without_attributes(expression);
        self.node(Category::Expression, range, |inside| {
            visit::visit_expr(inside, expression)
        });
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        self.type_lists(ty);
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

/// Returns the bytes of a call or a name without the attributes before it, as these belong to its statement: what stands
/// in its place has them too.
fn without_attributes(expression: &Expr) -> Range<usize> {
    let attributes = match expression {
        Expr::Call(call) => &call.attrs,
        Expr::Macro(call) => &call.attrs,
        Expr::MethodCall(call) => &call.attrs,
        Expr::Path(path) => &path.attrs,
        _ => return byte_range(expression),
    };
    let whole = byte_range(expression);
    let Some(last) = attributes.last() else {
        return whole;
    };
    byte_range(last).end..whole.end
}
