//! Reads of fields, and assignments to them.

use super::super::Read;
use super::DataWalk;
use crate::precedence::is_assignment;
use syn::{Expr, Member, Stmt};

impl DataWalk<'_> {
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
        });
    }

    /// Notes that a statement assigns to a field.
    pub(super) fn assigning(&mut self, statement: &Stmt) {
        let Stmt::Expr(expression, _) = statement else {
            return;
        };
        let left = match expression {
            Expr::Assign(one) => &one.left,
            Expr::Binary(one) if is_assignment(&one.op) => &one.left,
            _ => return,
        };
        let (left, whole) = (self.place(left), self.place(statement));
        for read in self.data.reads.iter_mut().rev() {
            if read.whole == left {
                read.assignment = Some(whole);
                return;
            }
        }
    }
}
