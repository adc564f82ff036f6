//! Finds the paths, blocks, patterns and labels in the syntax of a crate.

use super::Collector;
use crate::definitions::{DefKind, Namespace};
use crate::ids::PathId;
use crate::scopes::{PathStart, ScopeKind, WordRole};
use reduce_syntax::byte_range;
use syn::visit::{self, Visit};
use syn::{Expr, GenericArgument, Item, Member, Pat, PathArguments, Stmt, Type};

impl Collector<'_> {
    /// Reads a path and the arguments in it.
    pub(super) fn path(&mut self, path: &syn::Path, namespace: Namespace) -> PathId {
        let start = match path.leading_colon {
            Some(_) => PathStart::Crates,
            None => PathStart::Scope,
        };
        let segments = path.segments.iter().map(|one| &one.ident);
        let id = self.push_path(segments, Some(namespace), start);
        self.arguments_of(path, id);
        id
    }

    fn arguments_of(&mut self, path: &syn::Path, id: PathId) {
        for segment in &path.segments {
            match &segment.arguments {
                PathArguments::None => {}
                PathArguments::AngleBracketed(arguments) => {
                    let arguments = arguments.args.iter();
                    arguments.for_each(|one| self.generic_argument(one, id));
                }
                PathArguments::Parenthesized(arguments) => {
                    self.visit_parenthesized_generic_arguments(arguments);
                }
            }
        }
    }

    fn generic_argument(&mut self, argument: &GenericArgument, of: PathId) {
        match argument {
            GenericArgument::AssocType(one) => {
                self.set_role(&one.ident, WordRole::AssociatedType(of));
                self.visit_type(&one.ty);
            }
            GenericArgument::AssocConst(one) => {
                self.set_role(&one.ident, WordRole::AssociatedType(of));
                self.visit_expr(&one.value);
            }
            GenericArgument::Constraint(one) => {
                self.set_role(&one.ident, WordRole::AssociatedType(of));
                one.bounds
                    .iter()
                    .for_each(|one| self.visit_type_param_bound(one));
            }
            other => self.visit_generic_argument(other),
        }
    }

    /// Reads a path that may begin with `<T>::` or `<T as Trait>::`.
    pub(super) fn qualified(
        &mut self,
        qself: Option<&syn::QSelf>,
        path: &syn::Path,
        namespace: Namespace,
    ) -> PathId {
        let Some(qself) = qself else {
            return self.path(path, namespace);
        };
        let subject = match &*qself.ty {
            Type::Path(ty) => Some(self.type_path(ty)),
            other => {
                self.visit_type(other);
                None
            }
        };
        let idents: Vec<&syn::Ident> = path.segments.iter().map(|one| &one.ident).collect();
        let (of_trait, rest) = idents.split_at(qself.position.min(idents.len()));
        let start = match path.leading_colon {
            Some(_) if !of_trait.is_empty() => PathStart::Crates,
            _ => PathStart::Scope,
        };
        let before = match of_trait.is_empty() {
            true => subject,
            false => Some(self.push_path(of_trait.iter().copied(), Some(Namespace::Type), start)),
        };
        let rest = rest.iter().copied();
        let id = self.push_path(rest, Some(namespace), PathStart::Qualified(before));
        self.arguments_of(path, before.unwrap_or(id));
        id
    }

    pub(super) fn type_path(&mut self, path: &syn::TypePath) -> PathId {
        self.qualified(path.qself.as_ref(), &path.path, Namespace::Type)
    }

    pub(super) fn trait_bound(&mut self, bound: &syn::TraitBound) -> PathId {
        let range = byte_range(bound);
        let mut id = None;
        self.in_scope(ScopeKind::Inner, range, |inside| {
            if let Some(lifetimes) = &bound.lifetimes {
                inside.visit_bound_lifetimes(lifetimes);
            }
            id = Some(inside.path(&bound.path, Namespace::Type));
        });
        id.expect("the scope was read")
    }

    fn label(&mut self, label: Option<&syn::Label>, body: &syn::Block) {
        if let Some(label) = label {
            let visible = byte_range(body);
            self.define_lifetime(DefKind::Label, &label.name, visible);
        }
    }

    fn lifetime(&mut self, lifetime: &syn::Lifetime, namespace: Namespace) {
        let at = self.place_of(lifetime.apostrophe).start();
        if let Some(word) = self.result.words.at(at) {
            self.push_words(vec![word], Some(namespace), PathStart::Scope);
        }
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_attribute(&mut self, _attribute: &'ast syn::Attribute) {}

    fn visit_item(&mut self, item: &'ast Item) {
        self.item(item);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        let range = self.between(&block.brace_token);
        self.in_scope(ScopeKind::Block, range, |inside| {
            block.stmts.iter().for_each(|one| inside.visit_stmt(one));
        });
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        match statement {
            Stmt::Local(local) => self.let_statement(local),
            other => visit::visit_stmt(self, other),
        }
    }

    fn visit_token_stream(&mut self, tokens: &'ast proc_macro2::TokenStream) {
        self.loose_text(&byte_range(tokens));
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.macro_call(call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.path(path, Namespace::Type);
    }

    fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
        self.type_path(path);
    }

    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        self.trait_bound(bound);
    }

    fn visit_bound_lifetimes(&mut self, lifetimes: &'ast syn::BoundLifetimes) {
        self.define_parameters(&lifetimes.lifetimes);
        visit::visit_bound_lifetimes(self, lifetimes);
    }

    fn visit_generic_param(&mut self, parameter: &'ast syn::GenericParam) {
        match parameter {
            syn::GenericParam::Lifetime(one) => {
                one.bounds.iter().for_each(|one| self.visit_lifetime(one));
            }
            syn::GenericParam::Const(one) => {
                self.visit_type(&one.ty);
                one.default.iter().for_each(|(_, one)| self.visit_expr(one));
            }
            syn::GenericParam::Type(one) => {
                let bounds = one.bounds.iter();
                bounds.for_each(|one| self.visit_type_param_bound(one));
            }
        }
    }

    fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
        self.lifetime(lifetime, Namespace::Lifetime);
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        match ty {
            Type::FnPtr(pointer) if pointer.lifetimes.is_some() => {
                self.in_scope(ScopeKind::Inner, byte_range(ty), |inside| {
                    visit::visit_type(inside, ty);
                });
            }
            Type::FnPtr(pointer) => {
                // The names of its parameters are of no use.
                pointer
                    .inputs
                    .iter()
                    .for_each(|one| self.visit_type(&one.ty));
                self.visit_return_type(&pointer.output);
            }
            _ => visit::visit_type(self, ty),
        }
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        match pattern {
            Pat::Ident(name) => self.name_pattern(name),
            Pat::Struct(pattern) => self.struct_pattern(pattern),
            Pat::TupleStruct(pattern) => {
                self.qualified(pattern.qself.as_ref(), &pattern.path, Namespace::Value);
                pattern.elems.iter().for_each(|one| self.visit_pat(one));
            }
            Pat::Path(pattern) => {
                self.qualified(pattern.qself.as_ref(), &pattern.path, Namespace::Value);
            }
            _ => visit::visit_pat(self, pattern),
        }
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Path(path) => {
                self.qualified(path.qself.as_ref(), &path.path, Namespace::Value);
            }
            Expr::Struct(one) => self.struct_expression(one),
            Expr::Field(one) => {
                self.visit_expr(&one.base);
                let receiver = self.shape(&one.base);
                match &one.member {
                    Member::Named(name) => self.set_role(name, WordRole::Member(receiver)),
                    Member::Unnamed(number) => {
                        let at = self.place(number).start();
                        let read = (receiver, number.index as usize);
                        self.result.numbered.insert(at, read);
                    }
                }
            }
            Expr::MethodCall(one) => {
                self.visit_expr(&one.receiver);
                let receiver = self.shape(&one.receiver);
                self.set_role(&one.method, WordRole::Member(receiver));
                if let Some(turbofish) = &one.turbofish {
                    self.visit_angle_bracketed_generic_arguments(turbofish);
                }
                one.args.iter().for_each(|one| self.visit_expr(one));
                self.note_closures(one, receiver);
                self.result.calls.extend(self.word(&one.method));
            }
            Expr::Call(one) => {
                visit::visit_expr(self, expression);
                if let Expr::Path(function) = &*one.func {
                    let last = function.path.segments.last();
                    let callee = last.and_then(|last| self.word(&last.ident));
                    self.result.calls.extend(callee);
                }
            }
            Expr::If(one) => {
                self.condition(&one.cond, &one.then_branch);
                if let Some((_, otherwise)) = &one.else_branch {
                    self.visit_expr(otherwise);
                }
            }
            Expr::While(one) => {
                self.label(one.label.as_ref(), &one.body);
                self.condition(&one.cond, &one.body);
            }
            Expr::Loop(one) => {
                self.label(one.label.as_ref(), &one.body);
                self.visit_block(&one.body);
            }
            Expr::Block(one) => {
                self.label(one.label.as_ref(), &one.block);
                self.visit_block(&one.block);
            }
            Expr::ForLoop(one) => {
                self.label(one.label.as_ref(), &one.body);
                self.for_loop(one);
            }
            Expr::Break(one) => {
                if let Some(label) = &one.label {
                    self.lifetime(label, Namespace::Label);
                }
                one.expr.iter().for_each(|one| self.visit_expr(one));
            }
            Expr::Continue(one) => {
                if let Some(label) = &one.label {
                    self.lifetime(label, Namespace::Label);
                }
            }
            Expr::Match(one) => self.arms(one),
            Expr::Let(one) => self.let_condition(one),
            Expr::Closure(one) => self.closure(one),
            _ => visit::visit_expr(self, expression),
        }
    }
}

impl Collector<'_> {
    fn struct_expression(&mut self, one: &syn::ExprStruct) {
        let path = self.qualified(one.qself.as_ref(), &one.path, Namespace::Type);
        for field in &one.fields {
            self.visit_expr(&field.expr);
            let Member::Named(name) = &field.member else {
                continue;
            };
            let role = match (&field.colon_token, self.word(name)) {
                (None, Some(word)) => match self.result.roles[word.idx()] {
                    WordRole::Segment(variable, _) => WordRole::ShorthandField(path, variable),
                    _ => WordRole::Field(path),
                },
                _ => WordRole::Field(path),
            };
            self.set_role(name, role);
        }
        one.rest.iter().for_each(|rest| self.visit_expr(rest));
    }
}
