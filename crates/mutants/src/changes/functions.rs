//! Chooses the functions that are changed, with their paths and the values that they can return at once.

use super::assignments::set_parameters;
use super::variables::parameters;
use super::{ChangeCollector, Function, Scope, Switch};
use crate::mutant::Operator;
use crate::reach::Reach;
use reduce_syntax::{byte_range, is_only_for_tests};
use std::ops::Range;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Meta, ReturnType, Signature, Stmt, Type};

/// Attributes of functions in which no switch may be put.
const UNTOUCHED: [&str; 5] = [
    "naked",
    "panic_handler",
    "proc_macro",
    "proc_macro_derive",
    "proc_macro_attribute",
];

/// Whether attributes say that a function has to stay as it is.
fn is_untouched(attributes: &[Attribute]) -> bool {
    let is_named = |tokens: &str| UNTOUCHED.contains(&tokens);
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path
            .get_ident()
            .is_some_and(|name| is_named(&name.to_string())),
        Meta::List(list) if list.path.is_ident("unsafe") => is_named(&list.tokens.to_string()),
        Meta::List(list) => list
            .path
            .get_ident()
            .is_some_and(|name| is_named(&name.to_string())),
        Meta::NameValue(_) => false,
    })
}

impl ChangeCollector<'_> {
    /// Calls `inside` with `name` added to the path of the current module, type or trait.
    pub(super) fn within(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if length > 0 {
            self.path.push_str("::");
        }
        self.path.push_str(name);
        inside(self);
        self.path.truncate(length);
    }

    /// Returns the name of an impl in the paths of its functions: `Type` or `<Type as Trait>`.
    pub(super) fn name_of_impl(&self, implementation: &syn::ItemImpl) -> String {
        let ty = reduce_syntax::spaced(self.text_of(&implementation.self_ty));
        let ty = ty.replace(" ", "");
        match &implementation.trait_ {
            Some((path, _)) => {
                let last = path.segments.last();
                let name = last.map(|last| last.ident.to_string()).unwrap_or_default();
                format!("<{ty} as {name}>")
            }
            None => ty,
        }
    }

    /// Notes the changes of a function, unless it has to stay as it is.
    pub(super) fn function(
        &mut self,
        attributes: &[Attribute],
        signature: &Signature,
        body: &Block,
        range: Range<usize>,
    ) {
        let is_constant = signature.constness.is_some();
        let stays = (is_constant && self.reach < Reach::Constant)
            || is_only_for_tests(attributes)
            || is_untouched(attributes);
        if stays {
            return;
        }
        // `m::Set<T>`, but not `<Set<T> as Extend>`.
        let around = self.path.split('<').next();
        let around = around.and_then(|path| path.rsplit("::").next());
        let around = around.filter(|_| signature.receiver().is_some());
        let self_type = around.map(str::to_owned);
        self.within(&signature.ident.to_string(), |inner| {
            let function = Function {
                path: inner.path.clone(),
                range,
            };
            let outer = inner.function.replace(function);
            let own = Scope {
                parameters: parameters(signature, inner.text),
                self_type,
                set_variables: set_parameters(signature).collect(),
                in_unsafe: matches!(signature.safety, syn::Safety::Unsafe(_)),
                ..Scope::default()
            };
            let scope = std::mem::replace(&mut inner.scope, own);
            inner.early_returns(signature, body);
            inner.entry(body);
            inner.block(body, returns_nothing(signature));
            inner.scope = scope;
            inner.function = outer;
        });
    }

    /// Notes that a function may return a simple value, such as `0`, before its first statement.
    fn early_returns(&mut self, signature: &Signature, body: &Block) {
        let Some(first) = body.stmts.first() else {
            return;
        };
        let start = byte_range(first).start;
        let does_one_thing = matches!(body.stmts.as_slice(), [Stmt::Expr(_, Some(_))]);
        let texts = match &signature.output {
            _ if returns_nothing(signature) && does_one_thing => return,
            _ if returns_nothing(signature) => vec!["return; ".to_owned()],
            ReturnType::Type(_, ty) => self.returned_values(ty, body),
            ReturnType::Default => return,
        };
        for text in texts {
            self.note(start..start, text, Operator::Return, Switch::Inserted);
        }
    }

    /// Notes a switch that tells whether the function is entered, unless another switch at its beginning does. What a function of
    /// one simple expression gives is seen where it is called.
    fn entry(&mut self, body: &Block) {
        let Some(first) = body.stmts.first().filter(|_| !is_simple(body)) else {
            return;
        };
        let start = byte_range(first).start;
        let last = self.changes.last();
        let is_known = last
            .is_some_and(|last| last.operator == Operator::Return && last.range == (start..start));
        if !is_known {
            self.note(
                start..start,
                String::new(),
                Operator::Entry,
                Switch::Inserted,
            );
        }
    }

    fn returned_values(&self, ty: &Type, body: &Block) -> Vec<String> {
        let is_body = |value: &String| match body.stmts.as_slice() {
            [Stmt::Expr(Expr::Lit(only), None)] => self.text_of(only) == value,
            [Stmt::Expr(Expr::Path(only), None)] => self.text_of(only) == value,
            _ => false,
        };
        let values = self.simple_values(ty).into_iter();
        let other = values.filter(|value| !is_body(value));
        other.map(|value| format!("return {value}; ")).collect()
    }

    /// Returns obvious values of a type, such as `true` and `false` of `bool`.
    fn simple_values(&self, ty: &Type) -> Vec<String> {
        let texts: &[&str] = match ty {
            Type::Reference(reference) if reference.mutability.is_none() => {
                match &*reference.elem {
                    Type::Path(path) if path.path.is_ident("str") => &["\"\""],
                    _ => &[],
                }
            }
            Type::Path(path) if path.qself.is_none() => {
                return self.values_of_path(&path.path);
            }
            _ => &[],
        };
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn values_of_path(&self, path: &syn::Path) -> Vec<String> {
        let Some(last) = path.segments.last() else {
            return Vec::new();
        };
        let texts: &[&str] = match last.ident.to_string().as_str() {
            "bool" => &["false", "true"],
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => &["0", "1"],
            "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => &["0", "1"],
            "f32" | "f64" => &["0.0"],
            "Option" => &["None"],
            "String" | "Vec" => {
                let start = byte_range(path).start;
                let name = &self.text[start..byte_range(&last.ident).end];
                return vec![format!(
                    "{}::new()",
                    reduce_syntax::spaced(name).replace(' ', "")
                )];
            }
            _ => &[],
        };
        texts.iter().map(|&text| text.to_owned()).collect()
    }
}

