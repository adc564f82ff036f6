//! The compiler is asked about small programs.

use super::{judge, read};
use crate::marks;
use crate::text::CrateText;
use reduce_syntax::SourceTree;

#[track_caller]
fn check(code: &str) {
    marks::check(code, judge);
}

#[test]
fn items_and_paths_are_judged() {
    check(
        "mod /*=m*/m { pub struct /*=s*/S; pub fn /*=f*/f(_: /*s*/S, _: /*out*/u8) {} }
         use /*m*/m::{self, /*s*/S as /*=t+s*/T};
         fn g(x: /*s*/T) { /*m*/m::/*f*/f(/*s*/T, 1); drop(x) }",
    );
}

#[test]
fn variables_parameters_and_lifetimes_are_judged() {
    check(
        "fn f</*=a*/'a, /*=t*/T>(/*=x*/x: &/*a*/'a /*t*/T) -> &/*a*/'a /*t*/T {
             let /*=y*/y = /*x*/x;
             let _ = |/*=z*/z: u8| /*z*/z;
             /*=l*/'l: loop { break /*l*/'l; }
             let (Ok(/*=v*/v) | Err(/*v*/v)) = Err::<u8, u8>(1);
             _ = /*v*/v;
             /*y*/y
         }",
    );
}

#[test]
fn fields_and_methods_are_judged_by_types() {
    check(
        "struct /*=s*/S { /*=a*/a: u8 }
         impl /*s*/S { fn /*=m*/m(&self) -> u8 { self./*a*/a } fn /*=n*/n() {} }
         fn f(s: S) -> u8 { /*s*/S::/*n*/n(); let S { /*a*/a: b } = S { /*a*/a: 1 }; s./*m*/m() + b }",
    );
}

#[test]
fn qualified_paths_name_a_trait_and_its_item() {
    check(
        "trait /*=t*/Tr { type /*=a*/A; fn /*=f*/f(); }
         impl /*t*/Tr for u8 { type /*=b+a*/A = u8; fn /*=g+f*/f() {} }
         fn h<T: /*t*/Tr<A = u8>>(_: <T as /*t*/Tr>::/*a*/A) { <T as /*t*/Tr>::/*f*/f(); }",
    );
}

#[test]
fn macros_are_judged_in_their_bodies_and_arguments() {
    check(
        "macro_rules! m { ($e:expr) => {{ let /*=y*/y = $e; /*f*/f(/*y*/y) }} }
         macro_rules! s { ($n:ident) => { struct $n; } }
         s!(Made);
         fn /*=f*/f(_: u8) {}
         fn g(/*=x*/x: u8, _: /*Made*/Made) { m!(/*x*/x); format!(\"{}\", /*x*/x); }",
    );
}

#[test]
fn what_is_not_a_dump_gives_no_verdicts() {
    let sources = SourceTree::single("a.rs".into(), "fn a() {}".into());
    let text = CrateText::new(&sources);
    for dump in [
        "",
        "error",
        "DefId(",
        "DefId(0:0 ~ a) => OwnerNodes {\n    node: Item(\n",
    ] {
        assert_eq!(read(&text, &[], dump, dump).iter().count(), 0);
    }
}
