//! The parts of functions and calls: parameters, bodies, and what an expression is like.

use super::super::{Body, By, Expression, Generic, Head, Parameter, Receiver, Shape};
use super::FunctionsWalk;
use crate::program::Place;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Expr, GenericArgument, GenericParam, Ident, Pat, ReceiverKind, ReturnType, Stmt, Type};

impl FunctionsWalk<'_> {
    pub(super) fn receiver(&self, receiver: &syn::Receiver) -> Receiver {
        let by = match &receiver.kind {
            ReceiverKind::Value => By::Value,
            ReceiverKind::Reference(_, _, None) => By::Reference,
            ReceiverKind::Reference(_, _, Some(_)) => By::MutReference,
            _ => By::Other,
        };
        Receiver {
            whole: self.file.place(receiver),
            by,
        }
    }

    pub(super) fn parameter(&self, whole: Place, pattern: &Pat, ty: Option<&Type>) -> Parameter {
        let mut names = Names::default();
        names.visit_pat(pattern);
        let name = match pattern {
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => Some(name),
            _ => None,
        };
        Parameter {
            whole,
            pattern: self.file.place(pattern),
            ty: ty.map(|ty| self.file.place(ty)),
            names: names
                .0
                .iter()
                .map(|name| self.file.position(name))
                .collect(),
            is_name: name.is_some(),
            is_mutable: name.is_some_and(|name| name.mutability.is_some()),
        }
    }

    pub(super) fn generics(&self, generics: &syn::Generics) -> Vec<Generic> {
        let generic = |one: &GenericParam| {
            let (ident, is_lifetime) = match one {
                GenericParam::Lifetime(one) => (&one.lifetime.ident, true),
                GenericParam::Type(one) => (&one.ident, false),
                GenericParam::Const(one) => (&one.ident, false),
            };
            Generic {
                whole: self.file.place(one),
                at: self.file.position(ident),
                is_lifetime,
            }
        };
        generics.params.iter().map(generic).collect()
    }

    pub(super) fn predicates(&self, generics: &syn::Generics) -> Vec<Place> {
        let all = crate::passes::generics::predicates(generics);
        all.map(|one| self.file.place(one)).collect()
    }

    pub(super) fn output(&self, output: &ReturnType) -> Option<(Place, Place)> {
        match output {
            ReturnType::Type(arrow, ty) => {
                Some((self.file.between(arrow, ty), self.file.place(ty)))
            }
            ReturnType::Default => None,
        }
    }

    pub(super) fn body(&self, block: &syn::Block) -> Body {
        let Place { file, range: open } = self.file.place_of(block.brace_token.span.open());
        let close = self.file.place_of(block.brace_token.span.close()).range;
        let value = match block.stmts.last() {
            Some(Stmt::Expr(last, None)) => Some(self.expression(last)),
            Some(Stmt::Macro(last)) if last.semi_token.is_none() => Some(Expression {
                place: self.file.place(last),
                shape: macro_shape(&last.mac),
            }),
            _ => None,
        };
        Body {
            whole: self.file.place(block),
            contents: Place::new(file, open.end..close.start),
            n_statements: block.stmts.len(),
            value,
        }
    }

    /// A closure's body: a block, or any other expression.
    pub(super) fn closure_body(&self, body: &Expr) -> Body {
        match body {
            Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => {
                self.body(&block.block)
            }
            _ => Body {
                whole: self.file.place(body),
                contents: self.file.place(body),
                n_statements: 1,
                value: Some(self.expression(body)),
            },
        }
    }

    pub(super) fn expression(&self, expression: &Expr) -> Expression {
        Expression {
            place: self.file.place(expression),
            shape: shape(expression),
        }
    }

    /// Types and constants, not lifetimes.
    pub(super) fn turbofish(&self, arguments: &syn::AngleBracketedGenericArguments) -> Vec<Place> {
        let all = arguments.args.iter();
        let not_lifetimes = all.filter(|one| !matches!(one, GenericArgument::Lifetime(_)));
        not_lifetimes.map(|one| self.file.place(one)).collect()
    }
}

/// The names that a pattern binds.
#[derive(Default)]
struct Names(Vec<Ident>);

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.0.push(name.ident.clone());
        visit::visit_pat_ident(self, name);
    }
}

pub(super) fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last();
            last.map(|last| last.ident.unraw().to_string())
        }
        _ => None,
    }
}

pub(super) fn head(function: &syn::ExprPath) -> Head {
    let mut segments = function.path.segments.iter().rev();
    let before = segments.nth(1);
    match before {
        Some(segment) if segment.ident == "Self" => Head::OwnType,
        Some(segment) => Head::Name(segment.ident.unraw().to_string()),
        None if function.qself.is_some() => Head::Type,
        None => Head::Nothing,
    }
}

fn shape(expression: &Expr) -> Shape {
    match expression {
        Expr::Path(_) | Expr::Lit(_) => Shape::Simple,
        Expr::Tuple(tuple) if tuple.elems.is_empty() => Shape::Simple,
        Expr::Macro(one) => macro_shape(&one.mac),
        Expr::Loop(one) if one.body.stmts.is_empty() => Shape::Diverging,
        _ => Shape::Other,
    }
}

fn macro_shape(call: &syn::Macro) -> Shape {
    let diverging = ["panic", "todo", "unimplemented", "unreachable"];
    let last = call.path.segments.last();
    match last.is_some_and(|last| diverging.iter().any(|name| last.ident == name)) {
        true => Shape::Diverging,
        false => Shape::Other,
    }
}
