//! Changes of names: parameters, counters of loops over one range, and fields of one type replace each other (scalar variable
//! replacement: King and Offutt, A Fortran language system for mutation-based software testing, 1991), indices are exchanged, and
//! variants of `Ordering` become others.

use super::{ChangeCollector, Signatures};
use crate::mutant::Operator;
use reduce_syntax::{byte_range, is_primitive_type, names};
use std::ops::Range;
use syn::{
    Expr, ExprField, ExprForLoop, ExprIndex, ExprPath, FnArg, Ident, Member, Pat, Signature, Type,
};

/// A parameter of a function, or a loop's counter: its name, and its type as it is written. Or the counter of a loop, with the
/// range that it goes through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) ty: String,
}

/// Returns the parameters of a function whose values are copied, so that others of the same type may replace them.
pub(super) fn parameters(signature: &Signature, text: &str) -> Vec<Parameter> {
    let typed = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    let copied = typed.filter(|typed| is_copied(&typed.ty));
    let named = copied.filter_map(|typed| match &*typed.pat {
        Pat::Ident(name) => Some(Parameter {
            name: name.ident.to_string(),
            ty: text[byte_range(&typed.ty)].to_owned(),
        }),
        _ => None,
    });
    named.collect()
}

/// Returns the counter of a `for` loop over a range as a parameter, unless the range's end is a mere number: counters of one
/// range have one type.
pub(super) fn counter(repeated: &ExprForLoop, text: &str) -> Option<Parameter> {
    let (Pat::Ident(name), Expr::Range(range)) = (&*repeated.pat, &*repeated.expr) else {
        return None;
    };
    let end = range.end.as_ref()?;
    let ty = text[byte_range(range)].to_owned();
    let name = name.ident.to_string();
    (!matches!(**end, Expr::Lit(_))).then_some(Parameter { name, ty })
}

/// Whether values of a type are copied, as far as the type itself says, so that using one more often is no error.
pub(super) fn is_copied(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Path(path) => {
            let name = path.path.get_ident();
            name.is_some_and(|name| is_primitive_type(&name.to_string()))
        }
        _ => false,
    }
}

