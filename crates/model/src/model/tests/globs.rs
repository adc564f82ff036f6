//! Tests of the names that globs bring.

use super::*;

#[test]
fn globs_that_lead_to_each_other_bring_what_either_has() {
    check(
        "mod a { pub use super::b::*; } mod b { pub use super::a::*; pub struct ^S; } use a::*; fn f(x: $0S) {}",
    );
    check(
        "mod a { pub use super::b::*; pub struct T; } mod b { pub use super::a::*; pub struct ^S; } fn f(x: a::$0S) {}",
    );
}

#[test]
fn a_glob_brings_what_is_nearest() {
    check(
        "mod a { pub use super::b::*; pub struct ^S; } mod b { pub struct S; } use a::*; fn f(x: $0S) {}",
    );
    check(
        "mod a { pub use super::b::T as S; pub use super::b::*; } mod b { pub struct ^T; pub struct S; }
         use a::*; fn f(x: $0S) {}",
    );
}

#[test]
fn the_path_of_a_glob_may_begin_with_a_name_of_another_one() {
    check("use c::*; use a::*; mod a { pub mod c { pub struct ^S; } } fn f(x: $0S) {}");
    check(
        "use c::*; use a::*; mod a { pub mod c { pub enum E { ^V } } } use E::*; fn f() { $0V; }",
    );
}

#[test]
fn an_import_and_a_glob_may_need_each_other() {
    check(
        "mod a { pub use super::c::S; pub mod d { pub struct ^S; } }
         mod c { pub use super::a::*; pub use super::a::d::*; } fn f(x: a::$0S) {}",
    );
}

/// Returns a program of so many modules, in each of which names come from others by globs.
fn with_globs(n_modules: usize) -> String {
    let numbers = 0..n_modules;
    let exports = numbers
        .clone()
        .map(|n| format!("pub use crate::m{n}::*;\n"));
    let module = |n: usize| {
        let other = n / 2;
        format!(
            "mod m{n} {{ use super::*; use crate::prelude::*; pub use self::inner::*; pub struct S{n};
             pub mod inner {{ use super::*; pub struct I{n};
             pub fn f{n}(a: S{n}, b: I{n}, c: S{other}, d: I{other}) -> Vec<Missing> {{ f{other}(a, b, c, d) }} }} }}\n"
        )
    };
    let exports: String = exports.collect();
    let modules: String = numbers.map(module).collect();
    format!("mod prelude {{\n{exports}}}\n{modules}")
}

#[test]
fn names_take_as_many_steps_as_the_text_is_long() {
    let steps = |n_modules: usize| {
        let text = Arc::from(with_globs(n_modules));
        let model = Model::new(&SourceTree::single("lib.rs".into(), text));
        let is_certain = |word: &WordId| matches!(model.resolve(*word), Resolution::Certain(_));
        let certain = model.words().filter(is_certain).count();
        assert!(
            certain >= n_modules * 20,
            "{certain} of {n_modules} modules"
        );
        model.read().resolver.steps()
    };
    let few = steps(25);
    for times in [2, 4, 8] {
        let many = steps(25 * times);
        let most = few * times as u64 * 11 / 10;
        assert!(
            many <= most,
            "{few} became {many}, with {times} times the text"
        );
    }
}

#[test]
fn the_reading_of_names_is_interrupted() {
    let text = Arc::from(with_globs(40));
    let sources = SourceTree::single("lib.rs".into(), text);
    let is_interrupted = |work: &dyn Fn()| reduce_syntax::interruptible(|| true, work).is_none();
    let model = Model::new(&sources);
    assert!(is_interrupted(&|| drop(Model::new(&sources))));
    assert!(is_interrupted(&|| {
        let _ = model.tree();
    }));
    assert!(is_interrupted(&|| drop(model.words())));
    assert!(is_interrupted(&|| {
        let _ = model.outline();
    }));
    model.words().for_each(|word| drop(model.resolve(word)));
}

/// Returns a program of so many modules, all of which import a macro of another crate by the name of that crate,
/// and all see each other by globs: each import may mean any of the others.
fn with_imports_in_circles(n_modules: usize) -> String {
    let numbers = 0..n_modules;
    let exports = numbers.clone().map(|n| format!("pub use m{n}::*;\n"));
    let modules = numbers.clone().map(|n| {
        format!(
            "mod m{n} {{ use crate::*; use inherent::inherent; #[inherent] pub fn f{n}(_: S{n}) {{}} pub struct S{n}; }}\n"
        )
    });
    exports.chain(modules).collect()
}

#[test]
fn imports_that_may_mean_each_other_are_followed_a_few_times() {
    let steps = |n_modules: usize| {
        let text = Arc::from(with_imports_in_circles(n_modules));
        let model = Model::new(&SourceTree::single("lib.rs".into(), text));
        let foreign = model.words().filter(|&word| model.text(word) == "inherent");
        for word in foreign {
            assert_eq!(model.resolve(word), Resolution::Outside);
        }
        model.read().resolver.steps()
    };
    let few = steps(10);
    assert!(steps(20) <= few * 10, "{} and {few}", steps(20));
}
