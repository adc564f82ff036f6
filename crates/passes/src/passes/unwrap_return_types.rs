//! `unwrap_return_types`: functions of one signature that return an `Option` or a `Result` return
//! what is in it. What fails in them is a panic or never ends, and calls need no `?` or `.unwrap()`.

use super::functions::{Call, Expression, Family, Functions, Shape};
use super::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program};
use reduce_syntax::{EditSet, Token, tokens};

pub(super) const PASS: Pass = Pass {
    name: "unwrap_return_types",
    about: "Returns what is in an `Option` or `Result` in place of these",
    example: (
        "fn f() -> Option<u8> { Some(g()?) } fn h() { f().unwrap(); }",
        "fn f() -> u8 { g().unwrap() } fn h() { f(); }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

/// What wraps a value: a type, and the variant with the value.
const WRAPPERS: [(&str, &str); 2] = [("Option", "Some"), ("Result", "Ok")];

/// What calls need no more, in the order in which it is looked for.
const ENDINGS: [&str; 2] = ["?", ".unwrap()"];

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let families = functions.families.iter();
    let found = families.filter_map(|family| change(program, &functions, family));
    found.collect()
}

fn change(program: &Program, functions: &Functions, family: &Family) -> Option<EditSet> {
    let mut change = program.change();
    for function in functions.functions_of(family) {
        let (arrow, ty) = function.output.as_ref()?;
        let (inner, variant) = wrapped(program, ty)?;
        match program.text(&inner) {
            "()" => change.delete(arrow),
            inner => change.replace(ty, inner),
        };
        for value in function.values() {
            change_value(program, &mut change, value, variant);
        }
        function.unwrap_question_marks(&mut change);
    }
    for call in functions.calls_of(family) {
        change_call(program, &mut change, call);
    }
    change.finish()
}

/// The first argument of a type that wraps it, and the variant that does.
fn wrapped(program: &Program, Place { file, range }: &Place) -> Option<(Place, &'static str)> {
    let text = &program.sources().text(*file)[range.clone()];
    let all = tokens(text);
    let open = all.iter().position(|token| text[token.range()] == *"<")?;
    let name = &text[all.get(open.checked_sub(1)?)?.range()];
    let (_, variant) = WRAPPERS.iter().find(|(wrapper, _)| *wrapper == name)?;
    let end = end_of_first(text, all.get(open + 1..)?)?;
    let start = all.get(open + 1)?.range().start;
    let inner = text[start..end].trim_end();
    let start = range.start + start;
    Some((Place::new(*file, start..start + inner.len()), variant))
}

/// Where the first of some arguments ends.
fn end_of_first(text: &str, arguments: &[Token]) -> Option<usize> {
    let mut depth = 0_i32;
    for token in arguments {
        let word = &text[token.range()];
        if depth <= 0 && (word.starts_with(',') || word.starts_with('>')) {
            return Some(token.range().start);
        }
        match word {
            "<" | "(" | "[" => depth += 1,
            ">" | ")" | "]" => depth -= 1,
            // The outer brackets may end with the inner ones.
            ">>" if depth == 1 => return Some(token.range().start + 1),
            ">>" => depth -= 2,
            _ => {}
        }
    }
    None
}

/// `e` of `Some(e)`; what never ends of anything else, which may be of any type.
fn change_value(program: &Program, change: &mut Change<'_>, value: &Expression, variant: &str) {
    let Place { file, range } = &value.place;
    let text = program.text(&value.place);
    let after = text.strip_prefix(variant).map(str::trim_start);
    if let Some(after) = after.filter(|after| after.starts_with('(') && after.ends_with(')')) {
        let open = range.end - after.len();
        if after[1..after.len() - 1].trim() == "()" {
            change.delete(&value.place);
        } else {
            change.delete(&Place::new(*file, range.start..open + 1));
            change.delete(&Place::new(*file, range.end - 1..range.end));
        }
    } else if value.shape != Shape::Diverging {
        change.replace(&value.place, "loop {}");
    }
}

fn change_call(program: &Program, change: &mut Change<'_>, call: &Call) {
    let Place { file, range } = &call.whole;
    let text = program.sources().text(*file);
    let end = match text[range.end..].strip_prefix(".await") {
        Some(after) => text.len() - after.len(),
        None => range.end,
    };
    let after = text[end..].trim_start();
    let start = text.len() - after.len();
    let ending = ENDINGS.iter().find(|ending| after.starts_with(**ending));
    if let Some(ending) = ending {
        change.delete(&Place::new(*file, start..start + ending.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_function_changes_with_its_calls() {
        check(
            &PASS,
            "fn f(a: u8) -> io::Result<Vec<u8>, E> { if a { return Err(e); } g()?; h()?.i(); Ok(j) }
             fn k() { f(1)?; f(2).unwrap().l(); f(3).m(); }",
            &["fn f(a: u8) -> Vec<u8> { if a { return loop {}; } g(); h().unwrap().i(); j }
               fn k() { f(1); f(2).l(); f(3).m(); }"],
        );
    }

    #[test]
    fn what_is_unit_is_nothing() {
        check(
            &PASS,
            "fn f() -> Result<(), E> { g(); Ok(()) }",
            &["fn f() { g(); }"],
        );
    }

    #[test]
    fn brackets_that_end_together_are_told_apart() {
        check(
            &PASS,
            "fn f() -> Option<Box<u8>> { loop {} }",
            &["fn f() -> Box<u8> { loop {} }"],
        );
        check(
            &PASS,
            "fn f() -> Option<(u8, Vec<u8>)> { None }",
            &["fn f() -> (u8, Vec<u8>) { loop {} }"],
        );
    }

    #[test]
    fn a_trait_and_its_impls_change_together() {
        check(
            &PASS,
            "trait T { fn f() -> Option<u8>; } impl T for A { fn f() -> Option<u8> { Some(1) } }",
            &["trait T { fn f() -> u8; } impl T for A { fn f() -> u8 { 1 } }"],
        );
    }

    #[test]
    fn other_types_stay() {
        check_not_applicable(&PASS, "fn f() -> Vec<u8> { g() } fn h() {}");
        check_not_applicable(
            &PASS,
            "impl Iterator for S { fn next(&mut self) -> Option<u8> { None } }",
        );
    }
}
