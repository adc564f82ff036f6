//! Instrumented programs behave as the original with no mutant on, and as the mutated source with one on.

#[path = "support/compiler.rs"]
mod compiler;
#[path = "programs/running.rs"]
mod running;

use camino::Utf8PathBuf;
use compiler::Workbench;
use reduce_mutants::{Instrumented, MutantId, Operator, Options, Reach, instrument, reached};
use reduce_syntax::{EditSet, SourceTree};
use running::{id_of, program, run};

/// Small functions in which all operators occur, each called with a few arguments. Loops have bounds
/// that no mutant lifts.
const FUNCTIONS: &str = include_str!("programs/functions.rs");

fn single(text: &str) -> SourceTree {
    SourceTree::single(Utf8PathBuf::from("main.rs"), text.into())
}

fn instrumented(text: &str) -> Instrumented {
    instrument(&single(text), &Options::default())
}

/// The source of a mutant.
fn mutated(sources: &SourceTree, instrumented: &Instrumented, id: MutantId) -> SourceTree {
    let mut edits = EditSet::new();
    edits.add(instrumented.mutant(id).expect("it is there").edit());
    edits.apply(sources)
}

/// The number of mutants of which one is compiled by itself; another one of each operator is in any case.
const STEP: usize = 50;

#[test]
fn a_switch_does_what_the_mutated_source_does() {
    let (sources, instrumented) = (single(FUNCTIONS), instrumented(FUNCTIONS));
    let bench = Workbench::new();
    let flags = ["--edition=2024", "--cap-lints=allow", "-Cdebuginfo=0"];
    let switched = program(&bench, "switched", instrumented.sources(), &flags);
    let original = program(&bench, "original", &sources, &flags);
    assert_eq!(run(&switched, None, None), run(&original, None, None));
    let mut seen = std::collections::BTreeSet::new();
    let mut n_other = 0;
    for (idx, mutant) in instrumented.mutants().iter().enumerate() {
        if !seen.insert(mutant.operator) && idx % STEP != 0 {
            continue;
        }
        let source = mutated(&sources, &instrumented, mutant.id);
        let built = program(&bench, "mutated", &source, &flags);
        let outcome = run(&built, None, None);
        assert_eq!(
            run(&switched, Some(mutant.id), None),
            outcome,
            "{mutant:#?}"
        );
        n_other += usize::from(outcome != run(&original, None, None));
    }
    // `Variable` and `Order` depend on signatures, which a plain reach leaves out of account.
    assert_eq!(seen.len(), 16, "all operators but two occur");
    assert!(
        n_other > 15,
        "only {n_other} of them change what is printed"
    );
}

