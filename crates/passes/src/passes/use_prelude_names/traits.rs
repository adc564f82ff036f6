//! Replaces a trait of the program that has no members by a marker trait of std.

use super::super::functions::name_place;
use super::super::generics::last_name;
use super::super::paths::imports;
use crate::pass::{Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::HashMap;
use syn::Item;

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most mentions of a trait that is replaced.
const MANY: usize = 16;

/// Marker traits of std that need no import, and whether types of the program may implement them. One that is
/// implemented by itself for most types stands for a trait with its impls.
const MARKERS: [(&str, bool); 3] = [("Send", false), ("Copy", false), ("Unpin", true)];

fn changes(program: &Program) -> Vec<EditSet> {
    let mut traits: Vec<(Position, Place)> = Vec::new();
    let mut impls: HashMap<Position, Place> = HashMap::new();
    visit::each(program, |at, node| match node {
        Node::Item(item @ Item::Trait(one)) => {
            let is_plain = one.generics.params.is_empty() && one.generics.where_clause.is_none();
            if one.items.is_empty() && is_plain {
                traits.push((at.position(&one.ident), at.place(item)));
            }
        }
        Node::Item(item @ Item::Impl(one)) => {
            let name = one.trait_.as_ref().and_then(|(path, _)| last_name(path));
            if let Some(name) = name {
                impls.insert(at.position(name), at.place(item));
            }
        }
        _ => {}
    });
    let imported = imports(program).into_iter();
    let replacing = Replacing {
        program,
        impls,
        imported: imported
            .map(|one| (one.name, one.whole().clone()))
            .collect(),
    };
    let mut found = Vec::new();
    for (name, whole) in &traits {
        let markers = MARKERS.iter();
        found.extend(markers.filter_map(|marker| replacing.change(*name, whole, *marker)));
    }
    simplest_first(program, found)
}

struct Replacing<'p> {
    program: &'p Program,
    /// The impls by the positions where they name their trait.
    impls: HashMap<Position, Place>,
    /// The leaves of imports by the positions of the names that they import.
    imported: HashMap<Position, Place>,
}

impl Replacing<'_> {
    fn change(
        &self,
        name: Position,
        whole: &Place,
        (marker, is_implemented): (&str, bool),
    ) -> Option<EditSet> {
        let mentions = self.program.mentions().of(name);
        if mentions.is_empty() || mentions.len() > MANY {
            return None;
        }
        let gone = |mention: &Position| self.impls.get(mention).filter(|_| !is_implemented);
        let impls: Vec<&Place> = mentions.iter().filter_map(gone).collect();
        let mut change = self.program.change();
        change.remove(whole);
        impls.iter().for_each(|place| {
            change.remove(place);
        });
        for mention in mentions {
            let is_in_impl = impls.iter().any(|place| mention.is_in(place));
            match self.imported.get(mention) {
                _ if is_in_impl => {}
                Some(import) => {
                    change.remove(import);
                }
                None => {
                    change.replace(&name_place(self.program, *mention), marker);
                }
            }
        }
        change.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_trait_goes_with_its_impls_or_these_stay() {
        check(
            &WORK,
            "trait A {} impl A for u8 {} fn f<T: A>() {}",
            &[
                "fn f<T: Copy>() {}",
                "fn f<T: Send>() {}",
                "impl Unpin for u8 {} fn f<T: Unpin>() {}",
            ],
        );
    }

    #[test]
    fn imports_go() {
        check(
            &WORK,
            "mod m { pub trait A {} } use m::A; fn f<T: A>() {}",
            &[
                "mod m {} fn f<T: Copy>() {}",
                "mod m {} fn f<T: Send>() {}",
                "mod m {} fn f<T: Unpin>() {}",
            ],
        );
    }

    #[test]
    fn traits_with_members_or_parameters_stay() {
        check_not_applicable(&WORK, "trait A { fn f(); } fn f<T: A>() {}");
        check_not_applicable(&WORK, "trait A<T> {} fn f<T: A<u8>>() {}");
        check_not_applicable(&WORK, "trait A {}");
    }

    #[test]
    fn a_marker_trait_stands_for_a_trait_without_members() {
        check_has(
            &WORK,
            "trait A {} impl<T> A for T {} fn f(x: &dyn A) {}",
            "fn f(x: &dyn Send) {}",
        );
    }
}
