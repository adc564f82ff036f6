//! `replace_expressions`: replaces an expression by a short value of the type that is asked for there, or by a
//! variable of that type. `loop {}`, parts of the expression and literals are other passes' business.

mod scope;

use super::expressions::binding;
use super::expressions::types::{Callee, Types, Wanted};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::precedence::is_assignment;
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use crate::visit::Node;
use reduce_syntax::MacroArguments;
use reduce_syntax::{EditSet, count_tokens};
use scope::Scope;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, FnArg, Macro, ReturnType, Signature, Stmt, Token, Type};

pub(super) const PASS: Pass = Pass {
    name: "replace_expressions",
    about: "Replaces an expression by a literal or another short value, or by a variable of its type",
    example: ("fn f(a: u8) { f(a + 1); }", "fn f(a: u8) { f(0); }"),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

/// The most values that are tried for one expression.
const MOST_VALUES: usize = 2;

/// The most values that are tried for one expression of less than three tokens.
const MOST_OF_SHORT: usize = 1;

/// The most values that are tried for a loop. Most are what another pass left of an expression.
const MOST_OF_LOOPS: usize = 4;

fn changes(program: &Program) -> Vec<EditSet> {
    let types = Types::of(program);
    let mut found = Vec::new();
    for file in program.files() {
        let mut replacing = Replacing {
            program,
            types: &types,
            file,
            scope: Scope::default(),
            found: &mut found,
        };
        replacing.visit_file(file.syntax);
    }
    found.extend(unwrapping(program));
    simplest_first(program, found)
}

/// Puts `x.unwrap()` in place of `x.expect("..")`, everywhere and in each place.
fn unwrapping(program: &Program) -> Vec<EditSet> {
    let mut places = Vec::new();
    crate::visit::each_also_in_macros(program, |at, node| {
        if let Node::Expr(whole @ Expr::MethodCall(call)) = node
            && call.method == "expect"
            && call.args.len() == 1
        {
            let start = at.place(&call.method).range.start;
            let whole = at.place(whole);
            places.push(Place::new(whole.file, start..whole.range.end));
        }
    });
    let single = places.iter().filter(|_| places.len() > 1);
    let sets = std::iter::once(places.as_slice()).chain(single.map(std::slice::from_ref));
    sets.filter_map(|set| program.replaced(set, "unwrap()"))
        .collect()
}

struct Replacing<'t, 'p> {
    program: &'p Program,
    types: &'t Types<'p>,
    file: SyntaxFile<'p>,
    scope: Scope,
    found: &'t mut Vec<EditSet>,
}

/// The type that is asked for where an expression stands, or the use that is made of it.
#[derive(Clone, Copy)]
enum Context<'a> {
    Typed(Wanted<'a>),
    Number,
    Condition,
    /// The expression is something to iterate over.
    Many,
    /// The expression is the operand before a `?`.
    Tried,
    /// The expression is the operand before an `.await`.
    Awaited,
    /// The expression is the receiver of a method that std's types have.
    Receiver(&'a str),
    Unknown,
}

impl<'p> Replacing<'_, 'p> {
    fn site(&mut self, context: Context<'_>, expression: &Expr) {
        let place = self.file.place(expression);
        let text = self.program.text(&place);
        let n_tokens = count_tokens(text);
        let is_short = n_tokens < 2 && !matches!(context, Context::Typed(_));
        if is_short || matches!(expression, Expr::Lit(_)) || !is_worth_a_value(expression) {
            return;
        }
        let mut values = self.values(context, expression);
        if matches!(expression, Expr::Loop(_)) {
            values.extend(self.scope.typed().map(str::to_owned));
        }
        values.retain(|value| size(value) < size(text));
        let most = match expression {
            Expr::Loop(_) => MOST_OF_LOOPS,
            _ if n_tokens < 3 => MOST_OF_SHORT,
            _ => MOST_VALUES,
        };
        for value in values.iter().take(most) {
            let change = self.program.change().replace(&place, value).finish();
            self.found.extend(change);
        }
    }

    fn values(&self, context: Context<'_>, expression: &Expr) -> Vec<String> {
        let fixed = |all: &[&str]| all.iter().map(|&value| value.to_owned()).collect();
        match context {
            Context::Typed(wanted) => {
                let own = match expression {
                    Expr::Path(path) => path.path.get_ident(),
                    _ => None,
                };
                let variable = self.scope.of_type(wanted.file.text(wanted.ty), own);
                let value = self.types.value(wanted).into_iter();
                value.chain(variable).collect()
            }
            Context::Number => fixed(&["0"]),
            Context::Condition => fixed(&["true", "false"]),
            Context::Many => fixed(&["[0]"]),
            Context::Receiver(method) => fixed(receiver(method).as_slice()),
            Context::Awaited => fixed(&["async {}"]),
            Context::Tried => fixed(&["Err(\"\")", "None"]),
            Context::Unknown => {
                let ty = self.types.type_of(self.file, expression);
                let variable = ty.and_then(|ty| self.scope.of_type(&ty, None));
                variable.into_iter().chain(fixed(&["0", "()"])).collect()
            }
        }
    }

    fn arguments(
        &mut self,
        callee: Option<&Callee<'_, 'p>>,
        n_before: usize,
        arguments: &Punctuated<Expr, Token![,]>,
    ) {
        for (idx, argument) in arguments.iter().enumerate() {
            let wanted = callee.and_then(|callee| callee.input(idx + n_before));
            self.site(wanted.map_or(Context::Unknown, Context::Typed), argument);
        }
    }

    fn parts(&mut self, expression: &Expr) {
        match expression {
            Expr::Call(call) => {
                let types = self.types;
                let callee = match &*call.func {
                    Expr::Path(path) => types.callee(self.file, &path.path),
                    _ => None,
                };
                self.arguments(callee.as_ref(), 0, &call.args);
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                self.site(Context::Receiver(&name), &call.receiver);
                let callee = self.types.method(self.file, &call.method);
                let n_before = callee.as_ref().map_or(0, Callee::n_receivers);
                self.arguments(callee.as_ref(), n_before, &call.args);
            }
            Expr::Struct(literal) => {
                let fields = literal.fields.iter();
                for field in fields.filter(|field| field.colon_token.is_some()) {
                    let types = self.types;
                    let wanted = types.field(self.file, &literal.path, &field.member);
                    self.site(wanted.map_or(Context::Unknown, Context::Typed), &field.expr);
                }
            }
            Expr::Binary(binary) if is_of_numbers(&binary.op) => {
                self.site(Context::Number, &binary.left);
                self.site(Context::Number, &binary.right);
            }
            Expr::Index(index) => self.site(Context::Number, &index.index),
            Expr::Repeat(repeat) => self.site(Context::Number, &repeat.len),
            Expr::If(branches) => self.site(Context::Condition, &branches.cond),
            Expr::While(looping) => self.site(Context::Condition, &looping.cond),
            Expr::ForLoop(looping) => self.site(Context::Many, &looping.expr),
            Expr::Await(awaited) => self.site(Context::Awaited, &awaited.base),
            Expr::Try(tried) => self.site(Context::Tried, &tried.expr),
            Expr::Reference(borrow) => self.site(Context::Unknown, &borrow.expr),
            Expr::Assign(assignment) => self.site(Context::Unknown, &assignment.right),
            Expr::Match(matching) => self.site(Context::Unknown, &matching.expr),
            _ => {}
        }
    }

    /// Collects replacements for the last expression in the body of a function, which has the return type.
    fn function(&mut self, signature: &Signature, body: Option<&'p Block>) {
        let outer = std::mem::take(&mut self.scope);
        for input in &signature.inputs {
            if let FnArg::Typed(input) = input {
                self.declare(&input.pat, Some(&input.ty));
            }
        }
        if let Some(body) = body {
            if let (ReturnType::Type(_, ty), Some(Stmt::Expr(value, None))) =
                (&signature.output, body.stmts.last())
            {
                self.site(Context::Typed(self.wanted(ty)), value);
            }
            self.visit_block(body);
        }
        self.scope = outer;
    }

    /// Collects replacements for the value of a constant or static, by its written type. Where no value of its type
    /// is known, a number may do in a program with errors.
    fn constant(&mut self, ty: &'p Type, value: &Expr) {
        let wanted = self.wanted(ty);
        self.site(Context::Typed(wanted), value);
        if self.types.value(wanted).is_none() {
            self.site(Context::Number, value);
        }
    }

    fn declare(&mut self, pattern: &syn::Pat, ty: Option<&Type>) {
        if let Some((name, written)) = binding(pattern) {
            let ty = written.or(ty);
            let ty = ty.map(|ty| self.file.text(ty));
            self.scope.declare(name.ident.to_string(), ty);
        }
    }

    fn wanted(&self, ty: &'p Type) -> Wanted<'p> {
        Wanted {
            file: self.file,
            ty,
            is_of_callee: false,
        }
    }
}

/// Whether a short value may replace an expression: literals are other passes' business.
fn is_worth_a_value(expression: &Expr) -> bool {
    !matches!(
        expression,
        Expr::Lit(_) | Expr::Let(_) | Expr::Infer(_) | Expr::Verbatim(_)
    )
}

fn is_of_numbers(operator: &BinOp) -> bool {
    !matches!(operator, BinOp::And(_) | BinOp::Or(_)) && !is_assignment(operator)
}

/// Returns a short value that has a method of this name.
fn receiver(method: &str) -> Option<&'static str> {
    match method {
        "as_bytes" | "as_str" | "bytes" | "char_indices" | "chars" | "lines" | "split"
        | "split_whitespace" | "trim" | "trim_end" | "trim_start" => Some("String::new()"),
        "as_slice" | "first" | "get" | "into_iter" | "iter" | "iter_mut" | "last" => Some("[0]"),
        "expect" | "unwrap" | "unwrap_or" | "unwrap_or_default" => Some("None"),
        _ => None,
    }
}

/// Returns a key of a text, by which texts are compared: the simpler one has the smaller key.
fn size(text: &str) -> (u64, usize, &str) {
    (count_tokens(text), text.len(), text)
}

impl<'ast> Visit<'ast> for Replacing<'_, 'ast> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.parts(expression);
        visit::visit_expr(self, expression);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let n_before = self.scope.len();
        visit::visit_block(self, block);
        self.scope.truncate(n_before);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let ty = match &local.pat {
            syn::Pat::Type(typed) => Some(&*typed.ty),
            _ => None,
        };
        if let Some(init) = &local.init {
            let context = match ty {
                Some(ty) => Context::Typed(self.wanted(ty)),
                None => Context::Unknown,
            };
            self.site(context, &init.expr);
        }
        visit::visit_local(self, local);
        self.declare(&local.pat, None);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, Some(&item.block));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, Some(&item.block));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.function(&item.sig, item.default.as_ref());
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(&item.ty, &item.expr);
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(&item.ty, &item.expr);
        visit::visit_item_static(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(&item.ty, &item.expr);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
        self.site(Context::Number, &array.len);
        visit::visit_type_array(self, array);
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        if let syn::GenericArgument::Const(value) = argument {
            self.site(Context::Number, value);
        }
        visit::visit_generic_argument(self, argument);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_macro(&mut self, call: &'ast Macro) {
        let arguments = self.program.arguments(self.file, call);
        if let Some(MacroArguments::Expressions(all)) = arguments {
            self.arguments(None, 0, all);
            all.iter().for_each(|one| self.visit_expr(one));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn expect_becomes_unwrap() {
        check_has(
            &PASS,
            "fn f() { g(h().expect(\"a\")).expect(MESSAGE); }",
            "fn f() { g(h().unwrap()).unwrap(); }",
        );
        check_has(
            &PASS,
            "fn f() { g(h().expect(\"a\")).expect(MESSAGE); }",
            "fn f() { g(h().expect(\"a\")).unwrap(); }",
        );
    }

    #[test]
    fn an_argument_becomes_a_value_of_the_type_of_the_parameter() {
        check(
            &PASS,
            "fn g(a: u8, b: &str, c: Option<u8>, d: U) {} struct U; fn f() { g(h(), h(), h(), h()); }",
            &[
                "fn g(a: u8, b: &str, c: Option<u8>, d: U) {} struct U; fn f() { g(0, h(), h(), h()); }",
                "fn g(a: u8, b: &str, c: Option<u8>, d: U) {} struct U; fn f() { g(h(), \"\", h(), h()); }",
                "fn g(a: u8, b: &str, c: Option<u8>, d: U) {} struct U; fn f() { g(h(), h(), None, h()); }",
                "fn g(a: u8, b: &str, c: Option<u8>, d: U) {} struct U; fn f() { g(h(), h(), h(), U); }",
            ],
        );
    }

    #[test]
    fn a_generic_argument_becomes_unit() {
        check(
            &PASS,
            "fn g<T>(a: &T) {} fn f() { g(&h(1)); }",
            &[
                "fn g<T>(a: &T) {} fn f() { g(&()); }",
                "fn g<T>(a: &T) {} fn f() { g(&0); }",
            ],
        );
    }

    #[test]
    fn an_argument_becomes_a_variable_of_the_type() {
        check_has(
            &PASS,
            "fn g<'a>(s: Q<'a>) {} fn f(q: Q<'a>) { g(h()); }",
            "fn g<'a>(s: Q<'a>) {} fn f(q: Q<'a>) { g(q); }",
        );
        check_has(
            &PASS,
            "impl S { fn g(&self, a: [u8; N]) { self.g(self.h(a)); } }",
            "impl S { fn g(&self, a: [u8; N]) { self.g(a); } }",
        );
    }

    #[test]
    fn a_variable_ends_a_dependence_on_another() {
        check(
            &PASS,
            "fn g(a: u8) {} fn f(xy: Q) { g(xy); }",
            &["fn g(a: u8) {} fn f(xy: Q) { g(0); }"],
        );
    }

    #[test]
    fn a_loop_becomes_any_variable() {
        check(
            &PASS,
            "fn g<T>(a: [T; N]) {} fn f(x: Vec<u8>, y: U) { g(loop {}); }",
            &[
                "fn g<T>(a: [T; N]) {} fn f(x: Vec<u8>, y: U) { g(x); }",
                "fn g<T>(a: [T; N]) {} fn f(x: Vec<u8>, y: U) { g(y); }",
            ],
        );
    }

    #[test]
    fn fields_and_methods_and_constructors_have_parameters_too() {
        check(
            &PASS,
            "struct S { a: u8 } fn f() { S { a: h() }; }",
            &["struct S { a: u8 } fn f() { S { a: 0 }; }"],
        );
        check(
            &PASS,
            "struct S(u8); impl S { fn m(&self, a: bool) {} } fn f() { S(h()).m(h()); }",
            &[
                "struct S(u8); impl S { fn m(&self, a: bool) {} } fn f() { S(0).m(h()); }",
                "struct S(u8); impl S { fn m(&self, a: bool) {} } fn f() { S(h()).m(true); }",
            ],
        );
    }

    #[test]
    fn a_value_in_a_place_of_known_type_is_a_literal() {
        check(&PASS, "const C: u8 = h();", &["const C: u8 = 0;"]);
        check(
            &PASS,
            "fn f() -> bool { let a: char = h(); g(a); h() }",
            &[
                "fn f() -> bool { let a: char = ' '; g(a); h() }",
                "fn f() -> bool { let a: char = h(); g(a); true }",
            ],
        );
    }

    #[test]
    fn what_a_method_of_std_is_called_of_is_short() {
        check(
            &PASS,
            "fn f() { g(h, i, j).trim(); a.b().iter(); c.d(); }",
            &[
                "fn f() { String::new().trim(); a.b().iter(); c.d(); }",
                "fn f() { g(h, i, j).trim(); [0].iter(); c.d(); }",
            ],
        );
    }

    #[test]
    fn what_is_assigned_tried_or_awaited_is_short() {
        check(
            &PASS,
            "fn f() { a = g(); h(x)?; i(j).await; }",
            &[
                "fn f() { a = 0; h(x)?; i(j).await; }",
                "fn f() { a = (); h(x)?; i(j).await; }",
                "fn f() { a = g(); None?; i(j).await; }",
                "fn f() { a = g(); h(x)?; async {}.await; }",
            ],
        );
    }

    #[test]
    fn where_the_type_is_unknown_a_number_and_unit_are_tried() {
        check(
            &PASS,
            "fn f() { let a = h(); }",
            &["fn f() { let a = 0; }", "fn f() { let a = (); }"],
        );
    }

    #[test]
    fn operands_are_numbers_and_conditions_are_true_or_false() {
        check(
            &PASS,
            "fn f() { if a.b() { c[g()]; } for _ in g(b) {} }",
            &[
                "fn f() { if true { c[g()]; } for _ in g(b) {} }",
                "fn f() { if false { c[g()]; } for _ in g(b) {} }",
                "fn f() { if a.b() { c[0]; } for _ in g(b) {} }",
                "fn f() { if a.b() { c[g()]; } for _ in [0] {} }",
            ],
        );
    }

    #[test]
    fn arguments_of_macros_are_values() {
        check(
            &PASS,
            "fn f() { m!(a, g()); }",
            &["fn f() { m!(a, 0); }", "fn f() { m!(a, ()); }"],
        );
    }

    #[test]
    fn short_names_and_attributes_stay() {
        check_not_applicable(&PASS, "#[repr(align(4))] struct S; fn f(a: u8) { g(a); }");
    }
}
