//! `inline_macros`: all calls of a `macro_rules!` of the crate expanded in place, and the macro
//! deleted. Names keep their spelling: what hygiene would tell apart is for the compiler to reject.

mod constants;
mod items;
mod matcher;
mod rules;
mod stringified;
mod transcriber;

pub use items::{expand_items_of_macros, with_items_of_macros};

use super::generics::last_name;
use super::paths::{Import, imports};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use crate::visit::{self, At, Node, Walk};
use proc_macro2::TokenTree;
use reduce_model::Position;
use reduce_syntax::{EditSet, SourceTree};
use rules::rules;
use std::cell::Cell;
use std::collections::HashMap;
use syn::{Expr, ForeignItem, ImplItem, Macro, Pat, Stmt, TraitItem, Type};
use transcriber::{Expander, MAX_TREES, ends_item, print};

pub(super) const PASS: Pass = Pass {
    name: "inline_macros",
    about: "Expands the calls of the crate's own macros, and deletes these",
    example: (
        "macro_rules! m { ($x:ident) => { struct $x; } } m!(S);",
        "struct S;",
    ),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let macros = Macros::of(program);
    let imports = imports(program).into_iter();
    let imports: HashMap<Position, Import> = imports.map(|one| (one.name, one)).collect();
    let definitions = macros.definitions.iter();
    let inlined = definitions.filter_map(|one| inlining(program, one, &macros, &imports));
    simplest_first(program, inlined)
}

/// Expands all calls of the macros that some sources define, one macro after the other, as long as no more than `most_tokens` come
/// of it. `None` where nothing is expanded.
pub fn with_macros_inlined(sources: &SourceTree, most_tokens: u64) -> Option<SourceTree> {
    let mut inlined = None;
    loop {
        let tree = inlined.as_ref().unwrap_or(sources);
        let next = changes(&Program::new(tree)).into_iter().next();
        let next = next.map(|change| change.apply(tree));
        match next.filter(|next| next.count_tokens() <= most_tokens) {
            Some(next) => inlined = Some(next),
            None => return inlined,
        }
    }
}

fn inlining(
    program: &Program,
    definition: &Definition<'_>,
    macros: &Macros<'_>,
    imports: &HashMap<Position, Import>,
) -> Option<EditSet> {
    let rules = rules(&definition.call.tokens)?;
    let expander = Expander {
        name: &definition.name,
        rules: &rules,
        n_left: Cell::new(MAX_TREES),
    };
    let mentions = program.mentions().of(definition.position).iter();
    let outside = mentions.filter(|mention| !mention.is_in(&definition.place));
    let mut n_calls = 0;
    let mut change = program.change();
    change.remove(&definition.place);
    for mention in outside {
        if let Some(import) = imports.get(mention) {
            change.remove(import.whole());
            continue;
        }
        let call = macros.calls.get(mention)?;
        let arguments: Vec<TokenTree> = call.call.tokens.clone().into_iter().collect();
        let expansion = expander.expand(&arguments, 0)?;
        change.replace(&call.place, &call.text(program, &expansion));
        n_calls += 1;
    }
    change.finish().filter(|_| n_calls > 0)
}

/// The definition of a macro.
pub(super) struct Definition<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) name: String,
    position: Position,
    place: Place,
    pub(super) call: &'p Macro,
}

/// A call of a macro.
pub(super) struct Call<'p> {
    pub(super) file: SyntaxFile<'p>,
    place: Place,
    pub(super) call: &'p Macro,
    position: CallPosition,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallPosition {
    Item,
    /// The call is a statement; says whether a semicolon belongs to it.
    Statement(bool),
    Expression,
    Other,
}

impl Call<'_> {
    /// Whether a call names the macro of this definition.
    pub(super) fn is_of(&self, definition: &Definition<'_>) -> bool {
        last_name(&self.call.path).is_some_and(|name| *name == definition.name)
    }

    fn text(&self, program: &Program, expansion: &[TokenTree]) -> String {
        let text = print(expansion);
        match self.position {
            CallPosition::Statement(true) if !expansion.last().is_some_and(ends_item) => {
                format!("{text};")
            }
            CallPosition::Expression => program.fitted(&self.place, &text),
            _ => text,
        }
    }
}

/// The macros that a program defines, with the calls outside of their definitions.
#[derive(Default)]
pub(super) struct Macros<'p> {
    pub(super) definitions: Vec<Definition<'p>>,
    /// The calls of macros, by the position of the last name of the macro's path.
    pub(super) calls: HashMap<Position, Call<'p>>,
}

impl<'p> Macros<'p> {
    pub(super) fn of(program: &'p Program) -> Self {
        let mut macros = Self::default();
        visit::each(program, |at, node| macros.read_definition(at, node));
        visit::each_also_in_macros(program, |at, node| macros.read_call(at, node));
        macros
    }

