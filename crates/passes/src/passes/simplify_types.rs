//! `simplify_types`: replaces a type at one place by a smaller one that is not part of it. A constant parameter that
//! nothing mentions becomes one for a type.

mod hoisted;

use super::generics::predicates;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program};
use crate::visit::{self, At, Node};
use reduce_syntax::{EditSet, ItemParts, count_tokens};
use std::cmp::Reverse;
use std::collections::HashSet;
use syn::{
    ConstParam, Fields, GenericParam, Generics, ImplItem, Item, TraitItem, Type, WherePredicate,
};

pub(super) const PASS: Pass = Pass {
    name: "simplify_types",
    about: "Replaces a type by a part of it, `u8`, a parameter, a unit struct or a plain reference, and patterns and use trees by parts",
    example: ("fn f(x: &'static mut str) {}", "fn f(x: &str) {}"),
    keeps: Keeps::Nothing,
    work: &[hoisted::WORK, WORK],
};

/// The part of the pass that this file does, without those of its submodules.
const WORK: Work = Work::Rewrite(Rewriter(changes));

fn changes(program: &Program) -> Vec<EditSet> {
    let unit_struct = unit_struct(program);
    let mut types = Types {
        program,
        unit_struct,
        parameters: Vec::new(),
        bounded: HashSet::new(),
        plans: Vec::new(),
    };
    visit::each(program, |at, node| types.node(at, node));
    let mut plans = types.plans;
    plans.sort_by_key(|(gain, _)| Reverse(*gain));
    plans.into_iter().map(|(_, edits)| edits).collect()
}

fn has_arguments(path: &syn::TypePath) -> bool {
    let last = path.path.segments.last();
    path.qself.is_none() && last.is_some_and(|last| !last.arguments.is_none())
}

/// Returns the shortest unit struct without parameters.
fn unit_struct(program: &Program) -> Option<&str> {
    let names = visit::collect(program, |at, node| match node {
        Node::Item(Item::Struct(one))
            if matches!(one.fields, Fields::Unit) && one.generics.params.is_empty() =>
        {
            Some(at.text(&one.ident))
        }
        _ => None,
    });
    names.into_iter().min_by_key(|name| name.len())
}

struct Types<'p> {
    program: &'p Program,
    unit_struct: Option<&'p str>,
    /// The last type parameter in scope, for each item and function around the syntax that is visited next; some may
    /// have ended before it.
    parameters: Vec<(Place, Option<&'p str>)>,
    /// The places of types that bounds in the where clauses of types' and traits' definitions are about.
    bounded: HashSet<Place>,
    /// The changes that were found, each with the number of tokens that it saves.
    plans: Vec<(u64, EditSet)>,
}

impl<'p> Types<'p> {
    fn node(&mut self, at: At<'p>, node: Node<'p>) {
        let last = |all: &'p Generics| all.type_params().last().map(|one| at.text(&one.ident));
        match node {
            Node::Type(ty) => self.add(at, ty),
            Node::GenericParam(GenericParam::Const(one)) => self.as_type(at, one),
            Node::Item(item) => {
                self.bounded.extend(bounded(at, item));
                let generics = ItemParts::of(item).and_then(|parts| parts.generics);
                self.parameters
                    .push((at.place(item), generics.and_then(last)));
            }
            Node::ImplItem(ImplItem::Fn(one)) => {
                let outer = self.parameter_at(&at.place(one));
                let own = last(&one.sig.generics);
                self.parameters.push((at.place(one), own.or(outer)));
            }
            Node::TraitItem(TraitItem::Fn(one)) => {
                let outer = self.parameter_at(&at.place(one));
                let own = last(&one.sig.generics);
                self.parameters.push((at.place(one), own.or(outer)));
            }
            _ => {}
        }
    }

    fn as_type(&mut self, at: At<'p>, parameter: &ConstParam) {
        let name = at.position(&parameter.ident);
        if self.program.mentions().of(name).is_empty() {
            let head = at.between(&parameter.const_token, &parameter.ty);
            let edits = self.program.replaced([&head], at.text(&parameter.ident));
            let gain = count_tokens(self.program.text(&head)) - 1;
            self.plans.extend(edits.map(|edits| (gain, edits)));
        }
    }

    fn parameter_at(&mut self, place: &Place) -> Option<&'p str> {
        while self
            .parameters
            .pop_if(|(around, _)| !place.is_within(around))
            .is_some()
        {}
        self.parameters.last().and_then(|(_, parameter)| *parameter)
    }

    fn add(&mut self, at: At<'p>, ty: &Type) {
        let place = at.place(ty);
        let text = self.program.text(&place);
        let weight = count_tokens(text);
        let mut tried: Vec<String> = Vec::new();
        for by in self.small(&place, ty).into_iter().chain(own_form(at, ty)) {
            let by_weight = count_tokens(&by);
            let is_simpler = (by_weight, by.len()) < (weight, text.len());
            if is_simpler && !tried.contains(&by) {
                let edits = self.program.replaced([&place], &by);
                let plan = edits.map(|edits| (weight - by_weight, edits));
                self.plans.extend(plan);
                tried.push(by);
            }
        }
    }

    /// Returns the smallest types that may stand at a place: a type parameter, `u8`, a unit struct, `Self`.
    fn small(&mut self, place: &Place, ty: &Type) -> Vec<String> {
        // A name alone is replaced wherever it stands, by `replace_types`.
        let has_none = match ty {
            Type::Infer(_) | Type::Never(_) | Type::Verbatim(_) => true,
            Type::Path(one) => one.path.get_ident().is_some(),
            _ => false,
        };
        let parameter = self.parameter_at(place);
        let own = self.bounded.contains(place).then_some("Self");
        let names = [parameter, Some("u8"), self.unit_struct, own];
        let names = names.into_iter().flatten().filter(|_| !has_none);
        names.map(str::to_owned).collect()
    }
}

