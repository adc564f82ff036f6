//! `unqualify_paths`: members named in the shortest way: `<T as Trait>::f` as `T::f`, and
//! `Trait::f(x)` as `x.f()`.

use super::{Pass, Rewriter, Work};
use crate::program::{Program, SyntaxFile};
use reduce_model::is_common_member;
use reduce_syntax::EditSet;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, Lit, Path, QSelf, Type};

pub(super) const PASS: Pass = Pass {
    name: "unqualify_paths",
    about: "Makes `T::f` of `<T as Trait>::f`, and `x.f()` of `Trait::f(x)`",
    example: (
        "trait A { fn b(self); } fn f<T: A>(x: T) { <T as A>::b(x) }",
        "trait A { fn b(self); } fn f<T: A>(x: T) { x.b() }",
    ),
    work: Work::Rewrite(Rewriter(changes)),
};

fn changes(program: &Program<'_>) -> Vec<EditSet> {
    let mut names = Names::default();
    program
        .files()
        .for_each(|file| names.visit_file(file.syntax));
    let mut paths = Paths {
        program,
        names,
        file: None,
        calls: Vec::new(),
        others: Vec::new(),
    };
    program.files().for_each(|file| paths.visit(file));
    paths.calls.into_iter().chain(paths.others).collect()
}

/// What the crate says of names.
#[derive(Default)]
struct Names {
    type_parameters: HashSet<String>,
    methods: HashSet<String>,
    functions: HashSet<String>,
}

impl<'p> Visit<'p> for Names {
    fn visit_type_param(&mut self, parameter: &'p syn::TypeParam) {
        self.type_parameters.insert(parameter.ident.to_string());
        visit::visit_type_param(self, parameter);
    }

    fn visit_signature(&mut self, signature: &'p syn::Signature) {
        let name = signature.ident.to_string();
        match signature.receiver() {
            Some(_) => self.methods.insert(name),
            None => self.functions.insert(name),
        };
        visit::visit_signature(self, signature);
    }
}

impl Names {
    fn is_method(&self, name: &str) -> bool {
        let is_of_std = is_common_member(name) && !CONSTRUCTORS.contains(&name);
        self.methods.contains(name) || is_of_std && !self.functions.contains(name)
    }
}

/// Members of many types that have no receiver.
const CONSTRUCTORS: [&str; 6] = [
    "default",
    "from",
    "from_iter",
    "from_str",
    "new",
    "with_capacity",
];

struct Paths<'p, 's> {
    program: &'p Program<'s>,
    names: Names,
    file: Option<SyntaxFile<'p>>,
    calls: Vec<EditSet>,
    others: Vec<EditSet>,
}

impl<'p> Paths<'p, '_> {
    fn visit(&mut self, file: SyntaxFile<'p>) {
        self.file = Some(file);
        self.visit_file(file.syntax);
    }

    fn file(&self) -> SyntaxFile<'p> {
        self.file.expect("it is set before its syntax is visited")
    }

    fn text(&self, syntax: &impl Spanned) -> &str {
        self.program.text(&self.file().place(syntax))
    }

    /// Puts a text in place of `<T as Trait>`.
    fn put(&mut self, qualified: &QSelf, text: &str) {
        let (file, start) = self.file().place(&qualified.lt_token);
        let (_, end) = self.file().place(&qualified.gt_token);
        let mut change = self.program.change();
        change.replace(&(file, start.start..end.end), text);
        let edits = change.finish();
        self.others.extend(edits);
    }

    fn in_expression(&mut self, qualified: &QSelf, path: &Path) {
        let own = self.text(&qualified.ty).to_owned();
        let is_plain = is_plain(&qualified.ty);
        match (is_plain, qualified.as_token) {
            (true, _) => self.put(qualified, &own),
            (false, Some(_)) => self.put(qualified, &format!("<{own}>")),
            (false, None) => {}
        }
        let of_trait: Vec<&syn::PathSegment> =
            path.segments.iter().take(qualified.position).collect();
        if let (Some(first), Some(last)) = (of_trait.first(), of_trait.last())
            && last.arguments.is_none()
        {
            let place = self.file().between(*first, *last);
            let text = self.program.text(&place).to_owned();
            self.put(qualified, &text);
        }
    }

    /// Only of a parameter, or of `Self`, is it known which traits it has.
    fn in_type(&mut self, qualified: &QSelf) {
        let own = self.text(&qualified.ty).to_owned();
        let is_known = own == "Self" || self.names.type_parameters.contains(&own);
        if is_known || is_plain(&qualified.ty) && qualified.as_token.is_none() {
            self.put(qualified, &own);
        }
    }

    /// `Trait::f(x, y)` as `x.f(y)`.
    fn call(&mut self, call: &ExprCall) -> Option<()> {
        let Expr::Path(callee) = &*call.func else {
            return None;
        };
        let method = callee.path.segments.last()?;
        let is_path = callee.path.segments.len() > 1 || callee.qself.is_some();
        if !is_path || !self.names.is_method(&method.ident.to_string()) {
            return None;
        }
        let first = call.args.first()?;
        let receiver = receiver(first)?;
        let (file, before) = self.file().place(callee);
        let (_, name) = self.file().place(method);
        let mut change = self.program.change();
        let text = format!("{}.", self.text(receiver));
        change.replace(&(file, before.start..name.start), &text);
        change.remove(&self.file().place(first));
        let edits = change.finish();
        self.calls.extend(edits);
        Some(())
    }
}

