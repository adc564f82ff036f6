//! Tells whether an assertion compares two values that are computed from the same input, as in a round trip. Then the right
//! answer changes with the input, and both may shrink.

use super::checks::{Assertion, SAME, call_at, called_names};
use super::leading::{Leading, LeadingBlock, LeadingLoop};
use super::variables::Variables;
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use reduce_syntax::{TokenCursor, TokenKind};
use std::collections::BTreeSet;
use syn::Expr;

/// Whether the assertion at a position compares two values that are computed from one input.
pub(super) fn is_computed(program: &Program, failed: Position) -> bool {
    let leading = Leading::to(program, failed);
    let around = leading.blocks.iter();
    let around: Vec<_> = around.filter(|one| one.anchors.contains(&failed)).collect();
    let Some((file, call)) = call_at(program, failed) else {
        return false;
    };
    let Some([left, right]) = Assertion::of(&call).and_then(Assertion::sides) else {
        return false;
    };
    let headers = leading.loops.iter().map(header);
    let flow = Flow {
        statements: around
            .iter()
            .flat_map(|block| statements(block))
            .chain(headers)
            .collect(),
        variables: &Variables::of(program),
        program,
    };
    let has_same_calls = called_names(&left) == called_names(&right);
    let [left, right] = [left, right].map(|side| flow.side(file, side));
    let compares_input = flow.is_input_of(&left, &right) || flow.is_input_of(&right, &left);
    let may_be_computed = left.is_plain || right.is_plain || has_same_calls;
    compares_input || may_be_computed && flow.computes_both(&left, &right)
}

/// Returns the place of `x in y` in a loop `for x in y`.
fn header(one: &LeadingLoop<'_>) -> Place {
    one.file.between(&*one.looping.pat, &*one.looping.expr)
}

/// Returns the statements of a block in which the assertion is not.
fn statements(block: &LeadingBlock<'_>) -> Vec<Place> {
    let all = block.block.stmts.iter();
    let places = all.map(|statement| block.file.place(statement));
    let is_before = |place: &Place| !block.anchors.iter().any(|at| at.is_in(place));
    places.filter(is_before).collect()
}

/// The statements and variables by which values get to an assertion.
struct Flow<'f> {
    statements: Vec<Place>,
    variables: &'f Variables,
    program: &'f Program,
}

/// One of the two values that an assertion compares.
struct Side {
    place: Place,
    /// Whether the value is a variable, perhaps in another form (`x.to_string()`).
    is_plain: bool,
    /// The variables in the expression of the value.
    own: BTreeSet<Position>,
    /// The variables that the value is computed from, its own included.
    variables: BTreeSet<Position>,
    /// The statements that compute the value.
    statements: BTreeSet<usize>,
}

impl Flow<'_> {
    fn side(&self, file: SyntaxFile<'_>, side: Expr) -> Side {
        let place = file.place(&side);
        let own: BTreeSet<Position> = self.variables.mentioned(&place).collect();
        let mut open: Vec<Position> = own.iter().copied().collect();
        let (mut variables, mut statements) = (own.clone(), BTreeSet::new());
        while let Some(variable) = open.pop() {
            for (idx, statement) in self.statements.iter().enumerate() {
                if self.makes(statement, variable) && statements.insert(idx) {
                    let more = self.variables.of_outside(statement);
                    open.extend(more.filter(|one| variables.insert(*one)));
                }
            }
        }
        Side {
            place,
            is_plain: is_same_value(&side),
            own,
            variables,
            statements,
        }
    }

    /// Whether a statement defines a variable, or may change it.
    fn makes(&self, statement: &Place, variable: Position) -> bool {
        let may_change = self.variables.is_changeable(variable);
        let mut mentioned = self.variables.mentioned(statement);
        variable.is_in(statement) || may_change && mentioned.any(|one| one == variable)
    }

    /// Whether a side is only an input from which the other side is computed.
    fn is_input_of(&self, side: &Side, other: &Side) -> bool {
        let mut own = side.own.iter();
        side.is_plain
            && !side.own.is_empty()
            && own.all(|one| other.variables.contains(one) && self.is_input(*one))
    }

    /// Whether a variable is an input: made by a statement that mentions no other variable.
    fn is_input(&self, variable: Position) -> bool {
        let mut makers = self
            .statements
            .iter()
            .filter(|one| self.makes(one, variable));
        let is_alone = |place: &Place| self.variables.of_outside(place).next().is_none();
        let first = makers.next().filter(|place| is_alone(place));
        first.is_some() && makers.next().is_none()
    }

    /// Whether both sides are computed from the same variables, and no answer is written down in the test: no literal, and no
    /// part of a value, which may come from a table.
    fn computes_both(&self, left: &Side, right: &Side) -> bool {
        let own = left.statements.symmetric_difference(&right.statements);
        let mut own = own
            .map(|idx| &self.statements[*idx])
            .chain([&left.place, &right.place]);
        let mut all = left
            .statements
            .union(&right.statements)
            .map(|idx| &self.statements[*idx]);
        !left.variables.is_disjoint(&right.variables)
            && !own.any(|place| may_be_answer(self.program.text(place)))
            && !all.any(|place| {
                self.variables
                    .defined_in(place)
                    .collect::<BTreeSet<_>>()
                    .len()
                    > 1
            })
    }
}

/// Whether a text has a literal or a field in it, which may be a written-down answer.
fn may_be_answer(text: &str) -> bool {
    let cursor = TokenCursor::new(text);
    let is_field = |idx: usize| {
        let is_call = cursor.is(idx + 2, "(") || cursor.is(idx + 2, "::");
        cursor.is(idx, ".")
            && cursor.is_name(idx + 1)
            && !is_call
            && cursor.word(idx + 1) != "await"
    };
    let mut all = cursor.indices();
    all.any(|idx| {
        let is_literal = cursor.kind(idx).is_some_and(TokenKind::is_literal);
        is_literal || matches!(cursor.word(idx), "true" | "false") || is_field(idx)
    })
}

/// Whether an expression is a variable, perhaps in another form.
fn is_same_value(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Reference(one) => is_same_value(&one.expr),
        Expr::Paren(one) => is_same_value(&one.expr),
        Expr::Unary(one) => matches!(one.op, syn::UnOp::Deref(_)) && is_same_value(&one.expr),
        Expr::Tuple(all) => all.elems.iter().all(is_same_value),
        // `Some(x)`
        Expr::Call(call) => is_constructor(&call.func) && call.args.iter().all(is_same_value),
        Expr::MethodCall(call) => {
            let is_same = SAME.iter().any(|name| call.method == name);
            is_same && call.args.is_empty() && is_same_value(&call.receiver)
        }
        _ => false,
    }
}

fn is_constructor(called: &Expr) -> bool {
    match called {
        Expr::Path(path) => ["Some", "Ok", "Err"]
            .iter()
            .any(|name| path.path.is_ident(name)),
        _ => false,
    }
}
