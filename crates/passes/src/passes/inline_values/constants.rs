//! Puts the value of a constant or static in place of its name, wherever that is mentioned; associated constants
//! likewise, in all impls and in the trait.

mod spots;

use super::super::functions::{is_captured, name_place};
use super::super::paths::imports;
use crate::pass::{Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use reduce_model::{Position, Resolution, Role};
use reduce_syntax::{EditSet, is_name_part};
use spots::{Constant, Home, Spots, Stands};
use std::collections::{BTreeMap, HashMap};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most mentions of a constant that is inlined: one with more is worth its name.
const MANY: usize = 16;

/// The blocks that may replace a constant where it is a generic argument: the compiler has to evaluate them, while it
/// takes a literal in braces as it is.
const BLOCKS: [&str; 2] = ["{}", "{ loop {} }"];

fn changes(program: &Program) -> Vec<EditSet> {
    let spots = Spots::of(program);
    let imports = imports(program).into_iter();
    let inlining = Inlining {
        program,
        imports: imports.map(|one| (one.name, one)).collect(),
        spots,
    };
    let mut members: BTreeMap<&str, Vec<&Constant>> = BTreeMap::new();
    let mut found = Vec::new();
    for constant in &inlining.spots.constants {
        match constant.home {
            Home::Module => {
                found.extend(inlining.of_item(constant, None));
                let blocks = BLOCKS.iter().copied();
                found.extend(blocks.filter_map(|block| inlining.of_item(constant, Some(block))));
            }
            _ => members.entry(&constant.name).or_default().push(constant),
        }
    }
    found.extend(members.values().filter_map(|all| inlining.of_members(all)));
    simplest_first(program, found)
}

struct Inlining<'p> {
    program: &'p Program,
    imports: HashMap<Position, super::super::paths::Import>,
    spots: Spots,
}

