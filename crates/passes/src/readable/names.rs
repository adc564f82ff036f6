//! Renames the definitions of a program as people name them in examples: `Foo`, `T`, `foo`, `x`.
//!
//! What a crate defines is renamed by its spelling, all words of it at once; so is what a function or
//! an item defines for itself, within that. A program stays consistent by that, whatever its names
//! mean. Names that may come from elsewhere are kept.

mod definitions;

use crate::program::{Place, Program};
use definitions::{KeptNames, NamedDefinition, definitions};
use reduce_model::{Position, Role, is_common_member, is_external};
use reduce_syntax::{EditSet, FileId, SourceTree, Token, TokenKind, is_name_part, tokens};
use std::collections::{HashMap, HashSet};

/// Returns renamings, one for each name that is longer than the usual one. They change different places, and may all be applied
/// together.
#[must_use]
pub fn canonical_names(sources: &SourceTree) -> Vec<EditSet> {
    let program = Program::new(sources);
    let definitions = definitions(program.model());
    let wide = definitions.iter().filter(|one| one.region.is_none());
    let mut naming = Naming {
        program: &program,
        words: Words::of(sources),
        globals: wide.map(|one| one.name).collect(),
        known: KeptNames::of(&program),
        taken: HashSet::new(),
        taken_within: Vec::new(),
    };
    let mut found = naming.crate_wide(&definitions);
    found.extend(naming.local(&definitions));
    found
}

/// The part of a file in which a name is known.
type Region = Place;

struct Naming<'p, 's> {
    program: &'p Program,
    words: Words<'s>,
    known: KeptNames,
    /// The names that are defined for the whole crate.
    globals: HashSet<&'p str>,
    taken: HashSet<String>,
    taken_within: Vec<(Region, String)>,
}

/// All identifiers and lifetimes in a crate's text, also in attributes and strings.
struct Words<'s> {
    spelled: HashMap<&'s str, Vec<Position>>,
    all: HashSet<&'s str>,
}

impl<'s> Words<'s> {
    fn of(sources: &'s SourceTree) -> Self {
        let mut found = Self {
            spelled: HashMap::new(),
            all: HashSet::new(),
        };
        for (file, _, text) in sources.files() {
            for token in tokens(text) {
                found.token(file, token, &text[token.range()]);
            }
        }
        found
    }

    fn token(&mut self, file: FileId, token: Token, text: &'s str) {
        if matches!(token.kind, TokenKind::Ident | TokenKind::Lifetime) {
            let at = Position::new(file, token.range().start);
            self.spelled.entry(text).or_default().push(at);
            self.all.insert(text);
        } else {
            self.all.extend(text.split(|c| !is_name_part(c)));
        }
    }

    fn is_within(&self, name: &str, Place { file, range }: &Region) -> bool {
        let all = self.spelled.get(name).into_iter().flatten();
        let mut inside = all.filter(|Position { file: of, at }| of == file && range.contains(at));
        inside.next().is_some()
    }
}

