//! Removes the `async` of functions together with the `.await` after their calls.

use crate::passes::generics::last_name;
use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::Expr;

/// Removes `async` from the whole program, then from each function.
pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let asyncs = Asyncs::of(program);
    let each = asyncs.functions.iter();
    let each = each.filter_map(|function| asyncs.without(program, function));
    asyncs.everywhere(program).into_iter().chain(each).collect()
}

#[derive(Default)]
struct Asyncs {
    /// Async functions: the positions of their names, and the places of the keyword `async`.
    functions: Vec<(Position, Place)>,
    /// The places of the keyword `async` at blocks and closures.
    others: Vec<Place>,
    /// The place of each `.await`, with the definition of the function that is called before it.
    awaits: Vec<(Option<Position>, Place)>,
}

impl Asyncs {
    fn of(program: &Program) -> Self {
        let mut found = Self::default();
        visit::each(program, |at, node| match node {
            Node::Signature(signature) => {
                let keyword = signature.asyncness.iter();
                let function = |keyword| (at.position(&signature.ident), at.place(keyword));
                found.functions.extend(keyword.map(function));
            }
            Node::Expr(Expr::Async(block)) => found.others.push(match &block.capture {
                Some(capture) => at.between(&block.async_token, capture),
                None => at.place(&block.async_token),
            }),
            Node::Expr(Expr::Closure(closure)) => {
                let keyword = closure.asyncness.iter();
                found
                    .others
                    .extend(keyword.map(|keyword| at.place(keyword)));
            }
            Node::Expr(Expr::Await(awaited)) => {
                let called = called(&awaited.base).map(|name| at.position(name));
                let called = called.and_then(|name| program.mentions().definition(name));
                let place = at.between(&awaited.dot_token, &awaited.await_token);
                found.awaits.push((called, place));
            }
            _ => {}
        });
        found
    }

    fn everywhere(&self, program: &Program) -> Option<EditSet> {
        let keywords = self.functions.iter().map(|(_, keyword)| keyword);
        let awaits = self.awaits.iter().map(|(_, place)| place);
        let change = program.replaced(keywords.chain(&self.others).chain(awaits), "");
        let is_of_one = match self.functions.as_slice() {
            [] => self.awaits.is_empty(),
            [(only, _)] => self.awaits_of(*only).count() == self.awaits.len(),
            _ => false,
        };
        let is_more = !is_of_one || self.functions.len() + self.others.len() > 1;
        change.filter(|_| is_more)
    }

    fn without(&self, program: &Program, (name, keyword): &(Position, Place)) -> Option<EditSet> {
        let mut places: Vec<&Place> = self.awaits_of(*name).collect();
        // Otherwise there is only a keyword to delete, which another pass does.
        places.first()?;
        places.push(keyword);
        program.replaced(places, "")
    }

    /// Returns the places of the `.await`s after calls of a function.
    fn awaits_of(&self, function: Position) -> impl Iterator<Item = &Place> {
        let awaits = self.awaits.iter();
        let meant = awaits.filter(move |(called, _)| *called == Some(function));
        meant.map(|(_, place)| place)
    }
}

/// Returns the name of the function or method that a call calls.
fn called(call: &Expr) -> Option<&syn::Ident> {
    match call {
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => last_name(&path.path),
            _ => None,
        },
        Expr::MethodCall(call) => Some(&call.method),
        _ => None,
    }
}
