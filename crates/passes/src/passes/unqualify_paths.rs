//! `unqualify_paths`: names members in the shortest way: `<T as Trait>::f` as `T::f`, and `Trait::f(x)` as `x.f()`.

use super::generics::plain_name;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::{DefKind, Position, is_common_member};
use reduce_syntax::EditSet;
use std::collections::HashSet;
use syn::{Expr, ExprCall, Ident, Lit, Path, QSelf, Type};

pub(super) const PASS: Pass = Pass {
    name: "unqualify_paths",
    about: "Makes `T::f` of `<T as Trait>::f`, and `x.f()` of `Trait::f(x)`",
    example: (
        "trait A { fn b(self); } fn f<T: A>(x: T) { <T as A>::b(x) }",
        "trait A { fn b(self); } fn f<T: A>(x: T) { x.b() }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let names = Names::of(program);
    let (mut calls, mut others) = (Vec::new(), Vec::new());
    visit::each(program, |at, node| {
        // Puts a text in place of `<T as Trait>`.
        let put = |(qualified, text): (&QSelf, String)| {
            let place = at.between(&qualified.lt_token, &qualified.gt_token);
            program.replaced([&place], &text)
        };
        match node {
            Node::Expr(Expr::Call(call)) => calls.extend(names.as_method(at.file, call)),
            Node::Expr(Expr::Path(path)) => {
                let all = path.qself.iter();
                let texts = all.flat_map(|one| in_expression(at.file, one, &path.path));
                others.extend(texts.filter_map(put));
            }
            Node::Type(Type::Path(path)) => {
                let text = path
                    .qself
                    .as_ref()
                    .and_then(|one| names.in_type(at.file, one));
                others.extend(text.and_then(put));
            }
            _ => {}
        }
    });
    calls.into_iter().chain(others).collect()
}

/// The names of a program, with the functions among them that have a receiver.
struct Names<'p> {
    program: &'p Program,
    /// The positions of the names of functions that have a receiver.
    methods: HashSet<Position>,
}

/// Names of associated functions without a receiver that many types have.
const CONSTRUCTORS: [&str; 6] = [
    "default",
    "from",
    "from_iter",
    "from_str",
    "new",
    "with_capacity",
];

impl<'p> Names<'p> {
    fn of(program: &'p Program) -> Self {
        let methods = visit::collect(program, |at, node| match node {
            Node::Signature(one) => one.receiver().map(|_| at.position(&one.ident)),
            _ => None,
        });
        Self {
            program,
            methods: methods.into_iter().collect(),
        }
    }

    /// Whether a name means a method; a common name may be one of another crate.
    fn is_method(&self, at: SyntaxFile<'_>, name: &Ident) -> bool {
        let model = self.program.model();
        let meaning = model.resolve_at(at.position(name));
        let name = name.to_string();
        let is_of_std = is_common_member(&name) && !CONSTRUCTORS.contains(&&*name);
        match meaning.candidates() {
            [] => is_of_std,
            all => all
                .iter()
                .any(|&def| self.methods.contains(&model.definition(def).name)),
        }
    }

    /// Returns the shorter form of `<T as Trait>` in a type: only of a parameter, or of `Self`, is it known which
    /// traits it has.
    fn in_type<'q>(&self, at: SyntaxFile<'_>, qualified: &'q QSelf) -> Option<(&'q QSelf, String)> {
        let own = at.text(&qualified.ty);
        let meant =
            plain_name(&qualified.ty).and_then(|name| self.program.meant(at.position(name)));
        let kind = meant.map(|def| self.program.model().definition(def).kind);
        let is_known = own == "Self"
            || kind == Some(DefKind::TypeParameter)
            || is_plain(&qualified.ty) && qualified.as_token.is_none();
        is_known.then(|| (qualified, own.to_owned()))
    }

    /// Makes a method call of a path: `Trait::f(x, y)` becomes `x.f(y)`.
    fn as_method(&self, at: SyntaxFile<'_>, call: &ExprCall) -> Option<EditSet> {
        let Expr::Path(callee) = &*call.func else {
            return None;
        };
        let method = callee.path.segments.last()?;
        let is_path = callee.path.segments.len() > 1 || callee.qself.is_some();
        if !is_path || !self.is_method(at, &method.ident) {
            return None;
        }
        let first = call.args.first()?;
        let before = at.place(callee).before(&at.place(method));
        let mut change = self.program.change();
        change.replace(&before, &format!("{}.", at.text(receiver(first)?)));
        change.remove(&at.place(first)).finish()
    }
}

/// Returns the texts that may stand in place of `<T as Trait>` in an expression: the type, and the trait.
fn in_expression<'q>(
    at: SyntaxFile<'_>,
    qualified: &'q QSelf,
    path: &Path,
) -> Vec<(&'q QSelf, String)> {
    let own = at.text(&qualified.ty);
    let own = match (is_plain(&qualified.ty), qualified.as_token) {
        (true, _) => Some(own.to_owned()),
        (false, Some(_)) => Some(format!("<{own}>")),
        (false, None) => None,
    };
    let mut of_trait = path.segments.iter().take(qualified.position);
    let first = of_trait.next();
    let last = of_trait
        .last()
        .or(first)
        .filter(|one| one.arguments.is_none());
    let of_trait = first.zip(last).map(|(first, last)| at.between(first, last));
    let of_trait = of_trait.map(|place| at.text_at(&place).to_owned());
    let texts = own.into_iter().chain(of_trait);
    texts.map(|text| (qualified, text)).collect()
}

/// Whether a type is a name without generic arguments.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => {
            let mut segments = path.path.segments.iter();
            path.qself.is_none() && segments.all(|one| one.arguments.is_none())
        }
        _ => false,
    }
}

/// Returns the receiver that a method may be called on, without the reference that the call makes by itself.
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
