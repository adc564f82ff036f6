//! Decides which expression needs parentheses where, by its precedence and by what its surroundings ask for (Rust reference,
//! "Expression precedence").

mod contexts;
#[cfg(test)]
mod tests;

pub(crate) use contexts::{ByPlace, by_place};

use reduce_syntax::count_tokens;
use syn::{BinOp, Expr, Type};

/// The precedence of an expression: how tightly it binds its operands, the loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Precedence {
    /// The precedence of `return`, `break` and closures, which take all that follows as their operand.
    Jump,
    Assign,
    Range,
    Or,
    And,
    Let,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Prefix,
    /// All other expressions: calls, fields, names, brackets, blocks.
    Unit,
}

/// The role of an expression, or a type, in the syntax around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A place where any expression may stand.
    Free,
    /// A place that asks for one type: a length, an index, the value of a constant.
    Typed,
    Left(Precedence),
    Right(Precedence),
    /// The operand of a prefix `&`, `*`, `!` or `-`.
    Prefixed,
    /// The operand before `.` or `?`.
    Receiver,
    /// The callee before the arguments of a call, where a field would be taken for a method.
    Callee,
    /// The operand before an index.
    Indexed,
    /// A place to which a value is assigned, or to which a pointer is made.
    Assigned,
    /// The expression before the block of an `if`, `while`, `for` or `match`.
    BeforeBlock,
    /// The expression after `let p =` in a condition.
    Scrutinee,
    /// The expression before the `else` of a `let`.
    BeforeElse,
    /// The name in `S { x }`, which names the field too.
    Shorthand,
    /// The body of a closure with a written return type, which has to be a block.
    Braced,
    GenericArgument,
    /// A type after `&` or `*`.
    Pointee,
    /// An unknown role, in the definition of a macro, or in arguments that only the macro understands.
    Unknown,
}

/// The surroundings of an expression that decide about its parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ExpressionContext {
    pub(crate) role: Role,
    /// Whether the expression is in a condition, where the literal of a struct would be taken for a name and a block.
    in_condition: bool,
    /// The statement or body of an arm, if any, that begins with the expression.
    begins: Begins,
    /// Whether `<` follows the expression: after the type of a cast it would be taken for generic arguments.
    before_less: bool,
    /// Whether the `else` of a `let` follows the expression, which may not end with a brace then.
    before_else: bool,
}

/// The way in which a statement begins with the expression; the statement would end after a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begins {
    Nothing,
    /// A statement begins with the expression, and ends with it or goes on with `.` or `?`, which may come after a block too.
    Statement,
    /// A statement begins with the expression, and an operator follows.
    Operation,
}

impl ExpressionContext {
    /// The context of an expression with nothing around it.
    const FREE: Self = Self::of(Role::Free);

    /// Makes a context of which only the role is known.
    pub(crate) const fn of(role: Role) -> Self {
        Self {
            role,
            in_condition: false,
            begins: Begins::Nothing,
            before_less: false,
            before_else: false,
        }
    }

    /// Whether an expression in this context may be of any type, as nothing is done with it.
    pub(crate) fn is_free(self) -> bool {
        matches!(self.role, Role::Free | Role::Shorthand | Role::Braced)
    }

    /// Whether an expression in this context is certainly only read, so that another value may take its place.
    pub(crate) fn is_read(self) -> bool {
        !matches!(self.role, Role::Unknown | Role::Assigned)
    }

    /// Returns the text of an expression with the parentheses or braces that it needs in this context. `name` is what stood there
    /// before.
    pub(crate) fn fitted(self, name: &str, text: &str) -> String {
        match self.role {
            Role::Shorthand => format!("{name}: {text}"),
            Role::GenericArgument if !is_generic_argument(text) => format!("{{ {text} }}"),
            Role::Braced if !text.starts_with('{') => format!("{{ {text} }}"),
            _ if self.needs_parentheses(text) => format!("({text})"),
            _ => text.to_owned(),
        }
    }

    /// Whether a text needs parentheses in this context, as it would fall apart or take in what follows.
    pub(crate) fn needs_parentheses(self, text: &str) -> bool {
        let is_anywhere = matches!(self.role, Role::Free | Role::Typed)
            && !self.in_condition
            && !self.before_else;
        if is_anywhere && self.begins == Begins::Nothing || is_a_word(text) {
            return false;
        }
        match (self.role, syn::parse_str::<Expr>(text)) {
            (Role::Shorthand | Role::GenericArgument | Role::Braced, _) => false,
            (Role::Pointee, _) => {
                syn::parse_str::<Type>(text).is_ok_and(|ty| has_several_bounds(&ty))
            }
            (_, Ok(expression)) => self.needs(&expression),
            (_, Err(_)) => !is_anywhere,
        }
    }