    fn read_definition(&mut self, at: At<'p>, node: Node<'p>) -> Walk {
        if let Node::Item(syn::Item::Macro(one)) = node
            && let Some(name) = &one.ident
        {
            self.definitions.push(Definition {
                file: at.file,
                name: name.to_string(),
                position: at.position(name),
                place: at.place(one),
                call: &one.mac,
            });
            return Walk::Past;
        }
        Walk::Inside
    }

    /// Returns whether the walk goes on inside of the arguments of a macro's call, or past them. In the arguments of
    /// other macros than our own may be expressions with calls, unless a macro makes text of them.
    fn walk_at(&self, path: &syn::Path) -> Walk {
        let is_own = |name: &syn::Ident| self.definitions.iter().any(|one| *name == one.name);
        let is_past = |name: &syn::Ident| name == "stringify" || is_own(name);
        match last_name(path).is_some_and(is_past) {
            true => Walk::Past,
            false => Walk::Inside,
        }
    }

    fn read_call(&mut self, at: At<'p>, node: Node<'p>) -> Walk {
        use CallPosition::{Expression, Item, Other, Statement};
        let (place, call, position) = match node {
            Node::Item(syn::Item::Macro(one)) if one.ident.is_some() => return Walk::Past,
            Node::Item(syn::Item::Macro(one)) => (at.place(one), &one.mac, Item),
            Node::ImplItem(ImplItem::Macro(one)) => (at.place(one), &one.mac, Item),
            Node::TraitItem(TraitItem::Macro(one)) => (at.place(one), &one.mac, Item),
            Node::ForeignItem(ForeignItem::Macro(one)) => (at.place(one), &one.mac, Item),
            Node::Stmt(Stmt::Macro(one)) => {
                (at.place(one), &one.mac, Statement(one.semi_token.is_some()))
            }
            Node::Stmt(statement @ Stmt::Expr(Expr::Macro(one), semicolon)) => {
                let position = Statement(semicolon.is_some());
                (at.place(statement), &one.mac, position)
            }
            Node::Expr(Expr::Macro(one)) => (at.place(one), &one.mac, Expression),
            Node::Type(Type::Macro(one)) => (at.place(one), &one.mac, Other),
            Node::Pat(Pat::Macro(one)) => (at.place(one), &one.mac, Other),
            _ => return Walk::Inside,
        };
        if let Some(name) = last_name(&call.path) {
            let call = Call {
                file: at.file,
                place,
                call,
                position,
            };
            self.calls.insert(at.position(name), call);
        }
        self.walk_at(&call.path)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::{PASS, with_macros_inlined};
    use reduce_syntax::SourceTree;

    #[track_caller]
    fn one(before: &str, after: &str) {
        check(&PASS, before, &[after]);
    }

    #[test]
    fn a_macro_of_items_becomes_its_items() {
        one(
            "macro_rules! m { ($($n:ident: $t:ty),* $(,)?) => { $(struct $n($t);)* } }
             m! { A: u8, B: Vec<Vec<u8>>, } fn f() {}",
            "struct A(u8); struct B(Vec<Vec<u8>>); fn f() {}",
        );
    }

    #[test]
    fn each_call_takes_the_first_rule_that_fits() {
        one(
            "macro_rules! m { (0) => { f() }; (@ $x:tt) => { g($x) }; ($x:expr) => { h($x) } }
             fn main() { m!(0); m!(@ ->); m!(1 + 2) }",
            "fn main() { f(); g(->); h(1 + 2) }",
        );
    }

    #[test]
    fn expressions_have_parentheses_where_they_need_them() {
        one(
            "macro_rules! m { ($x:expr) => { $x * 2 }; } fn f() { m!(1 + 2); m!(g(a)).h(m!(3)) }",
            "fn f() { (1 + 2) * 2; (g(a) * 2).h(3 * 2) }",
        );
    }

    #[test]
    fn calls_in_the_arguments_of_other_macros_are_expanded() {
        one(
            "macro_rules! m { (a($x:tt)) => { A(vec![m!($x)]) }; ($x:ident) => { B(stringify!($x)) } }
             fn f() { assert!(m!(a(b)).c(&[m!(d)])); }",
            "fn f() { assert!(A(vec![B(\"b\")]).c(&[B(\"d\")])); }",
        );
    }

    #[test]
    fn names_become_text_where_the_macro_says_so() {
        one(
            "macro_rules! m { ($x:ident, $y:expr) => { (S { a: stringify!($x) }, stringify!($y), x::stringify!($x)) } }
             fn f() { m!(a, 1); }",
            "fn f() { (S { a: \"a\" }, \"1\", x::stringify!(a)); }",
        );
        one(
            "macro_rules! m { ($x:expr) => { stringify!($x) } } fn f() { m!(a + b); }",
            "fn f() { stringify!(a + b); }",
        );
    }

    #[test]
    fn types_patterns_and_members_are_expanded() {
        one(
            "macro_rules! m { ($x:ty) => { [$x; 1] }; (p $x:pat) => { Some($x) };
             (f $x:ident $l:lifetime $b:block) => { fn $x<$l>() $b } }
             impl S { m!(f g 'a { 1 }); } fn f(_: m!(&'a u8)) { let m!(p _ | 1) = x; }",
            "impl S { fn g<'a>() { 1 } } fn f(_: [&'a u8; 1]) { let Some(_ | 1) = x; }",
        );
    }

