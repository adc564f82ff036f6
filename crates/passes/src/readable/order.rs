//! Puts items into the order in which people write them.

use crate::program::{Place, Program, SyntaxFile};
use reduce_syntax::{EditSet, SourceTree};
use std::collections::HashSet;
use std::ops::Range;
use syn::Item;

/// Sorts the items of each module: `extern crate`, `use`, `macro_rules`, `mod`, constants, types, traits, impls, functions,
/// `main`. Items of the same sort keep their order. `None` if all are in order.
#[must_use]
pub fn idiomatic_order(sources: &SourceTree) -> Option<EditSet> {
    let program = Program::new(sources);
    let mut change = program.change();
    for file in program.files() {
        let whole = 0..sources.text(file.id).len();
        let ordering = Ordering {
            program: &program,
            file,
        };
        let text = ordering.contents(&file.syntax.items, whole.clone());
        if text != sources.text(file.id) {
            change.replace(&Place::new(file.id, whole), &text);
        }
    }
    change.finish()
}

struct Ordering<'p> {
    program: &'p Program,
    file: SyntaxFile<'p>,
}

impl Ordering<'_> {
    /// Returns a module's text with its items sorted, and all other text where it was.
    fn contents(&self, items: &[Item], range: Range<usize>) -> String {
        let places: Vec<Range<usize>> = items
            .iter()
            .map(|item| self.file.place(item).range)
            .collect();
        let mut sorted: Vec<(&Item, &Range<usize>)> = items.iter().zip(&places).collect();
        if !has_macro_twice(items) {
            sorted.sort_by_key(|(item, _)| rank(item));
        }
        let mut text = String::new();
        let mut end = range.start;
        for (slot, (item, place)) in places.iter().zip(&sorted) {
            text.push_str(self.text(end..slot.start));
            text.push_str(&self.item(item, place));
            end = slot.end;
        }
        text.push_str(self.text(end..range.end));
        text
    }

    fn item(&self, item: &Item, place: &Range<usize>) -> String {
        let Item::Mod(module) = item else {
            return self.text(place.clone()).to_owned();
        };
        let Some((braces, items)) = &module.content else {
            return self.text(place.clone()).to_owned();
        };
        let open = self.file.place_of(braces.span.open()).range;
        let close = self.file.place_of(braces.span.close()).range;
        let contents = self.contents(items, open.end..close.start);
        let before = self.text(place.start..open.end);
        let after = self.text(close.start..place.end);
        format!("{before}{contents}{after}")
    }

    fn text(&self, range: Range<usize>) -> &str {
        self.program.text(&Place::new(self.file.id, range))
    }
}

/// Whether a macro is defined twice, so that the order of its definitions and calls matters.
fn has_macro_twice(items: &[Item]) -> bool {
    let mut names = HashSet::new();
    let macros = items.iter().filter_map(|item| match item {
        Item::Macro(one) => one.ident.as_ref(),
        _ => None,
    });
    macros.into_iter().any(|name| !names.insert(name))
}

/// Returns the rank of an item in the usual order; macros come before all items that may call them.
fn rank(item: &Item) -> u32 {
    match item {
        Item::ExternCrate(_) => 0,
        Item::Use(_) => 1,
        Item::Macro(one) if one.ident.is_some() => 2,
        Item::Mod(_) => 3,
        Item::Const(_) | Item::Static(_) | Item::ForeignMod(_) | Item::Macro(_) => 4,
        Item::Type(_) => 5,
        Item::Struct(_) | Item::Enum(_) | Item::Union(_) => 6,
        Item::Trait(_) | Item::TraitAlias(_) => 7,
        Item::Impl(_) => 8,
        Item::Fn(one) if one.sig.ident == "main" => 10,
        Item::Fn(_) => 9,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::spaced;
    use std::sync::Arc;

    #[track_caller]
    fn check(before: &str, after: Option<&str>) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(before));
        let edits = idiomatic_order(&sources);
        let tree = edits.map(|edits| edits.apply(&sources));
        let text = tree.map(|tree| spaced(tree.text(tree.root())));
        assert_eq!(text, after.map(spaced));
    }

    #[test]
    fn items_are_sorted_and_keep_their_order_otherwise() {
        check(
            "#![a] fn main() {} fn g() {} impl T for S {} fn f() {} trait T {} struct S; use a::b;
             const C: u8 = 0; extern crate x;",
            Some(
                "#![a] extern crate x; use a::b; const C: u8 = 0; struct S; trait T {}
                 impl T for S {} fn g() {} fn f() {} fn main() {}",
            ),
        );
    }

    #[test]
    fn modules_are_sorted_inside() {
        check(
            "fn f() {} mod m { #![a] fn g() {} struct S; }",
            Some("mod m { #![a] struct S; fn g() {} } fn f() {}"),
        );
    }

    #[test]
    fn macros_stay_before_their_calls() {
        check(
            "struct S; macro_rules! m { () => {} } m!(); mod n { m!(); }",
            Some("macro_rules! m { () => {} } mod n { m!(); } m!(); struct S;"),
        );
        check(
            "macro_rules! m { () => {} } m!(); macro_rules! m { () => { } } use a::b;",
            None,
        );
    }

    #[test]
    fn what_is_in_order_stays() {
        check("use a::b; struct S; fn f() {} fn main() {}", None);
        check("fn fn", None);
    }
}