/// A name without generic arguments.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => {
            let mut segments = path.path.segments.iter();
            path.qself.is_none() && segments.all(|one| one.arguments.is_none())
        }
        _ => false,
    }
}

/// What a method may be called on, without the reference that the call makes by itself.
fn receiver(argument: &Expr) -> Option<&Expr> {
    match argument {
        Expr::Reference(reference) => receiver(&reference.expr),
        Expr::Array(_)
        | Expr::Call(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Macro(_)
        | Expr::MethodCall(_)
        | Expr::Paren(_)
        | Expr::Path(_)
        | Expr::Tuple(_) => Some(argument),
        Expr::Lit(literal) if !matches!(literal.lit, Lit::Float(_)) => Some(argument),
        _ => None,
    }
}

impl<'p> Visit<'p> for Paths<'p, '_> {
    fn visit_expr_path(&mut self, path: &'p syn::ExprPath) {
        if let Some(qualified) = &path.qself {
            self.in_expression(qualified, &path.path);
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_type_path(&mut self, path: &'p syn::TypePath) {
        if let Some(qualified) = &path.qself {
            self.in_type(qualified);
        }
        visit::visit_type_path(self, path);
    }

    fn visit_expr_call(&mut self, call: &'p ExprCall) {
        self.call(call);
        visit::visit_expr_call(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    #[test]
    fn a_member_of_a_parameter_needs_no_trait() {
        check(
            &PASS,
            "fn f<T: A>() -> <T as A>::B { <T as A>::C }",
            &[
                "fn f<T: A>() -> T::B { <T as A>::C }",
                "fn f<T: A>() -> <T as A>::B { T::C }",
                "fn f<T: A>() -> <T as A>::B { A::C }",
            ],
        );
        check(
            &PASS,
            "trait A { type B; fn f(_: <Self as A>::B); }",
            &["trait A { type B; fn f(_: Self::B); }"],
        );
    }

    #[test]
    fn an_associated_type_of_another_type_needs_its_trait() {
        check_not_applicable(&PASS, "type X = <u8 as A>::B; type Y = <[u8] as A<C>>::B;");
    }

    #[test]
    fn a_type_that_is_no_name_keeps_its_brackets() {
        check(
            &PASS,
            "const C: u8 = <[u8] as a::A<X>>::B;",
            &["const C: u8 = <[u8]>::B;"],
        );
    }

    #[test]
    fn a_call_by_path_becomes_a_method_call() {
        check(
            &PASS,
            "trait A { fn b(&self, c: u8); } fn f(x: u8) { A::b::<u8>(&x, 1); Clone::clone(&x) }",
            &[
                "trait A { fn b(&self, c: u8); } fn f(x: u8) { x.b::<u8>(1); Clone::clone(&x) }",
                "trait A { fn b(&self, c: u8); } fn f(x: u8) { A::b::<u8>(&x, 1); x.clone() }",
            ],
        );
    }

    #[test]
    fn functions_without_receiver_and_variants_stay() {
        check_not_applicable(
            &PASS,
            "trait A { fn b(c: u8); } fn f(x: u8) { A::b(x); Vec::new(x); E::V(x); A::g(x) }",
        );
        check_not_applicable(
            &PASS,
            "trait A { fn b(self); } fn f() { A::b(loop {}); b(1) }",
        );
    }
}
