//! `publish_functions`: makes a function `pub`, in place of the attribute (such as `#[no_mangle]`) or the static that
//! has the compiler generate code for it.

mod foreign;

use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use crate::visit::{self, At, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::BTreeMap;
use syn::visit::Visit;
use syn::{Attribute, Expr, Ident, Item, ItemFn, Visibility};

pub(super) const PASS: Pass = Pass {
    name: "publish_functions",
    about: "Makes a function public in place of what keeps it, and an ordinary one of one in an `extern` block",
    example: ("static S: fn() = f; fn f() { g() }", "pub fn f() { g() }"),
    keeps: Keeps::Nothing,
    work: &[foreign::WORK, WORK],
};

/// The part of the pass that this file does, without those of its submodules.
const WORK: Work = Work::Rewrite(Rewriter(changes));

/// Attributes that have the compiler generate code for a function that is not public.
const KEEPING: [&str; 4] = ["no_mangle", "export_name", "inline", "used"];

fn changes(program: &Program) -> Vec<EditSet> {
    let mut functions = BTreeMap::new();
    let mut statics = Vec::new();
    visit::each(program, |at, node| match node {
        Node::Item(Item::Fn(one)) => {
            functions.insert(at.position(&one.sig.ident), (at, one));
        }
        Node::Item(item @ Item::Static(one)) => {
            statics.push((at, at.place(item), &one.ident, &*one.expr));
        }
        Node::Item(item @ Item::Const(one)) => {
            statics.push((at, at.place(item), &one.ident, &*one.expr));
        }
        _ => {}
    });
    let all = functions.values();
    let mut found: Vec<EditSet> = all
        .filter_map(|(at, function)| without_attribute(program, *at, function))
        .collect();
    for (at, whole, name, value) in statics {
        if program.mentions().of(at.position(name)).is_empty() {
            found.extend(nested(program, at, &whole, value));
            let held = functions.iter().filter(|(position, (_, function))| {
                is_private(function) && is_held(program, **position, &whole)
            });
            found.extend(held.filter_map(|(_, (of, function))| {
                let mut change = program.change();
                change.remove(&whole);
                change.insert(start(*of, function), "pub ");
                change.finish()
            }));
        }
    }
    simplest_first(program, found)
}

/// Whether all mentions of a function are in a place, in which the function itself is not.
fn is_held(program: &Program, function: Position, place: &Place) -> bool {
    let mentions = program.mentions().of(function);
    let are_all_there = mentions.iter().all(|mention| mention.is_in(place));
    !mentions.is_empty() && are_all_there && !function.is_in(place)
}

fn is_private(function: &ItemFn) -> bool {
    matches!(function.vis, Visibility::Inherited)
}

/// Returns the position where a function begins after its attributes.
fn start(at: At<'_>, function: &ItemFn) -> Position {
    let Place { file, range } = at.place(&function.sig);
    Position::new(file, range.start)
}

fn without_attribute(program: &Program, at: At<'_>, function: &ItemFn) -> Option<EditSet> {
    let attribute = function.attrs.iter().find(|one| is_keeping(one))?;
    let mut change = program.change();
    change.remove(&at.place(attribute));
    if is_private(function) {
        change.insert(start(at, function), "pub ");
    }
    change.finish()
}

fn is_keeping(attribute: &Attribute) -> bool {
    let path = attribute.path();
    let is_unsafe = path.is_ident("unsafe");
    is_unsafe || KEEPING.iter().any(|name| path.is_ident(name))
}

/// Puts the functions in blocks of a static's value in place of the static.
fn nested(program: &Program, at: At<'_>, whole: &Place, value: &Expr) -> Option<EditSet> {
    let mut inner = Nested {
        functions: Vec::new(),
    };
    inner.visit_expr(value);
    let texts = inner.functions.iter().map(|function| {
        let Place { range, .. } = at.place(*function);
        let after = start(at, function).at - range.start;
        let text = at.text(*function);
        let is_private = is_private(function);
        let word = if is_private { "pub " } else { "" };
        format!("{}{word}{}", &text[..after], &text[after..])
    });
    let texts: Vec<String> = texts.collect();
    let mut change = program.change();
    change.replace(whole, &texts.join(" "));
    (!texts.is_empty()).then(|| change.finish())?
}

/// The functions in an expression that are in no other function.
struct Nested<'p> {
    functions: Vec<&'p ItemFn>,
}

impl<'p> Visit<'p> for Nested<'p> {
    fn visit_item_fn(&mut self, function: &'p ItemFn) {
        self.functions.push(function);
    }

    fn visit_ident(&mut self, _: &'p Ident) {}
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::WORK;

    #[test]
    fn an_attribute_that_keeps_code_becomes_pub() {
        check(
            &WORK,
            "#[no_mangle] fn f() { g() }",
            &["pub fn f() { g() }"],
        );
        check(
            &WORK,
            "#[unsafe(no_mangle)] pub extern \"C\" fn f() {}",
            &["pub extern \"C\" fn f() {}"],
        );
    }

    #[test]
    fn functions_in_a_static_take_its_place() {
        check(
            &WORK,
            "static S: &[fn()] = &[{ fn f() { g() } f }];",
            &["pub fn f() { g() }"],
        );
    }

    #[test]
    fn a_function_that_a_static_holds_becomes_pub() {
        check(
            &WORK,
            "const C: [fn(); 1] = [f]; fn f() { g() }",
            &["pub fn f() { g() }"],
        );
    }

    #[test]
    fn what_is_used_elsewhere_stays() {
        check_not_applicable(&WORK, "static S: fn() = f; fn f() {} fn g() { S() }");
        check_not_applicable(&WORK, "static S: fn() = f; fn f() {} fn g() { f() }");
        check_not_applicable(&WORK, "#[cold] fn f() {}");
    }
}
