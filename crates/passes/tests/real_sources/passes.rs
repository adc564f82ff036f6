//! Tests of what holds for every pass on real code: the result of one edit still parses, and is
//! simpler in the declared order.

use crate::{SOURCES, Source};
use reduce_passes::{PASSES, Pass, Program, Work};
use reduce_syntax::{EditSet, SourceTree, is_parsable};

/// The most files that are tried, evenly spread.
const MOST_FILES: usize = 48;
/// The most bytes of a file that is tried: larger files say nothing new, and take long.
const LONGEST: usize = 16_000;
/// The most edits that are tried per file and pass.
const MOST_EDITS: usize = 6;

/// The result of one edit of a file.
struct Tried<'s> {
    source: &'s Source,
    edits: EditSet,
    result: SourceTree,
}

impl Tried<'_> {
    fn parses(&self) -> bool {
        self.result.files().all(|(_, _, text)| is_parsable(text))
    }

    fn describe(&self) -> String {
        format!("`{}`: {:?}", self.source.path, self.edits)
    }
}

/// The files that each pass is tried on. All passes share what was found out about a file.
fn files() -> Vec<(&'static Source, Program)> {
    let is_short = |source: &&Source| source.text().len() <= LONGEST;
    let short: Vec<&Source> = SOURCES.iter().filter(is_short).collect();
    let step = short.len().div_ceil(MOST_FILES);
    let some = short.into_iter().step_by(step);
    some.map(|source| (source, Program::new(&source.tree)))
        .collect()
}

/// Some edits of a pass in some files, evenly spread.
fn sample(pass: &Pass, files: &[(&'static Source, Program)]) -> Vec<Tried<'static>> {
    let mut all = Vec::new();
    for (source, program) in files {
        let edits = pass.single_edits(program);
        let step = edits.len().div_ceil(MOST_EDITS).max(1);
        let first = source.text().len() % step;
        let some = edits.into_iter().skip(first).step_by(step);
        all.extend(some.map(|edits| Tried {
            result: edits.apply(&source.tree),
            edits,
            source,
        }));
    }
    all
}

fn is_rewrite(pass: &Pass) -> bool {
    let mut works = pass.work.iter();
    works.all(|work| matches!(work, Work::Rewrite(_)))
}

/// Lists and hoists may leave what is not Rust, such as a bound of `impl A`, which needs one: such a
/// candidate is rejected without a query. A rewrite knows what it does.
fn most_broken_in_a_hundred(pass: &Pass) -> usize {
    match is_rewrite(pass) {
        true => 1,
        false => 10,
    }
}

#[test]
fn what_a_pass_makes_of_a_file_is_simpler_and_still_parses() {
    let files = files();
    let mut idle = Vec::new();
    for pass in PASSES {
        let tried = sample(pass, &files);
        let broken: Vec<String> = tried
            .iter()
            .filter(|one| !one.parses())
            .map(Tried::describe)
            .collect();
        let allowed = (tried.len() * most_broken_in_a_hundred(pass)).div_ceil(100);
        let is_sound = broken.len() <= allowed;
        assert!(is_sound, "{} of {}: {broken:#?}", pass.name, tried.len());
        // A hoist may be as large, and then is no candidate.
        let must_be_simpler = is_rewrite(pass);
        for one in tried.iter().filter(|_| must_be_simpler) {
            let is_simpler = one.result.is_simpler_than(&one.source.tree);
            assert!(is_simpler, "{} in {}", pass.name, one.describe());
        }
        if tried.is_empty() {
            idle.push(pass.name);
        }
    }
    // Sources that a person has written lack what only crashes have, such as `#[no_mangle]`.
    assert!(idle.len() <= PASSES.len() / 3, "without an edit: {idle:?}");
}
