//! Functions lose their `async` together with the `.await` after their calls.

use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use reduce_syntax::EditSet;
use syn::visit::{self, Visit};
use syn::{Expr, ExprAsync, ExprAwait, ExprClosure, Signature};

/// The whole program without `async`, then each function.
pub(super) fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut asyncs = Asyncs::default();
    for file in program.files() {
        asyncs.file = Some(file);
        asyncs.visit_file(file.syntax);
    }
    let each = asyncs.functions.iter();
    let each = each.filter_map(|function| asyncs.without(program, function));
    asyncs.everywhere(program).into_iter().chain(each).collect()
}

#[derive(Default)]
struct Asyncs<'p> {
    file: Option<SyntaxFile<'p>>,
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

impl<'p> Asyncs<'p> {
    fn everywhere(&self, program: &Program<'_>) -> Option<EditSet> {
        let keywords = self.functions.iter().map(|function| &function.keyword);
        let mut change = program.change();
        for place in keywords.chain(&self.others) {
            change.delete(place);
        }
        for one in &self.awaits {
            change.delete(&one.place);
        }
        let is_of_one = match self.functions.as_slice() {
            [] => self.awaits.is_empty(),
            [only] => self.awaits_of(program, only).count() == self.awaits.len(),
            _ => false,
        };
        let is_more = !is_of_one || self.functions.len() + self.others.len() > 1;
        change.finish().filter(|_| is_more)
    }

    fn without(&self, program: &Program<'_>, function: &Function) -> Option<EditSet> {
        let mut change = program.change();
        let mut awaits = self.awaits_of(program, function).peekable();
        // Otherwise there is only a keyword to delete, which another pass does.
        awaits.peek()?;
        for one in awaits {
            change.delete(&one.place);
        }
        change.delete(&function.keyword).finish()
    }

    /// What waits for calls of a function.
    fn awaits_of<'a>(
        &'a self,
        program: &'a Program<'_>,
        function: &'a Function,
    ) -> impl Iterator<Item = &'a Await> {
        self.awaits.iter().filter(|one| {
            let called = one.called.map(|name| program.mentions().definition(name));
            called == Some(Some(function.name))
        })
    }

    fn file(&self) -> SyntaxFile<'p> {
        self.file.expect("it is set before its syntax is visited")
    }
}

impl<'p> Visit<'p> for Asyncs<'p> {
    fn visit_signature(&mut self, signature: &'p Signature) {
        if let Some(keyword) = &signature.asyncness {
            let function = Function {
                name: self.file().position(&signature.ident),
                keyword: self.file().place(keyword),
            };
            self.functions.push(function);
        }
        visit::visit_signature(self, signature);
    }

    fn visit_expr_async(&mut self, block: &'p ExprAsync) {
        let file = self.file();
        let keyword = match &block.capture {
            Some(capture) => file.between(&block.async_token, capture),
            None => file.place(&block.async_token),
        };
        self.others.push(keyword);
        visit::visit_expr_async(self, block);
    }

    fn visit_expr_closure(&mut self, closure: &'p ExprClosure) {
        let keyword = closure.asyncness.as_ref();
        self.others
            .extend(keyword.map(|keyword| self.file().place(keyword)));
        visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_await(&mut self, awaited: &'p ExprAwait) {
        let called = match &*awaited.base {
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
                _ => None,
            },
            Expr::MethodCall(call) => Some(&call.method),
            _ => None,
        };
        let place = self
            .file()
            .between(&awaited.dot_token, &awaited.await_token);
        let called = called.map(|name| self.file().position(name));
        self.awaits.push(Await { called, place });
        visit::visit_expr_await(self, awaited);
    }
}
