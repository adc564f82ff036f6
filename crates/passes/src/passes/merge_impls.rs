//! `merge_impls`: inherent impls of one type become one, and impls of a trait with the same contents
//! become one for all types.

use super::generics::{Implementation, Implementations, name_of};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, simplest_first};
use reduce_model::Position;
use reduce_syntax::{EditSet, TokenCursor};
use std::collections::BTreeMap;
use syn::ItemImpl;

pub(super) const PASS: Pass = Pass {
    name: "merge_impls",
    about: "Makes one impl of several for the same type, or of the same trait",
    example: (
        "impl S { fn f() {} } impl S { fn g() {} }",
        "impl S { fn f() {} fn g() {} }",
    ),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let implementations = Implementations::new(program);
    let mut inherent: BTreeMap<String, Vec<Implementation<'_>>> = BTreeMap::new();
    let mut of_traits = inherent.clone();
    for one in &implementations.all {
        let group = match &one.block.trait_ {
            None => inherent.entry(header(program, *one)),
            Some(_) => match contents_for_all(program, *one) {
                Some(contents) => of_traits.entry(contents),
                None => continue,
            },
        };
        group.or_default().push(*one);
    }
    let joined = inherent.values().flat_map(|group| joined(program, group));
    let blanket = of_traits
        .values()
        .filter_map(|group| blanket(program, group));
    simplest_first(program, joined.chain(blanket))
}

/// Returns the tokens of an impl before its braces, with its file, as a text to compare.
fn header(program: &Program, one: Implementation<'_>) -> String {
    let generics = &one.block.generics;
    let file = one.file;
    let clause = generics.where_clause.as_ref();
    let parts = [
        generics
            .lt_token
            .as_ref()
            .zip(generics.gt_token.as_ref())
            .map(|(open, close)| program.text(&file.between(open, close))),
        Some(one.self_ty()),
        clause.map(|clause| file.text(clause)),
    ];
    let parts = parts
        .into_iter()
        .map(|part| spaced(part.unwrap_or_default()));
    format!("{:?} {}", file.id, parts.collect::<Vec<_>>().join("|"))
}

fn spaced(text: &str) -> String {
    let words: Vec<&str> = TokenCursor::without_docs(text).words().collect();
    words.join(" ")
}

/// Returns the place between the braces of an impl.
fn contents(one: Implementation<'_>) -> Place {
    one.file.inside(one.block.brace_token.span)
}

/// Moves the members of each impl but the first into the one before.
fn joined(program: &Program, group: &[Implementation<'_>]) -> Vec<EditSet> {
    let pairs = group
        .windows(2)
        .filter_map(|pair| <[_; 2]>::try_from(pair).ok());
    let join = |[first, second]: [Implementation<'_>; 2]| {
        let Place {
            file,
            range: inside,
        } = contents(first);
        let mut change = program.change();
        change.remove(&second.file.place(second.block));
        let moved = program.text(&contents(second));
        change.insert(
            Position::new(file, inside.end),
            &format!("{} ", moved.trim_end()),
        );
        change.finish()
    };
    pairs.filter_map(join).collect()
}

/// Returns the trait and the contents of an impl, if they mention neither its parameters nor its type.
fn contents_for_all(program: &Program, one: Implementation<'_>) -> Option<String> {
    let (path, _) = one.block.trait_.as_ref()?;
    if one.block.modifiers.polarity.is_some() {
        return None;
    }
    let path = one.file.text(path);
    let inside = program.text(&contents(one));
    let parameters = one.block.generics.params.iter();
    let mut names: Vec<String> = parameters
        .filter_map(name_of)
        .map(ToString::to_string)
        .collect();
    let lifetimes = one.block.generics.lifetimes();
    names.extend(lifetimes.map(|one| one.lifetime.to_string()));
    let both = format!("{} {{ {} }}", spaced(path), spaced(inside));
    let mut words = both.split(' ');
    let is_for_all =
        !both.contains(" self . ") && !words.any(|word| names.iter().any(|name| name == word));
    is_for_all.then_some(both)
}

/// Puts one `impl<T> A for T` in place of all impls in the group.
fn blanket(program: &Program, group: &[Implementation<'_>]) -> Option<EditSet> {
    let (first, others) = group.split_first()?;
    let ItemImpl {
        impl_token,
        trait_: Some((path, _)),
        ..
    } = first.block
    else {
        return None;
    };
    let text = program.text(&contents(*first));
    let path_text = first.file.text(path);
    let is_free = |name: &&str| {
        let both = [spaced(text), spaced(path_text)];
        !both
            .iter()
            .any(|text| text.split(' ').any(|word| word == *name))
    };
    let name = ["T", "U", "V", "W"].into_iter().find(is_free)?;
    let mut change = program.change();
    let Place {
        file,
        range: keyword,
    } = first.file.place(impl_token);
    let open = first
        .file
        .place_of(first.block.brace_token.span.open())
        .range
        .start;
    let header = format!("<{name}> {path_text} for {name} ");
    change.replace(
        &Place::new(file, keyword.end..open.max(keyword.end)),
        &header,
    );
    for other in others {
        change.remove(&other.file.place(other.block));
    }
    change.finish()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn impls_with_the_same_header_become_one() {
        check(
            &PASS,
            "impl<T: A> S<T> { fn f() {} } impl<T:A> S<T>{} impl<T> S<T> {}",
            &["impl<T: A> S<T> { fn f() {} } impl<T> S<T> {}"],
        );
    }

    #[test]
    fn three_impls_become_two() {
        check(
            &PASS,
            "impl S { a!(); } impl S { b!(); } impl S { c!(); }",
            &[
                "impl S { a!(); b!(); } impl S { c!(); }",
                "impl S { a!(); } impl S { b!(); c!(); }",
            ],
        );
    }

    #[test]
    fn impls_of_a_trait_become_one_for_all_types() {
        check(
            &PASS,
            "impl A for S { fn f(&self) {} } impl A for T { fn f(&self) {} } impl A for U {}",
            &["impl<T> A for T { fn f(&self) {} } impl A for U {}"],
        );
    }

    #[test]
    fn one_impl_becomes_one_for_all_types_if_that_is_simpler() {
        check_has(
            &PASS,
            "impl<'a, X: B> A<T> for S<'a, X> where X: C {}",
            "impl<U> A<T> for U {}",
        );
    }

    #[test]
    fn impls_that_differ_or_are_short_stay() {
        check_not_applicable(
            &PASS,
            "impl S {} impl T {} impl A for S {} impl B for S {} impl !C for S {} impl !C for T {} \
             impl<T> A for Vec<Vec<Vec<T>>> { type B = T; } impl S where S: A {} \
             impl A for Vec<Vec<Vec<u8>>> { fn f(self) { self.f } }",
        );
    }
}
