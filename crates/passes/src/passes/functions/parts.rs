//! The parts of functions: parameters, receivers, bodies, values and what leaves early.

use super::Function;
use crate::passes::expressions::{binding, inside_of, plain_block};
use crate::program::{Change, Place, Program, SyntaxFile};
use crate::visit::{self, At, Node, Walk};
use reduce_model::Position;
use syn::{Block, Expr, Macro, Pat, PatIdent, PatType, Receiver, ReceiverKind, Stmt, Type};

/// A parameter that is not `self`.
#[derive(Clone)]
pub(in crate::passes) struct Parameter<'p> {
    pub(in crate::passes) file: SyntaxFile<'p>,
    pub(in crate::passes) whole: Place,
    pub(in crate::passes) pattern: &'p Pat,
    /// The parameter's type; one of a closure may have none.
    pub(in crate::passes) ty: Option<&'p Type>,
}

/// The body of a function or closure.
#[derive(Clone)]
pub(in crate::passes) struct Body<'p> {
    pub(in crate::passes) node: Node<'p>,
    /// The body with its braces, if it has some.
    pub(in crate::passes) whole: Place,
    /// The body without its braces.
    pub(in crate::passes) contents: Place,
    pub(in crate::passes) n_statements: usize,
    /// The value of the body: its last expression if no semicolon follows.
    pub(in crate::passes) value: Option<Value<'p>>,
}

/// The value at the end of a function, or one that a `return` gives.
#[derive(Clone)]
pub(in crate::passes) struct Value<'p> {
    /// The value as an expression; `None` for the call of a macro that is a statement by itself.
    pub(in crate::passes) expression: Option<&'p Expr>,
    pub(in crate::passes) place: Place,
    pub(in crate::passes) shape: Shape,
}

/// The content of a variant such as `Some(e)` that a function returned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::passes) enum Inner {
    Value,
    /// The content is `()`, so that nothing needs to be returned.
    Nothing,
}

/// The kind of an expression that may be put in place of another: it is simple, never ends, or is anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::passes) enum Shape {
    /// A literal, a path or `()`, which costs nothing and does nothing, however often it is there.
    Simple,
    /// An expression that never ends: `loop {}`, or a macro such as `panic!()`.
    Diverging,
    Other,
}

impl<'p> Parameter<'p> {
    pub(super) fn typed(file: SyntaxFile<'p>, typed: &'p PatType) -> Self {
        Self {
            file,
            whole: file.place(typed),
            pattern: &typed.pat,
            ty: Some(&typed.ty),
        }
    }

    /// Reads a parameter of a closure.
    pub(super) fn of(file: SyntaxFile<'p>, pattern: &'p Pat) -> Self {
        match pattern {
            Pat::Type(typed) => Self::typed(file, typed),
            _ => Self {
                file,
                whole: file.place(pattern),
                pattern,
                ty: None,
            },
        }
    }

    /// Returns the name of the parameter, if its pattern is nothing but a name, maybe with `mut`.
    pub(in crate::passes) fn name(&self) -> Option<&'p PatIdent> {
        Some(binding(self.pattern)?.0)
    }

    /// Returns the positions that mention the variables of the parameter.
    pub(in crate::passes) fn mentions(&self, program: &Program) -> Vec<Position> {
        let pattern = self.file.place(self.pattern);
        program.mentions().of_all_in(&pattern).collect()
    }
}

/// Returns the borrow that a method makes of its receiver: nothing, `&` or `&mut `; `None` if the receiver has a type.
pub(in crate::passes) fn borrow_of(receiver: &Receiver) -> Option<&'static str> {
    match &receiver.kind {
        ReceiverKind::Value => Some(""),
        ReceiverKind::Reference(_, _, None) => Some("&"),
        ReceiverKind::Reference(_, _, Some(_)) => Some("&mut "),
        _ => None,
    }
}

impl<'p> Body<'p> {
    pub(super) fn of_block(at: At<'p>, block: &'p Block) -> Self {
        let value = match block.stmts.last() {
            Some(Stmt::Expr(last, None)) => Some(Value::of(at, last)),
            Some(Stmt::Macro(last)) if last.semi_token.is_none() => Some(Value {
                expression: None,
                place: at.place(last),
                shape: Shape::of_macro(&last.mac),
            }),
            _ => None,
        };
        Self {
            node: Node::Block(block),
            whole: at.place(block),
            contents: at.inside(block.brace_token.span),
            n_statements: block.stmts.len(),
            value,
        }
    }

