//! Tests of the output directory's contents at each moment.

use super::{OutputDirectory, SupportFile, UNFINISHED};
use crate::failure::FailureKind;
use crate::request::ExistingOutput;
use crate::store::Digest;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::OtherProgram;
use reduce_platform::files::symlink;
use reduce_syntax::SourceTree;
use std::collections::BTreeMap;
use std::sync::Arc;
use tempfile::TempDir;

const JOB: Digest = [1; 32];
const OTHER_JOB: Digest = [2; 32];

/// A place for an output directory, which is not there yet.
struct Place {
    temporary: TempDir,
}

impl Place {
    fn new() -> Self {
        let temporary = tempfile::tempdir().expect("a temporary directory can be made");
        Self { temporary }
    }

    fn beside(&self, name: &str) -> Utf8PathBuf {
        let path = Utf8PathBuf::from_path_buf(self.temporary.path().join(name));
        path.expect("temporary paths are UTF-8")
    }

    fn path(&self) -> Utf8PathBuf {
        self.beside("out")
    }

    fn open(&self) -> OutputDirectory {
        OutputDirectory::open(&self.path(), &JOB).expect("the directory can be made")
    }

    fn put(&self, path: &str, text: &str) {
        let at = self.path().join(path);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(at, text).unwrap();
    }

    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).expect("the file is there")
    }

    /// Lists all files of the output directory, but for the marker of an unfinished job.
    fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        files_below(&self.path(), "", &mut found);
        found.retain(|path| path != UNFINISHED);
        found.sort();
        found
    }

    fn check(&self, existing: ExistingOutput, job: Option<&Digest>) -> Option<FailureKind> {
        let checked = OutputDirectory::check(&self.path(), existing, job);
        checked.err().map(|failure| failure.kind)
    }
}

fn files_below(directory: &Utf8Path, prefix: &str, found: &mut Vec<String>) {
    for entry in directory.read_dir_utf8().expect("the directory is there") {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            files_below(entry.path(), &format!("{name}/"), found);
        } else {
            found.push(name);
        }
    }
}

fn tree(files: &[(&str, &str)]) -> SourceTree {
    let all = files
        .iter()
        .map(|(path, text)| (Utf8PathBuf::from(*path), Arc::from(*text)));
    SourceTree::from_files(Utf8Path::new(files[0].0), all).expect("the root is there")
}

fn one_file(text: &str) -> SourceTree {
    tree(&[("src/lib.rs", text)])
}

#[test]
fn a_directory_that_is_not_there_may_be_used_and_is_not_made() {
    let place = Place::new();
    assert_eq!(place.check(ExistingOutput::Refuse, None), None);
    assert!(!place.path().exists());
}

#[test]
fn an_empty_directory_may_be_used() {
    let place = Place::new();
    std::fs::create_dir(place.path()).unwrap();
    assert_eq!(place.check(ExistingOutput::Refuse, None), None);
}

#[test]
fn a_directory_with_files_is_refused_unless_it_may_be_replaced() {
    let place = Place::new();
    place.put("notes.txt", "mine");
    let refused = Some(FailureKind::OutputExists);
    assert_eq!(place.check(ExistingOutput::Refuse, None), refused);
    assert_eq!(place.check(ExistingOutput::Refuse, Some(&JOB)), refused);
    assert_eq!(place.check(ExistingOutput::Replace, None), None);
}

#[test]
fn a_refusal_names_the_directory_and_says_what_to_do() {
    let place = Place::new();
    place.put("notes.txt", "mine");
    let checked = OutputDirectory::check(&place.path(), ExistingOutput::Refuse, None);
    let failure = checked.expect_err("it is refused");
    assert!(failure.message.contains(place.path().as_str()));
    let hints = failure.hints.join("\n");
    assert!(
        hints.contains("--output") && hints.contains("--force"),
        "{hints}"
    );
}

#[test]
fn a_file_in_place_of_the_directory_is_an_error_even_with_force() {
    let place = Place::new();
    std::fs::write(place.path(), "mine").unwrap();
    let kind = place.check(ExistingOutput::Replace, None);
    assert_eq!(kind, Some(FailureKind::Environment));
    assert_eq!(std::fs::read_to_string(place.path()).unwrap(), "mine");
}

#[test]
fn the_directory_of_an_unfinished_job_may_be_used_by_that_job_alone() {
    let place = Place::new();
    let output = place.open();
    output.write_best(&one_file("struct S;")).unwrap();
    let refused = Some(FailureKind::OutputExists);
    assert_eq!(place.check(ExistingOutput::Refuse, Some(&JOB)), None);
    assert_eq!(
        place.check(ExistingOutput::Refuse, Some(&OTHER_JOB)),
        refused
    );
    assert_eq!(place.check(ExistingOutput::Refuse, None), None);
}

