//! The best program of a search that was stopped.

use super::super::stages::TIDY;
use super::super::tidy::{Tidying, lay_out};
use super::{Found, Setting, has_all, methods, needing};
use crate::candidate::Candidate;
use crate::failure::Failure;
use crate::propose::RemovableFlags;

const LEFT_OVER: &str =
    "fn begin() {}\n#[inline]\npub fn proceed() { begin() }\npub struct Record;\n";

/// Tidies the program that is left over, with at most this many looks, where a program must have these tokens and these
/// flags. Returns what was found and the number of looks.
fn tidied(most: u64, tokens: &[&str], flags: &[usize]) -> (Found, u64) {
    let mut n_looks = 0;
    let files = [("lib.rs", LEFT_OVER)];
    let found = Setting::new(&files, &needing(&[])).run_with(|session| {
        let mut tidying = Tidying {
            is_over: &|n_looks| n_looks >= most,
            look: &mut |candidate: &Candidate| {
                n_looks += 1;
                let has_flag = |flag| !candidate.compile_options.left_out.contains(flag);
                Ok(has_all(&candidate.tree, tokens) && flags.iter().all(has_flag))
            },
            n_looks: 0,
        };
        let groups = RemovableFlags {
            groups: 3,
            ..RemovableFlags::default()
        };
        tidying.all(session, &methods().with_flags(groups), TIDY)
    });
    (found.unwrap(), n_looks)
}

#[test]
fn visibilities_hints_flags_names_and_order_are_tidied_with_a_look_each() {
    let (found, n_looks) = tidied(9, &[], &[]);
    assert_eq!(
        found.root(),
        "struct Foo ; fn foo ( ) { } fn bar ( ) { foo ( ) }"
    );
    assert_eq!((found.left_out.as_slice(), n_looks), (&[0, 1, 2][..], 5));
    assert_eq!((found.queries, found.steps), (0, 0), "it is no search");
}

#[test]
fn what_matters_to_the_failure_stays() {
    let (found, n_looks) = tidied(9, &["# [ inline ]", "proceed"], &[1]);
    assert_eq!(
        found.root(),
        "struct Record ; fn begin ( ) { } # [ inline ] fn proceed ( ) { begin ( ) }"
    );
    assert_eq!((found.left_out.as_slice(), n_looks), (&[0, 2][..], 8));
}

#[test]
fn nothing_more_is_tidied_once_all_looks_are_spent() {
    let (found, n_looks) = tidied(1, &[], &[]);
    assert_eq!(found.root(), LEFT_OVER_WITHOUT_VISIBILITIES);
    assert_eq!((found.left_out.len(), n_looks), (0, 1));
}

const LEFT_OVER_WITHOUT_VISIBILITIES: &str =
    "fn begin ( ) { } # [ inline ] fn proceed ( ) { begin ( ) } struct Record ;";

/// The text of a program once it is laid out, where only what `is_interesting` may be taken.
fn laid_out(text: &str, is_interesting: &dyn Fn(&str) -> bool) -> String {
    let files = [("lib.rs", text)];
    let found = Setting::new(&files, &needing(&[])).run_with(|session| {
        let format = |_: &str| Ok::<_, Failure>(None);
        lay_out(session, &format, &mut |candidate| {
            let tree = &candidate.tree;
            Ok(is_interesting(tree.text(tree.root())))
        })
    });
    found.unwrap().files.remove(0).1
}

#[test]
fn comments_and_empty_lines_go_from_a_stopped_search() {
    let text = "// a\n\n\n/// b\nfn  f() { // c\n\n\n g() }\n\n";
    assert_eq!(laid_out(text, &|_| true), "fn f() {\n    g()\n}\n");
    let with_docs = "/// b\nfn f() {\n    g()\n}\n";
    assert_eq!(laid_out(text, &|text| text.contains("///")), with_docs);
    assert_eq!(laid_out(text, &|_| false), text);
}
