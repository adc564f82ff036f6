//! Which syntax defines names.

use super::{BindingKind, GlobalKind, Reader, Special};
use std::ops::Range;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ForeignItem, Ident, ImplItem, Item, Member, Pat, Stmt, Token, TraitItem};

impl Reader<'_> {
    pub(super) fn at(&self, name: &Ident) -> usize {
        name.span().byte_range().start + self.offset
    }

    fn range(&self, syntax: &impl Spanned) -> Range<usize> {
        let range = syntax.span().byte_range();
        range.start + self.offset..range.end + self.offset
    }

    fn between(&self, braces: &syn::token::Brace) -> Range<usize> {
        let (open, close) = (braces.span.open(), braces.span.close());
        open.byte_range().end + self.offset..close.byte_range().start + self.offset
    }

    /// The variables of a pattern, and what else is in it.
    fn pattern(&mut self, pattern: &Pat, visible: Range<usize>) {
        let outer = std::mem::replace(&mut self.visible, visible);
        self.visit_pat(pattern);
        self.visible = outer;
    }

    /// Visits something in a scope of its own.
    fn scope(&mut self, scope: Range<usize>, in_block: bool, walk: impl FnOnce(&mut Self)) {
        let outer = (self.scope.clone(), self.in_block);
        (self.scope, self.in_block) = (scope, in_block);
        walk(self);
        (self.scope, self.in_block) = outer;
    }

    /// Visits something that owns generic parameters.
    fn owner(&mut self, owner: Range<usize>, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.owner, owner);
        walk(self);
        self.owner = outer;
    }

    /// Visits something in which the variables of an `if let` are visible up to its end.
    fn until(&mut self, until: usize, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.until, until);
        walk(self);
        self.until = outer;
    }

    fn function(&mut self, signature: &syn::Signature, body: Option<&Block>) {
        let start = self.at(&signature.ident);
        let body_range = body.map(|block| self.between(&block.brace_token));
        let end = match &body_range {
            Some(body) => body.end,
            None => self.range(signature).end,
        };
        self.owner(start..end, |inside| {
            inside.visit_generics(&signature.generics);
            inside.visit_return_type(&signature.output);
            for input in &signature.inputs {
                let syn::FnArg::Typed(input) = input else {
                    continue;
                };
                inside.visit_type(&input.ty);
                inside.pattern(&input.pat, body_range.clone().unwrap_or(end..end));
            }
            if let Some(block) = body {
                inside.visit_block(block);
            }
        });
    }

    fn statements(&mut self, statements: &[Stmt], range: Range<usize>, in_block: bool) {
        self.scope(range, in_block, |inside| {
            for statement in statements {
                inside.visit_stmt(statement);
            }
        });
    }

    /// The arguments of a macro call as expressions or statements, if they parse as such. Items in
    /// them may be visible outside, as those of `thread_local`.
    fn arguments(&mut self, call: &syn::Macro, range: Range<usize>) {
        let expressions = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(expressions) = expressions.parse2(call.tokens.clone()) {
            return expressions.iter().for_each(|one| self.visit_expr(one));
        }
        match Block::parse_within.parse2(call.tokens.clone()) {
            Ok(statements) => self.statements(&statements, range, self.in_block),
            Err(_) => self.tokens(range),
        }
    }

    fn impl_member(&mut self, ident: &Ident) {
        let at = self.at(ident);
        match self.of_trait {
            Some(of_trait) => self.special(at, Special::ImplMember(of_trait)),
            None => self.global(at, GlobalKind::Member),
        }
    }

    fn if_let(&mut self, condition: &Expr, body: &Block) {
        let end = self.between(&body.brace_token).end;
        self.until(end, |inside| inside.visit_expr(condition));
        self.visit_block(body);
    }
}

