//! Reads the variables of patterns, and the parts of the text where they are visible.

use super::Collector;
use crate::definitions::{DefKind, Namespace};
use crate::scopes::{ScopeKind, WordRole};
use crate::shapes::Shape;
use reduce_syntax::byte_range;
use std::ops::Range;
use syn::visit::Visit;
use syn::{Block, Expr, Member, Pat};

impl Collector<'_> {
    /// Reads a pattern whose variables are visible in a range.
    pub(super) fn pattern(&mut self, pattern: &Pat, visible: Range<usize>) {
        let outer = std::mem::replace(&mut self.visible, visible);
        let outer_bound = std::mem::take(&mut self.bound);
        self.visit_pat(pattern);
        self.visible = outer;
        self.bound = outer_bound;
    }

    /// Reads a pattern that is a name, such as `name` or `ref mut name @ ..`: a variable, or a
    /// constant, variant or unit struct, which begin with a capital letter.
    pub(super) fn name_pattern(&mut self, pattern: &syn::PatIdent) {
        let is_plain =
            pattern.by_ref.is_none() && pattern.mutability.is_none() && pattern.subpat.is_none();
        if is_plain && pattern.ident.to_string().starts_with(char::is_uppercase) {
            self.capital_pattern(&pattern.ident);
        } else {
            self.variable(&pattern.ident);
        }
        if let Some((_, pattern)) = &pattern.subpat {
            self.visit_pat(pattern);
        }
    }

    pub(super) fn variable(&mut self, ident: &syn::Ident) -> crate::ids::DefId {
        let name = self.intern(ident);
        if let Some(&known) = self.bound.get(&name) {
            self.set_role(ident, WordRole::Definition(known));
            return known;
        }
        let def = self.define_local(DefKind::Variable, ident, self.visible.clone());
        self.bound.insert(name, def);
        def
    }

    /// Reads a pattern such as `S { a, b: pattern, .. }`.
    pub(super) fn struct_pattern(&mut self, pattern: &syn::PatStruct) {
        let path = self.qualified(pattern.qself.as_ref(), &pattern.path, Namespace::Type);
        for field in &pattern.fields {
            let Member::Named(name) = &field.member else {
                self.visit_pat(&field.pat);
                continue;
            };
            if field.colon_token.is_some() {
                self.set_role(name, WordRole::Field(path));
                self.visit_pat(&field.pat);
            } else if let Pat::Ident(variable) = &*field.pat {
                let def = self.variable(&variable.ident);
                self.set_role(name, WordRole::ShorthandPattern(path, def));
            }
        }
    }

    /// Reads an `if` or `while`: the variables of its condition are visible to the end of the
    /// block.
    pub(super) fn condition(&mut self, condition: &Expr, body: &Block) {
        let end = byte_range(&body.brace_token.span.close()).end;
        let range = byte_range(condition).start..end;
        self.in_scope(ScopeKind::Inner, range, |inside| {
            let outer = std::mem::replace(&mut inside.until, end);
            inside.visit_expr(condition);
            inside.until = outer;
            inside.visit_block(body);
        });
    }

    pub(super) fn arms(&mut self, matching: &syn::ExprMatch) {
        self.visit_expr(&matching.expr);
        let value = self.shape(&matching.expr);
        for arm in &matching.arms {
            let range = byte_range(arm);
            let end = range.end;
            self.in_scope(ScopeKind::Inner, range, |inside| {
                let start = match &arm.pat {
                    Pat::Guard(guarded) => byte_range(&guarded.if_token).start,
                    _ => byte_range(&arm.fat_arrow_token).start,
                };
                let outer = std::mem::replace(&mut inside.until, end);
                inside.pattern(&arm.pat, start..end);
                inside.note_parts(&arm.pat, value);
                inside.until = outer;
                inside.visit_expr(&arm.body);
            });
        }
    }

    /// Reads a `let` as a condition, as in `if let`.
    pub(super) fn let_condition(&mut self, condition: &syn::ExprLet) {
        self.visit_expr(&condition.expr);
        let start = byte_range(&condition.expr).end;
        let visible = start..self.until.max(start);
        self.pattern(&condition.pat, visible);
        self.note_value(&condition.pat, &condition.expr);
    }

    pub(super) fn closure(&mut self, closure: &syn::ExprClosure) {
        let body = byte_range(&closure.body);
        let range = byte_range(closure).start..body.end;
        self.in_scope(ScopeKind::Inner, range, |inside| {
            if let Some(lifetimes) = &closure.lifetimes {
                inside.visit_bound_lifetimes(lifetimes);
            }
            for input in &closure.inputs {
                inside.pattern(input, body.clone());
                if let Pat::Type(input) = input {
                    inside.note_typed(&input.pat, &input.ty);
                }
            }
            inside.visit_return_type(&closure.output);
            inside.visit_expr(&closure.body);
        });
    }

    pub(super) fn for_loop(&mut self, looping: &syn::ExprForLoop) {
        self.visit_expr(&looping.expr);
        let body = byte_range(&looping.body);
        let range = byte_range(&looping.pat).start..body.end;
        self.in_scope(ScopeKind::Inner, range, |inside| {
            inside.pattern(&looping.pat, body);
            let all = inside.shape(&looping.expr);
            let each = inside.push_shape(Shape::Content(all));
            inside.note_parts(&looping.pat, each);
            inside.visit_block(&looping.body);
        });
    }

    /// Reads `let pattern = value else { .. };`, whose variables are visible after it.
    pub(super) fn let_statement(&mut self, local: &syn::Local) {
        let end = byte_range(&local.semi_token).end;
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, otherwise)) = &init.diverge {
                self.visit_expr(otherwise);
            }
        }
        let visible = end..self.scope_range().end.max(end);
        self.pattern(&local.pat, visible);
        let value = local.init.as_ref().map(|init| &*init.expr);
        match (&local.pat, value) {
            (Pat::Type(typed), Some(closure @ Expr::Closure(_))) => {
                self.note_value(&typed.pat, closure);
            }
            (Pat::Type(typed), _) => self.note_typed(&typed.pat, &typed.ty),
            (pattern, Some(value)) => self.note_value(pattern, value),
            (_, None) => {}
        }
    }
}