#[test]
fn the_directory_of_a_finished_job_is_refused() {
    let place = Place::new();
    let output = place.open();
    output.write_best(&one_file("struct S;")).unwrap();
    output.mark_finished().unwrap();
    output.mark_finished().expect("once more changes nothing");
    let refused = Some(FailureKind::OutputExists);
    assert_eq!(place.check(ExistingOutput::Refuse, Some(&JOB)), refused);
    assert!(!place.path().join(UNFINISHED).exists());
}

#[test]
fn opening_removes_an_earlier_result_and_nothing_else() {
    let place = Place::new();
    let ours = [
        "reduced.rs",
        "reduced/src/lib.rs",
        "report.md",
        "report.html",
        "reduction.json",
        "bisect.sh",
        "other-crashes/1/signature.txt",
    ];
    let others = ["notes.txt", "reduced.txt", "src/lib.rs"];
    for path in ours.iter().chain(&others) {
        place.put(path, "old");
    }
    place.open();
    assert_eq!(place.files(), others);
}

#[test]
fn opening_removes_the_tests_of_rustc_that_the_earlier_result_names() {
    let place = Place::new();
    let others = ["456.rs", "notes.txt", "src.rs/lib.rs"];
    for path in ["123.rs", "guard.rs"].iter().chain(&others) {
        place.put(path, "old");
    }
    std::fs::write(place.beside("mine.rs"), "mine").unwrap();
    let names = r#"["123.rs", "guard.rs", "notes.txt", "src.rs", "../mine.rs", 1]"#;
    place.put("reduction.json", &format!(r#"{{"for_rustc": {names}}}"#));
    place.open();
    assert_eq!(place.files(), others);
    assert!(place.beside("mine.rs").exists());
}

#[test]
fn a_link_in_place_of_a_result_goes_but_not_what_it_leads_to() {
    let place = Place::new();
    let theirs = place.beside("theirs");
    std::fs::create_dir(&theirs).unwrap();
    std::fs::write(theirs.join("a.rs"), "mine").unwrap();
    std::fs::create_dir(place.path()).unwrap();
    symlink(theirs.as_ref(), place.path().join("reduced").as_ref()).unwrap();
    place.open();
    assert_eq!(place.files(), Vec::<String>::new());
    assert_eq!(
        std::fs::read_to_string(theirs.join("a.rs")).unwrap(),
        "mine"
    );
}

#[test]
fn one_file_is_written_as_a_file() {
    let place = Place::new();
    let (output, tree) = (place.open(), one_file("struct S;"));
    output.write_best(&tree).unwrap();
    assert_eq!(place.files(), ["reduced.rs"]);
    assert_eq!(place.text("reduced.rs"), "struct S;");
    let at = output.place(&tree);
    assert_eq!(at.result, place.path().join("reduced.rs"));
    assert_eq!(at.root, "reduced.rs");
}

#[test]
fn several_files_are_written_as_a_directory() {
    let place = Place::new();
    let tree = tree(&[("src/lib.rs", "mod a;"), ("src/a.rs", "struct S;")]);
    let output = place.open();
    output.write_best(&tree).unwrap();
    assert_eq!(place.files(), ["reduced/src/a.rs", "reduced/src/lib.rs"]);
    let at = output.place(&tree);
    assert_eq!(at.result, place.path().join("reduced"));
    assert_eq!(at.root, "src/lib.rs");
}

#[test]
fn a_file_that_is_dropped_goes() {
    let place = Place::new();
    let output = place.open();
    let three = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "x!();"),
        ("b.rs", "y!();"),
    ];
    output.write_best(&tree(&three)).unwrap();
    output
        .write_best(&tree(&[("lib.rs", "mod b;"), three[2]]))
        .unwrap();
    assert_eq!(place.files(), ["reduced/b.rs", "reduced/lib.rs"]);
    assert_eq!(place.text("reduced/lib.rs"), "mod b;");
}

#[test]
fn the_last_file_moves_out_of_the_directory() {
    let place = Place::new();
    let output = place.open();
    output
        .write_best(&tree(&[("lib.rs", "mod a;"), ("a.rs", "")]))
        .unwrap();
    output
        .write_best(&tree(&[("lib.rs", "struct S;")]))
        .unwrap();
    assert_eq!(place.files(), ["reduced.rs"]);
    assert!(!place.path().join("reduced").exists());
}

