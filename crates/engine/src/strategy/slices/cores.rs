//! Cores of a program: the slices that are made without asking the compiler anything, the narrowest first.

use super::{BY_SPELLING, slices_of_statements, width};
use crate::propose::Named;
use reduce_model::{Inspection, Outside, ResolvedNames, SliceWidth};
use reduce_passes::Program;
use reduce_syntax::SourceTree;

/// The widths of slices of definitions, after those of statements.
const WIDTHS: [SliceWidth; 4] = [
    BY_SPELLING[0],
    width(0, 0, true),
    width(usize::MAX, 0, false),
    width(usize::MAX, 0, true),
];

/// Returns the slices of what a crash points at and names in a program, the narrowest first. None is a program in which a
/// name has lost its definition, and none is larger than the program.
pub(crate) fn cores(sources: &SourceTree, named: &Named) -> Vec<SourceTree> {
    let program = Program::new(sources);
    let names = ResolvedNames::new(sources, &Outside::default());
    let of_definitions = WIDTHS.iter().filter_map(|width| {
        let edits = program.model().slice(&named.seeds, *width)?;
        Some(edits.apply(sources))
    });
    let mut all = slices_of_statements(&program, named);
    all.extend(of_definitions);
    let tokens = sources.count_tokens();
    // Of one size may be what is the core of a larger program, too.
    let is_smaller =
        |slice: &SourceTree| slice.count_tokens() <= tokens && slice.digest() != sources.digest();
    let is_whole = |slice: &SourceTree| names.inspect(slice) == Inspection::Plausible;
    all.retain(|slice| is_smaller(slice) && is_whole(slice));
    let mut seen = Vec::new();
    all.retain(|slice| {
        let digest = slice.digest();
        let is_new = !seen.contains(&digest);
        seen.push(digest);
        is_new
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propose::seed_at;

    fn cores_of(text: &str, at: &str) -> Vec<String> {
        let sources = SourceTree::single("a.rs".into(), text.into());
        let offset = text.find(at).expect("the text has the place");
        let seed = seed_at(&sources, sources.root(), offset);
        let named = Named {
            seeds: vec![seed.clone()],
            pointed_at: vec![seed],
            ..Named::default()
        };
        let cores = cores(&sources, &named);
        let text = |core: &SourceTree| core.text(core.root()).to_string();
        cores.iter().map(text).collect()
    }

    #[test]
    fn the_narrowest_core_comes_first_and_what_nothing_names_is_in_none() {
        let text = "struct Used(u8);\nstruct Other;\nfn f() {\n    let a = Used(1);\n    let b = 2;\n    a.0.crash();\n}\n";
        let cores = cores_of(text, "a.0");
        assert!(!cores.is_empty());
        assert!(!cores[0].contains("let b"), "{}", cores[0]);
        for core in &cores {
            assert!(core.contains("Used") && !core.contains("Other"), "{core}");
        }
    }

    #[test]
    fn a_program_of_which_nothing_can_go_has_no_core() {
        assert_eq!(cores_of("fn f() {}\n", "fn"), Vec::<String>::new());
    }
}
