//! `turn_variables_into_parameters`: makes a parameter of a value that a function computes, if nobody calls the
//! function. Only the type is needed then, and nothing that makes a value of it.

use super::expressions::binding;
use super::expressions::types::{Callee, Types, has_word};
use super::functions::FunctionItem;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program, simplest_first};
use reduce_model::Position;
use reduce_syntax::{EditSet, count_tokens};
use syn::visit::{self, Visit};
use syn::{Block, Expr, FnArg, Local, PatIdent, Stmt, Type};

pub(super) const PASS: Pass = Pass {
    name: "turn_variables_into_parameters",
    about: "Makes parameters of a function that is not called of its variables and other values",
    example: (
        "struct S; fn f() { let a: S = g(); h(a); }",
        "struct S; fn f(a: S) { h(a); }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let types = Types::of(program);
    let names = [
        fresh_name(program, &VARIABLES),
        fresh_name(program, &FUNCTIONS),
    ];
    let [Some(variable), Some(function_name)] = names else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for function in types.functions() {
        let giving = Giving {
            program,
            types: &types,
            function,
            variable,
            function_name,
        };
        found.extend(giving.all().unwrap_or_default());
    }
    simplest_first(program, found)
}

const VARIABLES: [&str; 12] = ["x", "y", "z", "a", "b", "c", "u", "v", "w", "p", "q", "r"];

pub(super) const FUNCTIONS: [&str; 8] = ["f", "g", "h", "i", "j", "k", "foo", "bar"];

/// Returns a short name that the program does not have.
pub(super) fn fresh_name(program: &Program, names: &[&'static str]) -> Option<&'static str> {
    let mut names = names.iter().copied();
    names.find(|name| program.mentions().spelled(name).is_empty())
}

/// A function that is to get new parameters in place of values that it computes.
struct Giving<'t, 'p> {
    program: &'p Program,
    types: &'t Types<'p>,
    function: &'t FunctionItem<'p>,
    /// Names that nothing in the program has, one for a parameter and one for a function.
    variable: &'static str,
    function_name: &'static str,
}

impl<'p> Giving<'_, 'p> {
    fn all(&self) -> Option<Vec<EditSet>> {
        let body = self.function.body.filter(|_| self.may_change())?;
        let mut values = Values {
            locals: Vec::new(),
            others: Vec::new(),
        };
        values.visit_block(body);
        let locals = values.locals.iter();
        let mut found: Vec<EditSet> = locals
            .filter_map(|(statement, local)| self.local(statement, local))
            .collect();
        let others = values.others.iter();
        found.extend(others.filter_map(|value| self.value(value)));
        Some(found)
    }

    /// Whether nothing depends on the function's signature.
    fn may_change(&self) -> bool {
        let name = &self.function.signature.ident;
        let mentions = self.program.mentions();
        let is_alone = mentions.spelled(&name.to_string()).len() <= 1;
        self.function.is_free_to_change()
            && self.function.signature.variadic.is_none()
            && is_alone
            && mentions.of(self.function.position()).is_empty()
    }

    fn local(&self, statement: &Stmt, local: &Local) -> Option<EditSet> {
        let file = self.function.at.file;
        let (name, written) = binding(&local.pat)?;
        let ty = match (written, &local.init) {
            (Some(ty), _) => file.text(ty).to_owned(),
            (None, Some(init)) => self.types.type_of(file, &init.expr)?,
            (None, None) => return None,
        };
        let has_else = local
            .init
            .as_ref()
            .is_some_and(|init| init.diverge.is_some());
        if has_word(&ty, "_") || has_else || self.has_input(&name.ident) {
            return None;
        }
        let mutable = if name.mutability.is_some() {
            "mut "
        } else {
            ""
        };
        let mut change = self.program.change();
        change.remove(&file.place(statement));
        self.add_input(&mut change, &format!("{mutable}{}: {ty}", name.ident));
        change.finish()
    }

    /// Puts a new parameter in place of a value in the function; if that alone does not make the program smaller,
    /// then what only the value mentions goes too.
    fn value(&self, value: &Expr) -> Option<EditSet> {
        let file = self.function.at.file;
        let place = file.place(value);
        let ty = self.types.type_of(file, value)?;
        let mut change = self.program.change();
        change.replace(&place, self.variable);
        self.add_input(&mut change, &format!("{}: {ty}", self.variable));
        // A name, a colon and a comma come with the type.
        if count_tokens(self.program.text(&place)) <= count_tokens(&ty) + 3 {
            change.remove(&self.only_mentioned_in(value)?);
        }
        change.finish()
    }

    /// Adds an input to the function; the program's start has no parameters and becomes a function
    /// of another name.
    fn add_input(&self, change: &mut Change<'_>, input: &str) {
        let (file, signature) = (self.function.at, self.function.signature);
        if signature.ident == "main" {
            let Place {
                file: id,
                range: whole,
            } = &self.function.whole;
            change.replace(&file.place(&signature.ident), self.function_name);
            change.insert(Position::new(*id, whole.end), " fn main() {}");
        }
        match signature.inputs.last() {
            Some(last) => {
                let Place { file: id, range } = file.place(last);
                change.insert(Position::new(id, range.end), &format!(", {input}"));
            }
            None => {
                let Place { file: id, range } = file.place_of(signature.paren_token.span.open());
                change.insert(Position::new(id, range.end), input);
            }
        }
    }

    fn has_input(&self, name: &syn::Ident) -> bool {
        self.inputs().any(|(input, _)| input.ident == *name)
    }

    /// Returns the inputs that are names, with their types.
    fn inputs(&self) -> impl Iterator<Item = (&'p PatIdent, &'p Type)> {
        let inputs = self.function.signature.inputs.iter();
        inputs.filter_map(|input| match input {
            FnArg::Typed(input) => Some((binding(&input.pat)?.0, &*input.ty)),
            FnArg::Receiver(_) => None,
        })
    }

    /// Returns the place of the function that a value begins with, if nothing else mentions that function.
    fn only_mentioned_in(&self, value: &Expr) -> Option<Place> {
        let file = self.function.at.file;
        let (path, at): (&syn::ExprPath, Position) = named(value).and_then(|path| {
            let last = path.path.segments.last()?;
            Some((path, file.position(&last.ident)))
        })?;
        let Callee::Function(function) = self.types.callee(file, &path.path)? else {
            return None;
        };
        let name = function.position();
        let is_only = self.program.mentions().of(name) == [at];
        is_only.then(|| function.whole.clone())
    }
}

/// Returns the path that a value begins with.
fn named(value: &Expr) -> Option<&syn::ExprPath> {
    match value {
        Expr::Path(path) => Some(path),
        Expr::Call(call) => named(&call.func),
        Expr::Cast(cast) => named(&cast.expr),
        Expr::Paren(inner) => named(&inner.expr),
        Expr::Reference(reference) => named(&reference.expr),
        _ => None,
    }
}

/// The values that a function computes, without those in closures and items in it.
struct Values<'p> {
    locals: Vec<(&'p Stmt, &'p Local)>,
    others: Vec<&'p Expr>,
}

impl<'p> Visit<'p> for Values<'p> {
    fn visit_block(&mut self, block: &'p Block) {
        for statement in &block.stmts {
            if let Stmt::Local(local) = statement {
                self.locals.push((statement, local));
            }
            self.visit_stmt(statement);
        }
    }

    fn visit_expr(&mut self, expression: &'p Expr) {
        if !matches!(expression, Expr::Lit(_) | Expr::Path(_) | Expr::Binary(_)) {
            self.others.push(expression);
        }
        match expression {
            // An expression in parentheses goes with them.
            Expr::Paren(inner) => visit::visit_expr(self, &inner.expr),
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_local(&mut self, local: &'p Local) {
        // A value with a name becomes a parameter with this name.
        if let (Some(init), true) = (&local.init, binding(&local.pat).is_some()) {
            return visit::visit_expr(self, &init.expr);
        }
        visit::visit_local(self, local);
    }

    fn visit_item(&mut self, _: &'p syn::Item) {}
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_variable_with_a_type_becomes_a_parameter() {
        check(
            &PASS,
            "fn f(b: u8,) { let mut a: Vec<u8> = h(); g(a, b); }",
            &["fn f(b: u8, mut a: Vec<u8>,) { g(a, b); }"],
        );
        check(
            &PASS,
            "impl S { fn f(&self) { let a: u8; g(a); } }",
            &["impl S { fn f(&self, a: u8) { g(a); } }"],
        );
    }

    #[test]
    fn the_type_is_that_of_the_function_or_struct() {
        check(
            &PASS,
            "fn g(a: u8) -> &'static str {} fn f() { let x = g(1); h(x); }",
            &["fn g(a: u8) -> &'static str {} fn f(x: &'static str) { h(x); }"],
        );
        check(
            &PASS,
            "struct S { a: u8 } fn f() { let x = &S { a: 1 }; h(x); }",
            &[
                "struct S { a: u8 } fn f(x: &S) { h(x); }",
                "struct S { a: u8 } fn f(y: S) { let x = &y; h(x); }",
            ],
        );
        check(
            &PASS,
            "enum E { V(u8) } impl E { fn new() -> Self { loop {} } } fn f() { let x = E::new(); h(x); }",
            &["enum E { V(u8) } impl E { fn new() -> Self { loop {} } } fn f(x: E) { h(x); }"],
        );
    }

    #[test]
    fn a_value_becomes_a_parameter_with_a_new_name() {
        check(
            &PASS,
            "fn g(x: u8, y: u8) -> u8 {} fn f() { h(g(1, 2)); }",
            &["fn g(x: u8, y: u8) -> u8 {} fn f(z: u8) { h(z); }"],
        );
    }

    #[test]
    fn what_only_the_value_mentions_goes_with_it() {
        check_has(
            &PASS,
            "fn g(_: Ref<u32>) {} fn f() { (g as fn(_)).h(); }",
            "fn f(x: fn(Ref<u32>)) { x.h(); }",
        );
    }

    #[test]
    fn main_becomes_another_function_where_that_is_smaller() {
        check_not_applicable(&PASS, "fn main() { let a: u8 = 1; h(a); }");
        check(
            &PASS,
            "fn main() { let a: u8 = g(b, c, d, e); h(a); }",
            &["fn f(a: u8) { h(a); } fn main() {}"],
        );
    }

    #[test]
    fn functions_that_are_called_keep_their_parameters() {
        check_not_applicable(&PASS, "fn f() { let a: u8 = g(); h(a); } fn i() { f(); }");
        check_not_applicable(&PASS, "#[test] fn f() { let a: u8 = g(); h(a); }");
        check_not_applicable(&PASS, "impl T for S { fn f() { let a: u8 = g(); h(a); } }");
    }

    #[test]
    fn unknown_types_and_taken_names_stay() {
        check_not_applicable(&PASS, "fn f() { let a = g(); h(a); }");
        check_not_applicable(&PASS, "fn f() { let a: Vec<_> = g(); h(a); }");
        check_not_applicable(&PASS, "fn f(a: u8) { let a: u16 = g(); h(a); }");
        check_not_applicable(&PASS, "fn g<T>() -> T {} fn f() { let a = g(); h(a); }");
    }
}
