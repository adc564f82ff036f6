//! Finds the context of each expression of a program, and of the types after `&` and `*`.

use super::{Begins, ExpressionContext, Role, open_parts};
use crate::program::{Place, Program};
use crate::visit::{self, At, Node};
use std::collections::HashMap;
use syn::{
    BinOp, Expr, FieldValue, GenericArgument, ImplItem, Item, Member, Stmt, Type, TypePtr,
    TypeReference,
};

/// The contexts of expressions, by place.
pub(crate) type ByPlace = HashMap<Place, ExpressionContext>;

/// The context of the value of a constant, and of other places that ask for one type.
const TYPED: ExpressionContext = ExpressionContext::of(Role::Typed);

/// The context of an expression before a block, such as the condition of an `if`.
const CONDITION: ExpressionContext = ExpressionContext {
    in_condition: true,
    ..ExpressionContext::of(Role::BeforeBlock)
};

/// The context of an expression before the `else` of a `let`.
const BEFORE_ELSE: ExpressionContext = ExpressionContext {
    before_else: true,
    ..ExpressionContext::of(Role::BeforeElse)
};

/// The context of an expression that is a statement or the body of an arm.
const STATEMENT: ExpressionContext = ExpressionContext {
    begins: Begins::Statement,
    ..ExpressionContext::FREE
};

/// Returns the contexts of all expressions, those in the arguments of macros included.
pub(crate) fn by_place(program: &Program) -> ByPlace {
    let mut contexts = ContextFinder::default();
    visit::each_also_in_macros(program, |at, node| contexts.node(at, node));
    contexts.found
}

#[derive(Default)]
struct ContextFinder {
    found: ByPlace,
    /// The contexts of expressions that the walk has not visited yet. Expressions that are not here stand in brackets.
    coming: HashMap<*const Expr, ExpressionContext>,
}

impl ContextFinder {
    fn node(&mut self, at: At<'_>, node: Node<'_>) {
        match node {
            Node::Expr(expression) => self.expression(at, expression),
            Node::Item(Item::Const(one)) => self.expect(&one.expr, TYPED),
            Node::Item(Item::Static(one)) => self.expect(&one.expr, TYPED),
            Node::ImplItem(ImplItem::Const(one)) => self.expect(&one.expr, TYPED),
            Node::Stmt(Stmt::Expr(expression, _)) => self.expect(expression, STATEMENT),
            Node::Local(local) => {
                let init = local.init.as_ref().filter(|init| init.diverge.is_some());
                if let Some(init) = init {
                    self.expect(&init.expr, BEFORE_ELSE);
                }
            }
            Node::Type(Type::Array(array)) => self.expect(&array.len, TYPED),
            Node::Type(
                Type::Reference(TypeReference { elem, .. }) | Type::Ptr(TypePtr { elem, .. }),
            ) => {
                let pointee = ExpressionContext::of(Role::Pointee);
                self.found.insert(at.place(elem), pointee);
            }
            Node::GenericArgument(
                argument @ (GenericArgument::Type(Type::Path(_)) | GenericArgument::Const(_)),
            ) => {
                let place = at.place(argument);
                self.found
                    .insert(place, ExpressionContext::of(Role::GenericArgument));
            }
            _ => {}
        }
    }

    fn expression(&mut self, at: At<'_>, expression: &Expr) {
        let coming = self.coming.remove(&std::ptr::from_ref(expression));
        let context = coming.unwrap_or(ExpressionContext::FREE);
        self.found.entry(at.place(expression)).or_insert(context);
        self.parts(expression, context);
        match expression {
            Expr::If(one) => self.expect(&one.cond, CONDITION),
            Expr::While(one) => self.expect(&one.cond, CONDITION),
            Expr::ForLoop(one) => self.expect(&one.expr, CONDITION),
            Expr::Match(one) => {
                self.expect(&one.expr, CONDITION);
                let arms = one.arms.iter();
                arms.for_each(|arm| self.expect(&arm.body, STATEMENT));
            }
            Expr::Index(one) => self.expect(&one.index, TYPED),
            Expr::Repeat(one) => self.expect(&one.len, TYPED),
            Expr::Struct(one) => {
                let is_shorthand = |field: &&FieldValue| {
                    field.colon_token.is_none() && matches!(field.member, Member::Named(_))
                };
                for field in one.fields.iter().filter(is_shorthand) {
                    self.expect(&field.expr, ExpressionContext::of(Role::Shorthand));
                }
            }
            _ => {}
        }
    }

    fn expect(&mut self, expression: &Expr, context: ExpressionContext) {
        self.coming.insert(expression, context);
    }

    fn parts(&mut self, expression: &Expr, around: ExpressionContext) {
        for (role, part) in open_parts(expression) {
            let is_prefixed = matches!(expression, Expr::RawAddr(_)) || role == Role::Prefixed;
            let is_first = match role {
                Role::Left(_) | Role::Receiver | Role::Callee | Role::Indexed => true,
                Role::Assigned => !is_prefixed,
                _ => false,
            };
            let begins = match (is_first, around.begins) {
                (false, _) | (_, Begins::Nothing) => Begins::Nothing,
                (true, _) if role == Role::Receiver => Begins::Statement,
                (true, _) => Begins::Operation,
            };
            let before_less = match role {
                Role::Left(_) => is_less(expression),
                Role::Right(_) | Role::Prefixed => around.before_less,
                _ => false,
            };
            let is_last = is_prefixed || matches!(role, Role::Right(_) | Role::Free);
            self.expect(
                part,
                ExpressionContext {
                    role,
                    in_condition: around.in_condition || role == Role::Scrutinee,
                    begins,
                    before_less,
                    before_else: is_last && around.before_else,
                },
            );
        }
    }
}

/// Whether an operation's operator begins with `<`.
fn is_less(expression: &Expr) -> bool {
    matches!(expression, Expr::Binary(one) if matches!(one.op, BinOp::Lt(_) | BinOp::Shl(_)))
}