    /// Reads the body of a closure: a block, or any other expression.
    pub(super) fn of_closure(at: At<'p>, body: &'p Expr) -> Self {
        match plain_block(body) {
            Some(block) => Self::of_block(at, block),
            None => Self {
                node: Node::Expr(body),
                whole: at.place(body),
                contents: at.place(body),
                n_statements: 1,
                value: Some(Value::of(at, body)),
            },
        }
    }
}

impl<'p> Value<'p> {
    fn of(at: At<'_>, expression: &'p Expr) -> Self {
        Self {
            expression: Some(expression),
            place: at.place(expression),
            shape: Shape::of(expression),
        }
    }

    /// Puts `e` in place of the value `Some(e)`, where `variants` has `Some`. `None` where something else is returned.
    pub(in crate::passes) fn take_out_of(
        &self,
        variants: &[&str],
        at: At<'_>,
        change: &mut Change<'_>,
    ) -> Option<Inner> {
        let inner = inside_of(self.expression?, variants)?;
        if matches!(inner, Expr::Tuple(unit) if unit.elems.is_empty()) {
            change.delete(&self.place);
            return Some(Inner::Nothing);
        }
        let inner = at.place(inner);
        change.delete(&self.place.before(&inner));
        change.delete(&self.place.after(&inner));
        Some(Inner::Value)
    }
}

impl Shape {
    pub(in crate::passes) fn of(expression: &Expr) -> Self {
        match expression {
            Expr::Path(_) | Expr::Lit(_) => Self::Simple,
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Self::Simple,
            Expr::Macro(one) => Self::of_macro(&one.mac),
            Expr::Loop(one) if one.body.stmts.is_empty() => Self::Diverging,
            _ => Self::Other,
        }
    }

    fn of_macro(call: &Macro) -> Self {
        let diverging = ["panic", "todo", "unimplemented", "unreachable"];
        let last = call.path.segments.last();
        match last.is_some_and(|last| diverging.iter().any(|name| last.ident == name)) {
            true => Self::Diverging,
            false => Self::Other,
        }
    }
}

impl<'p> Function<'p> {
    /// Returns each `return` and `?` of the function, but not of closures and items in it, and whether it is a
    /// statement with a semicolon.
    pub(in crate::passes) fn leaving(&self, program: &'p Program) -> Vec<(&'p Expr, bool)> {
        let (mut found, mut statement) = (Vec::new(), None);
        let Some(body) = &self.body else {
            return found;
        };
        visit::each_in(program, self.at, body.node, |_, node| {
            match node {
                Node::Stmt(Stmt::Expr(one, Some(_))) => statement = Some(std::ptr::from_ref(one)),
                Node::Expr(one @ (Expr::Return(_) | Expr::Try(_))) => {
                    found.push((one, statement == Some(std::ptr::from_ref(one))));
                }
                Node::Item(_)
                | Node::Expr(Expr::Closure(_) | Expr::Async(_) | Expr::TryBlock(_)) => {
                    return Walk::Past;
                }
                _ => {}
            }
            Walk::Inside
        });
        found
    }

    /// Returns the values that the function returns, the one at its end last.
    pub(in crate::passes) fn values(&self, program: &'p Program) -> Vec<Value<'p>> {
        let returned = self.leaving(program).into_iter();
        let returned = returned.filter_map(|(one, _)| match one {
            Expr::Return(one) => Some(Value::of(self.at, one.expr.as_ref()?)),
            _ => None,
        });
        let last = self.body.iter().filter_map(|body| body.value.clone());
        returned.chain(last).collect()
    }

    /// Puts a panic in place of an early return by `?`.
    pub(in crate::passes) fn unwrap_question_marks(
        &self,
        program: &'p Program,
        change: &mut Change<'_>,
    ) {
        for (leaving, is_statement) in self.leaving(program) {
            if let Expr::Try(one) = leaving {
                let instead = if is_statement { "" } else { ".unwrap()" };
                change.replace(&self.at.place(&one.question_token), instead);
            }
        }
    }
}