impl Inlining<'_> {
    /// Replaces a constant of a module by its value, or by `block` where it is a generic argument; `None` if `block`
    /// is given, and no mention is such an argument.
    fn of_item(&self, constant: &Constant, block: Option<&str>) -> Option<EditSet> {
        let mentions = self.program.mentions().of(constant.position);
        if mentions.is_empty() || mentions.len() > MANY {
            return None;
        }
        if block.is_some() && !mentions.iter().any(|at| self.is_argument(*at)) {
            return None;
        }
        let mut change = self.program.change();
        change.remove(&constant.whole);
        for mention in mentions {
            if let Some(import) = self.imports.get(mention) {
                change.remove(import.whole());
                continue;
            }
            let block = block.filter(|_| self.is_argument(*mention));
            let text = match block {
                Some(block) => block.to_owned(),
                None => self.value(constant, *mention)?,
            };
            change.replace(&self.place(*mention), &text);
        }
        change.finish()
    }

    fn is_argument(&self, mention: Position) -> bool {
        let spot = self.spots.found.get(&mention);
        spot.is_some_and(|spot| spot.stands == Stands::Argument)
    }

    /// Puts the value in place of all mentions of the constants of one name in traits and impls.
    fn of_members(&self, all: &[&Constant]) -> Option<EditSet> {
        let words = self.program.mentions().spelled(&all.first()?.name);
        let ends = words.iter().filter(|word| word.role == Role::PathEnd);
        let mentions = ends.map(|word| word.position());
        let mentions: Vec<Position> = mentions.filter(|at| !self.is_outside(*at)).collect();
        if mentions.is_empty() || mentions.len() > MANY {
            return None;
        }
        let mut change = self.program.change();
        for constant in all {
            change.remove(&constant.whole);
        }
        for mention in mentions {
            let constant = self.meant(all, mention)?;
            let text = self.value(constant, mention)?;
            change.replace(&self.place(mention), &text);
        }
        change.finish()
    }

    /// Returns that one of several constants which a path means: the only one with a value, that of the type that the
    /// path begins with, or that of the impl around it.
    fn meant<'c>(&self, all: &[&'c Constant], mention: Position) -> Option<&'c Constant> {
        let mut valued = all.iter().copied().filter(|one| one.value.is_some());
        if let (Some(only), None) = (valued.clone().next(), valued.clone().nth(1)) {
            return Some(only);
        }
        let text = self.program.text(&self.spots.found.get(&mention)?.place);
        let mut words = text.trim_start_matches('<').split(|c| !is_name_part(c));
        let head = words.next()?;
        let is_meant = |one: &&Constant| match &one.home {
            Home::Impl(_, around) if head == "Self" => mention.is_in(around),
            Home::Impl(name, _) => name == head,
            _ => false,
        };
        let first = valued.find(is_meant)?;
        valued.find(is_meant).is_none().then_some(first)
    }

    /// Whether the name at a position is certainly one of another crate.
    fn is_outside(&self, at: Position) -> bool {
        self.program.model().resolve_at(at) == Resolution::Outside
    }

    /// Returns the place of the whole path that ends with a mention.
    fn place(&self, mention: Position) -> Place {
        let name = || name_place(self.program, mention);
        let spot = self.spots.found.get(&mention);
        spot.map_or_else(name, |spot| spot.place.clone())
    }

    /// Returns the text that stands for a mention of a constant, in the brackets that it needs there. Nothing does in
    /// a format string.
    fn value(&self, constant: &Constant, mention: Position) -> Option<String> {
        let value = constant.value.as_ref()?;
        let place = self.place(mention);
        if is_captured(self.program, &place) {
            return None;
        }
        let text = self.program.text(&value.place);
        let spot = self.spots.found.get(&mention);
        match spot.is_some_and(|spot| spot.stands == Stands::Pattern) {
            true => value.is_pattern.then(|| text.to_owned()),
            false => Some(self.program.fitted(&place, text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn a_value_stands_for_all_mentions() {
        check(
            &WORK,
            "mod m { pub const C: usize = 1; } use m::C; fn f(_: [u8; C]) { g(m::C, -C) }",
            &["mod m { } fn f(_: [u8; 1]) { g(1, -1) }"],
        );
        check(
            &WORK,
            "static S: [u8; 1] = [0]; fn f() { &S[0]; }",
            &["fn f() { &[0][0]; }"],
        );
    }

    #[test]
    fn a_value_has_parentheses_where_it_needs_them() {
        check(
            &WORK,
            "const C: usize = A + 1; fn f() { g(C); C == 0 }",
            &["fn f() { g(A + 1); A + 1 == 0 }"],
        );
        check(
            &WORK,
            "const C: i8 = -1; fn f() { let x = C; match x { C => x.g(C.abs()) } }",
            &["fn f() { let x = -1; match x { -1 => x.g((-1).abs()) } }"],
        );
    }

    #[test]
    fn a_generic_argument_has_braces_unless_it_is_a_literal() {
        check(
            &WORK,
            "const C: usize = 1 + 1; fn f(_: S<C>) {}",
            &[
                "fn f(_: S<{}>) {}",
                "fn f(_: S<{ 1 + 1 }>) {}",
                "fn f(_: S<{ loop {} }>) {}",
            ],
        );
        check(
            &WORK,
            "const C: usize = 1; fn f(_: S<C, u8>) {}",
            &[
                "fn f(_: S<1, u8>) {}",
                "fn f(_: S<{}, u8>) {}",
                "fn f(_: S<{ loop {} }, u8>) {}",
            ],
        );
    }

    #[test]
    fn a_default_may_be_a_block() {
        check(
            &WORK,
            "const C: u8 = 0; struct S<const N: u8 = C>;",
            &[
                "struct S<const N: u8 = 0>;",
                "struct S<const N: u8 = {}>;",
                "struct S<const N: u8 = { loop {} }>;",
            ],
        );
    }

    #[test]
    fn nothing_stands_for_a_constant_in_a_format_string() {
        let text = "const C: u8 = 1; fn f() { g(C); println!(\"{C}\"); }";
        check_not_applicable(&WORK, text);
    }

    #[test]
    fn only_literals_stand_in_patterns() {
        check_not_applicable(
            &WORK,
            "const C: u8 = 1 + 1; fn f(x: u8) { match x { C => {} } }",
        );
    }

    #[test]
    fn constants_of_types_are_inlined_in_all_impls_and_the_trait() {
        check(
            &WORK,
            "struct S; impl S { const C: u8 = 1; fn f() { Self::C; } } fn f() { S::C; }",
            &["struct S; impl S { fn f() { 1; } } fn f() { 1; }"],
        );
        check(
            &WORK,
            "trait T { const C: u8; } impl T for A { const C: u8 = 1; fn f() { Self::C; } }
             impl T for B { const C: u8 = 2; } fn f() { <B as T>::C; A::C; }",
            &["trait T {} impl T for A { fn f() { 1; } } impl T for B {} fn f() { 2; 1; }"],
        );
    }

    #[test]
    fn constants_of_other_crates_stay() {
        check(
            &WORK,
            "struct S; impl S { const MAX: u8 = 1; } fn f() { g(S::MAX, u8::MAX); }",
            &["struct S; impl S {} fn f() { g(1, u8::MAX); }"],
        );
    }

    #[test]
    fn a_constant_of_a_parameter_is_not_known() {
        check_not_applicable(
            &WORK,
            "impl T for A { const C: u8 = 1; } impl T for B { const C: u8 = 2; }
             fn f<X: T>() { X::C; }",
        );
    }

    #[test]
    fn constants_without_mentions_are_for_others_to_delete() {
        check_not_applicable(&WORK, "const C: u8 = 1; const _: u8 = 2;");
    }

    #[test]
    fn the_value_of_a_constant_takes_the_place_of_its_name() {
        check_has(
            &WORK,
            "const C: u8 = 1 + 1; fn f() { C * 2; }",
            "fn f() { (1 + 1) * 2; }",
        );
    }
}
