//! Where expressions begin and end. A chain such as `a + a + a` is as deep as it is long: the tree goes down at its beginning or at
//! its end. So it is a loop that goes down there, as recursion would need as much stack.

use super::{Located, printed, structs};
use proc_macro2::Span;
use syn::Expr;

/// Calls a method of the struct that an expression has.
macro_rules! of_struct {
    ($expression:expr, $method:ident) => {
        of_struct! {
            $expression, $method:
            Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop
            Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference
            Repeat Return Struct Try TryBlock Tuple Unary Unsafe Verbatim While Yield
        }
    };
    ($expression:expr, $method:ident: $($kind:ident)+) => {
        match $expression {
            $(Expr::$kind(one) => one.$method(),)+
            other => printed(other),
        }
    };
}

impl Located for Expr {
    fn first_span(&self) -> Option<Span> {
        let mut expression = self;
        while let Some(first) = first_part(expression) {
            expression = first;
        }
        of_struct!(expression, first_span)
    }

    fn last_span(&self) -> Option<Span> {
        let mut expression = self;
        while let Some(last) = last_part(expression) {
            expression = last;
        }
        of_struct!(expression, last_span)
    }
}

/// Returns the expression with which another one begins, unless attributes stand before it.
fn first_part(expression: &Expr) -> Option<&Expr> {
    let (attributes, first) = match expression {
        Expr::Assign(one) => (&one.attrs, &one.left),
        Expr::Await(one) => (&one.attrs, &one.base),
        Expr::Binary(one) => (&one.attrs, &one.left),
        Expr::Call(one) => (&one.attrs, &one.func),
        Expr::Cast(one) => (&one.attrs, &one.expr),
        Expr::Field(one) => (&one.attrs, &one.base),
        Expr::Index(one) => (&one.attrs, &one.expr),
        Expr::MethodCall(one) => (&one.attrs, &one.receiver),
        Expr::Range(one) => (&one.attrs, one.start.as_ref()?),
        Expr::Try(one) => (&one.attrs, &one.expr),
        _ => return None,
    };
    attributes.is_empty().then_some(first)
}

/// Returns the expression with which another one ends.
fn last_part(expression: &Expr) -> Option<&Expr> {
    let last = match expression {
        Expr::Assign(one) => &one.right,
        Expr::Binary(one) => &one.right,
        Expr::Break(one) => one.expr.as_ref()?,
        Expr::Closure(one) => &one.body,
        Expr::If(one) => &one.else_branch.as_ref()?.1,
        Expr::Let(one) => &one.expr,
        Expr::Range(one) => one.end.as_ref()?,
        Expr::RawAddr(one) => &one.expr,
        Expr::Reference(one) => &one.expr,
        Expr::Return(one) => one.expr.as_ref()?,
        Expr::Unary(one) => &one.expr,
        Expr::Yield(one) => one.expr.as_ref()?,
        _ => return None,
    };
    Some(last)
}

structs! {
    ExprArray { attrs, bracket_token }
    ExprAssign { attrs, left, .., right }
    ExprAsync { attrs, async_token, .., block }
    ExprAwait { attrs, base, .., await_token }
    ExprBinary { attrs, left, .., right }
    ExprBlock { attrs, label, block }
    ExprBreak { attrs, break_token, label, expr }
    ExprCall { attrs, func, paren_token }
    ExprCast { attrs, expr, .., ty }
    ExprClosure { attrs, lifetimes, constness, asyncness, capture, inputs_begin, .., body }
    ExprConst { attrs, const_token, .., block }
    ExprContinue { attrs, continue_token, label }
    ExprField { attrs, base, .., member }
    ExprForLoop { attrs, label, for_token, .., body }
    ExprGroup { attrs, group_token }
    ExprIf { attrs, if_token, .., then_branch, else_branch }
    ExprIndex { attrs, expr, bracket_token }
    ExprInfer { attrs, underscore_token }
    ExprLet { attrs, let_token, .., expr }
    ExprLit { attrs, lit }
    ExprLoop { attrs, label, loop_token, .., body }
    ExprMacro { attrs, mac }
    ExprMatch { attrs, match_token, .., brace_token }
    ExprMethodCall { attrs, receiver, .., paren_token }
    ExprParen { attrs, paren_token }
    ExprPath { attrs, qself, path }
    ExprRange { attrs, start, limits, end }
    ExprRawAddr { attrs, and_token, .., expr }
    ExprReference { attrs, and_token, .., expr }
    ExprRepeat { attrs, bracket_token }
    ExprReturn { attrs, return_token, expr }
    ExprStruct { attrs, qself, path, brace_token }
    ExprTry { attrs, expr, question_token }
    ExprTryBlock { attrs, try_token, .., block }
    ExprTuple { attrs, paren_token }
    ExprUnary { attrs, op, .., expr }
    ExprUnsafe { attrs, unsafe_token, .., block }
    ExprWhile { attrs, label, while_token, .., body }
    ExprYield { attrs, yield_token, expr }

    Arm { attrs, pat, .., body, comma }
    FieldValue { attrs, member, .., expr }
}
