//! Makes functions of one signature that return an `Option` or a `Result` return its content. What fails in them is a
//! panic or never ends, and calls need no `?` or `.unwrap()`.

use super::super::functions::{Family, Function, Functions, Shape, Value};
use super::super::generics::types_among;
use crate::pass::{Rewriter, Work};
use crate::program::{Change, Place, Program};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use std::collections::HashMap;
use syn::{Expr, Type};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The types that wrap a value, each with the variant that has the value.
const WRAPPERS: [(&str, &str); 2] = [("Option", "Some"), ("Result", "Ok")];

/// The place of each `?` and `.unwrap()`, by the place of the expression before it.
type Endings = HashMap<Place, Place>;

fn changes(program: &Program) -> Vec<EditSet> {
    let endings = endings(program);
    let functions = Functions::of(program);
    let families = functions.families.iter();
    let found = families.filter_map(|family| change(program, &endings, family));
    found.collect()
}

fn change<'p>(program: &'p Program, endings: &Endings, family: &Family<'p>) -> Option<EditSet> {
    let mut change = program.change();
    for function in &family.functions {
        change_function(program, function, &mut change)?;
    }
    for call in &family.calls {
        if let Some(ending) = endings.get(&call.whole) {
            change.delete(ending);
        }
    }
    change.finish()
}

fn change_function<'p>(
    program: &'p Program,
    function: &Function<'p>,
    change: &mut Change<'_>,
) -> Option<()> {
    let ty = function.output()?;
    let (inner, variant) = wrapped(ty)?;
    match function.at.text(inner) {
        "()" => change.delete(&function.at.place(function.returned)),
        inner => change.replace(&function.at.place(ty), inner),
    };
    for value in function.values(program) {
        change_value(function, &value, variant, change);
    }
    function.unwrap_question_marks(program, change);
    Some(())
}

/// Returns the `T` of `Option<T>` or `Result<T, E>`, and the variant that holds it.
fn wrapped(ty: &Type) -> Option<(&Type, &'static str)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let mut wrappers = WRAPPERS.iter();
    let (_, variant) = wrappers.find(|(wrapper, _)| last.ident == wrapper)?;
    Some((types_among(last).next()?, variant))
}

/// Puts `e` in place of the returned `Some(e)`, and `loop {}`, which may be of any type, in place of any other value.
fn change_value(
    function: &Function<'_>,
    value: &Value<'_>,
    variant: &str,
    change: &mut Change<'_>,
) {
    let is_wrapped = value.take_out_of(&[variant], function.at, change).is_some();
    if !is_wrapped && value.shape != Shape::Diverging {
        change.replace(&value.place, "loop {}");
    }
}

fn endings(program: &Program) -> Endings {
    let mut found = Endings::new();
    visit::each_also_in_macros(program, |at, node| {
        let Node::Expr(whole) = node else { return };
        let inner = match whole {
            Expr::Try(one) => &*one.expr,
            Expr::MethodCall(one) if one.method == "unwrap" => &*one.receiver,
            _ => return,
        };
        let called = match inner {
            Expr::Await(one) => &*one.base,
            _ => inner,
        };
        let ending = at.place(whole).after(&at.place(inner));
        found.insert(at.place(called), ending);
    });
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_function_changes_with_its_calls() {
        check(
            &WORK,
            "fn f(a: u8) -> io::Result<Vec<u8>, E> { if a { return Err(e); } g()?; h()?.i(); Ok(j) }
             fn k() { f(1)?; f(2).unwrap().l(); f(3).m(); }",
            &["fn f(a: u8) -> Vec<u8> { if a { return loop {}; } g(); h().unwrap().i(); j }
               fn k() { f(1); f(2).l(); f(3).m(); }"],
        );
    }

    #[test]
    fn what_is_unit_is_nothing() {
        check(
            &WORK,
            "fn f() -> Result<(), E> { g(); Ok(()) }",
            &["fn f() { g(); }"],
        );
    }

    #[test]
    fn a_variant_may_have_its_types() {
        check(
            &WORK,
            "fn f() -> Result<u8, E> { Ok::<u8, E>(1) }",
            &["fn f() -> u8 { 1 }"],
        );
    }

    #[test]
    fn brackets_that_end_together_are_told_apart() {
        check(
            &WORK,
            "fn f() -> Option<Box<u8>> { loop {} }",
            &["fn f() -> Box<u8> { loop {} }"],
        );
        check(
            &WORK,
            "fn f() -> Option<(u8, Vec<u8>)> { None }",
            &["fn f() -> (u8, Vec<u8>) { loop {} }"],
        );
    }

    #[test]
    fn a_trait_and_its_impls_change_together() {
        check(
            &WORK,
            "trait T { fn f() -> Option<u8>; } impl T for A { fn f() -> Option<u8> { Some(1) } }",
            &["trait T { fn f() -> u8; } impl T for A { fn f() -> u8 { 1 } }"],
        );
    }

    #[test]
    fn other_types_stay() {
        check_not_applicable(&WORK, "fn f() -> Vec<u8> { g() } fn h() {}");
        check_not_applicable(
            &WORK,
            "impl Iterator for S { fn next(&mut self) -> Option<u8> { None } }",
        );
    }

    #[test]
    fn what_is_in_an_option_is_returned() {
        check_has(
            &WORK,
            "fn f() -> Option<u8> { Some(g()?) } fn h() { f().unwrap(); }",
            "fn f() -> u8 { g().unwrap() } fn h() { f(); }",
        );
    }
}
