//! Reads of fields, and what the statements around them do.

use super::super::Read;
use super::Reader;
use syn::{Expr, Member, Stmt};

impl Reader<'_, '_> {
    pub(super) fn field_read(&mut self, read: &syn::ExprField) {
        let is_self = matches!(&*read.base, Expr::Path(one) if one.path.is_ident("self"));
        let own = self.own.as_ref().filter(|_| is_self);
        self.data.reads.push(Read {
            whole: self.place(read),
            base: self.place(&read.base),
            member: match &read.member {
                Member::Named(name) => name.to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            },
            member_place: self.place(&read.member),
            own: own.map(|(_, at)| *at),
            assignment: None,
            is_first: false,
        });
    }

    /// Notes what a statement or arm does with the field that it begins with.
    pub(super) fn first_read(
        &mut self,
        expression: &Expr,
        statement: Option<&Stmt>,
        n_before: usize,
    ) {
        let whole = self.place(expression);
        let assigned = statement.and_then(|statement| Some((assigned(expression)?, statement)));
        let assigned = assigned.map(|(left, whole)| (self.place(left), self.place(whole)));
        for read in self.data.reads.iter_mut().skip(n_before) {
            read.is_first |= read.whole.1.start == whole.1.start && read.whole != whole;
            if let Some((left, whole)) = &assigned
                && read.whole == *left
            {
                read.assignment = Some(whole.clone());
            }
        }
    }
}

/// What an expression assigns to.
fn assigned(expression: &Expr) -> Option<&Expr> {
    match expression {
        Expr::Assign(one) => Some(&one.left),
        Expr::Binary(one) => is_assignment(&one.op).then_some(&*one.left),
        _ => None,
    }
}

fn is_assignment(operator: &syn::BinOp) -> bool {
    use syn::BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign,
        ShlAssign, ShrAssign, SubAssign,
    };
    matches!(
        operator,
        AddAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | BitXorAssign(_)
            | DivAssign(_)
            | MulAssign(_)
            | RemAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
            | SubAssign(_)
    )
}
