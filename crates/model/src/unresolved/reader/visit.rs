//! Reads the definitions and mentions of each kind of syntax.

use super::super::file::MentionKind;
use super::{Extent, NamesByScope, is_macro_use};
use proc_macro2::{Ident, TokenStream};
use std::mem::take;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Path};

impl<'f> Visit<'f> for NamesByScope {
    /// Reads the identifiers that no other method here reads.
    fn visit_ident(&mut self, ident: &'f Ident) {
        self.define(ident);
    }

    fn visit_attribute(&mut self, attribute: &'f Attribute) {
        self.attribute(attribute);
    }

    fn visit_token_stream(&mut self, tokens: &'f TokenStream) {
        self.define_words(tokens, false);
    }

    fn visit_item(&mut self, item: &'f Item) {
        self.item(item);
        let extent = match item {
            Item::Mod(_) => Extent::Module,
            _ => Extent::Part,
        };
        self.scoped(extent, |reader| {
            if matches!(
                item,
                Item::Impl(_)
                    | Item::Trait(_)
                    | Item::TraitAlias(_)
                    | Item::Struct(_)
                    | Item::Enum(_)
                    | Item::Union(_)
            ) {
                reader.define(&"Self");
            }
            visit::visit_item(reader, item);
        });
    }

    fn visit_item_use(&mut self, item: &'f syn::ItemUse) {
        item.attrs.iter().for_each(|one| self.attribute(one));
        let first = self.mentions.len();
        self.use_tree(&item.tree, &mut Vec::new());
        if item.leading_colon.is_some() {
            for mention in self.mentions.drain(first..) {
                self.file.outside.extend(mention.path.first());
            }
        }
    }

    fn visit_item_extern_crate(&mut self, item: &'f syn::ItemExternCrate) {
        self.file.imports_macros |= item.attrs.iter().any(is_macro_use);
        self.outside(&item.ident);
        let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
        let name = self.names.name(name);
        self.define_item(name, super::DefinitionKind::Everywhere);
    }

    fn visit_item_macro(&mut self, item: &'f syn::ItemMacro) {
        item.attrs.iter().for_each(|one| self.attribute(one));
        match &item.ident {
            // The tokens of a macro's definition may be expanded anywhere.
            Some(ident) => {
                self.own_macro(ident);
                self.define_word(ident, true);
                self.define_words(&item.mac.tokens, true);
            }
            None => self.visit_macro(&item.mac),
        }
    }

    fn visit_macro(&mut self, invocation: &'f syn::Macro) {
        let path = &invocation.path;
        self.file.includes_by_macro |= path.is_ident("include");
        if path.leading_colon.is_none() {
            let segments = path.segments.iter();
            let path = segments.map(|part| self.names.name(&part.ident)).collect();
            self.mention(path, MentionKind::Macro);
        }
        match self.expressions(path, &invocation.tokens) {
            Some(expressions) => self.arguments(&expressions),
            None => self.define_words(&invocation.tokens, false),
        }
    }

    fn visit_item_mod(&mut self, item: &'f syn::ItemMod) {
        self.file.n_files_included += usize::from(item.content.is_none());
        item.attrs.iter().for_each(|one| self.attribute(one));
        // The module's own name is not visible in the module.
        let items = item.content.iter().flat_map(|(_, items)| items);
        items.for_each(|item| self.visit_item(item));
    }

    fn visit_foreign_item(&mut self, item: &'f syn::ForeignItem) {
        let ident = match item {
            syn::ForeignItem::Fn(item) => Some(&item.sig.ident),
            syn::ForeignItem::Static(item) => Some(&item.ident),
            syn::ForeignItem::Type(item) => Some(&item.ident),
            _ => None,
        };
        if let Some(ident) = ident {
            self.define_other(ident);
        }
        self.scoped(Extent::Part, |reader| {
            visit::visit_foreign_item(reader, item)
        });
    }

    fn visit_variant(&mut self, variant: &'f syn::Variant) {
        self.define_other(&variant.ident);
        self.fields(&variant.ident, &variant.fields);
        visit::visit_variant(self, variant);
    }

    fn visit_impl_item(&mut self, item: &'f syn::ImplItem) {
        self.scoped(Extent::Part, |reader| visit::visit_impl_item(reader, item));
    }

    fn visit_trait_item(&mut self, item: &'f syn::TraitItem) {
        self.scoped(Extent::Part, |reader| visit::visit_trait_item(reader, item));
    }

    fn visit_block(&mut self, block: &'f syn::Block) {
        self.scoped(Extent::Block, |reader| visit::visit_block(reader, block));
    }

    fn visit_arm(&mut self, arm: &'f syn::Arm) {
        self.scoped(Extent::Part, |reader| visit::visit_arm(reader, arm));
    }

    fn visit_expr_closure(&mut self, closure: &'f syn::ExprClosure) {
        self.scoped(Extent::Part, |reader| {
            visit::visit_expr_closure(reader, closure)
        });
    }

