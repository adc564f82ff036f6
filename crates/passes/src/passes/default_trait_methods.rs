//! `default_trait_methods`: a method of a trait gets a body by default, and goes from all impls.

use super::functions::{Function, Functions, Owner};
use super::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program};
use reduce_syntax::{EditSet, count_tokens};

pub(super) const PASS: Pass = Pass {
    name: "default_trait_methods",
    about: "Gives a trait's method a default body instead of those in all impls",
    example: (
        "trait T { fn f(); } impl T for u8 { fn f() {} }",
        "trait T { fn f() {} } impl T for u8 {}",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let functions = Functions::of(program);
    let mut found = Vec::new();
    for family in &functions.families {
        let method = functions.first(family);
        let is_declared = matches!(method.owner, Owner::Trait(_)) && method.body.is_none();
        let members: Vec<&Function> = functions.functions_of(family).skip(1).collect();
        if is_declared && !members.is_empty() {
            let supertrait = supertrait_place(program, &functions, method);
            for body in bodies(program, method, &members) {
                let sized = with_supertrait(program, method, &members, body, supertrait.as_ref());
                found.extend(sized);
                found.extend(with_default(program, method, &members, body));
            }
        }
    }
    found
}

/// The simplest body that there may be, and the smallest that an impl has.
fn bodies<'s>(program: &'s Program, method: &Function, members: &[&Function]) -> Vec<&'s str> {
    let output = method.output.as_ref().map(|(_, ty)| program.text(ty));
    let simplest = match output {
        None => Some("{}"),
        // Nothing would tell which type it is.
        Some(ty) if ty.contains("impl ") => None,
        Some(_) => Some("{ loop {} }"),
    };
    let patterns = |one: &Function| -> Vec<&str> {
        let parameters = one.parameters.iter();
        parameters.map(|one| program.text(&one.pattern)).collect()
    };
    let has_same_names = |member: &&&Function| patterns(member) == patterns(method);
    let of_member = |member: &&Function| Some(program.text(&member.body.as_ref()?.whole));
    let smallest = members
        .iter()
        .filter(has_same_names)
        .filter_map(of_member)
        .min_by_key(|text| count_tokens(text));
    let is_other = |text: &&str| {
        let is_empty = text.trim_matches(['{', '}']).trim().is_empty();
        !(is_empty && simplest == Some("{}")) && Some(*text) != simplest
    };
    simplest
        .into_iter()
        .chain(smallest.filter(is_other))
        .collect()
}

fn with_default(
    program: &Program,
    method: &Function,
    members: &[&Function],
    body: &str,
) -> Option<EditSet> {
    let file = method.whole.file;
    let bound = match method.predicates.last() {
        _ if !needs_size(program, method) => "",
        Some(last)
            if program.sources().text(file)[last.range.end..]
                .trim_start()
                .starts_with(',') =>
        {
            "Self: Sized "
        }
        Some(_) => ", Self: Sized ",
        None => " where Self: Sized ",
    };
    change_with(program, method, members, &format!("{bound}{body}")).finish()
}

/// The same where the trait gets `Sized` as a supertrait, which is shorter than a bound.
fn with_supertrait(
    program: &Program,
    method: &Function,
    members: &[&Function],
    body: &str,
    supertrait: Option<&Place>,
) -> Option<EditSet> {
    let place = supertrait.filter(|_| needs_size(program, method))?;
    let mut change = change_with(program, method, members, body);
    change.replace(place, ": Sized {").finish()
}

/// The opening brace of a trait that has nothing between its name and that.
fn supertrait_place(program: &Program, functions: &Functions, method: &Function) -> Option<Place> {
    let block = functions.block_of(method)?;
    let name = block.trait_name.as_ref()?;
    let Place { file, range: whole } = &block.whole;
    let text = &program.sources().text(*file)[whole.clone()];
    let brace = text.find('{')?;
    let is_name_alone = text[..brace].trim_end().ends_with(&format!("trait {name}"));
    is_name_alone.then(|| Place::new(*file, whole.start + brace..whole.start + brace + 1))
}

/// Puts a body in place of a method's semicolon, and removes the methods of all impls.
fn change_with<'p>(
    program: &'p Program,
    method: &Function,
    members: &[&Function],
    body: &str,
) -> Change<'p> {
    let mut change = program.change();
    let semicolon = method.signature.range.end..method.whole.range.end;
    change.replace(&Place::new(method.whole.file, semicolon), body);
    for member in members {
        change.remove(&member.whole);
    }
    change
}

/// Whether a body moves a value of the type that implements the trait.
fn needs_size(program: &Program, method: &Function) -> bool {
    let receiver = method.receiver.as_ref();
    let by_value = receiver.is_some_and(|one| one.by == super::functions::By::Value);
    let output = method.output.iter().map(|(_, ty)| ty);
    let inputs = method.parameters.iter().filter_map(|one| one.ty.as_ref());
    by_value || output.chain(inputs).any(|ty| program.text(ty) == "Self")
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
