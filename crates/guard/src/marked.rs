//! The code under test with marks at the points that matter to a failure: those whose mutants change its outcome.
//!
//! With `--whole` this text becomes a part of the program. A candidate in which a point is gone is none; the others get
//! switches at the points, so that mutants can be asked although the code under test was rewritten.
//!
//! See docs/decisions/whole-programs.md.

use camino::Utf8PathBuf;
use reduce_mutants::{
    Instrumented, Marks, Mutant, MutantId, is_marked, markable, marks_in, unentered_bodies,
    without_marks,
};
use reduce_oracle::{Linkage, Unit};
use reduce_syntax::{FileId, SourceTree};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A crate of the code under test with its mutants.
#[derive(Debug, Clone)]
pub(crate) struct MutatedCrate {
    /// The crate's number among the units that the test may be linked with.
    pub unit: usize,
    /// The directory that the paths of its sources are relative to.
    pub base: Utf8PathBuf,
    /// Whether the crate is that of the test, which is reduced as a whole.
    pub is_own: bool,
    /// The name of the crate's package.
    pub package: String,
    /// The crate's sources, without switches and marks.
    pub sources: SourceTree,
    /// The sources without the `const` of functions that have switches however they are compiled. All bytes stay where
    /// they are.
    pub plain: SourceTree,
    /// The crate's mutants, whose places are those in its sources.
    pub mutants: Vec<Mutant>,
}

impl MutatedCrate {
    /// Returns the crate with only those of its mutants that can be marked.
    pub(crate) fn markable(&self) -> Self {
        Self {
            mutants: markable(&self.plain, &self.mutants),
            ..self.clone()
        }
    }
}

/// Texts of files that are read in place of those on the disk, by absolute paths.
#[derive(Debug, Default)]
pub struct OtherTexts {
    /// The texts of files.
    pub whole: BTreeMap<Utf8PathBuf, Arc<str>>,
    /// The texts of the same files without the bodies of functions that did not run, which may be
    /// enough.
    pub smaller: BTreeMap<Utf8PathBuf, Arc<str>>,
}

/// The code under test, with marks at the points whose mutants matter to the failure.
#[derive(Debug)]
pub(crate) struct MarkedCode {
    marks: Marks,
    /// The texts of the marked files; the smaller ones without the bodies of functions that did not
    /// run.
    texts: OtherTexts,
    /// The test's own crate with marks, where that is the code under test.
    own: Option<SourceTree>,
    /// The marked mutants of each unit, with the functions that they are in.
    of_units: BTreeMap<usize, BTreeMap<MutantId, String>>,
    /// Whether runs have shown which code a mended program may need.
    pub knows_rest: bool,
}

/// The error of a candidate that has lost a marked point, with the function in which the point was.
#[derive(Debug, PartialEq, Eq)]
pub struct PointGone<'m>(pub &'m str);

impl MarkedCode {
    /// Marks the mutants that matter to the failure, in all crates of the code under test. `passed`
    /// are the mutants that a run has passed.
    pub(crate) fn new(
        crates: &[MutatedCrate],
        passed: &BTreeSet<MutantId>,
        matter: &BTreeSet<MutantId>,
    ) -> Self {
        let mut marked = Self {
            marks: Marks::default(),
            texts: OtherTexts::default(),
            own: None,
            of_units: BTreeMap::new(),
            knows_rest: false,
        };
        for krate in crates {
            marked.add(krate, passed, matter);
        }
        marked
    }

    /// Notes whether runs have shown which code a mended program may need.
    pub(crate) fn knowing_rest(self, knows_rest: bool) -> Self {
        Self { knows_rest, ..self }
    }

    fn add(
        &mut self,
        krate: &MutatedCrate,
        passed: &BTreeSet<MutantId>,
        matter: &BTreeSet<MutantId>,
    ) {
        let is_wanted = |mutant: &Mutant| matter.contains(&mutant.id);
        let marks = self.marks.mark(&krate.plain, &krate.mutants, is_wanted);
        let whole = marks.apply(&krate.plain);
        note(&mut self.texts.whole, krate, &whole);
        if krate.is_own {
            self.own = Some(whole);
        }
        // Points that only a mended program may come to were not passed, and stay.
        let stays = passed | matter;
        let mut smaller = unentered_bodies(&krate.plain, &krate.mutants, &stays);
        smaller.extend(&marks);
        note(&mut self.texts.smaller, krate, &smaller.apply(&krate.plain));
        let mutants = krate.mutants.iter();
        let marked = mutants.filter(|one| matter.contains(&one.id) && self.marks.has(one.id));
        let named = marked.map(|one| (one.id, one.function.clone()));
        self.of_units.insert(krate.unit, named.collect());
    }