    fn needs(self, expression: &Expr) -> bool {
        let precedence = Precedence::of(expression);
        let is_loose = match self.role {
            Role::Left(operator) if operator.is_alone() => precedence <= operator,
            Role::Left(operator) => precedence < operator,
            Role::Right(operator) => precedence <= operator,
            Role::Prefixed | Role::Assigned => precedence < Precedence::Prefix,
            Role::Receiver | Role::Indexed | Role::Unknown => precedence < Precedence::Unit,
            Role::Callee => precedence < Precedence::Unit || matches!(expression, Expr::Field(_)),
            Role::Scrutinee => precedence <= Precedence::And,
            Role::BeforeElse => precedence <= Precedence::And,
            _ => false,
        };
        let takes_more = matches!(self.role, Role::Left(_)) && last(expression) == Precedence::Jump;
        let ends_before = match self.begins {
            Begins::Nothing => false,
            Begins::Statement => is_torn_apart(expression),
            Begins::Operation => is_like_a_block(expression) || is_torn_apart(expression),
        };
        is_loose
            || takes_more
            || ends_before
            || self.in_condition && has_bare_struct(expression)
            || self.before_less && last(expression) == Precedence::Cast
            || self.before_else && ends_with_brace(expression)
    }
}

impl Precedence {
    pub(crate) fn of(expression: &Expr) -> Self {
        match expression {
            Expr::Closure(_) | Expr::Return(_) | Expr::Break(_) | Expr::Yield(_) => Self::Jump,
            Expr::Assign(_) => Self::Assign,
            Expr::Range(_) => Self::Range,
            Expr::Let(_) => Self::Let,
            Expr::Binary(one) => Self::of_operator(&one.op),
            Expr::Cast(_) => Self::Cast,
            Expr::Unary(_) | Expr::Reference(_) | Expr::RawAddr(_) => Self::Prefix,
            Expr::Group(one) => Self::of(&one.expr),
            _ => Self::Unit,
        }
    }

    fn of_operator(operator: &BinOp) -> Self {
        match operator {
            BinOp::Or(_) => Self::Or,
            BinOp::And(_) => Self::And,
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) => Self::Compare,
            BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => Self::Compare,
            BinOp::BitOr(_) => Self::BitOr,
            BinOp::BitXor(_) => Self::BitXor,
            BinOp::BitAnd(_) => Self::BitAnd,
            BinOp::Shl(_) | BinOp::Shr(_) => Self::Shift,
            BinOp::Add(_) | BinOp::Sub(_) => Self::Sum,
            BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => Self::Product,
            _ => Self::Assign,
        }
    }

    /// Whether an operator of this precedence cannot be repeated without parentheses, as in `a < b < c`.
    fn is_alone(self) -> bool {
        matches!(self, Self::Compare | Self::Range)
    }
}

/// Whether an operator assigns to the operand left of it.
pub(crate) fn is_assignment(operator: &BinOp) -> bool {
    Precedence::of_operator(operator) == Precedence::Assign
}

/// Whether an expression can be an operand or a receiver without parentheses.
pub(crate) fn is_tight(expression: &Expr) -> bool {
    let ends_a_statement = is_like_a_block(expression) || matches!(expression, Expr::Struct(_));
    Precedence::of(expression) == Precedence::Unit && !ends_a_statement
}

/// Returns the text of an expression, in parentheses if it needs them before `.` or `?`.
pub(crate) fn as_receiver(text: &str) -> String {
    ExpressionContext::of(Role::Receiver).fitted("", text)
}

/// Returns the text of an expression, in parentheses if it needs them after `&` or another prefix.
pub(crate) fn as_prefixed(text: &str) -> String {
    ExpressionContext::of(Role::Prefixed).fitted("", text)
}

/// Whether an expression, such as `if`, is a statement without a semicolon.
pub(crate) fn is_like_a_block(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::Block(_)
            | Expr::Const(_)
            | Expr::ForLoop(_)
            | Expr::If(_)
            | Expr::Loop(_)
            | Expr::Match(_)
            | Expr::Unsafe(_)
            | Expr::While(_)
    )
}

