//! Notes the shapes of expressions, as far as these may tell their types, for the names after a
//! dot.

use super::Collector;
use crate::ids::{PathId, ShapeId};
use crate::scopes::WordRole;
use crate::shapes::Shape;
use syn::{Block, Expr, Member, Stmt};

impl Collector<'_> {
    /// Returns the shape of an expression that was read already, so that its paths are known.
    pub(super) fn shape(&mut self, expression: &Expr) -> ShapeId {
        let shape = match expression {
            Expr::Paren(one) => return self.shape(&one.expr),
            Expr::Group(one) => return self.shape(&one.expr),
            Expr::Reference(one) => return self.shape(&one.expr),
            Expr::Path(path) => self.path_shape(path),
            Expr::Unary(one) => match one.op {
                syn::UnOp::Deref(_) => Shape::Deref(self.shape(&one.expr)),
                _ => Shape::Unknown,
            },
            Expr::Field(one) => match &one.member {
                Member::Named(name) => match self.receiver(name) {
                    Some(receiver) => Shape::Field(receiver, self.intern(name)),
                    None => Shape::Unknown,
                },
                Member::Unnamed(idx) => Shape::Component(self.shape(&one.base), idx.index as usize),
            },
            Expr::MethodCall(one) => match self.receiver(&one.method) {
                Some(receiver) => {
                    let name = self.intern(&one.method);
                    Shape::Method(receiver, name, self.shapes(&one.args))
                }
                None => Shape::Unknown,
            },
            Expr::Call(one) => match &*one.func {
                Expr::Path(function) => match self.path_at(function.path.segments.last()) {
                    Some(path) => Shape::Call(path, self.shapes(&one.args)),
                    None => Shape::Unknown,
                },
                _ => Shape::Unknown,
            },
            Expr::Struct(one) => match self.path_at(one.path.segments.last()) {
                Some(path) => Shape::Literal(path),
                None => Shape::Unknown,
            },
            Expr::Index(one) => match &*one.index {
                Expr::Range(_) => return self.shape(&one.expr),
                _ => Shape::Content(self.shape(&one.expr)),
            },
            Expr::Try(one) => Shape::Content(self.shape(&one.expr)),
            Expr::Cast(one) => Shape::Written(self.type_shape(&one.ty)),
            Expr::Closure(one) => Shape::Closure(self.shape(&one.body)),
            Expr::Tuple(one) => Shape::Tuple(self.shapes(&one.elems)),
            Expr::Block(one) => return self.value_of_block(&one.block),
            Expr::Unsafe(one) => return self.value_of_block(&one.block),
            Expr::If(one) => match &one.else_branch {
                Some((_, otherwise)) => {
                    let then = self.value_of_block(&one.then_branch);
                    Shape::Either(vec![then, self.shape(otherwise)])
                }
                None => Shape::Outside,
            },
            Expr::Match(one) => {
                Shape::Either(one.arms.iter().map(|arm| self.shape(&arm.body)).collect())
            }
            Expr::Lit(_) => Shape::Outside,
            _ => Shape::Unknown,
        };
        self.push_shape(shape)
    }

    fn shapes<'e>(&mut self, all: impl IntoIterator<Item = &'e Expr>) -> Vec<ShapeId> {
        all.into_iter().map(|one| self.shape(one)).collect()
    }

    fn value_of_block(&mut self, block: &Block) -> ShapeId {
        match block.stmts.last() {
            Some(Stmt::Expr(value, None)) => self.shape(value),
            _ => self.push_shape(Shape::Unknown),
        }
    }

    pub(super) fn push_shape(&mut self, shape: Shape) -> ShapeId {
        self.result.shapes.push(shape);
        ShapeId::new(self.result.shapes.len() - 1)
    }

    fn path_shape(&self, path: &syn::ExprPath) -> Shape {
        match self.path_at(path.path.segments.last()) {
            Some(_) if path.path.is_ident("self") => Shape::Receiver(self.scope),
            Some(path) => Shape::Value(path),
            None => Shape::Unknown,
        }
    }

    /// Returns the path that ends with a segment.
    pub(super) fn path_at(&self, segment: Option<&syn::PathSegment>) -> Option<PathId> {
        match self.result.roles[self.word(&segment?.ident)?.idx()] {
            WordRole::Segment(path, _) => Some(path),
            _ => None,
        }
    }

    /// Returns the shape of the expression before the dot in front of a name.
    fn receiver(&self, name: &syn::Ident) -> Option<ShapeId> {
        match self.result.roles[self.word(name)?.idx()] {
            WordRole::Member(receiver) => Some(receiver),
            _ => None,
        }
    }

    /// Notes the shapes of the parameters of closures that a method call has as arguments.
    pub(super) fn note_closures(&mut self, call: &syn::ExprMethodCall, receiver: ShapeId) {
        for argument in &call.args {
            let Expr::Closure(closure) = argument else {
                continue;
            };
            if closure.inputs.len() == 1 {
                let name = self.intern(&call.method);
                let given = self.push_shape(Shape::Given(receiver, name));
                self.note_parts(&closure.inputs[0], given);
            }
        }
    }
}