    /// Forgets the points in code that a `cfg` leaves out of its crate: it is gone before anything is reduced. A mark
    /// beside it may still be there, and stands at another point.
    pub(crate) fn forget_left_out(&mut self, configured: impl Fn(usize) -> Option<SourceTree>) {
        for (&unit, points) in &mut self.of_units {
            if let Some(text) = configured(unit) {
                let there = switches_in(&self.marks.instrument(&text));
                points.retain(|id, _| there.contains(id));
            }
        }
    }

    /// Takes out the texts of the marked files.
    pub(crate) fn take_texts(&mut self) -> OtherTexts {
        std::mem::take(&mut self.texts)
    }

    /// Takes out the test's own crate with marks, where that crate is the code under test.
    pub(crate) fn take_own(&mut self) -> Option<SourceTree> {
        self.own.take()
    }

    /// Returns a text that distinguishes these marks from others, as a part of the keys of stored
    /// verdicts.
    pub(crate) fn form(&self) -> String {
        self.marks.form()
    }

    /// Puts switches into a candidate at the marked points that are in its own text.
    ///
    /// # Errors
    /// Where a point is gone, and is not in a linked crate.
    pub(crate) fn switched(
        &self,
        tree: &SourceTree,
        (linkage, units): (&Linkage, &[Unit]),
    ) -> Result<SourceTree, PointGone<'_>> {
        let linked = linkage.reachable(units);
        let of_units = self.of_units.iter();
        let in_text = of_units.filter(|(unit, _)| !linked.contains(unit));
        let mut expected = in_text.flat_map(|(_, points)| points).peekable();
        if expected.peek().is_none() {
            return Ok(tree.clone());
        }
        let instrumented = self.marks.instrument(tree);
        let there = switches_in(&instrumented);
        match expected.find(|(id, _)| !there.contains(id)) {
            Some((_, function)) => Err(PointGone(function)),
            None => Ok(instrumented.sources().clone()),
        }
    }

    /// Puts switches into a candidate at the marked points that are in its own text, and at the beginnings
    /// of all blocks.
    pub(crate) fn with_blocks(&self, tree: &SourceTree) -> Instrumented {
        self.marks.instrument_with_blocks(tree)
    }
}

/// Returns the mutants that have switches in a text.
fn switches_in(instrumented: &Instrumented) -> BTreeSet<MutantId> {
    instrumented.mutants().iter().map(|one| one.id).collect()
}

/// Notes the texts of the files of a crate that marks have changed.
fn note(texts: &mut BTreeMap<Utf8PathBuf, Arc<str>>, krate: &MutatedCrate, tree: &SourceTree) {
    for (file, path, text) in tree.files() {
        if krate.sources.text(file) != &**text {
            texts.insert(krate.base.join(path), text.clone());
        }
    }
}

/// Whether a program has marks at points of the code under test.
#[must_use]
pub fn has_points(tree: &SourceTree) -> bool {
    is_marked(tree)
}

/// Returns a program without its marks.
#[must_use]
pub fn without_points(tree: &SourceTree) -> SourceTree {
    without_marks(tree)
}

