//! Inlines variables of which only fields are read: what the variable was made of stands where a field
//! was read.

use super::Inlining;
use crate::passes::expressions::{binding, member_name};
use crate::passes::functions::Shape;
use crate::program::Place;
use crate::visit::{self, At, Home, Node, Walk};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::{HashMap, HashSet};
use syn::{Block, Expr, Local, Stmt};

/// The values of a struct's or tuple's fields, by the names or numbers of the fields.
type Fields<'p> = HashMap<String, &'p Expr>;

impl<'p> Inlining<'p> {
    /// Puts the value of a field in place of its reads: `let x = S { a: 1, b: 2 }; f(x.a);` becomes
    /// `f(1)`. What is computed is read once.
    pub(super) fn reads(
        &self,
        block: &'p Block,
        statement: &Stmt,
        local: &'p Local,
    ) -> Option<EditSet> {
        let (name, _) = binding(&local.pat)?;
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let fields = fields(&init.expr)?;
        let mentions = self.mentions(name);
        mentions.first()?;
        let reads = self.fields_read(block);
        let mut change = self.program.change();
        let mut computed = HashSet::new();
        for mention in mentions {
            let (place, member) = reads.get(mention)?;
            let value = *fields.get(member)?;
            let is_free = Shape::of(value) == Shape::Simple || computed.insert(member);
            is_free.then_some(())?;
            change.replace_read(place, self.file.text(value))?;
        }
        change.remove(&self.file.place(statement)).finish()
    }

    /// Returns the reads of variables' fields in a block, by the position of each mention: the whole expression, and
    /// the name of the field.
    fn fields_read(&self, block: &'p Block) -> HashMap<Position, (Place, String)> {
        let mut found = HashMap::new();
        let at = At {
            file: self.file,
            home: Home::Nothing,
            in_header: false,
        };
        visit::each_in(self.program, at, Node::Block(block), |at, node| {
            if let Node::Expr(Expr::Field(read)) = node
                && let Expr::Path(base) = &*read.base
                && let Some(name) = base.path.get_ident()
            {
                let member = at.text(&read.member).to_owned();
                found.insert(at.position(name), (at.place(read), member));
            }
            Walk::Inside
        });
        found
    }
}

/// Returns the values that a struct or a tuple is made of, also where it is borrowed.
fn fields(value: &Expr) -> Option<Fields<'_>> {
    match value {
        Expr::Reference(borrow) if borrow.mutability.is_none() => fields(&borrow.expr),
        Expr::Tuple(tuple) => {
            let numbered = tuple.elems.iter().enumerate();
            Some(numbered.map(|(idx, one)| (idx.to_string(), one)).collect())
        }
        Expr::Struct(literal) if literal.rest.is_none() => {
            let fields = literal.fields.iter();
            let named = fields.map(|field| (member_name(&field.member), &field.expr));
            Some(named.collect())
        }
        _ => None,
    }
}
