//! What the compiler calls dead, deleted all at once: items that nothing calls, with the impls and imports that name them.
//!
//! The compiler says where the names of dead definitions stand. One that is only never made, such as a struct that is
//! named by a signature that stays, is no less needed than before, and stays.

use crate::program::{Place, Program};
use reduce_model::Position;
use reduce_syntax::{EditSet, Element, ListKind, TokenCursor, remove_elements};
use std::collections::BTreeSet;

/// The edits that leave out what is dead, those that leave out most first. `names` are where the names of dead definitions
/// begin.
///
/// The first ones also leave out impls of traits whose functions do nothing but `loop {}`: no run comes there.
#[must_use]
pub fn without_dead_code(program: &Program, names: &[Position]) -> Vec<EditSet> {
    let parts = Parts::new(program);
    let dead: BTreeSet<usize> = names.iter().filter_map(|name| parts.around(name)).collect();
    let idle = parts.all().filter(|&part| parts.is_idle_impl(part));
    let with_idle = parts.closed(dead.iter().copied().chain(idle).collect());
    let mut all: Vec<BTreeSet<usize>> = vec![with_idle, parts.closed(dead)];
    all.dedup();
    all.retain(|parts| !parts.is_empty());
    all.iter().map(|removed| parts.without(removed)).collect()
}

/// The edits that leave out the parts in which the compiler finds errors, once others are gone: imports of them, and impls
/// and functions that need them. `None` where an error is in no such part.
#[must_use]
pub fn without_faulty_parts(program: &Program, errors: &[Position]) -> Option<EditSet> {
    let parts = Parts::new(program);
    let faulty = errors.iter().map(|error| {
        let part = parts.around(error)?;
        let outer = parts
            .outer(part)
            .filter(|&outer| parts.is_impl_of_trait(outer));
        // A member that is faulty as such is one that the trait does not have any more.
        let outer = outer.filter(|_| !parts.begins_at(part, error));
        Some(outer.unwrap_or(part))
    });
    let faulty = faulty.collect::<Option<BTreeSet<usize>>>()?;
    Some(parts.without(&faulty))
}

/// The edits that leave out all visibilities: in a program of few modules nothing needs them. `None` where there are none.
#[must_use]
pub fn without_visibilities(program: &Program) -> Option<EditSet> {
    let lists = program.tree().lists.iter().enumerate();
    let lists = lists.filter(|(_, list)| list.kind == ListKind::Parts);
    let is_visibility = |element: &Element| {
        let text = &program.sources().text(element.file)[element.range.clone()];
        text == "pub" || text.starts_with("pub(")
    };
    let elements: Vec<(usize, usize)> = lists
        .flat_map(|(idx, list)| {
            let elements = list.elements.iter().enumerate();
            let visible = elements.filter(|(_, element)| is_visibility(element));
            visible.map(move |(element, _)| (idx, element))
        })
        .collect();
    let mut edits = EditSet::new();
    remove_elements(&program.tree().lists, elements.iter().copied(), &mut edits);
    (!elements.is_empty()).then_some(edits)
}

/// What may go: items, members, and names in groups of imports.
struct Parts<'p> {
    program: &'p Program,
    /// Each with its list and its index there, in ascending order.
    elements: Vec<((usize, usize), &'p Element)>,
    /// Those that use each of them.
    users: Vec<Vec<usize>>,
}

const KINDS: [ListKind; 3] = [ListKind::Items, ListKind::Members, ListKind::UseTrees];

impl<'p> Parts<'p> {
    fn new(program: &'p Program) -> Self {
        let lists = program.tree().lists.iter().enumerate();
        let lists = lists.filter(|(_, list)| KINDS.contains(&list.kind));
        let elements: Vec<_> = lists
            .flat_map(|(idx, list)| {
                let elements = list.elements.iter().enumerate();
                elements.map(move |(element, one)| ((idx, element), one))
            })
            .collect();
        let places: Vec<Place> = elements.iter().map(|(_, one)| Place::from(*one)).collect();
        Self {
            program,
            elements,
            users: program.relations().users(&places),
        }
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.elements.len()
    }