impl ChangeCollector<'_> {
    /// Notes the changes of an expression of which only the value is used. Which parameters there are is seen in the signature,
    /// so that a point may be lost where that changes.
    pub(super) fn value(&mut self, expr: &Expr) {
        match expr {
            Expr::Field(field) => self.field(field),
            Expr::Index(outer) => self.indices(outer),
            Expr::Path(path) if self.knows_signatures() => self.variable(path),
            _ => {}
        }
    }

    /// Notes that a field may be replaced by another one of the same type.
    fn field(&mut self, field: &ExprField) {
        self.another_field(byte_range(field), field, Signatures::sibling_field);
    }

    /// Notes that a field within an expression may be replaced by another one.
    pub(super) fn another_field(
        &mut self,
        whole: Range<usize>,
        field: &ExprField,
        sibling: for<'s> fn(&'s Signatures, &str) -> Option<&'s str>,
    ) {
        let Member::Named(name) = &field.member else {
            return;
        };
        let other = sibling(self.signatures, &name.to_string());
        if let Some(other) = other.filter(|other| self.is_defined(other)) {
            let name = byte_range(name);
            let [before, after] = [whole.start..name.start, name.end..whole.end];
            let mutated = format!("{}{other}{}", &self.text[before], &self.text[after]);
            self.note_instead(whole, mutated, Operator::Variable);
        }
    }

    /// Notes that `x[i][j]` may be `x[j][i]`.
    fn indices(&mut self, outer: &ExprIndex) {
        let Expr::Index(inner) = &*outer.expr else {
            return;
        };
        let [first, second] = [&inner.index, &outer.index].map(|index| self.text_of(index));
        let are_names = [first, second]
            .iter()
            .all(|text| syn::parse_str::<syn::Ident>(text).is_ok());
        if are_names && first != second {
            let base = self.text_of(&inner.expr);
            let mutated = format!("{base}[{second}][{first}]");
            self.note_instead(byte_range(outer), mutated, Operator::Order);
        }
    }

    fn variable(&mut self, path: &ExprPath) {
        let Some(name) = path.path.get_ident() else {
            return;
        };
        let name = name.to_string();
        let others = match self.other_parameter(&name) {
            Some(other) => vec![other],
            None => self.parts(&name),
        };
        for other in others {
            self.note_instead(byte_range(path), other, Operator::Variable);
        }
    }

    /// Returns the fields of `self` that have the primitive type of a parameter, in a method that sees `self`.
    fn parts(&self, parameter: &str) -> Vec<String> {
        let mut parameters = self.scope.parameters.iter();
        let parameter = parameters.find(|one| one.name == parameter);
        let (Some(parameter), Some(of)) = (parameter, &self.scope.self_type) else {
            return Vec::new();
        };
        let fields = self.signatures.parts(of, &parameter.ty).iter();
        let fields = fields.filter(|field| self.is_defined(field));
        fields.map(|field| format!("self.{field}")).collect()
    }

    /// Whether a parameter of this name has a primitive type.
    pub(super) fn is_primitive(&self, name: &str) -> bool {
        let mut parameters = self.scope.parameters.iter();
        parameters.any(|one| one.name == name && is_primitive_type(&one.ty))
    }

    /// Returns the next parameter of the same type, in a circle.
    fn other_parameter(&self, name: &str) -> Option<String> {
        let own = self
            .scope
            .parameters
            .iter()
            .position(|one| one.name == name)?;
        let (before, rest) = self.scope.parameters.split_at(own);
        let mut others = rest[1..].iter().chain(before);
        let other = others.find(|one| one.ty == rest[0].ty)?;
        Some(other.name.clone())
    }

    /// Notes that a variant may be replaced by another one, or by the value that a function of its type makes.
    pub(super) fn variant(&mut self, path: &ExprPath) {
        let mut segments = path.path.segments.iter().rev();
        let Some(last) = segments.next() else { return };
        let ty = segments.next().map(|ty| ty.ident.to_string());
        if let Some(ty) = ty.filter(|ty| ty != "Ordering") {
            return self.own_variant(path, &ty, &last.ident);
        }
        let other = match last.ident.to_string().as_str() {
            "Less" => "Greater",
            "Greater" | "Equal" => "Less",
            _ => return,
        };
        let mutated = self.before(path, &last.ident) + other;
        self.note_instead(byte_range(path), mutated, Operator::Variant);
    }

    /// Notes that a variant without fields, of a type of the crate, may be replaced by another one.
    fn own_variant(&mut self, path: &ExprPath, ty: &str, variant: &Ident) {
        let signatures = self.signatures;
        let (whole, before) = (byte_range(path), self.before(path, variant));
        let variant = variant.to_string();
        let sibling = signatures.sibling_variant(ty, &variant);
        if let Some(other) = sibling.filter(|other| self.is_defined(other)) {
            let mutated = format!("{before}{other}");
            self.note_instead(whole.clone(), mutated, Operator::Variant);
        }
        // The constructor is no substitute in its own body: it may be what makes this value.
        let is_around = |name: &str| {
            let path = self.function.as_ref().map_or("", |one| &one.path);
            let mut words = names(path).collect::<Vec<_>>().into_iter().rev();
            words.next() == Some(name) && (ty == "Self" || words.any(|word| word == ty))
        };
        let constructor = signatures.constructor(ty, &variant);
        if let Some(name) = constructor.filter(|name| self.is_defined(name) && !is_around(name)) {
            let mutated = format!("{before}{name}()");
            self.note_instead(whole, mutated, Operator::ShorterCall);
        }
    }

    /// Returns the text of a path before its last name.
    fn before(&self, path: &ExprPath, last: &Ident) -> String {
        self.text[byte_range(path).start..byte_range(last).start].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use crate::instrument::{Options, instrument};
    use crate::reach::Reach;
    use crate::testing::check;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;

    /// Compares the parameters that take each other's place.
    #[track_caller]
    fn check_parameters(text: &str, expected: &[(&str, &str)]) {
        let sources = SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        let reach = Reach::Constant;
        let options = Options {
            reach,
            ..Options::default()
        };
        let instrumented = instrument(&sources, &options);
        let mutants = instrumented.mutants().iter();
        let variables = mutants.filter(|one| one.operator == crate::Operator::Variable);
        let found: Vec<_> = variables
            .map(|one| (one.original.as_str(), one.mutated.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn parameters_of_one_type_take_each_others_place() {
        check_parameters(
            "fn f(a: u8, b: char, c: u8) -> S { g(a, b, c) }",
            &[("a", "c"), ("c", "a")],
        );
        check_parameters("fn f(a: &T, b: &T) -> S { a.h(b) == c }", &[("b", "a")]);
        check_parameters("fn f(a: u8, b: u8) -> S { a + 1 }", &[("a", "b")]);
    }

    #[test]
    fn a_parameter_gives_way_to_a_field_of_its_type() {
        let with = "struct T { a: char, b: u8, c: u8, d: V<u8> }";
        let checked = |function: &str, expected: &[(&str, &str)]| {
            check_parameters(&format!("{with} impl T {{ {function} }}"), expected);
        };
        checked(
            "fn f(&mut self, x: u8) { g(x); }",
            &[("x", "self.b"), ("x", "self.c")],
        );
        checked("fn f(&self, x: u8, y: u8) { g(x); }", &[("x", "y")]);
        checked("fn f(x: u8) { g(x); }", &[]);
        checked("fn f(&self, x: u16) { g(x); }", &[]);
        check_parameters(
            "mod m { struct T<U> { b: u8, c: U } impl<U> T<U> { fn f(&self, x: u8) { g(x) } } }",
            &[("x", "self.b")],
        );
    }

    #[test]
    fn counters_of_one_range_take_each_others_place() {
        check_parameters(
            "fn f() { for i in 0..n { for j in 0..n { for k in 0..m { g(i, j, k); } g(i); } g(i) } }",
            &[("i", "j"), ("j", "i"), ("i", "j")],
        );
        check_parameters(
            "fn f(x: &[u8]) { for i in 0..n { for j in 0..n { x[i] = y[j]; } } }",
            &[("i", "j"), ("j", "i")],
        );
        check_parameters(
            "fn f() { for i in 0..3 { for j in 0..3 { g(i, j); } } }",
            &[],
        );
    }

    #[test]
    fn fields_of_one_type_take_each_others_place() {
        let definitions = "struct A { len: usize, cap: usize, name: String, other: String }";
        check_parameters(
            &format!("{definitions} fn f(a: A) -> S {{ g(a.len); b.a.cap == 1; g(a.name); S }}"),
            &[("a.len", "a.cap"), ("b.a.cap", "b.a.len")],
        );
        check_parameters(
            &format!("{definitions} fn f(a: A) -> S {{ a.len = 1; g(&mut a.cap); a.len(); S }}"),
            &[],
        );
    }

    #[test]
    fn indices_are_exchanged() {
        let sources = |text: &str| SourceTree::single(Utf8PathBuf::from("src/lib.rs"), text.into());
        let options = Options {
            reach: Reach::Constant,
            ..Options::default()
        };
        let exchanged = |text: &str| -> Vec<String> {
            let instrumented = instrument(&sources(text), &options);
            let mutants = instrumented.mutants().iter();
            let of_order = mutants.filter(|one| one.operator == crate::Operator::Order);
            of_order.map(|one| one.mutated.clone()).collect()
        };
        assert_eq!(exchanged("fn f() -> bool { x.y[i][j] > z }"), ["x.y[j][i]"]);
        assert!(exchanged("fn f() { x[i][j] = 1; x[i][i] > z; x[i][0] > z; }").is_empty());
    }

    #[test]
    fn what_is_assigned_to_borrowed_or_moved_stays() {
        check_parameters(
            "fn f(mut a: u8, b: u8) -> S { a = 1; a += 2; g(&mut a); S }",
            &[],
        );
        check_parameters("fn f(a: T, b: T) -> S { g(a, b) }", &[]);
        check_parameters("fn f(a: &mut u8, b: &mut u8) -> S { g(a, b) }", &[]);
        check_parameters("fn f(a: u8, b: i8) -> S { g(a, b) }", &[]);
    }

    #[test]
    fn a_variant_without_fields_becomes_another_one() {
        let with = "enum E { A, B(u8), C, D { x: u8 } } enum O { Z }";
        let checked = |body: &str, expected: &[&str]| {
            check(&format!("fn f() -> S {{ {body} }} {with}"), expected);
        };
        checked("m::E::A", &["m::E::C"]);
        checked("(E::C, Self::A)", &["E::A", "Self::C"]);
        checked("(E::B(x), E::D { x: y }, E::E, O::Z, A)", &[]);
        checked("match x { E::A => y, Self::C => z }", &[]);
        checked("x == E::A", &["x != E::A", "E::C"]);
        let other = "enum P { A, D }";
        let text = format!("fn f() -> S {{ (Self::A, E::A, P::A) }} {with} {other}");
        check(&text, &["E::C", "P::D"]);
    }

    #[test]
    fn a_variant_without_fields_becomes_what_its_type_makes_from_nothing() {
        let with = "enum E { A, B(u8) } impl E { fn b(x: u8) -> E { x } fn c() -> m::E { x } fn d() -> Self { x } }
            impl T for E { fn t() -> Self { x } }";
        let checked = |body: &str, expected: &[&str]| {
            check(&format!("{with} fn f() -> S {{ {body} }}"), expected);
        };
        checked("E::A", &["E::c()"]);
        checked("(Self::A, E::B, E::G, X::A)", &["Self::c()"]);
        let inside = "enum E { A } impl E { fn new() -> S { E::A } fn other() -> U { E::A } }";
        check(inside, &[]);
        let other = format!("{inside} impl O {{ fn new() -> S {{ E::A }} }}");
        check(
            &other.replacen("-> S", "-> E", 1),
            &["E::new()", "E::new()"],
        );
        let inside = inside.replace("-> S", "-> Self");
        check(&inside, &["E::new()"]);
    }

    #[test]
    fn what_is_less_becomes_greater() {
        check("fn f() -> S { Less }", &["Greater"]);
        check(
            "fn f() -> S { cmp::Ordering::Equal }",
            &["cmp::Ordering::Less"],
        );
        check("fn f() -> S { Size::Less }", &[]);
        check("fn f() -> S { match a { Less => b, Equal => c } }", &[]);
    }
}