/// Whether a body is one expression that makes no struct and calls at most one function.
fn is_simple(body: &Block) -> bool {
    let [Stmt::Expr(only, _)] = body.stmts.as_slice() else {
        return false;
    };
    let mut counter = CallCounter::default();
    counter.visit_expr(only);
    counter.n_calls <= 1 && !counter.has_more
}

/// Counts the calls in an expression, and notes whether it has parts such as blocks, closures or macros.
#[derive(Default)]
struct CallCounter {
    n_calls: usize,
    /// Whether the expression has a part that is no call, name, literal, reference or operation.
    has_more: bool,
}

impl<'ast> Visit<'ast> for CallCounter {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Call(_) | Expr::MethodCall(_) => self.n_calls += 1,
            Expr::Field(_) | Expr::Path(_) | Expr::Lit(_) | Expr::Reference(_) => {}
            Expr::Unary(_) | Expr::Binary(_) | Expr::Paren(_) | Expr::Cast(_) | Expr::Index(_) => {}
            _ => self.has_more = true,
        }
        visit::visit_expr(self, expr);
    }
}

/// Whether a function returns `()`.
pub(super) fn returns_nothing(signature: &Signature) -> bool {
    match &signature.output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => matches!(&**ty, Type::Tuple(tuple) if tuple.elems.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use crate::mutant::Operator;
    use crate::testing::{all_mutants_of, check, check_file};

    #[test]
    fn a_function_returns_a_simple_value_at_once() {
        check("fn f() -> bool { g() }", &["return false;", "return true;"]);
        check("fn f() -> Option<u8> { g() }", &["return None;"]);
        check("fn f<'a>() -> &'a str { g() }", &["return \"\";"]);
        check(
            "fn f() -> std::string::String { g() }",
            &["return std::string::String::new();"],
        );
        check("fn f() -> f64 { g() }", &["return 0.0;"]);
        check("fn f() { let a = g(); a }", &["return;"]);
        check("fn f() -> S { g() }", &[]);
        check("fn f() -> Result<u8, E> { g() }", &[]);
    }

    #[test]
    fn what_a_function_does_anyway_is_no_mutant() {
        check("fn f() -> bool { false }", &["return true;", "true"]);
        check("fn f() { g(); }", &[""]);
        check("fn f() {}", &[]);
    }

    #[test]
    fn an_entry_is_noted_where_nothing_else_tells_it() {
        let entries = |text: &str| {
            let mutants = all_mutants_of(text).into_iter();
            let entries = mutants.filter(|one| one.operator == Operator::Entry);
            entries.map(|one| one.function).collect::<Vec<_>>()
        };
        assert_eq!(entries("fn f(a: u8) -> S { S { a } }"), ["f"]);
        assert_eq!(entries("fn f(a: u8) -> S { g(h(a)) }"), ["f"]);
        assert_eq!(
            entries("impl S { fn f(&self) -> &T { let x = &self.0; x } }"),
            ["S::f"]
        );
        assert_eq!(entries("fn f() { g(); }"), [""; 0]);
        assert_eq!(entries("fn f(&self) -> &T { &self.0.g()[1] }"), [""; 0]);
        assert_eq!(entries("fn f() -> bool { let a = g(); a }"), [""; 0]);
        assert_eq!(entries("fn f() {}"), [""; 0]);
    }

    #[test]
    fn what_is_only_for_tests_and_what_must_stay_stays() {
        check("const fn f() -> u8 { 1 + 2 }", &[]);
        check("#[cfg(test)] mod m { fn f() -> bool { true } }", &[]);
        check("#[cfg(all(unix, test))] fn f() -> bool { true }", &[]);
        check("#[tokio::test] async fn f() { g(); }", &[]);
        check("#[unsafe(naked)] extern \"C\" fn f() { g(); }", &[]);
        check("#[cfg(not(test))] fn f() { g(); }", &[""]);
        check("#[cfg(any(test, unix))] fn f() { g(); }", &[""]);
    }

    #[test]
    fn functions_have_their_paths() {
        let text = "mod m { impl<T> S<T> { fn f() { g(); } } trait A { fn h() { g(); } } }
            impl B for u8 { fn f() { fn i() { g(); } g(); } }";
        let mutants = crate::testing::mutants_of(text);
        let paths: Vec<&str> = mutants.iter().map(|one| one.function.as_str()).collect();
        let of_nested = "<u8 as B>::f::i";
        let expected = [
            "m::S<T>::f",
            "m::A::h",
            "<u8 as B>::f",
            of_nested,
            "<u8 as B>::f",
        ];
        assert_eq!(paths, expected);
    }

    #[test]
    fn what_is_in_unsafe_code_says_so() {
        let text = "unsafe fn f() { g(1); } fn h() { unsafe { g(2); } i(unsafe { g(3) }); g(4); }";
        let mutants = crate::testing::mutants_of(text);
        let is_in_unsafe = |argument: &str| {
            let mut all = mutants.iter();
            let one = all.find(|one| one.original == argument);
            one.unwrap().is_in_unsafe
        };
        assert_eq!(
            ["1", "2", "3", "4"].map(is_in_unsafe),
            [true, true, true, false]
        );
    }

    #[test]
    fn a_file_of_tests_stays() {
        let files = [
            ("src/lib.rs", "#[cfg(test)] mod tests; mod a;"),
            ("src/tests.rs", "mod deep; fn f() { g(); }"),
            ("src/tests/deep.rs", "fn f() { g(); }"),
            ("src/a.rs", "fn f() { g(); }"),
        ];
        check_file(&files, &["src/a.rs a::f"]);
    }
}