    #[test]
    fn repetitions_may_be_nested() {
        one(
            "macro_rules! m { ($($n:ident { $($f:ident)* })*) => { $(struct $n { $($f: u8),* })* } }
             m!(A { a b } B {} C { c });",
            "struct A { a: u8, b: u8 } struct B {} struct C { c: u8 }",
        );
    }

    #[test]
    fn a_repetition_takes_less_if_the_rest_needs_it() {
        one(
            "macro_rules! m { ($($x:tt)* ; $y:tt) => { fn f() { g($($x)*, $y) } } } m!(1 ; 2 ; 3);",
            "fn f() { g(1 ; 2, 3) }",
        );
    }

    #[test]
    fn a_macro_that_calls_itself_is_expanded_to_the_end() {
        one(
            "macro_rules! m { ([#$($t:tt)*] $($o:tt)*) => { m! { [$($t)*] $($o)* A } };
             ([] $($o:tt)*) => { type T = ($($o,)*); } } m! { [##] B }",
            "type T = (B, A, A,);",
        );
    }

    #[test]
    fn a_macro_may_call_itself_by_a_path() {
        one(
            "#[macro_export] macro_rules! m { (#$($t:tt)*) => { struct A; $crate::m! { $($t)* } };
             ($t:ident) => { fn $t() {} } } m! { #f }",
            "struct A; fn f() {}",
        );
    }

    #[test]
    fn statements_keep_their_semicolon() {
        one(
            "macro_rules! m { ($x:ident = $($t:tt)*) => { let $x = $($t)* } }
             fn f() { m!(x = 1 + 1); m! { y = x; } }",
            "fn f() { let x = 1 + 1; let y = x; }",
        );
    }

    #[test]
    fn the_crate_of_a_macro_is_ours() {
        one(
            "#[macro_export] macro_rules! m { () => { $crate::f() } } fn f() { m!(); }",
            "fn f() { crate::f(); }",
        );
    }

    #[test]
    fn documentation_goes() {
        one(
            "/// Makes f.
             macro_rules! m { ($(#[$a:meta])* $x:ident) => { /// Of m.
             mod $x { //! Inside.
             $(#[$a])* #[doc(hidden)] fn f() {} } } } m!(#[inline] /// Of f.
             a);",
            "mod a { #[inline] #[doc(hidden)] fn f() {} }",
        );
    }

    #[test]
    fn an_expansion_that_is_larger_is_not_worth_it() {
        check_not_applicable(
            &PASS,
            "macro_rules! m { ($x:ident) => { struct $x { a: u8, b: u8, c: u8, d: u8, e: u8 } } }
             m!(A); m!(B); m!(C); m!(D);",
        );
    }

    #[test]
    fn macros_that_are_called_out_of_sight_or_do_not_match_stay() {
        check_not_applicable(
            &PASS,
            "macro_rules! m { () => { 1 } } fn f() { m!(); g!(a => m!()); stringify!(m!()) }",
        );
        check_not_applicable(&PASS, "macro_rules! m { (a) => { 1 } } fn f() { m!(b); }");
        check_not_applicable(&PASS, "macro_rules! m { () => { m!() } } m!();");
        check_not_applicable(&PASS, "macro_rules! m { () => {} } fn f() { n!(); }");
    }

    #[test]
    fn all_macros_are_expanded_as_long_as_little_comes_of_it() {
        let text = "macro_rules! a { ($x:expr) => { b!($x, 1) } } macro_rules! b { ($($x:expr),*) => { f($($x),*) } } \
                    fn main() { a!(2); other!(3) }";
        let sources = SourceTree::single("lib.rs".into(), text.into());
        let inlined = with_macros_inlined(&sources, 100).unwrap();
        let words: Vec<&str> = inlined.text(inlined.root()).split_whitespace().collect();
        assert_eq!(words.concat(), "fnmain(){f(2,1);other!(3)}");
        assert_eq!(with_macros_inlined(&sources, 10), None);
        assert_eq!(with_macros_inlined(&inlined, 100), None);
    }
}