#[test]
fn a_run_records_what_it_passes_though_it_aborts() {
    let text = "fn f(a: u8) -> u8 { if a > 3 { g(a) } else { h(a) } }
        fn g(a: u8) -> u8 { a / 2 }
        fn h(a: u8) -> u8 { for _ in 0..9 { drop(a); } std::process::abort() }
        fn main() { println!(\"{}\", f(4)); println!(\"{}\", f(1)); }";
    let instrumented = instrumented(&text.replace("fn g", "#[cfg(all())] fn g"));
    let bench = Workbench::new();
    let built = program(&bench, "program", instrumented.sources(), &[]);
    let record = bench.path().join("record");
    let outcome = run(&built, None, Some(&record));
    assert!(outcome.contains("SIGABRT"), "{outcome}");
    let bytes = std::fs::read(&record).expect("the record is there");
    let passed = reached(&bytes);
    assert_eq!(bytes.len(), 4 * passed.len(), "each is recorded once");
    for text in ["!(a > 3)", "a * 2", "10"] {
        assert!(passed.contains(&id_of(&instrumented, text)), "{text}");
    }
    let again = run(&built, Some(id_of(&instrumented, "a * 2")), Some(&record));
    assert!(
        again.starts_with("8\n"),
        "a mutant may be on while it is recorded: {again}"
    );
}

#[test]
fn what_was_not_passed_is_not_recorded() {
    let text = "fn f() -> u8 { 7 } fn g() -> u8 { 8 } fn main() { println!(\"{}\", f()); }";
    let instrumented = instrumented(text);
    let bench = Workbench::new();
    let built = program(&bench, "program", instrumented.sources(), &[]);
    let record = bench.path().join("record");
    run(&built, None, Some(&record));
    let passed = reached(&std::fs::read(&record).expect("the record is there"));
    assert!(passed.contains(&id_of(&instrumented, "8")));
    assert!(!passed.contains(&id_of(&instrumented, "9")));
}

#[test]
fn panics_stay_in_their_lines() {
    let text = "fn f(a: &[u8]) -> u8 {\n    let b = a\n        .len() as u8\n        - 4;\n    b\n}\n\
        fn main() {\n    let a = [1, 2];\n    println!(\"{}\", f(&a));\n}\n";
    let bench = Workbench::new();
    let original = program(&bench, "original", &single(text), &[]);
    let switched = program(&bench, "switched", instrumented(text).sources(), &[]);
    let outcome = run(&switched, None, None);
    assert!(outcome.contains("main.rs:2"), "{outcome}");
    assert_eq!(outcome, run(&original, None, None));
}

#[test]
fn deep_nesting_grows_by_little() {
    let sum = vec!["a"; 61].join(" + ");
    let all = vec!["a < 3"; 61].join(" && ");
    let nested = (0..60).fold("a".to_owned(), |inner, _| format!("({inner} ^ 1)"));
    let text = format!(
        "fn f(a: u64) -> u64 {{ {sum} }} fn g(a: u64) -> bool {{ {all} }}
        fn h(a: u64) -> u64 {{ {nested} }}
        fn main() {{ println!(\"{{}} {{}} {{}}\", f(2), g(2), h(2)); }}"
    );
    let instrumented = instrumented(&text);
    assert!(instrumented.mutants().len() > 300);
    let root = instrumented.sources().root();
    let length = instrumented.sources().text(root).len();
    assert!(
        length < 100 * text.len(),
        "{length} bytes of {}",
        text.len()
    );
    let bench = Workbench::new();
    let built = program(&bench, "program", instrumented.sources(), &[]);
    assert!(run(&built, None, None).starts_with("122 true 2\n"));
}

/// The attributes of crates of different kinds, and their editions.
const CRATES: [(&str, &str); 7] = [
    ("#![deny(warnings)]", "2021"),
    ("#![forbid(unsafe_code)]", "2018"),
    ("#![deny(missing_docs)] //! Docs.", "2024"),
    ("#![no_implicit_prelude]", "2015"),
    ("#![no_implicit_prelude]", "2024"),
    (
        "#![no_std] #![deny(warnings, missing_docs)] //! Docs.",
        "2021",
    ),
    (
        "#![no_std] #![forbid(unsafe_code, missing_docs)] //! Docs.",
        "2015",
    ),
];

#[test]
fn crates_of_all_kinds_compile_without_capped_lints() {
    let code = "
        /// Adds.
        pub fn f(a: u8, b: &[u8]) -> u8 { let c = (a + b[0]) as u8; g(c); if c > 2 { c } else { 0 } }
        /// Nothing.
        pub fn g(_a: u8) {}
        /// A module.
        pub mod m {
            /// A shift that is too large, and a division by zero, if a mutant is on.
            pub fn f() -> u32 { let a = 1u32; let b = 255u8; let _ = b; 4 / a + (1 << 31) }
        }";
    let bench = Workbench::new();
    for (idx, (attributes, edition)) in CRATES.into_iter().enumerate() {
        let attributes = attributes.replace("//! Docs.", "#![doc = \"Docs.\"]");
        let instrumented = instrumented(&format!("{attributes}{code}"));
        assert!(instrumented.mutants().len() > 12);
        let root = bench.write(&format!("crate{idx}"), instrumented.sources());
        let edition = format!("--edition={edition}");
        let output = bench.rustc(&root, &["--crate-type=lib", "--emit=metadata", &edition]);
        let text = instrumented.sources().text(instrumented.sources().root());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{stderr}{text}");
        assert_eq!(stderr, "", "{attributes}");
    }
}

#[test]
fn an_allocator_with_switches_does_not_recur() {
    let text = "use std::alloc::{GlobalAlloc, Layout, System};
        struct A;
        unsafe impl GlobalAlloc for A {
            unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
                if layout.size() == 0 { panic!() }
                unsafe { System.alloc(layout) }
            }
            unsafe fn dealloc(&self, at: *mut u8, layout: Layout) { let _ = 1; unsafe { System.dealloc(at, layout) } }
        }
        #[global_allocator] static B: A = A;
        fn main() { println!(\"{}\", String::from(\"a\")); }";
    let bench = Workbench::new();
    let built = program(
        &bench,
        "program",
        instrumented(text).sources(),
        &["--edition=2021"],
    );
    let record = bench.path().join("record");
    assert_eq!(run(&built, None, Some(&record)), "a\nexit status: 0");
}

#[test]
fn two_crates_of_a_program_share_the_variable() {
    let library = SourceTree::single(
        Utf8PathBuf::from("library.rs"),
        "pub fn one() -> u8 { 1 }".into(),
    );
    let library = instrument(&library, &Options::default());
    let options = Options {
        first: library.next(),
        ..Options::default()
    };
    let caller =
        single("fn two() -> u8 { 2 } fn main() { println!(\"{} {}\", library::one(), two()); }");
    let caller = instrument(&caller, &options);
    let bench = Workbench::new();
    let root = bench.write("library", library.sources());
    let output = bench.rustc(&root, &["--crate-type=lib", "--crate-name=library"]);
    assert!(output.status.success());
    let linked = format!("library={}", bench.path().join("liblibrary.rlib"));
    let flags = ["--edition=2021", "--extern", &linked];
    let built = program(&bench, "program", caller.sources(), &flags);
    assert_eq!(run(&built, None, None), "1 2\nexit status: 0");
    let in_library = id_of(&library, "2");
    assert_eq!(run(&built, Some(in_library), None), "2 2\nexit status: 0");
    let in_program = id_of(&caller, "3");
    assert_eq!(run(&built, Some(in_program), None), "1 3\nexit status: 0");
}

#[test]
fn constant_functions_have_mutants_where_they_run() {
    let text = "const fn f(a: u8) -> u8 { if a > 2 { a * 2 } else { 0 } }
        const A: u8 = f(3);
        fn g<const N: usize>() -> usize { N }
        fn main() { println!(\"{A} {} {}\", f(3), g::<{ f(4) as usize }>()); }";
    let is_of_f = |one: &reduce_mutants::Mutant| one.function == "f";
    assert!(!instrumented(text).mutants().iter().any(is_of_f));
    let options = Options {
        reach: Reach::Constant,
        ..Options::default()
    };
    let instrumented = instrument(&single(text), &options);
    let bench = Workbench::new();
    let unstable = compiler::Features::Unstable;
    let built = running::program_with(&bench, "program", instrumented.sources(), &[], unstable);
    assert_eq!(run(&built, None, None), "6 6 8\nexit status: 0");
    let off = id_of(&instrumented, "!(a > 2)");
    assert_eq!(run(&built, Some(off), None), "6 0 8\nexit status: 0");
    let record = bench.path().join("record");
    run(&built, None, Some(&record));
    let passed = reached(&std::fs::read(&record).expect("the record is there"));
    assert!(passed.contains(&off));
}

#[test]
fn conditions_are_joined_by_one_switch_for_several() {
    let text = "fn f(a: &[u8], b: u8) -> u8 {
            if a.starts_with(&[1]) || b == 3 && !(a.len() == 2 || b > 4) { return 1; }
            if b < 6 { 2 } else { 3 }
        }
        const fn g(c: u8) -> bool { if c > 2 { true } else { c == 1 } }
        const A: bool = g(3);
        fn main() {
            for a in [&[][..], &[1], &[2, 1]] { for b in 0..8 { print!(\"{} \", f(a, b)); } }
            println!(\"{A} {}\", g(1));
        }";
    let options = Options {
        reach: Reach::Constant,
        ..Options::default()
    };
    let sources = single(text);
    let instrumented = instrument(&sources, &options);
    let joined = instrumented.mutants().iter();
    let joined = joined.filter(|one| one.operator == Operator::AddedCondition);
    let joined: Vec<_> = joined.cloned().collect();
    // Those that do not compile go, and the others keep their numbers.
    let dropped = std::collections::BTreeSet::from([joined[0].id, joined[3].id]);
    let fewer = instrumented.without(&dropped);
    let bench = Workbench::new();
    let program = |name: &str, sources: &SourceTree| {
        let unstable = compiler::Features::Unstable;
        running::program_with(&bench, name, sources, &[], unstable)
    };
    let built = program("switched", fewer.sources());
    let original = run(&built, None, None);
    let mut n_other = 0;
    for mutant in joined.iter().filter(|one| !dropped.contains(&one.id)) {
        let source = mutated(&sources, &fewer, mutant.id);
        let outcome = run(&program("mutated", &source), None, None);
        assert_eq!(run(&built, Some(mutant.id), None), outcome, "{mutant:#?}");
        n_other += usize::from(outcome != original);
    }
    assert!(n_other > 5, "only {n_other} change what is printed");
    let record = bench.path().join("record");
    run(&built, None, Some(&record));
    let passed = reached(&std::fs::read(&record).expect("the record is there"));
    assert!(joined[1..3].iter().all(|one| passed.contains(&one.id)));
}

#[test]
fn what_macros_make_in_another_crate_has_mutants() {
    let text = "#[macro_export] macro_rules! make {
            ($name:ident, $($part:expr),*) => { const fn $name(a: u8) -> bool { a $(+ $part)* > 7 } };
        }
        make!(own, 1, 2);
        pub fn is_own(a: u8) -> bool { crate::own(a) }";
    let library = SourceTree::single(Utf8PathBuf::from("library.rs"), text.into());
    let options = Options {
        reach: Reach::Macros,
        ..Options::default()
    };
    let library = instrument(&library, &options);
    let bench = Workbench::new();
    let root = bench.write("library", library.sources());
    let flags = ["--crate-type=lib", "--crate-name=library", "--edition=2021"];
    let output = bench.rustc_with(&root, &flags, compiler::Features::Unstable);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let caller = single(
        "library::make!(f, 2, 3); const A: bool = f(3);
        fn main() { println!(\"{} {} {A}\", library::is_own(4), f(3)); }",
    );
    let linked = format!("library={}", bench.path().join("liblibrary.rlib"));
    let flags = ["--edition=2021", "--extern", &linked];
    let built = program(&bench, "program", &caller, &flags);
    assert_eq!(run(&built, None, None), "false true true\nexit status: 0");
    let other = id_of(&library, "8");
    assert_eq!(
        run(&built, Some(other), None),
        "false false true\nexit status: 0"
    );
}
