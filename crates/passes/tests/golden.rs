//! A net under refactorings: what the passes, the slices, the relations and the ways to gather a
//! crate make of real sources, as one digest a line. A line that changes is explained in the commit
//! that changes it.
//!
//! The sources are the fixtures of this repository, and crates that the lock file pins, so that they
//! change with neither our own code nor the day. To see behind a digest, let the variable
//! `GOLDEN_DETAILS` name a directory: each line's text is written there, to be compared with that of
//! another commit. `INSTA_UPDATE=always` writes the digests anew.

#[path = "golden/observations.rs"]
mod observations;
#[path = "golden/programs.rs"]
mod programs;

use observations::Observation;
use programs::Program;
use std::fmt::Write as _;

/// The lines of a program: what was observed, how many of it there are, and a digest of all.
fn lines(program: &Program, observations: &[Observation]) -> String {
    let mut lines = String::new();
    let observed = observations.iter().filter(|one| !one.entries.is_empty());
    for Observation { what, entries } in observed {
        let text = entries.join("\n");
        save(&program.name, what, &text);
        let digest = blake3::hash(text.as_bytes()).to_hex();
        let count = entries.len();
        writeln!(
            lines,
            "{} | {what} | {count} | {}",
            program.name,
            &digest[..12]
        )
        .expect("a string takes all that is written to it");
    }
    lines
}

/// Writes what a digest was made of where the variable `GOLDEN_DETAILS` says.
#[expect(
    clippy::disallowed_methods,
    reason = "a developer asks this test for its details"
)]
fn save(program: &str, what: &str, text: &str) {
    if let Some(directory) = std::env::var_os("GOLDEN_DETAILS") {
        let name = format!("{program}-{what}").replace(['/', ' '], "-");
        let path = std::path::Path::new(&directory).join(name);
        std::fs::write(path, text).expect("the directory of `GOLDEN_DETAILS` can be written to");
    }
}

/// The programs are shared out among threads: the test takes long otherwise.
#[test]
fn what_is_made_of_real_programs_stays_as_it_is() {
    let programs = programs::all();
    assert!(programs.len() > 60, "only {} programs", programs.len());
    let observed = |program: &Program| lines(program, &observations::of(program));
    let (first, second): (Vec<_>, Vec<_>) = programs
        .iter()
        .enumerate()
        .partition(|(idx, _)| idx % 2 == 0);
    let of_half = |half: Vec<(usize, &Program)>| -> Vec<(usize, String)> {
        half.into_iter()
            .map(|(idx, one)| (idx, observed(one)))
            .collect()
    };
    let mut all = std::thread::scope(|scope| {
        let other = scope.spawn(|| of_half(second));
        let mut all = of_half(first);
        all.extend(other.join().expect("no program makes the test panic"));
        all
    });
    all.sort_unstable();
    let all: String = all.into_iter().map(|(_, lines)| lines).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn merging_real_crates_stays_as_it_is() {
    let merges = programs::merges();
    assert!(merges.len() > 5, "only {} pairs", merges.len());
    let all: String = merges
        .iter()
        .map(|merge| lines(&merge.program, &observations::of_merge(merge)))
        .collect();
    insta::assert_snapshot!(all);
}
