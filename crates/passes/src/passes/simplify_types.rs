//! `simplify_types`: one type at one place becomes a smaller one that is not part of it.

use super::data::{Data, Kind, Shape};
use super::{Pass, Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile};
use reduce_syntax::{EditSet, ItemParts, count_tokens};
use std::cmp::Reverse;
use syn::visit::{self, Visit};
use syn::{Generics, Type};

pub(super) const PASS: Pass = Pass {
    name: "simplify_types",
    about: "Replaces a type by a smaller one: `u8`, a parameter, a unit struct, a plain reference",
    example: ("fn f(x: &'static mut str) {}", "fn f(x: &str) {}"),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let unit_struct = unit_struct(program);
    let mut plans: Vec<Plan> = Vec::new();
    for file in program.files() {
        let mut types = Types {
            program,
            file,
            unit_struct: unit_struct.as_deref(),
            parameters: Vec::new(),
            plans: Vec::new(),
        };
        types.visit_file(file.syntax);
        plans.append(&mut types.plans);
    }
    plans.sort_by_key(|plan| Reverse(plan.gain));
    plans
        .iter()
        .filter_map(|plan| plan.edits(program))
        .collect()
}

/// A text to stand in place of a type.
struct Plan {
    /// In tokens.
    gain: u64,
    place: Place,
    by: String,
}

impl Plan {
    fn edits(&self, program: &Program<'_>) -> Option<EditSet> {
        let mut change = program.change();
        change.replace(&self.place, &self.by);
        change.finish()
    }
}

fn has_arguments(path: &syn::TypePath) -> bool {
    let last = path.path.segments.last();
    path.qself.is_none() && last.is_some_and(|last| !last.arguments.is_none())
}

/// The shortest unit struct without parameters.
fn unit_struct(program: &Program<'_>) -> Option<String> {
    let data = Data::of(program);
    let all = data.definitions.iter();
    let units = all.filter(|one| {
        one.kind == Kind::Struct && one.shape == Shape::Unit && one.generics.is_empty()
    });
    let shortest = units.min_by_key(|one| one.name.len());
    shortest.map(|one| one.name.clone())
}

struct Types<'p, 's> {
    program: &'p Program<'s>,
    file: SyntaxFile<'p>,
    unit_struct: Option<&'p str>,
    /// The type parameters that are in scope.
    parameters: Vec<String>,
    plans: Vec<Plan>,
}

impl Types<'_, '_> {
    fn add(&mut self, ty: &Type) {
        let place = self.file.place(ty);
        let text = self.program.text(&place);
        let weight = count_tokens(text);
        let mut tried: Vec<String> = Vec::new();
        for by in self.small(ty).into_iter().chain(self.own_form(ty)) {
            let by_weight = count_tokens(&by);
            let is_simpler = (by_weight, by.len()) < (weight, text.len());
            if is_simpler && !tried.contains(&by) {
                self.plans.push(Plan {
                    gain: weight - by_weight,
                    place: place.clone(),
                    by: by.clone(),
                });
                tried.push(by);
            }
        }
    }

    /// A smaller type of the same sort.
    fn own_form(&self, ty: &Type) -> Vec<String> {
        let text = |ty: &Type| self.program.text(&self.file.place(ty));
        match ty {
            Type::Array(array) => vec![format!("[{}]", text(&array.elem)), "[(); 0]".to_owned()],
            Type::Reference(one) if one.lifetime.is_some() || one.mutability.is_some() => {
                vec![format!("&{}", text(&one.elem))]
            }
            Type::Ptr(one) => vec![format!("&{}", text(&one.elem))],
            Type::FnPtr(one) if !one.inputs.is_empty() => vec!["fn()".to_owned()],
            // Of what owns memory, the shortest.
            Type::Path(one) if has_arguments(one) => vec!["String".to_owned()],
            _ => Vec::new(),
        }
    }

    /// The smallest types that there are.
    fn small(&self, ty: &Type) -> Vec<String> {
        // A name alone is replaced wherever it stands, by `replace_types`.
        let has_none = match ty {
            Type::Infer(_) | Type::Never(_) | Type::ImplTrait(_) | Type::Verbatim(_) => true,
            Type::Path(one) => one.path.get_ident().is_some(),
            _ => false,
        };
        let parameter = self.parameters.last().map(String::as_str);
        let names = [parameter, Some("u8"), self.unit_struct];
        let names = names.into_iter().flatten().filter(|_| !has_none);
        names.map(str::to_owned).collect()
    }

    fn within(&mut self, generics: &Generics, walk: impl FnOnce(&mut Self)) {
        let n_outer = self.parameters.len();
        let names = generics.type_params().map(|one| one.ident.to_string());
        self.parameters.extend(names);
        walk(self);
        self.parameters.truncate(n_outer);
    }
}

impl<'ast> Visit<'ast> for Types<'_, '_> {
    fn visit_attribute(&mut self, _attribute: &'ast syn::Attribute) {}

    fn visit_type(&mut self, ty: &'ast Type) {
        self.add(ty);
        visit::visit_type(self, ty);
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        // What is around an item of a block has other parameters.
        let outer = std::mem::take(&mut self.parameters);
        let none = Generics::default();
        let parts = ItemParts::of(item).filter(|parts| !matches!(parts.keyword, "const" | "fn"));
        let generics = parts.and_then(|parts| parts.generics).unwrap_or(&none);
        self.within(generics, |inside| visit::visit_item(inside, item));
        self.parameters = outer;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.within(&item.sig.generics, |inside| {
            visit::visit_item_fn(inside, item)
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.within(&item.sig.generics, |inside| {
            visit::visit_impl_item_fn(inside, item)
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.within(&item.sig.generics, |inside| {
            visit::visit_trait_item_fn(inside, item)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn arrays_become_slices() {
        check(
            &PASS,
            "type A = [u8; 1 + 2];",
            &["type A = [u8];", "type A = [(); 0];", "type A = u8;"],
        );
    }

    #[test]
    fn references_and_pointers_become_plain_references() {
        check_has(&PASS, "fn f<'a>(x: &'a mut A) {}", "fn f<'a>(x: &A) {}");
        check_has(&PASS, "fn f(x: *const A) {}", "fn f(x: &A) {}");
    }

    #[test]
    fn pointers_to_functions_lose_all_at_once() {
        check(
            &PASS,
            "fn f(x: fn(A) -> B) {}",
            &["fn f(x: fn()) {}", "fn f(x: u8) {}"],
        );
    }

    #[test]
    fn a_parameter_in_scope_may_stand_for_a_type() {
        check(
            &PASS,
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
            &PASS,
            "fn f(x: [(); 2]) {}",
            &["fn f(x: [()]) {}", "fn f(x: u8) {}", "fn f(x: [u8; 2]) {}"],
        );
    }

    #[test]
    fn names_and_inferred_types_stay() {
        check_not_applicable(&PASS, "struct S; fn f(x: Long, y: _, z: usize) -> ! {}");
    }
}
