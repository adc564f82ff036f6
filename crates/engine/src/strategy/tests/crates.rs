//! Crates that the program is linked with. What is interesting is said in token sequences, and whether
//! a crate is linked by its name.

use super::*;
use crate::ask::Crates;
use crate::store::MemoryStore;
use crate::strategy::course::run;
use crate::strategy::stages::CRATES;
use reduce_model::Lack;
use reduce_oracle::Unit;
use std::collections::BTreeMap;

pub(super) fn unit(name: &str, externs: &[&str]) -> Unit {
    let artifact = |name: &str| Utf8PathBuf::from(format!("/built/lib{name}-1.rmeta"));
    let externs = externs.iter();
    Unit {
        name: name.to_owned(),
        package: name.to_owned(),
        version: "1.0.0".to_owned(),
        edition: "2021".to_owned(),
        is_proc_macro: false,
        links_native: false,
        artifact: artifact(name),
        args: Vec::new(),
        env: BTreeMap::new(),
        root: format!("/{name}/lib.rs").into(),
        cwd: "/".into(),
        externs: externs
            .map(|name| ((*name).to_owned(), Some(artifact(name))))
            .collect(),
        configuration: Vec::new(),
    }
}

/// Makes the crates `tools`, which links `base`, and `other`.
fn crates() -> Crates {
    let units = vec![
        unit("tools", &["base"]),
        unit("base", &[]),
        unit("other", &[]),
    ];
    Crates::of_files(
        units,
        &[
            (
                "/tools/lib.rs",
                "mod parts; pub use parts::used; pub fn idle() {}",
            ),
            (
                "/tools/parts.rs",
                "pub fn used() -> base::Mark { base::mark() } fn more() { crate::idle() }",
            ),
            (
                "/base/lib.rs",
                "pub struct Mark; pub fn mark() -> Mark { Mark } pub fn nothing() {}",
            ),
            ("/other/lib.rs", "pub fn far() {}"),
        ],
    )
}

pub(super) const PROGRAM: [(&str, &str); 1] = [("lib.rs", "fn crash() { tools::used(); }")];

/// Checks that a candidate is linked as it must be: a linked crate can be named; one that is a
/// module must have what is named.
pub(super) fn holds(candidate: &Candidate) -> bool {
    let tree = &candidate.tree;
    let linkage = &candidate.compile_options.linkage;
    let is_linked = |name: &str| linkage.externs.contains_key(name);
    let calls = has_all(tree, &["fn crash()", "used()"]);
    let has_tools = is_linked("tools") || has_all(tree, &["fn used()"]);
    let has_base = is_linked("tools") || is_linked("base") || has_all(tree, &["struct Mark"]);
    calls && has_tools && has_base
}

pub(super) fn oracle(
    property: impl Fn(&Candidate) -> bool + Send + Sync + 'static,
) -> ClosureOracle {
    let oracle = ClosureOracle::new(move |candidate| match property(candidate) {
        true => Verdict::Interesting,
        false => Verdict::Compiles,
    });
    oracle.linking(crates())
}

fn reduced(oracle: &ClosureOracle, externs: &[(&str, usize)], jobs: usize) -> Found {
    let setting = Setting::new(&PROGRAM, oracle).linked_with(externs);
    setting.with_jobs(jobs).run().unwrap()
}

pub(super) const EXTERNS: [(&str, usize); 2] = [("tools", 0), ("other", 2)];

/// Makes the linkage of a program that links nothing any more, and of which these units became
/// modules.
fn all_modules(units: &[usize]) -> Linkage {
    Linkage {
        modules: units.to_vec(),
        ..Linkage::default()
    }
}

#[test]
fn of_a_crate_of_which_a_type_is_named_a_stub_is_enough() {
    let program = [("lib.rs", "fn crash(_: tools::Tool) {}")];
    let holds = |needed: &'static str| {
        oracle(move |candidate| {
            let externs = &candidate.compile_options.linkage.externs;
            let has_needed = externs.contains_key("tools") || has_all(&candidate.tree, &[needed]);
            has_all(&candidate.tree, &["fn crash", "Tool"]) && has_needed
        })
    };
    let merged = |oracle: &ClosureOracle| {
        let setting = Setting::new(&program, oracle).linked_with(&EXTERNS[..1]);
        let merge = |session: &mut Session<'_>| run(session, &methods(), &CRATES, 1).map(drop);
        setting.run_with(merge).unwrap()
    };
    let of_stub = holds("struct Tool");
    let found = merged(&of_stub);
    assert_eq!(found.linkage, all_modules(&[0]), "{found:?}");
    assert!(
        found.root().contains("mod tools { pub struct Tool ; }"),
        "{}",
        found.root()
    );
    assert_eq!(of_stub.asked(), 1);
    let of_whole = holds("fn used()");
    let found = merged(&of_whole);
    assert!(found.root().contains("fn used"), "{}", found.root());
    assert!(of_whole.asked() > 1);
}

