//! Receivers that no body mentions: `x.f(a)` becomes `S::f(a)`.

use super::super::functions::{Call, Function, Owner, keywords};
use super::Signature;
use reduce_syntax::EditSet;

pub(super) fn changes(one: &Signature<'_>) -> Option<EditSet> {
    let is_one = one.family.functions.len() == 1 && one.family.calls.is_empty();
    if is_one || one.functions().any(|function| mentions_self(one, function)) {
        return None;
    }
    let mut change = one.program.change();
    for function in one.functions() {
        change.remove(&function.receiver.as_ref()?.whole);
    }
    for call in one.calls() {
        if call.receiver.is_none() {
            change.remove(&call.arguments.first()?.place);
            continue;
        }
        let path = format!("{}::{}", own_type(one, call)?, call.name);
        change.replace(&call.function, &path);
    }
    change.finish()
}

fn mentions_self(one: &Signature<'_>, function: &Function) -> bool {
    let body = function.body.as_ref();
    let found = body.map(|body| keywords(one.program, &body.whole, "self"));
    found.is_some_and(|all| all.iter().any(|(_, next)| *next != "::"))
}

/// What stands for the type whose method is called.
fn own_type<'s>(one: &'s Signature<'_>, call: &Call) -> Option<&'s str> {
    let receiver = call.receiver.as_ref()?;
    if one.program.text(&receiver.place) == "self" {
        return Some("Self");
    }
    let is_impl = |function: &&Function| !matches!(function.owner, Owner::Trait(_));
    let mut impls = one.functions().filter(is_impl);
    let (only, None) = (impls.next()?, impls.next()) else {
        return None;
    };
    let block = one.functions.block_of(only)?;
    block.type_name.as_ref()?;
    let text = one.program.text(block.self_ty.as_ref()?);
    let name = text.split('<').next()?.trim_end();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::super::PASS;

    #[test]
    fn a_method_that_does_not_mention_self_becomes_a_function() {
        check_has(
            &PASS,
            "impl S<u8> { fn f(&self, a: u8) { a } } fn g(s: S<u8>) { s.t.f::<A>(1); S::f(&s, 2); }",
            "impl S<u8> { fn f(a: u8) { a } } fn g(s: S<u8>) { S::f::<A>(1); S::f(2); }",
        );
    }

    #[test]
    fn self_is_called_by_the_name_of_its_type() {
        check(
            &PASS,
            "trait T { fn f(self); fn g(self) { self.f() } } impl T for A { fn f(self) {} }",
            &["trait T { fn f(); fn g(self) { Self::f() } } impl T for A { fn f() {} }"],
        );
    }

    #[test]
    fn self_means_the_type_of_the_impl() {
        check(
            &PASS,
            "impl A { fn f(&self) {} fn g(&self) { self.f(); self.h() } } impl B { fn f(&self) { self.h() } fn h(&self) { self.f(); self.h() } }",
            &[
                "impl A { fn f() {} fn g(&self) { Self::f(); self.h() } } impl B { fn f(&self) { self.h() } fn h(&self) { self.f(); self.h() } }",
            ],
        );
    }

    #[test]
    fn a_method_of_a_trait_with_several_impls_keeps_its_receiver() {
        check_not_applicable(
            &PASS,
            "trait T { fn f(self); } impl T for A { fn f(self) {} } impl T for B { fn f(self) {} }
            fn g(a: A) { a.f() }",
        );
    }
}