/// Returns the operands of an expression that are in no brackets of their own, each with its role.
fn open_parts(expression: &Expr) -> Vec<(Role, &Expr)> {
    match expression {
        Expr::Assign(one) => vec![(Role::Assigned, &one.left), (Role::Free, &one.right)],
        Expr::Binary(one) => match Precedence::of_operator(&one.op) {
            Precedence::Assign => vec![(Role::Assigned, &one.left), (Role::Free, &one.right)],
            operator => vec![
                (Role::Left(operator), &one.left),
                (Role::Right(operator), &one.right),
            ],
        },
        Expr::Range(one) => {
            let start = one
                .start
                .as_deref()
                .map(|part| (Role::Left(Precedence::Range), part));
            let end = one
                .end
                .as_deref()
                .map(|part| (Role::Right(Precedence::Range), part));
            start.into_iter().chain(end).collect()
        }
        Expr::Cast(one) => vec![(Role::Left(Precedence::Cast), &one.expr)],
        Expr::Unary(one) => vec![(Role::Prefixed, &one.expr)],
        Expr::Reference(one) => vec![(Role::Prefixed, &one.expr)],
        Expr::RawAddr(one) => vec![(Role::Assigned, &one.expr)],
        Expr::MethodCall(one) => vec![(Role::Receiver, &one.receiver)],
        Expr::Field(one) => vec![(Role::Receiver, &one.base)],
        Expr::Try(one) => vec![(Role::Receiver, &one.expr)],
        Expr::Await(one) => vec![(Role::Receiver, &one.base)],
        Expr::Index(one) => vec![(Role::Indexed, &one.expr)],
        Expr::Call(one) => vec![(Role::Callee, &one.func)],
        Expr::Let(one) => vec![(Role::Scrutinee, &one.expr)],
        Expr::Closure(one) => match one.output {
            syn::ReturnType::Default => vec![(Role::Free, &one.body)],
            syn::ReturnType::Type(..) => vec![(Role::Braced, &one.body)],
        },
        Expr::Return(syn::ExprReturn { expr, .. }) | Expr::Break(syn::ExprBreak { expr, .. }) => {
            let value = expr.as_deref().map(|value| (Role::Free, value));
            value.into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a statement that begins with this expression would end within it, after a block: `{ a } + b`.
fn is_torn_apart(expression: &Expr) -> bool {
    match open_parts(expression).first() {
        Some((Role::Receiver, first)) => is_torn_apart(first),
        Some((Role::Left(_) | Role::Assigned | Role::Indexed | Role::Callee, first))
            if !matches!(expression, Expr::RawAddr(_)) =>
        {
            is_like_a_block(first) || is_torn_apart(first)
        }
        _ => false,
    }
}

/// Returns the lowest precedence of the operands with which an expression ends.
fn last(expression: &Expr) -> Precedence {
    let own = Precedence::of(expression);
    match open_parts(expression).last() {
        Some((Role::Right(_) | Role::Prefixed | Role::Free | Role::Assigned, last)) => {
            own.min(self::last(last))
        }
        _ => own,
    }
}

fn ends_with_brace(expression: &Expr) -> bool {
    match open_parts(expression).last() {
        Some((Role::Right(_) | Role::Prefixed | Role::Free | Role::Assigned, last)) => {
            ends_with_brace(last)
        }
        Some(_) => false,
        None => {
            is_like_a_block(expression) || matches!(expression, Expr::Struct(_) | Expr::Async(_))
        }
    }
}

fn has_bare_struct(expression: &Expr) -> bool {
    let mut parts = open_parts(expression).into_iter();
    matches!(expression, Expr::Struct(_)) || parts.any(|(_, part)| has_bare_struct(part))
}

/// Whether a text is a single token, which needs no parentheses anywhere.
fn is_a_word(text: &str) -> bool {
    count_tokens(text) < 2 && !matches!(text, "return" | "break" | "..")
}

fn has_several_bounds(ty: &Type) -> bool {
    match ty {
        Type::ImplTrait(one) => one.bounds.len() > 1,
        Type::TraitObject(one) => one.bounds.len() > 1,
        _ => false,
    }
}

/// Whether a text can be a generic argument without braces: it is a literal, a name or a block.
fn is_generic_argument(text: &str) -> bool {
    match syn::parse_str::<Expr>(text) {
        Ok(Expr::Lit(_) | Expr::Block(_)) => true,
        Ok(Expr::Path(path)) => path.path.get_ident().is_some(),
        Ok(Expr::Unary(one)) => matches!(*one.expr, Expr::Lit(_)),
        _ => false,
    }
}