/// Finds the places of the marks in a program: the file, and the byte at which the mark begins.
#[must_use]
pub fn points_in(tree: &SourceTree) -> Vec<(FileId, usize)> {
    let marks = marks_in(tree).into_iter();
    marks.map(|mark| (mark.file, mark.start)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_mutants::{Options, instrument};

    const LIBRARY: &str = "pub fn f(a: u8) -> bool { a < 10 } pub fn g(a: u8) -> bool { a == 1 }";

    fn tree(text: &str) -> SourceTree {
        SourceTree::single("src/lib.rs".into(), Arc::from(text))
    }

    /// Makes a crate of which `f` ran, and the points that matter are those of `<`.
    fn marked() -> MarkedCode {
        with_points_of("a < 10")
    }

    /// Marks the library where the points that matter are those of another text.
    fn with_points_of(original: &str) -> MarkedCode {
        let sources = tree(LIBRARY);
        let mutants = instrument(&sources, &Options::default()).mutants().to_vec();
        let ids = |is_wanted: &dyn Fn(&Mutant) -> bool| {
            let wanted = mutants.iter().filter(|one| is_wanted(one));
            wanted.map(|one| one.id).collect()
        };
        let passed = ids(&|one| one.function == "f");
        let matter = ids(&|one| one.original == original);
        let krate = MutatedCrate {
            unit: 0,
            base: "/library".into(),
            is_own: true,
            package: "library".to_owned(),
            plain: sources.clone(),
            sources,
            mutants,
        };
        MarkedCode::new(&[krate], &passed, &matter)
    }

    fn text(texts: &BTreeMap<Utf8PathBuf, Arc<str>>) -> String {
        let text = &texts[&Utf8PathBuf::from("/library/src/lib.rs")];
        reduce_syntax::spaced(text)
    }

    #[test]
    fn the_smaller_text_is_without_what_did_not_run() {
        let texts = marked().take_texts();
        assert_eq!(text(&texts.whole), reduce_syntax::spaced(LIBRARY));
        let smaller = LIBRARY.replace("a == 1", "loop {}");
        assert_eq!(text(&texts.smaller), reduce_syntax::spaced(&smaller));
        assert!(texts.smaller.values().all(|text| text.contains("/*@")));
    }

    #[test]
    fn the_smaller_text_has_what_a_mended_program_may_come_to() {
        let texts = with_points_of("a == 1").take_texts();
        assert_eq!(text(&texts.smaller), reduce_syntax::spaced(LIBRARY));
    }

    #[test]
    fn the_own_crate_of_a_test_has_its_marks() {
        let mut marked = marked();
        let own = marked.take_own().unwrap();
        assert!(reduce_mutants::is_marked(&own));
        let own = reduce_mutants::without_marks(&own);
        let text = reduce_syntax::spaced(own.text(own.root()));
        assert_eq!(text, reduce_syntax::spaced(LIBRARY));
        assert!(marked.take_own().is_none());
    }

    #[test]
    fn a_candidate_in_which_a_point_is_gone_is_none() {
        let mut marked = marked();
        let whole = marked.take_texts().whole;
        let whole = whole.values().next().unwrap();
        let switched = |text: &str| {
            let switched = marked.switched(&tree(text), (&Linkage::default(), &[]));
            switched.map(|tree| tree.text(tree.root()).matches("::off(").count())
        };
        assert_eq!(switched(whole), Ok(2));
        assert_eq!(switched(&whole.replace("a == 1", "true")), Ok(2));
        assert_eq!(switched(&whole.replace('<', ">")), Ok(2), "the same kind");
        assert_eq!(switched(&whole.replace('<', "+")), Err(PointGone("f")));
        assert_eq!(switched("fn f() {}"), Err(PointGone("f")));
    }

    #[test]
    fn a_point_that_a_cfg_leaves_out_is_not_missed() {
        let mut marked = marked();
        let whole = marked.take_texts().whole;
        let whole = whole.values().next().unwrap();
        let without = whole.replace('<', "+");
        let linkage = Linkage::default();
        let gone = marked.switched(&tree(&without), (&linkage, &[]));
        assert_eq!(gone.map(|_| ()), Err(PointGone("f")));
        marked.forget_left_out(|_| Some(tree("fn f() {}")));
        assert!(marked.switched(&tree(&without), (&linkage, &[])).is_ok());
    }

    #[test]
    fn a_point_whose_mark_stands_at_another_one_is_not_missed() {
        let mut marked = marked();
        let whole = marked.take_texts().whole;
        let without = tree(&whole.values().next().unwrap().replace('<', "+"));
        assert!(reduce_mutants::is_marked(&without));
        let linkage = Linkage::default();
        assert!(marked.switched(&without, (&linkage, &[])).is_err());
        marked.forget_left_out(|_| Some(without.clone()));
        assert!(marked.switched(&without, (&linkage, &[])).is_ok());
    }
}
