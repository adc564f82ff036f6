//! `resolve_opaque_types`: `impl Trait` and `dyn Trait` give way to a type that implements the trait,
//! and long types of functions to `impl Sized`, which takes any type: also what a returned expression
//! was made of.

use super::generics::{Implementations, last_name, text_of};
use super::{Pass, Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use reduce_syntax::{EditSet, count_tokens};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{Block, Expr, PathArguments, ReturnType, Signature, Stmt, Type, TypeParamBound};

pub(super) const PASS: Pass = Pass {
    name: "resolve_opaque_types",
    about: "Puts a type in place of `impl Trait` and `dyn Trait`, and `impl Sized` for long types",
    example: (
        "impl A for S {} fn f(x: &dyn A<u8>) {}",
        "impl A for S {} fn f(x: &S) {}",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

const ANY: &str = "impl Sized";

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut types = Types::new(program);
    for file in program.files() {
        types.file = Some(file);
        types.visit_file(file.syntax);
    }
    let implementations = Implementations::new(program);
    let opaque = types.opaque.iter();
    let opaque = opaque.flat_map(|one| resolved(program, &implementations, one));
    let objects = types.objects.values();
    let objects = objects.flat_map(|group| resolved_together(program, &implementations, group));
    let long = types
        .long
        .iter()
        .filter_map(|place| replaced(program, [place], ANY));
    let returned = types.returned.iter();
    let returned = returned.flat_map(|one| one.parts_returned(program));
    simplest_first(program, opaque.chain(objects).chain(long).chain(returned))
}

/// What a function returns as `impl Trait`, and the expressions that it is made of.
struct Returned {
    ty: Place,
    value: Place,
    parts: Vec<Place>,
}

impl Returned {
    /// A part need not implement the trait: it goes together with that.
    fn parts_returned(&self, program: &Program<'_>) -> Vec<EditSet> {
        let with = |part: &Place| {
            let mut change = program.change();
            change.replace(&self.value, program.text(part));
            change.replace(&self.ty, ANY);
            change.finish()
        };
        self.parts.iter().filter_map(with).collect()
    }
}

/// The operands of a call.
fn operands(call: &Expr) -> Vec<&Expr> {
    match call {
        Expr::MethodCall(call) => std::iter::once(&*call.receiver).chain(&call.args).collect(),
        Expr::Call(call) => call.args.iter().collect(),
        _ => Vec::new(),
    }
}

/// `impl Trait` or `dyn Trait`.
struct Opaque {
    place: Place,
    /// `Box<dyn Trait>`
    boxed: Option<Place>,
    of_trait: String,
}

fn replaced<'a>(
    program: &Program<'_>,
    places: impl IntoIterator<Item = &'a Place>,
    text: &str,
) -> Option<EditSet> {
    let mut change = program.change();
    for place in places {
        change.replace(place, text);
    }
    change.finish()
}

/// A type that implements the trait, or any.
fn resolved(
    program: &Program<'_>,
    implementations: &Implementations<'_>,
    one: &Opaque,
) -> Vec<EditSet> {
    let types = implementations.types(program, &one.of_trait);
    let texts = types.first().copied().into_iter().chain([ANY]);
    let all = texts.filter_map(|text| replaced(program, [&one.place], text));
    all.collect()
}

/// All mentions of one object's type, with the boxes and without, and each alone.
fn resolved_together(
    program: &Program<'_>,
    implementations: &Implementations<'_>,
    group: &[Opaque],
) -> Vec<EditSet> {
    let Some(first) = group.first() else {
        return Vec::new();
    };
    let types = implementations.types(program, &first.of_trait);
    let Some(ty) = types.first() else {
        return Vec::new();
    };
    let whole = |one: &Opaque| one.boxed.clone().unwrap_or_else(|| one.place.clone());
    let unboxed: Vec<Place> = group.iter().map(whole).collect();
    let inside: Vec<&Place> = group.iter().map(|one| &one.place).collect();
    let mut found = vec![
        replaced(program, &unboxed, ty),
        replaced(program, inside, ty),
    ];
    if group.len() > 1 {
        let alone = group.iter().map(|one| replaced(program, [&one.place], ty));
        found.extend(alone);
    }
    found.into_iter().flatten().collect()
}

struct Types<'p, 's> {
    program: &'p Program<'s>,
    file: Option<SyntaxFile<'p>>,
    boxed: Option<Place>,
    in_trait: bool,
    opaque: Vec<Opaque>,
    /// By their text.
    objects: BTreeMap<String, Vec<Opaque>>,
    /// Types of a function's inputs and output.
    long: Vec<Place>,
    returned: Vec<Returned>,
}

impl<'p, 's> Types<'p, 's> {
    fn new(program: &'p Program<'s>) -> Self {
        Self {
            program,
            file: None,
            boxed: None,
            in_trait: false,
            opaque: Vec::new(),
            objects: BTreeMap::new(),
            long: Vec::new(),
            returned: Vec::new(),
        }
    }

    fn file(&self) -> SyntaxFile<'p> {
        self.file.expect("it is set before its syntax is visited")
    }

    fn members(&mut self, in_trait: bool, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.in_trait, in_trait);
        walk(self);
        self.in_trait = outer;
    }

    fn signature_type(&mut self, ty: &Type) {
        const LONG: u64 = 4;
        let place = self.file().place(ty);
        let is_long = count_tokens(self.program.text(&place)) >= LONG;
        if is_long && !matches!(ty, Type::ImplTrait(_)) {
            self.long.push(place);
        }
    }

    fn returned(&mut self, signature: &Signature, body: &Block) {
        let ReturnType::Type(_, ty) = &signature.output else {
            return;
        };
        if let (Type::ImplTrait(_), Some(Stmt::Expr(value, None))) = (&**ty, body.stmts.last()) {
            let parts = operands(value).into_iter();
            let returned = Returned {
                ty: self.file().place(ty),
                value: self.file().place(value),
                parts: parts.map(|part| self.file().place(part)).collect(),
            };
            self.returned.push(returned);
        }
    }

    fn opaque<'b>(
        &mut self,
        ty: &Type,
        bounds: impl IntoIterator<Item = &'b TypeParamBound>,
    ) -> Option<Opaque> {
        let traits = bounds.into_iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) if bound.maybe.is_none() => last_name(&bound.path),
            _ => None,
        });
        let of_trait = traits.map(ToString::to_string).next()?;
        Some(Opaque {
            place: self.file().place(ty),
            boxed: self.boxed.take(),
            of_trait,
        })
    }
}