/// Returns the types that bounds in the where clause of a type's or trait's definition are about.
fn bounded(at: At<'_>, item: &Item) -> Vec<Place> {
    let generics = match item {
        Item::Struct(one) => &one.generics,
        Item::Enum(one) => &one.generics,
        Item::Union(one) => &one.generics,
        Item::Trait(one) => &one.generics,
        _ => return Vec::new(),
    };
    let types = predicates(generics).filter_map(|predicate| match predicate {
        WherePredicate::Type(one) => Some(at.place(&one.bounded_ty)),
        _ => None,
    });
    types.collect()
}

/// Returns smaller types of the same form as a type, such as `&T` for `&'a mut T`.
fn own_form(at: At<'_>, ty: &Type) -> Vec<String> {
    let text = |ty: &Type| at.text(ty);
    match ty {
        Type::Array(array) => vec![format!("[{}]", text(&array.elem)), "[(); 0]".to_owned()],
        Type::Reference(one) if one.lifetime.is_some() || one.mutability.is_some() => {
            vec![format!("&{}", text(&one.elem))]
        }
        Type::Ptr(one) => vec![format!("&{}", text(&one.elem))],
        Type::FnPtr(one) if !one.inputs.is_empty() => vec!["fn()".to_owned()],
        // An owned type becomes the shortest one that owns memory.
        Type::Path(one) if has_arguments(one) => vec!["String".to_owned()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn arrays_become_slices() {
        check(
            &WORK,
            "type A = [u8; 1 + 2];",
            &["type A = [u8];", "type A = [(); 0];", "type A = u8;"],
        );
    }

    #[test]
    fn references_and_pointers_become_plain_references() {
        check_has(&WORK, "fn f<'a>(x: &'a mut A) {}", "fn f<'a>(x: &A) {}");
        check_has(&WORK, "fn f(x: *const A) {}", "fn f(x: &A) {}");
    }

    #[test]
    fn any_type_of_some_bounds_becomes_one() {
        check(
            &WORK,
            "fn f(x: impl Sized) -> impl A {}",
            &["fn f(x: u8) -> impl A {}", "fn f(x: impl Sized) -> u8 {}"],
        );
    }

    #[test]
    fn pointers_to_functions_lose_all_at_once() {
        check(
            &WORK,
            "fn f(x: fn(A) -> B) {}",
            &["fn f(x: fn()) {}", "fn f(x: u8) {}"],
        );
    }

    #[test]
    fn a_parameter_in_scope_may_stand_for_a_type() {
        check(
            &WORK,
            "struct S; struct Long; impl<T> A for Vec<T> { fn f<U>(x: [U]) { fn g(x: [V]) {} } }",
            &[
                "struct S; struct Long; impl<T> A for T { fn f<U>(x: [U]) { fn g(x: [V]) {} } }",
                "struct S; struct Long; impl<T> A for u8 { fn f<U>(x: [U]) { fn g(x: [V]) {} } }",
                "struct S; struct Long; impl<T> A for S { fn f<U>(x: [U]) { fn g(x: [V]) {} } }",
                "struct S; struct Long; impl<T> A for String { fn f<U>(x: [U]) { fn g(x: [V]) {} } }",
                "struct S; struct Long; impl<T> A for Vec<T> { fn f<U>(x: U) { fn g(x: [V]) {} } }",
                "struct S; struct Long; impl<T> A for Vec<T> { fn f<U>(x: u8) { fn g(x: [V]) {} } }",
                "struct S; struct Long; impl<T> A for Vec<T> { fn f<U>(x: S) { fn g(x: [V]) {} } }",
                "struct S; struct Long; impl<T> A for Vec<T> { fn f<U>(x: [U]) { fn g(x: u8) {} } }",
                "struct S; struct Long; impl<T> A for Vec<T> { fn f<U>(x: [U]) { fn g(x: S) {} } }",
            ],
        );
    }

    #[test]
    fn the_empty_tuple_becomes_a_number() {
        check(
            &WORK,
            "fn f(x: [(); 2]) {}",
            &["fn f(x: [()]) {}", "fn f(x: u8) {}", "fn f(x: [u8; 2]) {}"],
        );
    }

    #[test]
    fn what_a_definition_demands_may_be_demanded_of_itself() {
        check_has(
            &WORK,
            "struct S<const N: u8> where [u8; N]: A;",
            "struct S<const N: u8> where Self: A;",
        );
        check(&WORK, "fn f() where [T]: A {}", &["fn f() where u8: A {}"]);
    }

    #[test]
    fn a_constant_parameter_becomes_one_for_a_type_unless_it_is_mentioned() {
        check(
            &WORK,
            "struct S<const N: u8, T = [u8; 1]>(T);",
            &[
                "struct S<N, T = [u8; 1]>(T);",
                "struct S<const N: u8, T = [u8]>(T);",
                "struct S<const N: u8, T = T>(T);",
                "struct S<const N: u8, T = u8>(T);",
            ],
        );
        check_not_applicable(&WORK, "fn f<const N: u8>() -> u8 { N }");
    }

    #[test]
    fn names_and_inferred_types_stay() {
        check_not_applicable(&WORK, "struct S; fn f(x: Long, y: _, z: usize) -> ! {}");
    }
}
