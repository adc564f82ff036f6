//! rust-analyzer is asked about small programs.

use super::judge;
use crate::marks;

#[track_caller]
fn check(code: &str) {
    marks::check(code, judge);
}

#[test]
fn paths_methods_and_fields_are_judged() {
    check(
        "mod /*=m*/m { pub struct /*=s*/S { pub /*=a*/a: u8 } }
         use /*m*/m::/*s*/S;
         impl /*s*/S { fn /*=f*/f(&self) -> bool { self./*a*/a < 3 } }
         fn g(/*=x*/x: /*s*/S) -> Option<bool> { Some(/*x*/x./*f*/f()) }",
    );
}

#[test]
fn macros_are_judged_in_their_arguments() {
    check(
        "macro_rules! /*=m*/m { ($e:expr) => { $e + 1 } }
         fn f</*=a*/'a>(/*=x*/x: &/*a*/'a u8) -> u8 { /*m*/m!(*{ /*x*/x }) }",
    );
}

#[test]
fn an_item_of_an_impl_is_that_of_its_trait_too() {
    check(
        "struct S;
         impl Default for S { fn /*=d+out*/default() -> Self { S } }
         trait T { fn /*=t*/t(); }
         impl T for S { fn /*=u+t*/t() {} }
         fn f() -> S { S::/*u+t*/t(); S::/*d+out*/default() }",
    );
}

#[test]
fn what_is_turned_off_is_not_judged() {
    let code =
        "mod m { pub struct /*=s*/S; } struct S; #[cfg(any())] mod n { use m::S; fn f(_: S) {} }";
    let at = code.rfind("S)").unwrap();
    let judged = std::cell::Cell::new(false);
    marks::check(code, |input, text| {
        let verdicts = judge(input, text)?;
        judged.set(verdicts.iter().any(|(place, _)| place.at == at));
        Ok(verdicts)
    });
    assert!(!judged.get());
}
