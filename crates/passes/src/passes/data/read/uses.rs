//! Expressions and patterns that are made of a struct, variant or union.

use super::super::{Part, PathRole, Shape, Use};
use super::DataWalk;
use crate::program::Place;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Member, Pat, Path, Token};

impl DataWalk<'_> {
    /// Adds an expression or pattern that begins with a path.
    fn made_of(&mut self, made: Made<'_>) {
        if let Some(qself) = made.qself {
            self.visit_type(&qself.ty);
        }
        let path = self.place(made.path);
        if let Some(segment) = self.path_as(PathRole::Value, made.path) {
            self.data.uses.push(Use {
                is_pattern: made.is_pattern,
                whole: made.whole,
                path,
                segment,
                shape: made.shape,
                parts: made.parts,
                rest: made.rest,
                arm: self.arm.clone().filter(|_| made.is_pattern),
            });
        }
    }

    fn unnamed_parts<'a, T: Spanned + 'a>(&self, all: impl Iterator<Item = &'a T>) -> Vec<Part> {
        let part = |one: &T| Part {
            member: None,
            whole: self.place(one),
            label: None,
            value: self.place(one),
        };
        all.map(part).collect()
    }

    fn named_part(
        &self,
        member: &Member,
        colon: Option<&Token![:]>,
        whole: &impl Spanned,
        value: &impl Spanned,
    ) -> Part {
        Part {
            member: Some(match member {
                Member::Named(name) => name.to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            }),
            whole: self.place(whole),
            label: colon.map(|_| self.up_to(member, value)),
            value: self.place(value),
        }
    }

    pub(super) fn struct_expression(&mut self, literal: &syn::ExprStruct) {
        let parts = literal
            .fields
            .iter()
            .map(|one| self.named_part(&one.member, one.colon_token.as_ref(), one, &one.expr));
        let parts: Vec<Part> = parts.collect();
        self.made_of(Made {
            is_pattern: false,
            whole: self.place(literal),
            qself: literal.qself.as_ref(),
            path: &literal.path,
            shape: Shape::Named(self.file.place_of(literal.brace_token.span.join())),
            rest: literal.dot2_token.map(|_| parts.len()),
            parts,
        });
        literal
            .fields
            .iter()
            .for_each(|one| self.visit_expr(&one.expr));
        literal.rest.iter().for_each(|one| self.visit_expr(one));
    }

    pub(super) fn call(&mut self, call: &syn::ExprCall, callee: &syn::ExprPath) {
        self.made_of(Made {
            is_pattern: false,
            whole: self.place(call),
            qself: callee.qself.as_ref(),
            path: &callee.path,
            shape: Shape::Tuple(self.file.place_of(call.paren_token.span.join())),
            parts: self.unnamed_parts(call.args.iter()),
            rest: None,
        });
        call.args.iter().for_each(|one| self.visit_expr(one));
    }

    pub(super) fn unit(&mut self, one: &syn::ExprPath, is_pattern: bool) {
        self.made_of(Made {
            is_pattern,
            whole: self.place(one),
            qself: one.qself.as_ref(),
            path: &one.path,
            shape: Shape::Unit,
            parts: Vec::new(),
            rest: None,
        });
    }

    pub(super) fn struct_pattern(&mut self, one: &syn::PatStruct) {
        let parts = one.fields.iter().map(|field| {
            self.named_part(&field.member, field.colon_token.as_ref(), field, &field.pat)
        });
        let parts: Vec<Part> = parts.collect();
        self.made_of(Made {
            is_pattern: true,
            whole: self.place(one),
            qself: one.qself.as_ref(),
            path: &one.path,
            shape: Shape::Named(self.file.place_of(one.brace_token.span.join())),
            rest: one.rest.as_ref().map(|_| parts.len()),
            parts,
        });
        one.fields
            .iter()
            .for_each(|field| self.visit_pat(&field.pat));
    }

    pub(super) fn tuple_pattern(&mut self, one: &syn::PatTupleStruct) {
        let is_rest = |one: &Pat| matches!(one, Pat::Rest(_));
        let elements = one.elems.iter().filter(|one| !is_rest(one));
        self.made_of(Made {
            is_pattern: true,
            whole: self.place(one),
            qself: one.qself.as_ref(),
            path: &one.path,
            shape: Shape::Tuple(self.file.place_of(one.paren_token.span.join())),
            parts: self.unnamed_parts(elements),
            rest: one.elems.iter().position(is_rest),
        });
        one.elems.iter().for_each(|one| self.visit_pat(one));
    }

    /// A constant, unit struct or variant looks like a variable.
    pub(super) fn name_pattern(&mut self, one: &syn::PatIdent) {
        let is_capital = one.ident.to_string().starts_with(char::is_uppercase);
        if is_capital && one.subpat.is_none() && one.by_ref.is_none() {
            let path = Path::from(one.ident.clone());
            self.made_of(Made {
                is_pattern: true,
                whole: self.place(one),
                qself: None,
                path: &path,
                shape: Shape::Unit,
                parts: Vec::new(),
                rest: None,
            });
        }
        one.subpat.iter().for_each(|(_, one)| self.visit_pat(one));
    }
}

/// What [`Use`] is made from.
struct Made<'m> {
    is_pattern: bool,
    whole: Place,
    qself: Option<&'m syn::QSelf>,
    path: &'m Path,
    shape: Shape,
    parts: Vec<Part>,
    rest: Option<usize>,
}
