//! Deletes all dead code at once: items that nothing calls, with the impls and imports that name them. Deletes also what a person
//! who runs a program does not need: visibilities and hints.
//!
//! The compiler says where the names of dead definitions stand. One that is only never made, such as a struct that is
//! named by a signature that stays, is no less needed than before, and stays.

use crate::program::{Place, Program};
use reduce_model::Position;
use reduce_syntax::{EditSet, Element, ListKind, TokenCursor, is_hint, remove_elements};
use std::collections::BTreeSet;

/// Returns the edits that delete the code that the compiler calls dead, those that delete most first. `names` are where the names
/// of dead definitions begin.
///
/// The first ones also leave out impls of traits whose functions do nothing but `loop {}`: no run comes there.
#[must_use]
pub fn without_dead_code(program: &Program, names: &[Position]) -> Vec<EditSet> {
    let declarations = Declarations::new(program);
    let dead = names.iter().filter_map(|&name| declarations.named(name));
    let dead: BTreeSet<usize> = dead.collect();
    let all = declarations.all();
    let idle = all.filter(|&one| declarations.is_idle_impl(one));
    let with_idle = declarations.closed(dead.iter().copied().chain(idle).collect());
    let mut all: Vec<BTreeSet<usize>> = vec![with_idle, declarations.closed(dead)];
    all.dedup();
    all.retain(|removed| !removed.is_empty());
    let edits = all.iter().map(|removed| declarations.without(removed));
    edits.collect()
}

/// Returns the edits that delete the declarations in which the compiler finds errors once other code is gone: imports of that
/// code, and impls and functions that need it. `None` where an error is in no such declaration.
#[must_use]
pub fn without_faulty_declarations(program: &Program, errors: &[Position]) -> Option<EditSet> {
    let declarations = Declarations::new(program);
    let faulty = errors.iter().map(|&error| {
        let declaration = declarations.around(error)?;
        let outer = declarations.outer(declaration);
        let outer = outer.filter(|&outer| declarations.is_impl_of_trait(outer));
        // A member that is faulty as such is one that the trait does not have any more.
        let outer = outer.filter(|_| !declarations.begins_at(declaration, error));
        Some(outer.unwrap_or(declaration))
    });
    let faulty = faulty.collect::<Option<BTreeSet<usize>>>()?;
    Some(declarations.without(&faulty))
}

/// Returns the edits that delete all visibilities: a program of few modules needs none. `None` where there are none.
#[must_use]
pub fn without_visibilities(program: &Program) -> Option<EditSet> {
    without_all(program, ListKind::Parts, |text| {
        text == "pub" || text.starts_with("pub(")
    })
}

/// Returns the edits that delete all attributes that are only hints. `None` where there are none.
#[must_use]
pub fn without_hints(program: &Program) -> Option<EditSet> {
    without_all(program, ListKind::Attributes, is_hint)
}

/// Returns the edits that delete, from all lists of a kind, the elements whose text is wanted. `None` where there are none.
fn without_all(
    program: &Program,
    kind: ListKind,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<EditSet> {
    let lists = program.tree().lists.iter().enumerate();
    let lists = lists.filter(|(_, list)| list.kind == kind);
    let is_wanted =
        |element: &Element| is_wanted(&program.sources().text(element.file)[element.range.clone()]);
    let elements: Vec<(usize, usize)> = lists
        .flat_map(|(idx, list)| {
            let elements = list.elements.iter().enumerate();
            let wanted = elements.filter(|(_, element)| is_wanted(element));
            wanted.map(move |(element, _)| (idx, element))
        })
        .collect();
    let mut edits = EditSet::new();
    remove_elements(&program.tree().lists, elements.iter().copied(), &mut edits);
    (!elements.is_empty()).then_some(edits)
}

/// The declarations of a program: items, members, and names in groups of imports.
struct Declarations<'p> {
    program: &'p Program,
    /// The list in which each declaration is, and its index there, in ascending order.
    elements: Vec<(usize, usize)>,
    places: Vec<Place>,
    /// For each declaration, the declarations that use it.
    users: Vec<Vec<usize>>,
}

const KINDS: [ListKind; 3] = [ListKind::Items, ListKind::Members, ListKind::UseTrees];

impl<'p> Declarations<'p> {
    fn new(program: &'p Program) -> Self {
        let lists = program.tree().lists.iter().enumerate();
        let lists = lists.filter(|(_, list)| KINDS.contains(&list.kind));
        let (elements, places): (Vec<_>, Vec<_>) = lists
            .flat_map(|(idx, list)| {
                let elements = list.elements.iter().enumerate();
                elements.map(move |(element, one)| ((idx, element), Place::from(one)))
            })
            .unzip();
        Self {
            program,
            elements,
            users: program.relations().users(&places),
            places,
        }
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.elements.len()
    }

    /// Returns the smallest declaration around a name.
    fn around(&self, name: Position) -> Option<usize> {
        let around = self.all().filter(|&one| name.is_in(&self.places[one]));
        around.min_by_key(|&one| self.places[one].range.len())
    }

    /// Returns the declaration whose name is at a position. Fields and variants are part of one of another name.
    fn named(&self, name: Position) -> Option<usize> {
        let declaration = self.around(name)?;
        let cursor = self.cursor(declaration);
        let at = name.at - self.places[declaration].range.start;
        cursor
            .group(cursor.at_byte(at))
            .is_none()
            .then_some(declaration)
    }

    /// Whether a place begins where a declaration begins without its attributes.
    fn begins_at(&self, declaration: usize, place: Position) -> bool {
        let cursor = self.cursor(declaration);
        let first = cursor.range(cursor.skip_attributes(0)).start;
        self.places[declaration].range.start + first == place.at
    }

