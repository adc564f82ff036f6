//! How expressions use variables: what stands around each mention decides what may be put in its
//! place.

use super::{MacroArguments, is_tight, macro_arguments};
use crate::program::{Program, SyntaxFile};
use reduce_model::Position;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, FieldValue, Local, Macro, Member};

/// What stands around a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::passes) enum Use {
    /// Any expression may stand there.
    Free,
    /// An operand or a receiver.
    Operand,
    /// Before a block, where the literal of a struct would be taken for the block.
    BeforeBlock,
    /// The name of a field too: `S { x }`.
    Shorthand,
    /// It is assigned to, or borrowed for that.
    Place,
}

/// How each name that stands alone in an expression is used, by where it stands. Names that only a
/// macro understands are left out.
pub(in crate::passes) fn uses(program: &Program<'_>) -> HashMap<Position, Use> {
    let mut found = HashMap::new();
    for file in program.files() {
        let role = Use::Free;
        let mut uses = Uses { file, found, role };
        uses.visit_file(file.syntax);
        found = uses.found;
    }
    found
}

/// The text to put in place of a mention of `name`, if that can be.
pub(in crate::passes) fn substitute(
    text: &str,
    value: &Expr,
    name: &str,
    used: Use,
) -> Option<String> {
    let is_loose = match used {
        Use::Free => false,
        Use::Operand => !is_tight(value),
        Use::BeforeBlock => text.contains('{') && !is_tight(value),
        Use::Shorthand => return Some(format!("{name}: {text}")),
        Use::Place if is_place(value) => !is_tight(value),
        Use::Place => return None,
    };
    Some(if is_loose {
        format!("({text})")
    } else {
        text.to_owned()
    })
}

fn is_place(value: &Expr) -> bool {
    match value {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        Expr::Paren(inner) => is_place(&inner.expr),
        _ => false,
    }
}

struct Uses<'p> {
    file: SyntaxFile<'p>,
    found: HashMap<Position, Use>,
    /// Of the expression that is visited next.
    role: Use,
}

impl Uses<'_> {
    fn visit_as(&mut self, role: Use, expression: &Expr) {
        self.role = role;
        self.visit_expr(expression);
    }

    fn visit_parts(&mut self, expression: &Expr) {
        self.role = Use::Free;
        visit::visit_expr(self, expression);
    }

    /// The parts that come first, of which the role is not the ordinary one. They are visited twice,
    /// the second time as ordinary ones: the first counts.
    fn visit_special_parts(&mut self, expression: &Expr) {
        for (role, part) in special_parts(expression).into_iter().flatten() {
            if let Expr::Path(path) = part {
                self.path(role, path);
            }
        }
    }

    fn path(&mut self, role: Use, path: &syn::ExprPath) {
        if let (None, Some(name)) = (&path.qself, path.path.get_ident()) {
            let position = self.file.position(name);
            self.found.entry(position).or_insert(role);
        }
    }
}

type Part<'e> = Option<(Use, &'e Expr)>;

fn one(role: Use, part: &Expr) -> [Part<'_>; 2] {
    [Some((role, part)), None]
}

fn special_parts(expression: &Expr) -> [Part<'_>; 2] {
    match expression {
        Expr::MethodCall(call) => one(Use::Operand, &call.receiver),
        Expr::Field(field) => one(Use::Operand, &field.base),
        Expr::Try(tried) => one(Use::Operand, &tried.expr),
        Expr::Await(awaited) => one(Use::Operand, &awaited.base),
        Expr::Index(index) => one(Use::Operand, &index.expr),
        Expr::Call(call) => one(Use::Operand, &call.func),
        Expr::Unary(unary) => one(Use::Operand, &unary.expr),
        Expr::Cast(cast) => one(Use::Operand, &cast.expr),
        Expr::Reference(reference) => one(Use::Operand, &reference.expr),
        Expr::RawAddr(address) => one(Use::Place, &address.expr),
        Expr::Assign(assignment) => one(Use::Place, &assignment.left),
        Expr::Binary(binary) if is_assignment(&binary.op) => one(Use::Place, &binary.left),
        Expr::Binary(binary) => [
            Some((Use::Operand, &binary.left)),
            Some((Use::Operand, &binary.right)),
        ],
        Expr::Range(range) => {
            [&range.start, &range.end].map(|end| end.as_deref().map(|end| (Use::Operand, end)))
        }
        Expr::If(branches) => one(Use::BeforeBlock, &branches.cond),
        Expr::While(looping) => one(Use::BeforeBlock, &looping.cond),
        Expr::ForLoop(looping) => one(Use::BeforeBlock, &looping.expr),
        Expr::Match(matching) => one(Use::BeforeBlock, &matching.expr),
        Expr::Let(condition) => one(Use::BeforeBlock, &condition.expr),
        _ => [None, None],
    }
}

/// Whether an operator assigns to what stands left of it.
pub(in crate::passes) fn is_assignment(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        if let Expr::Path(path) = expression {
            self.path(self.role, path);
        }
        self.visit_special_parts(expression);
        self.visit_parts(expression);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init
            && init.diverge.is_some()
            && let Expr::Path(path) = &*init.expr
        {
            self.path(Use::BeforeBlock, path);
        }
        visit::visit_local(self, local);
    }

    fn visit_field_value(&mut self, value: &'ast FieldValue) {
        let is_shorthand = value.colon_token.is_none() && matches!(value.member, Member::Named(_));
        let role = if is_shorthand {
            Use::Shorthand
        } else {
            Use::Free
        };
        self.visit_as(role, &value.expr);
        self.role = Use::Free;
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        match macro_arguments(call) {
            MacroArguments::Expressions(all) => {
                all.iter().for_each(|one| self.visit_as(Use::Free, one));
            }
            MacroArguments::Statements(all) => all.iter().for_each(|one| self.visit_stmt(one)),
            MacroArguments::Unknown => {}
        }
    }
}