    /// The smallest part around a name.
    fn around(&self, name: &Position) -> Option<usize> {
        let is_around = |part: &usize| {
            let element = self.elements[*part].1;
            element.file == name.file && element.range.contains(&name.at)
        };
        let around = self.all().filter(is_around);
        around.min_by_key(|&part| self.elements[part].1.range.len())
    }

    /// Whether a part without its attributes begins at a place.
    fn begins_at(&self, part: usize, place: &Position) -> bool {
        let cursor = TokenCursor::without_docs(self.text(part));
        let first = cursor.range(cursor.skip_attributes(0)).start;
        self.elements[part].1.range.start + first == place.at
    }

    /// The smallest part around another one.
    fn outer(&self, part: usize) -> Option<usize> {
        let outer = self
            .all()
            .filter(|&one| one != part && self.is_within(part, one));
        outer.min_by_key(|&one| self.elements[one].1.range.len())
    }

    fn text(&self, part: usize) -> &'p str {
        let element = self.elements[part].1;
        &self.program.sources().text(element.file)[element.range.clone()]
    }

    /// The dead parts with the imports and impls that name them, without those that others name.
    fn closed(&self, mut dead: BTreeSet<usize>) -> BTreeSet<usize> {
        loop {
            let users = dead.iter().flat_map(|&part| self.users[part].clone());
            let follow: Vec<usize> = users
                .filter(|user| !dead.contains(user) && self.follows(*user))
                .collect();
            if follow.is_empty() {
                break;
            }
            dead.extend(follow);
        }
        while let Some(needed) = dead
            .iter()
            .copied()
            .find(|&part| self.is_needed(part, &dead))
        {
            dead.remove(&needed);
        }
        dead
    }

    /// Whether a part is there for what it names.
    fn follows(&self, part: usize) -> bool {
        let is_import =
            self.program.tree().lists[self.elements[part].0.0].kind == ListKind::UseTrees;
        is_import || matches!(self.keyword(part), "use" | "impl")
    }

    /// Whether something that stays uses a part.
    fn is_needed(&self, part: usize, dead: &BTreeSet<usize>) -> bool {
        let mut users = self.users[part].iter();
        users.any(|&user| !dead.iter().any(|&gone| self.is_within(user, gone)))
    }

    fn is_within(&self, part: usize, other: usize) -> bool {
        let (part, other) = (self.elements[part].1, self.elements[other].1);
        let is_around = other.range.start <= part.range.start && part.range.end <= other.range.end;
        part.file == other.file && is_around
    }

    /// The word that says what an item is.
    fn keyword(&self, part: usize) -> &'p str {
        const KEYWORDS: [&str; 12] = [
            "use",
            "impl",
            "trait",
            "fn",
            "struct",
            "enum",
            "union",
            "type",
            "static",
            "mod",
            "const",
            "macro_rules",
        ];
        let cursor = TokenCursor::without_docs(self.text(part));
        let first = cursor.skip_attributes(0);
        let mut words = (first..cursor.len()).map(|idx| cursor.word(idx));
        words.find(|word| KEYWORDS.contains(word)).unwrap_or("")
    }

    fn is_impl_of_trait(&self, part: usize) -> bool {
        let cursor = TokenCursor::without_docs(self.text(part));
        let open = cursor.find(cursor.indices(), "{").unwrap_or(0);
        self.keyword(part) == "impl" && cursor.find(0..open, "for").is_some()
    }

    /// Whether it is an impl of a trait in which each function does nothing but `loop {}`.
    fn is_idle_impl(&self, part: usize) -> bool {
        let cursor = TokenCursor::without_docs(self.text(part));
        let functions = cursor.indices().filter(|&idx| cursor.is(idx, "fn")).count();
        let idle = cursor.indices();
        let idle = idle
            .filter(|&idx| cursor.are(idx, &["{", "loop", "{", "}", "}"]))
            .count();
        functions > 0 && functions == idle && self.is_impl_of_trait(part)
    }

    fn without(&self, removed: &BTreeSet<usize>) -> EditSet {
        let mut edits = EditSet::new();
        let is_outer = |part: &&usize| {
            let mut others = removed.iter().filter(|other| other != part);
            !others.any(|&other| self.is_within(**part, other))
        };
        let elements = removed.iter().filter(is_outer);
        let elements = elements.map(|&part| self.elements[part].0);
        remove_elements(&self.program.tree().lists, elements, &mut edits);
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_syntax::{SourceTree, spaced};

    /// Compares what is made of a program in which definitions of these names are dead.
    #[track_caller]
    fn check(text: &str, names: &[&str], expected: &[&str]) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), text.into());
        let program = Program::new(&sources);
        let file = sources.root();
        let names = names.iter().map(|name| {
            let byte = text.find(name).unwrap() + name.rfind(' ').map_or(0, |space| space + 1);
            Position::new(file, byte)
        });
        let all = without_dead_code(&program, &names.collect::<Vec<_>>());
        let texts = all
            .iter()
            .map(|edits| edits.apply(&sources).text(file).to_owned());
        let texts: Vec<String> = texts.map(|text| spaced(&text)).collect();
        let expected: Vec<String> = expected.iter().map(|text| spaced(text)).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn dead_items_go_with_their_imports_and_impls() {
        check(
            "mod a { pub struct S; pub fn f() {} pub fn g() {} impl Clone for S {} } use a::{f, S}; use a::S as T; fn h() {}",
            &["struct S", "fn f"],
            &["mod a { pub fn g() {} } use a::{}; fn h() {}"],
        );
    }

    #[test]
    fn dead_methods_go_from_impls_that_stay() {
        check(
            "struct S; impl S { fn f(&self) {} fn g(&self) {} }",
            &["fn g"],
            &["struct S; impl S { fn f(&self) {} }"],
        );
    }

    #[test]
    fn what_is_only_never_made_stays_where_it_is_named() {
        check(
            "struct Never; fn f(a: Option<Never>) {} fn idle() {}",
            &["struct Never", "fn idle"],
            &["struct Never; fn f(a: Option<Never>) {}"],
        );
        check("struct Never; fn f(a: Never) {}", &["struct Never"], &[]);
    }

    #[test]
    fn impls_that_do_nothing_are_left_out_first() {
        let text = "struct S; impl Drop for S { fn drop(&mut self) { loop {} } } impl Clone for S {} fn f() {}";
        check(
            text,
            &["fn f"],
            &[
                "struct S; impl Clone for S {}",
                "struct S; impl Drop for S { fn drop(&mut self) { loop {} } } impl Clone for S {}",
            ],
        );
    }

    #[test]
    fn what_needs_something_that_is_gone_goes_too() {
        let check = |text: &str, errors: &[&str], expected: Option<&str>| {
            let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), text.into());
            let at = |error: &&str| Position::new(sources.root(), text.find(*error).unwrap());
            let errors: Vec<Position> = errors.iter().map(at).collect();
            let edits = without_faulty_parts(&Program::new(&sources), &errors);
            let left = edits.map(|edits| edits.apply(&sources).text(sources.root()).to_owned());
            assert_eq!(left.map(|text| spaced(&text)), expected.map(spaced));
        };
        let text = "use a::{b, gone}; struct S; impl Clone for S { fn clone(&self) -> S { gone() } } impl S { fn f() { lost() } fn g() {} }";
        check(
            text,
            &["gone}", "gone()", "lost"],
            Some("use a::{b}; struct S; impl S { fn g() {} }"),
        );
        let text = "trait T {} struct S; impl T for S { #[inline] fn gone() {} fn f() { lost() } }";
        let expected = "trait T {} struct S; impl T for S { fn f() { lost() } }";
        check(text, &["fn gone"], Some(expected));
        check(text, &["lost"], Some("trait T {} struct S;"));
        check("#![feature(gone)] fn f() {}", &["gone"], None);
    }

    #[test]
    fn all_visibilities_go_at_once() {
        let left = |text: &str| {
            let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), text.into());
            let edits = without_visibilities(&Program::new(&sources))?;
            Some(spaced(edits.apply(&sources).text(sources.root())))
        };
        let text = "pub(crate) struct S { pub a: u8 } impl S { pub fn f() {} } fn g() {}";
        let expected = spaced("struct S { a: u8 } impl S { fn f() {} } fn g() {}");
        assert_eq!(left(text), Some(expected));
        assert_eq!(left("fn f() {}"), None);
    }
}
