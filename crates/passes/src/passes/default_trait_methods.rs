//! `default_trait_methods`: a method of a trait gets a default body, and is removed from all impls.

use super::functions::{Function, Functions, borrow_of};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Program};
use crate::visit::Home;
use reduce_syntax::{EditSet, count_tokens};
use syn::ItemTrait;

pub(super) const PASS: Pass = Pass {
    name: "default_trait_methods",
    about: "Gives a trait's method a default body instead of those in all impls",
    example: (
        "trait T { fn f(); } impl T for u8 { fn f() {} }",
        "trait T { fn f() {} } impl T for u8 {}",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    for family in &Functions::of(program).families {
        let method = family.first();
        let Home::Trait(declared) = method.at.home else {
            continue;
        };
        let defaulting = Defaulting {
            program,
            declared,
            method,
            members: &family.functions[1..],
        };
        if method.body.is_none() && !defaulting.members.is_empty() {
            for body in defaulting.bodies() {
                found.extend(defaulting.with_supertrait(body));
                found.extend(defaulting.with_default(body));
            }
        }
    }
    found
}

struct Defaulting<'f, 'p> {
    program: &'p Program,
    declared: &'p ItemTrait,
    /// The trait's declaration of the method; `members` has the methods of all impls.
    method: &'f Function<'p>,
    members: &'f [Function<'p>],
}

impl<'p> Defaulting<'_, 'p> {
    /// Returns the bodies to try: the simplest one (`{}` or `{ loop {} }`), and the smallest that an impl has.
    fn bodies(&self) -> Vec<&'p str> {
        let simplest = match self.method.output() {
            None => Some("{}"),
            // With `impl` in the return type, `loop {}` would not tell which type it is.
            Some(ty) if self.method.at.text(ty).contains("impl ") => None,
            Some(_) => Some("{ loop {} }"),
        };
        let patterns = |one: &Function<'p>| -> Vec<&str> {
            let parameters = one.parameters.iter();
            parameters.map(|one| one.file.text(one.pattern)).collect()
        };
        let has_same_names = |member: &&Function<'p>| patterns(member) == patterns(self.method);
        let members = self.members.iter().filter(has_same_names);
        let bodies = members.filter_map(|one| Some(self.program.text(&one.body.as_ref()?.whole)));
        let smallest = bodies.min_by_key(|text| count_tokens(text));
        let is_other = |text: &&str| {
            let is_empty = text.trim_matches(['{', '}']).trim().is_empty();
            !(is_empty && simplest == Some("{}")) && Some(*text) != simplest
        };
        let smallest = smallest.filter(is_other);
        simplest.into_iter().chain(smallest).collect()
    }

    fn with_default(&self, body: &str) -> Option<EditSet> {
        let signature = self.method.signature?;
        let bound = match &signature.generics.where_clause {
            _ if !self.needs_size() => "",
            Some(clause) if clause.predicates.trailing_punct() => "Self: Sized ",
            Some(clause) if !clause.predicates.is_empty() => ", Self: Sized ",
            _ => " where Self: Sized ",
        };
        self.change(&format!("{bound}{body}"))?.finish()
    }

    /// Gives the method a default body, and the trait the supertrait `Sized`, which is shorter than a bound.
    fn with_supertrait(&self, body: &str) -> Option<EditSet> {
        let ItemTrait {
            generics,
            colon_token,
            brace_token,
            ..
        } = self.declared;
        let is_name_alone =
            colon_token.is_none() && generics.lt_token.is_none() && generics.where_clause.is_none();
        if !is_name_alone || !self.needs_size() {
            return None;
        }
        let brace = self.method.at.place_of(brace_token.span.open());
        self.change(body)?.replace(&brace, ": Sized {").finish()
    }

    /// Puts a body in place of the method's semicolon, and removes the methods of all impls.
    fn change(&self, body: &str) -> Option<Change<'p>> {
        let signature = self.method.at.place(self.method.signature?);
        let mut change = self.program.change();
        change.replace(&self.method.whole.after(&signature), body);
        for member in self.members {
            change.remove(&member.whole);
        }
        Some(change)
    }

    /// Whether a body moves a value of the type that implements the trait.
    fn needs_size(&self) -> bool {
        let by_value = self.method.receiver().and_then(borrow_of) == Some("");
        let inputs = self.method.parameters.iter().filter_map(|one| one.ty);
        let mut types = self.method.output().into_iter().chain(inputs);
        by_value || types.any(|ty| self.method.at.text(ty) == "Self")
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn the_simplest_body_stands_for_those_of_all_impls() {
        check(
            &PASS,
            "trait T { fn f(&self) -> u8; } impl T for A { fn f(&self) -> u8 { self.a + 1 } }
            impl T for B { fn f(&self) -> u8 { 1 } }",
            &[
                "trait T { fn f(&self) -> u8 { loop {} } } impl T for A {} impl T for B {}",
                "trait T { fn f(&self) -> u8 { 1 } } impl T for A {} impl T for B {}",
            ],
        );
    }

    #[test]
    fn what_takes_or_returns_values_needs_their_size() {
        check(
            &PASS,
            "trait T { fn f(self) where A: B; } impl T for Abc<'a, Def> { fn f(self) where A: B { x.y(); } }",
            &[
                "trait T: Sized { fn f(self) where A: B {} } impl T for Abc<'a, Def> {}",
                "trait T: Sized { fn f(self) where A: B { x.y(); } } impl T for Abc<'a, Def> {}",
                "trait T { fn f(self) where A: B, Self: Sized {} } impl T for Abc<'a, Def> {}",
                "trait T { fn f(self) where A: B, Self: Sized { x.y(); } } impl T for Abc<'a, Def> {}",
            ],
        );
    }

    #[test]
    fn an_opaque_type_keeps_a_body_of_an_impl() {
        check(
            &PASS,
            "trait T { fn f() -> impl A; } impl T for B { fn f() -> impl A { a } }",
            &["trait T { fn f() -> impl A { a } } impl T for B {}"],
        );
    }

    #[test]
    fn a_body_with_other_names_than_the_declaration_is_no_default() {
        check(
            &PASS,
            "trait T { fn f(a: u8); } impl T for B { fn f(b: u8) { g(b); } }",
            &["trait T { fn f(a: u8) {} } impl T for B {}"],
        );
    }

    #[test]
    fn methods_with_a_default_or_without_impls_stay() {
        check_not_applicable(
            &PASS,
            "trait T { fn f() {} fn g(); } impl T for u8 { fn f() {} } impl Clone for A { fn g() {} }",
        );
    }
}
