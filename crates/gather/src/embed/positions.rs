//! Finds the positions of `include!`: only syntax tells whether items or an expression belong
//! there.

use crate::configuration::is_conditional;
use reduce_syntax::{Parsed, SpanGuard, byte_range};
use std::collections::BTreeMap;
use std::ops::Range;
use syn::parse::Parser;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprMacro, ItemMacro, Macro, Stmt, StmtMacro};

/// The kind of syntax that may take the place of an `include!`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Position {
    /// Items take the place of the whole call, each with the attributes that stand before the call.
    Items {
        whole: Range<usize>,
        conditions: Vec<Range<usize>>,
    },
    /// An expression takes the place of the call, with a semicolon where the call is a statement without one before others.
    Expression { needs_semicolon: bool },
}

/// The position of each `include!` that is syntax, by its first byte.
pub(super) type Positions = BTreeMap<usize, Position>;

/// The range of the expression in a file that is read as an expression, and the form of that expression.
pub(super) struct Shape {
    pub(super) range: Range<usize>,
    pub(super) form: Form,
}

/// The form of an expression, which decides whether it needs parentheses beside operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// An expression of which no operator beside it takes a part.
    Closed,
    /// An expression of which an operator beside it may take a part, such as `a + b`.
    Open,
    /// Several statements, which need a block around them to be an expression.
    Statements,
}

/// Finds the position of each `include!` in a file. `None` if it does not parse, or if a bracket has no partner.
pub(super) fn positions_of_file(text: &str) -> Option<Positions> {
    let parsed = Parsed::new(text);
    let file = parsed.file().filter(|_| parsed.has_matching_brackets())?;
    let mut finder = Finder::default();
    finder.visit_file(file);
    Some(finder.positions)
}

/// Finds the position of each `include!` in an expression or in statements.
pub(super) fn positions_of_code(text: &str) -> Option<Positions> {
    let _positions = SpanGuard::new();
    let mut finder = Finder::default();
    match parsed_code(text)? {
        Code::Expression(expression) => finder.visit_expr(&expression),
        Code::Statements(statements) => finder.statements(&statements),
    }
    Some(finder.positions)
}

/// Parses a file as an expression or statements, and returns where the code is and which form it has.
pub(super) fn shape_of(text: &str) -> Option<Shape> {
    let _positions = SpanGuard::new();
    Some(match parsed_code(text)? {
        Code::Expression(expression) => Shape {
            range: byte_range(&expression),
            form: form_of(&expression),
        },
        Code::Statements(statements) => Shape {
            range: range_of(&statements)?,
            form: Form::Statements,
        },
    })
}

enum Code {
    Expression(Box<Expr>),
    Statements(Vec<Stmt>),
}

/// Parses an expression or statements. To be called while a guard keeps the positions.
fn parsed_code(text: &str) -> Option<Code> {
    if let Ok(expression) = syn::parse_str(text) {
        return Some(Code::Expression(Box::new(expression)));
    }
    let statements = Block::parse_within.parse_str(text).ok()?;
    Some(Code::Statements(statements))
}

fn range_of(statements: &[Stmt]) -> Option<Range<usize>> {
    let start = byte_range(statements.first()?).start;
    Some(start..byte_range(statements.last()?).end)
}

fn form_of(expression: &Expr) -> Form {
    match expression {
        Expr::Lit(_)
        | Expr::Path(_)
        | Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Array(_)
        | Expr::Repeat(_)
        | Expr::Tuple(_)
        | Expr::Paren(_) => Form::Closed,
        Expr::Macro(call) if !matches!(call.mac.delimiter, syn::MacroDelimiter::Brace(_)) => {
            Form::Closed
        }
        _ => Form::Open,
    }
}

#[derive(Default)]
struct Finder {
    positions: Positions,
}

impl Finder {
    fn add(&mut self, call: &Macro, position: Position) {
        let is_include = call.path.segments.last();
        if is_include.is_some_and(|last| last.ident == "include") {
            let start = byte_range(&call.path).start;
            self.positions.insert(start, position);
        }
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for (idx, statement) in statements.iter().enumerate() {
            match statement {
                Stmt::Macro(call) => self.statement(call, idx + 1 == statements.len()),
                _ => self.visit_stmt(statement),
            }
        }
    }

    fn statement(&mut self, statement: &StmtMacro, is_last: bool) {
        let needs_semicolon = statement.semi_token.is_none() && !is_last;
        self.add(&statement.mac, Position::Expression { needs_semicolon });
        visit::visit_stmt_macro(self, statement);
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_block(&mut self, block: &'ast Block) {
        self.statements(&block.stmts);
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        let conditions = item.attrs.iter().filter(|one| is_conditional(one));
        let conditions = conditions.map(byte_range).collect();
        let whole = byte_range(item);
        self.add(&item.mac, Position::Items { whole, conditions });
    }

    fn visit_expr_macro(&mut self, expression: &'ast ExprMacro) {
        let position = Position::Expression {
            needs_semicolon: false,
        };
        self.add(&expression.mac, position);
    }
}
