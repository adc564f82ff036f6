//! Finds the mutants that cause an error of the compiler, by the place of the error.

use crate::instrument::{ErrorPlace, Instrumented};
use crate::mutant::{Mutant, MutantId};
use crate::switched_text::SwitchPlace;
use camino::Utf8Path;
use std::ops::Range;

impl Instrumented {
    /// Returns the mutants to drop for an error of the compiler: the one in whose text the error is, else those inside of the
    /// error's place, else the innermost ones around it, else those of the function, of the file, or all. There is at least one,
    /// as long as there are mutants.
    #[must_use]
    pub fn suspects(&self, place: &ErrorPlace) -> Vec<MutantId> {
        let all = |is_suspect: &dyn Fn(&Mutant) -> bool| -> Vec<MutantId> {
            let suspects = self.mutants().iter().filter(|one| is_suspect(one));
            suspects.map(|one| one.id).collect()
        };
        let ErrorPlace::At(file, bytes) = place else {
            return all(&|_| true);
        };
        let switched = self.texts.get(file);
        let places = switched.map_or(&[][..], |switched| &switched.places);
        let origin = switched.map(|switched| switched.origin(bytes.start));
        let in_function = |one: &Mutant| {
            one.file == *file && origin.is_some_and(|byte| one.function_range.contains(&byte))
        };
        let candidates = [
            self.nearest(places, bytes),
            all(&in_function),
            all(&|one| one.file == *file),
            all(&|_| true),
        ];
        let suspects = candidates.into_iter().find(|some| !some.is_empty());
        suspects.unwrap_or_default()
    }

    /// Returns the mutants in definitions of macros that may cause an error in what a macro expands to. The compiler of another
    /// crate names the file and the bytes of the definition.
    #[must_use]
    pub fn suspects_in_macros(&self, name: &Utf8Path, bytes: &Range<usize>) -> Vec<MutantId> {
        let is_named = |path: &Utf8Path| name.ends_with(path) || path.ends_with(name);
        let named = self.texts.iter();
        let named = named.filter(|(file, _)| is_named(self.sources().path(**file)));
        let suspects = named.flat_map(|(_, switched)| self.nearest(&switched.places, bytes));
        let is_in_macro = |id: &MutantId| self.mutant(*id).is_some_and(|one| one.is_in_macro);
        suspects.filter(is_in_macro).collect()
    }

    /// Returns the mutant in whose own text some bytes begin, else the mutants inside of these bytes, else the innermost ones
    /// around.
    fn nearest(&self, places: &[SwitchPlace], bytes: &Range<usize>) -> Vec<MutantId> {
        let candidates = [
            executed_at(places, bytes.start),
            inside(places, bytes),
            self.innermost_around(places, bytes.start),
        ];
        let nearest = candidates.into_iter().find(|some| !some.is_empty());
        nearest.unwrap_or_default()
    }

    /// Returns the innermost mutants around a byte: all that change the same text.
    fn innermost_around(&self, places: &[SwitchPlace], byte: usize) -> Vec<MutantId> {
        let around = places.iter().filter(|place| place.whole.contains(&byte));
        let innermost = around.min_by_key(|place| place.whole.len());
        let Some(mutant) = innermost.and_then(|place| self.mutant(place.id)) else {
            return Vec::new();
        };
        let same = self
            .mutants()
            .iter()
            .filter(|one| (one.file, &one.range) == (mutant.file, &mutant.range));
        same.map(|one| one.id).collect()
    }
}

/// Returns the mutant whose own text contains a byte.
fn executed_at(places: &[SwitchPlace], byte: usize) -> Vec<MutantId> {
    let at = places.iter().filter(|place| place.other.contains(&byte));
    at.map(|place| place.id).collect()
}

fn inside(places: &[SwitchPlace], bytes: &Range<usize>) -> Vec<MutantId> {
    let is_inside =
        |place: &&SwitchPlace| bytes.start <= place.whole.start && place.whole.end <= bytes.end;
    places
        .iter()
        .filter(is_inside)
        .map(|place| place.id)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instrument::{Options, instrument};
    use crate::reach::Reach;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;

    const SOURCE: &str = "fn f(a: u8, b: u8) -> S { g(a - b, S); h }\nfn g() -> bool { k * l }";

    fn instrumented() -> Instrumented {
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), SOURCE.into());
        instrument(&sources, &Options::default())
    }

    /// Checks the mutants of which an error about the bytes of `text` may be, as they read in the source.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let instrumented = instrumented();
        let root = instrumented.sources().root();
        let start = instrumented.sources().text(root).find(text).unwrap();
        let place = ErrorPlace::At(root, start..start + text.len());
        let suspects = instrumented.suspects(&place);
        let mutated = suspects
            .iter()
            .map(|&id| instrumented.mutant(id).unwrap().mutated.as_str());
        assert_eq!(mutated.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_error_is_about_the_nearest_mutants() {
        check("a + b", &["a + b"]);
        check("a - b", &["a + b"]);
        check(
            "g((if crate::__reduce_mutants::off(3) { a - b } else { a + b }), S)",
            &["a + b"],
        );
        check("S);", &[""]);
        check("h }", &["", "", "a + b"]);
        check("k * l", &["k / l"]);
        check("return true;", &["return true; "]);
        check("-> bool", &["return false; ", "return true; ", "k / l"]);
        check(
            "mod __reduce_mutants",
            &["", "", "a + b", "return false; ", "return true; ", "k / l"],
        );
    }

    #[test]
    fn another_crate_names_the_file_of_a_macro() {
        let text = "macro_rules! m { () => { fn f(a: u8) -> S { S(a < 1) } } } fn g(a: u8) -> S { S(a == 1) }";
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        let options = Options {
            reach: Reach::Macros,
            ..Options::default()
        };
        let instrumented = instrument(&sources, &options);
        let switched = instrumented.sources().text(instrumented.sources().root());
        let suspects = |name: &str, text: &str| -> Vec<String> {
            let start = switched.find(text).unwrap();
            let bytes = start..start + text.len();
            let suspects = instrumented.suspects_in_macros(Utf8Path::new(name), &bytes);
            let mutated = suspects.into_iter().map(|id| {
                let mutant = instrumented.mutant(id).unwrap();
                mutant.mutated.clone()
            });
            mutated.collect()
        };
        assert_eq!(suspects("/package-0/src/lib.rs", "a <= 1"), ["a <= 1"]);
        assert_eq!(suspects("lib.rs", "a <= 1"), ["a <= 1"]);
        assert_eq!(suspects("/package-0/src/main.rs", "a <= 1"), [""; 0]);
        assert_eq!(suspects("src/lib.rs", "a != 1"), [""; 0]);
    }

    #[test]
    fn dropping_ends_though_the_error_stays() {
        let mut n_compiled = 0;
        let left = instrumented().drop_broken(|_| {
            n_compiled += 1;
            Ok::<_, ()>(vec![ErrorPlace::Unknown])
        });
        assert_eq!((left.unwrap().mutants().len(), n_compiled), (0, 2));
    }

    #[test]
    fn what_is_left_keeps_its_number() {
        let fewer = instrumented().without(&[MutantId(2)].into());
        let ids: Vec<u32> = fewer.mutants().iter().map(|one| one.id.0).collect();
        assert_eq!(ids, [1, 3, 4, 5, 6]);
        assert_eq!(fewer.next(), MutantId(7));
        let none = fewer.without(&[1, 3, 4, 5, 6].map(MutantId).into());
        assert_eq!(none.sources().text(none.sources().root()), SOURCE);
    }
}