#[test]
fn several_files_after_one_take_its_place() {
    let place = Place::new();
    let output = place.open();
    output.write_best(&one_file("struct S;")).unwrap();
    output
        .write_best(&tree(&[("lib.rs", "mod a;"), ("a.rs", "")]))
        .unwrap();
    assert_eq!(place.files(), ["reduced/a.rs", "reduced/lib.rs"]);
}

#[test]
fn a_file_is_replaced_and_not_rewritten() {
    let place = Place::new();
    let output = place.open();
    output.write_best(&one_file("struct Old;")).unwrap();
    let old = place.beside("old.rs");
    std::fs::hard_link(place.path().join("reduced.rs"), &old).unwrap();
    output.write_best(&one_file("struct S;")).unwrap();
    assert_eq!(std::fs::read_to_string(old).unwrap(), "struct Old;");
    assert_eq!(place.text("reduced.rs"), "struct S;");
    assert_eq!(place.files(), ["reduced.rs"]);
}

#[test]
fn a_file_that_did_not_change_is_left_alone() {
    let place = Place::new();
    let output = place.open();
    output
        .write_best(&tree(&[("lib.rs", "mod a; x!();"), ("a.rs", "")]))
        .unwrap();
    let same = place.beside("same.rs");
    std::fs::hard_link(place.path().join("reduced/a.rs"), &same).unwrap();
    output
        .write_best(&tree(&[("lib.rs", "mod a;"), ("a.rs", "")]))
        .unwrap();
    std::fs::write(&same, "same file").unwrap();
    assert_eq!(place.text("reduced/a.rs"), "same file");
}

#[test]
fn a_file_of_others_with_a_name_like_ours_stays() {
    let place = Place::new();
    place.put("reduced.new", "mine");
    let output = place.open();
    output.write_best(&one_file("struct S;")).unwrap();
    assert_eq!(place.text("reduced.new"), "mine");
}

#[test]
fn other_crashes_are_kept_with_their_signature() {
    let place = Place::new();
    let output = place.open();
    output.write_best(&one_file("struct S;")).unwrap();
    let arguments = ["--test", "src/lib.rs"].map(str::to_owned);
    let kept_at = output
        .keep_aside(2, &one_file("x!();"), ("panic at a", &arguments))
        .unwrap();
    assert_eq!(kept_at, place.path().join("other-crashes/2"));
    assert_eq!(place.text("other-crashes/2/src/lib.rs"), "x!();");
    assert_eq!(place.text("other-crashes/2/signature.txt"), "panic at a\n");
    assert_eq!(place.text("reduced.rs"), "struct S;");
    let other = OtherProgram::read(&kept_at, "panic at a").unwrap();
    assert_eq!(other.crash, "panic at a");
    assert_eq!(other.arguments, Some(arguments.to_vec()));
    let source = (Utf8PathBuf::from("src/lib.rs"), "x!();".to_owned());
    assert_eq!(other.sources, BTreeMap::from([source]));
}

#[test]
fn what_the_program_includes_stands_beside_it() {
    let place = Place::new();
    let from = place.beside("data.txt");
    std::fs::write(&from, "data").unwrap();
    let to = Utf8PathBuf::from("src/data.txt");
    let output = place.open();
    output.set_support(vec![SupportFile { from, to }]);
    output.write_best(&one_file("struct S;")).unwrap();
    assert_eq!(
        place.files(),
        ["reduced/src/data.txt", "reduced/src/lib.rs"]
    );
    assert_eq!(place.text("reduced/src/data.txt"), "data");
}

#[test]
fn a_result_that_includes_nothing_any_more_is_one_file() {
    let place = Place::new();
    let from = place.beside("data.txt");
    std::fs::write(&from, "data").unwrap();
    let to = Utf8PathBuf::from("src/data.txt");
    let output = place.open();
    output.set_support(vec![SupportFile { from, to }]);
    output.write_best(&one_file("struct S;")).unwrap();
    output.set_support(Vec::new());
    output.write_best(&one_file("struct S;")).unwrap();
    assert_eq!(place.files(), ["reduced.rs"]);
}

#[test]
fn a_directory_that_cannot_be_written_is_an_error_that_names_the_file() {
    let place = Place::new();
    let output = place.open();
    std::fs::remove_dir_all(place.path()).unwrap();
    std::fs::write(place.path(), "in the way").unwrap();
    let failure = output
        .write_best(&one_file("struct S;"))
        .expect_err("it fails");
    assert_eq!(failure.kind, FailureKind::Environment);
    assert!(
        failure.message.contains("reduced.rs"),
        "{}",
        failure.message
    );
}
