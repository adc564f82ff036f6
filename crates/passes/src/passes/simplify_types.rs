//! `simplify_types`: one type at one place becomes a smaller one that is not part of it.

use super::{Pass, Rewriter, Work};
use crate::program::{Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_syntax::{EditSet, ItemParts, count_tokens};
use std::cmp::Reverse;
use syn::visit::{self as syntax, Visit};
use syn::{Fields, Generics, Item, Type};

pub(super) const PASS: Pass = Pass {
    name: "simplify_types",
    about: "Replaces a type by a smaller one: `u8`, a parameter, a unit struct, a plain reference",
    example: ("fn f(x: &'static mut str) {}", "fn f(x: &str) {}"),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program) -> Vec<EditSet> {
    let unit_struct = unit_struct(program);
    let mut plans: Vec<(u64, EditSet)> = Vec::new();
    for file in program.files() {
        let mut types = Types {
            program,
            file,
            unit_struct,
            parameters: Vec::new(),
            plans: Vec::new(),
        };
        types.visit_file(file.syntax);
        plans.append(&mut types.plans);
    }
    plans.sort_by_key(|(gain, _)| Reverse(*gain));
    plans.into_iter().map(|(_, edits)| edits).collect()
}

fn has_arguments(path: &syn::TypePath) -> bool {
    let last = path.path.segments.last();
    path.qself.is_none() && last.is_some_and(|last| !last.arguments.is_none())
}

/// The shortest unit struct without parameters.
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
    file: SyntaxFile<'p>,
    unit_struct: Option<&'p str>,
    /// The type parameters that are in scope.
    parameters: Vec<String>,
    /// Changes with what they gain, in tokens.
    plans: Vec<(u64, EditSet)>,
}

impl Types<'_> {
    fn add(&mut self, ty: &Type) {
        let place = self.file.place(ty);
        let text = self.program.text(&place);
        let weight = count_tokens(text);
        let mut tried: Vec<String> = Vec::new();
        for by in self.small(ty).into_iter().chain(self.own_form(ty)) {
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

    /// A smaller type of the same sort.
    fn own_form(&self, ty: &Type) -> Vec<String> {
        let text = |ty: &Type| self.file.text(ty);
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

impl<'ast> Visit<'ast> for Types<'_> {
    fn visit_attribute(&mut self, _attribute: &'ast syn::Attribute) {}

    fn visit_type(&mut self, ty: &'ast Type) {
        self.add(ty);
        syntax::visit_type(self, ty);
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        // What is around an item of a block has other parameters.
        let outer = std::mem::take(&mut self.parameters);
        match ItemParts::of(item).and_then(|parts| parts.generics) {
            Some(all) => self.within(all, |inside| syntax::visit_item(inside, item)),
            None => syntax::visit_item(self, item),
        }
        self.parameters = outer;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.within(&item.sig.generics, |inside| {
            syntax::visit_impl_item_fn(inside, item)
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.within(&item.sig.generics, |inside| {
            syntax::visit_trait_item_fn(inside, item)
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