#[test]
fn linked_crates_become_modules_and_go() {
    let found = reduced(&oracle(holds), &EXTERNS, 1);
    assert_eq!(found.linkage, all_modules(&[0, 1]), "{found:?}");
    assert_eq!(found.files.len(), 1);
    let root = found.root();
    for needed in ["fn crash", "fn used", "struct Mark"] {
        assert!(root.contains(needed), "no `{needed}` in `{root}`");
    }
    for needless in ["idle", "nothing", "far", "mod"] {
        assert!(!root.contains(needless), "`{needless}` in `{root}`");
    }
}

#[test]
fn crates_of_the_first_edition_become_modules_in_one_in_which_imports_begin_anywhere() {
    let unit = Unit {
        edition: "2015".to_owned(),
        ..unit("tools", &[])
    };
    let crates = Crates::of_files(
        vec![unit],
        &[(
            "/tools/lib.rs",
            "mod parts { pub fn used() {} } pub use parts::used;",
        )],
    );
    let oracle = ClosureOracle::new(|candidate| {
        let is_linked = candidate
            .compile_options
            .linkage
            .externs
            .contains_key("tools");
        let has_used = is_linked || has_all(&candidate.tree, &["fn used()"]);
        match has_used && has_all(&candidate.tree, &["fn crash()", "used()"]) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.linking(crates).in_edition("2015");
    let found = reduced(&oracle, &EXTERNS[..1], 1);
    assert_eq!(found.linkage.modules, [0]);
    assert_eq!(found.linkage.edition.as_deref(), Some("2018"));
}

#[test]
fn the_result_with_crates_does_not_depend_on_the_number_of_workers() {
    let alone = reduced(&oracle(holds), &EXTERNS, 1);
    for jobs in [2, 4] {
        assert_eq!(reduced(&oracle(holds).slow(), &EXTERNS, jobs), alone);
    }
}

#[test]
fn a_crate_moves_only_after_all_that_link_it() {
    let is_consistent = |candidate: &Candidate| {
        let linkage = &candidate.compile_options.linkage;
        let has_module = has_all(&candidate.tree, &["mod base"]);
        assert!(!(linkage.externs.contains_key("tools") && has_module));
        holds(candidate)
    };
    let found = reduced(&oracle(is_consistent), &[("tools", 0), ("base", 1)], 1);
    assert_eq!(found.linkage, all_modules(&[0, 1]));
}

#[test]
fn what_is_not_named_is_left_out_with_one_question() {
    let oracle = oracle(holds);
    let setting = Setting::new(&PROGRAM, &oracle).linked_with(&EXTERNS);
    let methods = methods_of(&["drop_crates"]);
    let found = setting
        .run_with(|session| run_to_fixpoint(session, &methods))
        .unwrap();
    assert_eq!(
        found.linkage.externs,
        BTreeMap::from([("tools".to_owned(), 0)])
    );
    assert_eq!(found.queries, 1);
}

#[test]
fn a_crate_that_must_stay_one_is_reduced_beside_the_program() {
    let needs_boundary = |candidate: &Candidate| {
        let linkage = &candidate.compile_options.linkage;
        let is_edited = linkage.auxiliaries.contains_key(&0);
        let has_used = || has_all(&candidate.tree, &["fn used()"]);
        linkage.externs.contains_key("tools")
            && has_all(&candidate.tree, &["fn crash()", "tools::used()"])
            && (!is_edited || has_used())
    };
    let found = reduced(&oracle(needs_boundary), &EXTERNS, 1);
    assert_eq!(
        found.linkage.externs,
        BTreeMap::from([("tools".to_owned(), 0)])
    );
    let (path, text) = &found.files[1];
    assert_eq!(path, "auxiliary/tools.rs");
    assert!(
        found.linkage.auxiliaries[&0].externs.is_empty(),
        "{found:?}"
    );
    assert_eq!(spaced(text), "fn used ( ) { }");
}

#[test]
fn crates_are_left_as_they_are_where_the_user_says_so() {
    let search = search_of(&["delete_items", "delete_statements"]);
    let oracle = oracle(holds);
    let setting = Setting::new(&PROGRAM, &oracle).linked_with(&EXTERNS);
    let found = setting.with_search(search).run().unwrap();
    assert_eq!(found.linkage.externs.len(), 2);
}

#[test]
fn a_search_that_is_stopped_while_the_program_is_larger_keeps_what_was_small() {
    let cancel = Cancel::new().unwrap();
    let watch = |event: &Event, _: &Utf8Path| match event {
        Event::StepAccepted { pass, .. } if pass == "merge_crates" => cancel.cancel(),
        _ => {}
    };
    let oracle = oracle(holds);
    let setting = Setting {
        watch: &watch,
        cancel: cancel.clone(),
        ..Setting::new(&PROGRAM, &oracle).linked_with(&EXTERNS)
    };
    let stopped = setting.run_with(|session| {
        run_to_fixpoint(session, &methods())?;
        assert!(session.best().tree.count_tokens() > tree(&PROGRAM).count_tokens());
        session.take_growth_back()
    });
    let stopped = stopped.unwrap();
    assert!(stopped.tree().count_tokens() <= tree(&PROGRAM).count_tokens());
    assert!(stopped.linkage.externs.contains_key("tools"));
    assert_eq!(
        stopped.linkage.modules, [0; 0],
        "the result has no module that was a crate"
    );
}

#[test]
fn a_job_that_goes_on_knows_which_crates_are_modules_already() {
    let store = MemoryStore::default();
    let oracle = oracle(holds);
    let setting = Setting::new(&PROGRAM, &oracle).linked_with(&EXTERNS);
    let found = setting.with_store(&store).run().unwrap();
    let checkpoint = store.checkpoint(&JOB).unwrap().expect("there were steps");
    assert_eq!(checkpoint.linkage.modules, found.linkage.modules);
    assert_eq!(found.linkage.modules, [0, 1]);
}

/// Merges a large crate, with `text` and 500 functions that nothing needs, and returns what is left of it. The program
/// stays interesting while these token sequences are in it. What the compiler misses is told where that is possible.
fn merged_with(
    text: &str,
    needed: &'static [&str],
    lacks: impl Fn(&str) -> Option<Vec<Lack>> + Send + Sync + 'static,
) -> Found {
    let idle: String = (0..500)
        .map(|idx| format!("pub fn idle_{idx}() {{}} "))
        .collect();
    let text = text.replace("IDLE", &idle);
    let files: &'static [(&str, &str)] = vec![("/tools/lib.rs", &*text.leak())].leak();
    let oracle = ClosureOracle::new(move |candidate| {
        let is_linked = candidate
            .compile_options
            .linkage
            .externs
            .contains_key("tools");
        match is_linked || has_all(&candidate.tree, needed) {
            true => Verdict::Interesting,
            false => Verdict::Compiles,
        }
    });
    let oracle = oracle.linking(Crates::of_files(vec![unit("tools", &[])], files));
    let oracle = oracle.saying_errors(lacks);
    let methods = methods_of(&["merge_crates"]);
    let setting = Setting::new(&PROGRAM, &oracle).linked_with(&[("tools", 0)]);
    let merged = setting.run_with(|session| run(session, &methods, &CRATES, 1).map(drop));
    merged.unwrap()
}

const LACKING: &str = "pub fn used() {} mod parts { pub fn needed() {} } IDLE";
const NEEDED: [&str; 2] = ["fn used()", "fn needed()"];

/// Returns the function that the compiler misses where `used` stands without it.
fn missed(text: &str) -> Vec<Lack> {
    let missed = Lack {
        code: "E0425".to_owned(),
        message: "cannot find function `needed` in this scope".to_owned(),
        ..Lack::default()
    };
    let is_missed = text.contains("fn used") && !text.contains("fn needed");
    is_missed.then_some(missed).into_iter().collect()
}

#[test]
fn the_slice_of_a_large_crate_grows_by_what_the_compiler_misses() {
    let found = merged_with(LACKING, &NEEDED, |text| Some(missed(text)));
    let root = found.root();
    assert!(
        root.contains("fn used") && root.contains("fn needed"),
        "{root}"
    );
    assert!(!root.contains("idle"), "{root}");
}

#[test]
fn a_large_crate_comes_in_whole_where_the_compiler_cannot_say_what_it_misses() {
    let found = merged_with(LACKING, &NEEDED, |_| None);
    assert!(found.root().contains("fn idle_499"), "{}", found.root());
}

#[test]
fn a_slice_grows_in_what_macros_make_of_a_crate() {
    let text = "macro_rules! with_feature { ($($item:item)*) => { $(#[cfg(all())] $item)* } } \
                with_feature! { /// Documented. \
                pub fn used() {} IDLE }";
    let text = text.replace("Documented. ", "Documented.\n");
    let found = merged_with(&text, &["fn used()"], |_| Some(Vec::new()));
    let root = found.root();
    assert!(root.contains("fn used"), "{root}");
    for gone in ["idle", "cfg", "Documented"] {
        assert!(!root.contains(gone), "{root}");
    }
}

#[test]
fn types_have_their_fields_where_the_crash_needs_them() {
    let text =
        "pub fn used(_: Thing) {} pub struct Thing { part: Part } pub struct Part { n: u8 } IDLE";
    let with_part: &[&str] = &["fn used(", "part: Part", "n: u8"];
    let found = merged_with(text, with_part, |_| Some(Vec::new()));
    assert!(!found.root().contains("idle"), "{}", found.root());
    let found = merged_with(text, &["fn used("], |_| Some(Vec::new()));
    let root = found.root();
    assert!(
        root.contains("struct Thing") && !root.contains("Part"),
        "{root}"
    );
}
