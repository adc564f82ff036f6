//! Replaces a function that is declared in an `extern` block by an empty one of the program.

use crate::pass::{Rewriter, Work};
use crate::program::{Program, simplest_first};
use crate::visit::{self, At, Node};
use reduce_syntax::EditSet;
use syn::{ForeignItem, Item, ItemForeignMod, ReturnType};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    visit::each(program, |at, node| {
        if let Node::Item(item @ Item::ForeignMod(block)) = node {
            let functions = defined(at, block);
            let whole = at.place(item);
            found.extend(functions.and_then(|text| program.replaced([&whole], &text)));
        }
    });
    simplest_first(program, found)
}

/// Writes the functions of an `extern` block as empty ones, if nothing else is in the block.
fn defined(at: At<'_>, block: &ItemForeignMod) -> Option<String> {
    let functions = block.items.iter().map(|item| match item {
        ForeignItem::Fn(one) if one.sig.variadic.is_none() => {
            let body = match one.sig.output {
                ReturnType::Default => "{}",
                ReturnType::Type(..) => "{ loop {} }",
            };
            Some(format!("{} {body}", at.text(&one.sig)))
        }
        _ => None,
    });
    let functions: Vec<String> = functions.collect::<Option<_>>()?;
    Some(functions.join(" "))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn all_functions_of_a_block_are_defined() {
        check(
            &WORK,
            "unsafe extern \"C\" { #[link_name = \"a\"] pub fn f(x: u8); fn g(y: u8) -> u8; }",
            &["fn f(x: u8) {} fn g(y: u8) -> u8 { loop {} }"],
        );
    }

    #[test]
    fn statics_and_functions_with_more_arguments_stay() {
        check_not_applicable(&WORK, "extern \"C\" { static A: u8; }");
        check_not_applicable(&WORK, "extern \"C\" { fn f(x: u8, ...); }");
    }

    #[test]
    fn a_declared_function_becomes_an_ordinary_one() {
        check_has(&WORK, "extern \"C\" { fn f(x: u8); }", "fn f(x: u8) {}");
    }
}