/// The name of an item that is no function, impl, trait or module.
fn name_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(one) => Some(&one.ident),
        Item::Enum(one) => Some(&one.ident),
        Item::Macro(one) => one.ident.as_ref(),
        Item::Static(one) => Some(&one.ident),
        Item::Struct(one) => Some(&one.ident),
        Item::TraitAlias(one) => Some(&one.ident),
        Item::Type(one) => Some(&one.ident),
        Item::Union(one) => Some(&one.ident),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_attribute(&mut self, _attribute: &'ast syn::Attribute) {}

    fn visit_item(&mut self, item: &'ast Item) {
        if let Some(name) = name_of(item).filter(|name| *name != "_") {
            self.item(self.at(name));
        }
        match item {
            Item::Verbatim(tokens) => self.tokens(self.range(tokens)),
            Item::Const(_)
            | Item::Enum(_)
            | Item::Struct(_)
            | Item::TraitAlias(_)
            | Item::Type(_)
            | Item::Union(_) => {
                self.owner(self.range(item), |inside| visit::visit_item(inside, item));
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.item(self.at(&item.sig.ident));
        self.function(&item.sig, Some(&item.block));
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.item(self.at(&module.ident));
        let Some((braces, items)) = &module.content else {
            return;
        };
        let contents = self.between(braces);
        self.sites.modules.push(contents.clone());
        self.scope(contents, false, |inside| {
            items.iter().for_each(|item| inside.visit_item(item));
        });
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let start = block.impl_token.span.byte_range().start + self.offset;
        let end = self.between(&block.brace_token).end;
        let path = block.trait_.as_ref().map(|(path, _)| path);
        let last = path.and_then(|path| path.segments.last());
        let of_trait = last.map(|one| self.at(&one.ident));
        let outer = std::mem::replace(&mut self.of_trait, of_trait);
        self.owner(start..end, |inside| {
            inside.visit_generics(&block.generics);
            block
                .items
                .iter()
                .for_each(|item| inside.visit_impl_item(item));
        });
        self.of_trait = outer;
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        match item {
            ImplItem::Fn(function) => {
                self.impl_member(&function.sig.ident);
                return self.function(&function.sig, Some(&function.block));
            }
            ImplItem::Const(one) => self.impl_member(&one.ident),
            ImplItem::Type(one) => self.impl_member(&one.ident),
            ImplItem::Verbatim(tokens) => return self.tokens(self.range(tokens)),
            _ => {}
        }
        self.owner(self.range(item), |inside| {
            visit::visit_impl_item(inside, item)
        });
    }

    fn visit_item_trait(&mut self, definition: &'ast syn::ItemTrait) {
        let start = self.at(&definition.ident);
        self.item(start);
        let end = self.between(&definition.brace_token).end;
        self.owner(start..end, |inside| {
            visit::visit_item_trait(inside, definition)
        });
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let name = match item {
            TraitItem::Fn(one) => &one.sig.ident,
            TraitItem::Const(one) => &one.ident,
            TraitItem::Type(one) => &one.ident,
            TraitItem::Verbatim(tokens) => return self.tokens(self.range(tokens)),
            _ => return visit::visit_trait_item(self, item),
        };
        self.global(self.at(name), GlobalKind::TraitMember);
        match item {
            TraitItem::Fn(one) => self.function(&one.sig, one.default.as_ref()),
            _ => self.owner(self.range(item), |inside| {
                visit::visit_trait_item(inside, item)
            }),
        }
    }

    fn visit_foreign_item(&mut self, item: &'ast ForeignItem) {
        match item {
            ForeignItem::Fn(one) => self.item(self.at(&one.sig.ident)),
            ForeignItem::Static(one) => self.item(self.at(&one.ident)),
            ForeignItem::Type(one) => self.item(self.at(&one.ident)),
            ForeignItem::Verbatim(tokens) => self.tokens(self.range(tokens)),
            _ => {}
        }
    }

    fn visit_item_use(&mut self, import: &'ast syn::ItemUse) {
        let is_external = import.leading_colon.is_some();
        self.import(&import.tree, &mut Vec::new(), is_external);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
        let at = self.at(name);
        self.special(self.at(&item.ident), Special::Site);
        self.special(at, Special::Site);
        self.bind(at, self.scope.clone(), BindingKind::Import(None));
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        match item.ident {
            Some(_) => self.tokens(self.range(&item.mac.tokens)),
            None => self.visit_macro(&item.mac),
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if !call.tokens.is_empty() {
            self.arguments(call, self.range(&call.tokens));
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.global(self.at(&variant.ident), GlobalKind::Variant);
        visit::visit_variant(self, variant);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(name) = &field.ident {
            self.global(self.at(name), GlobalKind::Field);
        }
        visit::visit_field(self, field);
    }

    fn visit_generics(&mut self, generics: &'ast syn::Generics) {
        let types = generics.type_params().map(|one| &one.ident);
        let constants = generics.const_params().map(|one| &one.ident);
        for name in types.chain(constants) {
            self.variable(self.at(name), self.owner.clone());
        }
        visit::visit_generics(self, generics);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.statements(&block.stmts, self.between(&block.brace_token), true);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let end = local.semi_token.span.byte_range().end + self.offset;
        self.pattern(&local.pat, end..self.scope.end.max(end));
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let body = self.range(&closure.body);
        for input in &closure.inputs {
            self.pattern(input, body.clone());
        }
        self.visit_expr(&closure.body);
    }

    fn visit_expr_for_loop(&mut self, looping: &'ast syn::ExprForLoop) {
        self.visit_expr(&looping.expr);
        self.pattern(&looping.pat, self.between(&looping.body.brace_token));
        self.visit_block(&looping.body);
    }

    fn visit_expr_if(&mut self, branches: &'ast syn::ExprIf) {
        self.if_let(&branches.cond, &branches.then_branch);
        if let Some((_, otherwise)) = &branches.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr_while(&mut self, looping: &'ast syn::ExprWhile) {
        self.if_let(&looping.cond, &looping.body);
    }

    fn visit_expr_let(&mut self, condition: &'ast syn::ExprLet) {
        self.visit_expr(&condition.expr);
        let start = self.range(&condition.expr).end;
        self.pattern(&condition.pat, start..self.until.max(start));
    }

    fn visit_expr_match(&mut self, matching: &'ast syn::ExprMatch) {
        self.visit_expr(&matching.expr);
        // An arm ends where the next one begins: the span of a body takes time to compute.
        let arms = matching.arms.iter().map(|arm| arm.pat.span().byte_range());
        let mut ends: Vec<usize> = arms.map(|pat| pat.start + self.offset).collect();
        ends.push(self.between(&matching.brace_token).end);
        for (arm, &end) in matching.arms.iter().zip(&ends[1..]) {
            let start = match &arm.pat {
                Pat::Guard(guarded) => guarded.if_token.span.byte_range().start + self.offset,
                _ => arm.fat_arrow_token.spans[0].byte_range().start + self.offset,
            };
            self.until(end, |inside| inside.pattern(&arm.pat, start..end));
            self.visit_expr(&arm.body);
        }
    }

    fn visit_pat_ident(&mut self, binding: &'ast syn::PatIdent) {
        // What begins with a capital letter is a constant, a unit struct or a variant.
        let is_variable = !binding.ident.to_string().starts_with(char::is_uppercase);
        if is_variable {
            self.variable(self.at(&binding.ident), self.visible.clone());
        }
        if let Some((_, pattern)) = &binding.subpat {
            self.visit_pat(pattern);
        }
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        self.visit_pat(&field.pat);
        if let Member::Named(name) = &field.member {
            self.special(self.at(name), Special::Field);
        }
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        self.visit_expr(&field.expr);
        if let Member::Named(name) = &field.member {
            let special = match field.colon_token {
                Some(_) => Special::Field,
                None => Special::Shorthand,
            };
            self.special(self.at(name), special);
        }
    }
}