    /// Returns the smallest declaration around another one.
    fn outer(&self, declaration: usize) -> Option<usize> {
        let others = self.all().filter(|&one| one != declaration);
        let outer = others.filter(|&one| self.is_within(declaration, one));
        outer.min_by_key(|&one| self.places[one].range.len())
    }

    fn cursor(&self, declaration: usize) -> TokenCursor<'p> {
        TokenCursor::without_docs(self.program.text(&self.places[declaration]))
    }

    /// Returns the dead declarations together with the imports and impls that name them, without those that other code needs.
    fn closed(&self, mut dead: BTreeSet<usize>) -> BTreeSet<usize> {
        loop {
            let users = dead.iter().flat_map(|&one| self.users[one].clone());
            let follow: Vec<usize> = users
                .filter(|user| !dead.contains(user) && self.follows(*user))
                .collect();
            if follow.is_empty() {
                break;
            }
            dead.extend(follow);
        }
        let needed = |dead: &BTreeSet<usize>| {
            let mut each = dead.iter().copied();
            each.find(|&one| self.is_needed(one, dead))
        };
        while let Some(needed) = needed(&dead) {
            dead.remove(&needed);
        }
        dead
    }

    /// Whether a declaration is an import or an impl, and so only there for what it names.
    fn follows(&self, declaration: usize) -> bool {
        let (list, _) = self.elements[declaration];
        let is_in_import = self.program.tree().lists[list].kind == ListKind::UseTrees;
        is_in_import || self.is_use(declaration) || self.is_impl(declaration)
    }

    /// Whether a declaration that is not dead uses this one.
    fn is_needed(&self, declaration: usize, dead: &BTreeSet<usize>) -> bool {
        let mut users = self.users[declaration].iter();
        users.any(|&user| !dead.iter().any(|&gone| self.is_within(user, gone)))
    }

    fn is_within(&self, declaration: usize, other: usize) -> bool {
        self.places[declaration].is_within(&self.places[other])
    }

    fn is_use(&self, declaration: usize) -> bool {
        let cursor = self.cursor(declaration);
        let first = cursor.skip_attributes(0);
        let keyword = cursor.find(first..cursor.len(), "use");
        keyword.is_some_and(|keyword| cursor.visibility_start(keyword) == first)
    }

    /// Whether a declaration is an impl, an `unsafe` or a `default` one included.
    fn is_impl(&self, declaration: usize) -> bool {
        let cursor = self.cursor(declaration);
        let words = cursor.words().skip(cursor.skip_attributes(0));
        let mut words = words.skip_while(|word| matches!(*word, "unsafe" | "default"));
        words.next() == Some("impl")
    }

    fn is_impl_of_trait(&self, declaration: usize) -> bool {
        let cursor = self.cursor(declaration);
        let open = cursor.find(cursor.indices(), "{").unwrap_or(0);
        self.is_impl(declaration) && cursor.find(0..open, "for").is_some()
    }

    /// Whether a declaration is an impl of a trait in which each function does nothing but `loop {}`.
    fn is_idle_impl(&self, declaration: usize) -> bool {
        let cursor = self.cursor(declaration);
        let functions = cursor.indices().filter(|&idx| cursor.is(idx, "fn")).count();
        let idle = cursor.indices();
        let idle = idle
            .filter(|&idx| cursor.are(idx, &["{", "loop", "{", "}", "}"]))
            .count();
        functions > 0 && functions == idle && self.is_impl_of_trait(declaration)
    }

    fn without(&self, removed: &BTreeSet<usize>) -> EditSet {
        let mut edits = EditSet::new();
        let is_outer = |one: &&usize| {
            let mut others = removed.iter().filter(|other| other != one);
            !others.any(|&other| self.is_within(**one, other))
        };
        let elements = removed.iter().filter(is_outer);
        let elements = elements.map(|&one| self.elements[one]);
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
        check(
            "mod a { pub struct S; unsafe impl Send for S {} } #[allow(unused)] pub(crate) use a::S as T; fn h() {}",
            &["struct S"],
            &["mod a {} fn h() {}"],
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
    fn what_has_dead_fields_or_variants_stays() {
        check(
            "struct A { name: u8 } struct B(u8); enum E { X, Y } fn f() {} fn idle() {}",
            &["name", "u8)", "Y", "fn idle"],
            &["struct A { name: u8 } struct B(u8); enum E { X, Y } fn f() {}"],
        );
        check("struct A { name: u8 }", &["name"], &[]);
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
    fn all_hints_go_at_once() {
        let without = |text: &str| {
            let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), text.into());
            let edits = without_hints(&Program::new(&sources))?;
            Some(spaced(edits.apply(&sources).text(sources.root())))
        };
        let text = "#![allow(a)] #[doc(hidden)] mod m { #[inline] #[track_caller] fn f() { #[allow(b)] let x = 1; } }
                    #[must_use = \"c\"] #[repr(C)] struct S;";
        let expected = "mod m { #[track_caller] fn f() { let x = 1; } } #[repr(C)] struct S;";
        assert_eq!(without(text), Some(spaced(expected)));
        assert_eq!(without(expected), None);
    }

    #[test]
    fn what_needs_something_that_is_gone_goes_too() {
        let check = |text: &str, errors: &[&str], expected: Option<&str>| {
            let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), text.into());
            let at = |error: &&str| Position::new(sources.root(), text.find(*error).unwrap());
            let errors: Vec<Position> = errors.iter().map(at).collect();
            let edits = without_faulty_declarations(&Program::new(&sources), &errors);
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
