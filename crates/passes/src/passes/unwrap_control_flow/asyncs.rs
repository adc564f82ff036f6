//! Functions lose their `async` together with the `.await` after their calls.

use crate::passes::generics::last_name;
use crate::program::{Place, Program};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::Expr;

/// The whole program without `async`, then each function.
pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let asyncs = Asyncs::of(program);
    let each = asyncs.functions.iter();
    let each = each.filter_map(|function| asyncs.without(program, function));
    asyncs.everywhere(program).into_iter().chain(each).collect()
}

#[derive(Default)]
struct Asyncs {
    functions: Vec<Function>,
    /// The keywords of blocks and closures.
    others: Vec<Place>,
    awaits: Vec<Await>,
}

struct Function {
    name: Position,
    keyword: Place,
}

/// A `.await`, and the name of what is called before it.
struct Await {
    called: Option<Position>,
    place: Place,
}

impl Asyncs {
    fn of(program: &Program) -> Self {
        let mut found = Self::default();
        visit::each(program, |at, node| match node {
            Node::Signature(signature) => {
                let function = signature.asyncness.as_ref().map(|keyword| Function {
                    name: at.position(&signature.ident),
                    keyword: at.place(keyword),
                });
                found.functions.extend(function);
            }
            Node::Expr(Expr::Async(block)) => found.others.push(match &block.capture {
                Some(capture) => at.between(&block.async_token, capture),
                None => at.place(&block.async_token),
            }),
            Node::Expr(Expr::Closure(closure)) => {
                let keyword = closure.asyncness.as_ref();
                found
                    .others
                    .extend(keyword.map(|keyword| at.place(keyword)));
            }
            Node::Expr(Expr::Await(awaited)) => found.awaits.push(Await {
                called: called(&awaited.base).map(|name| at.position(name)),
                place: at.between(&awaited.dot_token, &awaited.await_token),
            }),
            _ => {}
        });
        found
    }

    fn everywhere(&self, program: &Program) -> Option<EditSet> {
        let keywords = self.functions.iter().map(|function| &function.keyword);
        let awaits = self.awaits.iter().map(|one| &one.place);
        let change = program.replaced(keywords.chain(&self.others).chain(awaits), "");
        let is_of_one = match self.functions.as_slice() {
            [] => self.awaits.is_empty(),
            [only] => self.awaits_of(program, only).count() == self.awaits.len(),
            _ => false,
        };
        let is_more = !is_of_one || self.functions.len() + self.others.len() > 1;
        change.filter(|_| is_more)
    }

    fn without(&self, program: &Program, function: &Function) -> Option<EditSet> {
        let awaits = self.awaits_of(program, function);
        let mut places: Vec<&Place> = awaits.map(|one| &one.place).collect();
        // Otherwise there is only a keyword to delete, which another pass does.
        places.first()?;
        places.push(&function.keyword);
        program.replaced(places, "")
    }

    /// What waits for calls of a function.
    fn awaits_of<'a>(
        &'a self,
        program: &'a Program,
        function: &'a Function,
    ) -> impl Iterator<Item = &'a Await> {
        self.awaits.iter().filter(|one| {
            let called = one.called.map(|name| program.mentions().definition(name));
            called == Some(Some(function.name))
        })
    }
}

/// The name of what a call calls.
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