/// The only argument of a `Box`.
fn content_of_box(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(inner)) if last.ident == "Box" => Some(inner),
        _ => None,
    }
}

impl<'p> Visit<'p> for Types<'p, '_> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_item_trait(&mut self, definition: &'p syn::ItemTrait) {
        self.members(true, |inside| visit::visit_item_trait(inside, definition));
    }

    /// The header is no place for another type.
    fn visit_item_impl(&mut self, block: &'p syn::ItemImpl) {
        self.members(block.trait_.is_some(), |inside| {
            for item in &block.items {
                inside.visit_impl_item(item);
            }
        });
    }

    fn visit_item_fn(&mut self, function: &'p syn::ItemFn) {
        self.returned(&function.sig, &function.block);
        self.members(false, |inside| visit::visit_item_fn(inside, function));
    }

    fn visit_signature(&mut self, signature: &'p Signature) {
        if !self.in_trait {
            for input in &signature.inputs {
                if let syn::FnArg::Typed(input) = input {
                    self.signature_type(&input.ty);
                }
            }
            if let ReturnType::Type(_, ty) = &signature.output {
                self.signature_type(ty);
            }
        }
        visit::visit_signature(self, signature);
    }

    fn visit_type(&mut self, ty: &'p Type) {
        if content_of_box(ty).is_some() {
            self.boxed = Some(self.file().place(ty));
            visit::visit_type(self, ty);
            self.boxed = None;
            return;
        }
        match ty {
            Type::ImplTrait(one) => {
                let opaque = self.opaque(ty, &one.bounds);
                self.opaque.extend(opaque);
            }
            Type::TraitObject(one) => {
                let text = text_of(self.program, self.file(), one).to_owned();
                let opaque = self.opaque(ty, &one.bounds);
                self.objects.entry(text).or_default().extend(opaque);
            }
            _ => {}
        }
        self.boxed = None;
        visit::visit_type(self, ty);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn an_opaque_type_becomes_one_that_implements_its_trait() {
        check_has(
            &PASS,
            "impl A for S {} fn f(x: impl A + 'static) -> impl A {}",
            "impl A for S {} fn f(x: S) -> impl A {}",
        );
        check_has(
            &PASS,
            "impl A for S {} fn f(x: impl A) -> Option<impl A> {}",
            "impl A for S {} fn f(x: impl A) -> Option<S> {}",
        );
    }

    #[test]
    fn all_objects_of_a_trait_become_one_type() {
        check(
            &PASS,
            "impl A for S {} struct U(Box<dyn A>); fn f(x: &dyn A) {}",
            &[
                "impl A for S {} struct U(Box<S>); fn f(x: &S) {}",
                "impl A for S {} struct U(S); fn f(x: &S) {}",
                "impl A for S {} struct U(Box<S>); fn f(x: &dyn A) {}",
                "impl A for S {} struct U(Box<dyn A>); fn f(x: &S) {}",
            ],
        );
    }

    #[test]
    fn an_operand_may_be_returned_instead() {
        check_has(
            &PASS,
            "fn f() -> impl Iterator { g().map(|x| x) }",
            "fn f() -> impl Sized { |x| x }",
        );
    }

    #[test]
    fn what_only_generic_types_implement_may_be_anything() {
        check(
            &PASS,
            "impl<T> A for T {} fn f(x: impl A<u8>, y: dyn A) {}",
            &["impl<T> A for T {} fn f(x: impl Sized, y: dyn A) {}"],
        );
    }

    #[test]
    fn long_types_of_functions_may_be_anything() {
        check(
            &PASS,
            "fn f(x: Vec<u8>) -> [u8; 3] {}",
            &[
                "fn f(x: impl Sized) -> [u8; 3] {}",
                "fn f(x: Vec<u8>) -> impl Sized {}",
            ],
        );
    }

    #[test]
    fn methods_of_traits_and_headers_of_impls_stay() {
        check_not_applicable(
            &PASS,
            "trait A { fn f(x: Vec<u8>); } impl A for S {} impl B for Box<dyn A> { fn f(x: Vec<u8>) {} } \
             fn f(x: &u8, y: S) {}",
        );
    }
}