impl<'p> Naming<'p, '_> {
    /// Returns the renamings of definitions that are known in the whole crate.
    fn crate_wide(&mut self, definitions: &[NamedDefinition<'p>]) -> Vec<EditSet> {
        let mut done = HashSet::new();
        let mut found = Vec::new();
        for one in definitions.iter().filter(|one| one.region.is_none()) {
            if self.may_be_foreign(one.name) || !done.insert(one.name) {
                continue;
            }
            let name = self.choose(one, |name| {
                !self.words.all.contains(name) && !self.taken.contains(name)
            });
            if let Some(name) = name {
                found.extend(self.rename(one, &name));
                self.taken.insert(name);
            }
        }
        found
    }

    /// Whether a name may be that of a member that the standard library defines.
    fn may_be_foreign(&self, name: &str) -> bool {
        let words = self.program.mentions().spelled(name);
        is_common_member(name) && words.iter().any(|word| word.role != Role::Plain)
    }

    /// Returns the renamings of definitions that are known only in a function or an item.
    fn local(&mut self, definitions: &[NamedDefinition<'p>]) -> Vec<EditSet> {
        let mut done: Vec<(&Region, &str)> = Vec::new();
        let mut found = Vec::new();
        for one in definitions {
            let Some(region) = &one.region else { continue };
            let is_done =
                |(other, name): &(&Region, &str)| overlap(other, region) && *name == one.name;
            if self.globals.contains(one.name) || done.iter().any(is_done) {
                continue;
            }
            done.push((region, one.name));
            if let Some(name) = self.choose(one, |name| self.is_free_within(name, region)) {
                found.extend(self.rename(one, &name));
                self.taken_within.push((region.clone(), name));
            }
        }
        found
    }

    fn is_free_within(&self, name: &str, region: &Region) -> bool {
        let is_taken = |(other, taken): &(Region, String)| taken == name && overlap(other, region);
        !self.words.is_within(name, region)
            && !self.globals.contains(name)
            && !self.taken.contains(name)
            && !self.taken_within.iter().any(is_taken)
    }

    /// Returns the first of the usual names for a definition that is free; `None` if its name is as good. A variable that has a
    /// field's name in `S { name }` is renamed with that.
    fn choose(&self, one: &NamedDefinition<'_>, is_free: impl Fn(&str) -> bool) -> Option<String> {
        let old = one.name;
        let is_of_field = self.known.shorthand.contains(old) && !self.globals.contains(old);
        let is_kept = self.known.kept.contains(old) || is_of_field || is_external(old);
        if is_kept || one.names.all().any(|name| name == old) {
            return None;
        }
        let new = one.names.all().find(|name| is_free(name))?;
        (new.len() < old.len()).then_some(new)
    }

    /// Renames all words that have the spelling of a definition's name, where it is known.
    fn rename(&self, one: &NamedDefinition<'_>, new: &str) -> Option<EditSet> {
        let mut change = self.program.change();
        for Position { file, at } in self.places(one.name, one.region.as_ref()) {
            let place = Place::new(file, at..at + one.name.len());
            if self.program.text(&place) != one.name {
                return None;
            }
            change.replace(&place, new);
        }
        change.finish()
    }

    fn places(&self, name: &str, region: Option<&Region>) -> Vec<Position> {
        let is_inside = |at: &Position| region.is_none_or(|region| at.is_in(region));
        if name.starts_with('\'') {
            let all = self.words.spelled.get(name).into_iter().flatten();
            return all.copied().filter(is_inside).collect();
        }
        let members = &self.known.members;
        let words = self.program.mentions().spelled(name).iter();
        let words = words.filter(|word| {
            let is_member = members.contains(&word.position());
            region.is_none() || word.role == Role::Plain && !is_member
        });
        let words = words.map(|word| word.position());
        words.filter(is_inside).collect()
    }
}

fn overlap(one: &Region, other: &Region) -> bool {
    let (first, second) = (&one.range, &other.range);
    one.file == other.file && first.start < second.end && second.start < first.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::spaced;
    use std::sync::Arc;

    /// Checks what becomes of a program with all renamings; and that each is possible alone.
    #[track_caller]
    fn check(before: &str, after: &str) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(before));
        let mut all = EditSet::new();
        for edits in canonical_names(&sources) {
            assert!(!edits.apply(&sources).text(sources.root()).is_empty());
            all.extend(&edits);
        }
        assert!(!all.is_contradictory());
        let tree = all.apply(&sources);
        assert_eq!(spaced(tree.text(tree.root())), spaced(after));
    }

    #[test]
    fn each_sort_has_its_names() {
        check(
            "mod inner { pub struct Record { field: u8 } } enum Choice { First, Second }
             trait Walking { type Target2; const LIMIT: u8; fn walk(&self, count: u8); }
             impl Walking for Choice { type Target2 = inner::Record; const LIMIT: u8 = 1;
             fn walk(&self, number: u8) { number; Choice::First; } }",
            "mod m { pub struct Foo { a: u8 } } enum Bar { A, B }
             trait Trait { type Assoc; const C: u8; fn foo(&self, x: u8); }
             impl Trait for Bar { type Assoc = m::Foo; const C: u8 = 1;
             fn foo(&self, x: u8) { x; Bar::A; } }",
        );
    }

    #[test]
    fn generics_and_lifetimes_are_named_anew_in_each_item() {
        check(
            "struct Foo<'life, Type, const LEN: usize>(&'life [Type; LEN]);
             fn foo<'other, Elem>(first: &'other Elem, T: u8) {}",
            "struct Foo<'a, T, const N: usize>(&'a [T; N]);
             fn foo<'a, U>(x: &'a U, T: u8) {}",
        );
    }

    #[test]
    fn a_generic_of_an_impl_is_known_in_its_functions() {
        check(
            "impl<Elem> Foo<Elem> { fn f<Other>(a: Elem, b: Other) {} } struct Foo<Elem>(Elem);",
            "impl<T> Foo<T> { fn f<U>(a: T, b: U) {} } struct Foo<T>(T);",
        );
    }

    #[test]
    fn fields_are_renamed_with_shorthand_variables() {
        check(
            "struct S { value: u8 } fn f(value: u8) -> S { S { value } }",
            "struct S { a: u8 } fn f(a: u8) -> S { S { a } }",
        );
    }

    #[test]
    fn names_of_others_stay() {
        check(
            "use std::fmt::Display; impl Display for S { fn display(&self, form: u8) {} }
             extern \"C\" { fn external(arg: u8); } #[no_mangle] fn exported() {} fn main() {}",
            "use std::fmt::Display; impl Display for S { fn display(&self, x: u8) {} }
             extern \"C\" { fn external(x: u8); } #[no_mangle] fn exported() {} fn main() {}",
        );
    }

    #[test]
    fn a_name_that_is_used_is_not_given() {
        check(
            "fn begin(value: u8) { x(value) } fn foo() {}",
            "fn bar(y: u8) { x(y) } fn foo() {}",
        );
    }

    #[test]
    fn macros_and_their_arguments_take_part() {
        check(
            "macro_rules! create { ($name:ident) => { struct $name; } } create!(Record);
             fn f(value: u8) { println!(\"{value} {}\", value) }",
            "macro_rules! m { ($name:ident) => { struct $name; } } m!(Record);
             fn f(x: u8) { println!(\"{x} {}\", x) }",
        );
    }

    #[test]
    fn a_member_that_others_have_too_stays() {
        check(
            "fn count() { count() } fn insert(self_: S) { self_.insert() }",
            "fn foo() { foo() } fn insert(x: S) { x.insert() }",
        );
    }

    #[test]
    fn short_names_stay() {
        let text = "struct S<A>(A); fn g(n: u8) { let _ = n; }";
        check(text, text);
    }
}