    fn visit_expr_if(&mut self, expr: &'f syn::ExprIf) {
        self.scoped(Extent::Part, |reader| visit::visit_expr_if(reader, expr));
    }

    fn visit_expr_while(&mut self, expr: &'f syn::ExprWhile) {
        self.scoped(Extent::Part, |reader| visit::visit_expr_while(reader, expr));
    }

    fn visit_expr_for_loop(&mut self, expr: &'f syn::ExprForLoop) {
        self.scoped(Extent::Part, |reader| {
            visit::visit_expr_for_loop(reader, expr)
        });
    }

    fn visit_expr_call(&mut self, call: &'f syn::ExprCall) {
        if let Expr::Path(callee) = &*call.func {
            // A function of a trait may be another one for each type.
            if callee.qself.is_none() {
                self.call(&callee.path, call.args.len());
            }
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_signature(&mut self, signature: &'f syn::Signature) {
        match signature.variadic {
            Some(_) => self.value(&signature.ident),
            None => self.takes(&signature.ident, signature.inputs.len()),
        }
        visit::visit_signature(self, signature);
    }

    fn visit_impl_item_const(&mut self, item: &'f syn::ImplItemConst) {
        self.value(&item.ident);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_trait_item_const(&mut self, item: &'f syn::TraitItemConst) {
        self.value(&item.ident);
        visit::visit_trait_item_const(self, item);
    }

    fn visit_pat_ident(&mut self, pattern: &'f syn::PatIdent) {
        self.value(&pattern.ident);
        visit::visit_pat_ident(self, pattern);
    }

    /// Reads the fields as arguments: a pattern has as many as the expression that makes the
    /// struct.
    fn visit_pat_tuple_struct(&mut self, pattern: &'f syn::PatTupleStruct) {
        let is_rest = |field: &syn::Pat| matches!(field, syn::Pat::Rest(_));
        if pattern.qself.is_none() && !pattern.elems.iter().any(is_rest) {
            self.call(&pattern.path, pattern.elems.len());
        }
        visit::visit_pat_tuple_struct(self, pattern);
    }

    fn visit_expr_method_call(&mut self, call: &'f syn::ExprMethodCall) {
        self.method_call(&call.method, call.args.len() + 1);
        call.attrs.iter().for_each(|one| self.attribute(one));
        self.visit_expr(&call.receiver);
        if let Some(turbofish) = &call.turbofish {
            self.visit_angle_bracketed_generic_arguments(turbofish);
        }
        call.args
            .iter()
            .for_each(|argument| self.visit_expr(argument));
    }

    /// Reads nothing for the name of a field, after a dot or before a colon.
    fn visit_member(&mut self, _: &'f syn::Member) {}

    fn visit_receiver(&mut self, receiver: &'f syn::Receiver) {
        self.define(&"self");
        visit::visit_receiver(self, receiver);
    }

    fn visit_lifetime(&mut self, lifetime: &'f syn::Lifetime) {
        let name = self.names.name(&lifetime);
        self.mention(vec![name], MentionKind::Path);
    }

    fn visit_lifetime_param(&mut self, param: &'f syn::LifetimeParam) {
        self.define(&param.lifetime);
        visit::visit_lifetime_param(self, param);
    }

    fn visit_label(&mut self, label: &'f syn::Label) {
        self.define(&label.name);
    }

    /// Reads nothing: the path of a visibility need not exist but for rustc's check of it, and
    /// mentions no more than modules.
    fn visit_vis_restricted(&mut self, _: &'f syn::VisRestricted) {}

    fn visit_qself(&mut self, qualified: &'f syn::QSelf) {
        visit::visit_qself(self, qualified);
        self.qualified = Some(qualified.position);
    }

    fn visit_path(&mut self, path: &'f Path) {
        let n_segments = take(&mut self.qualified).unwrap_or(path.segments.len());
        if path.leading_colon.is_none() && n_segments > 0 {
            let segments = path.segments.iter().take(n_segments);
            let path = segments.map(|part| self.names.name(&part.ident)).collect();
            self.mention(path, MentionKind::Path);
        } else if let Some(first) = path
            .segments
            .first()
            .filter(|_| path.leading_colon.is_some())
        {
            self.outside(&first.ident);
        }
        let arguments = path.segments.iter().map(|part| &part.arguments);
        arguments.for_each(|one| self.visit_path_arguments(one));
    }
}

impl NamesByScope {
    /// Reads expressions that do not live as long as the file. Whatever they bind ends with them.
    fn arguments(&mut self, expressions: &[Expr]) {
        for expression in expressions {
            // `name = value`, as format strings take it, mentions no variable of that name.
            match expression {
                Expr::Assign(assign) => Visit::visit_expr(self, &assign.right),
                other => Visit::visit_expr(self, other),
            }
        }
    }
}
