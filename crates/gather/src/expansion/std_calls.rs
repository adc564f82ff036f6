//! Writes calls of the standard library's macros in place of their expansions, which often use what only the library itself may
//! use, such as `::std::io::_print`.

use super::builtin::{ident, is_std_root, names};
use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, ExprCall, ExprMatch, File, GenericArgument, Item, ItemConst, Macro, PathArguments,
};
use syn::{Stmt, Token, Type};

/// Replaces expansions of std's macros in a file by calls of these macros. `root` is the crate that has `vec!` and `format!`.
pub(super) fn restore_calls(file: &mut File, root: &str) {
    let root = ident(root);
    Restorer { root }.visit_file_mut(file);
}

/// Returns the crate by which a program names what allocates: `std` or `alloc`. The macros name `::alloc`, which they need not
/// ask for.
pub(super) fn alloc_root(file: &File) -> &'static str {
    let is_alloc = |item: &Item| matches!(item, Item::ExternCrate(item) if item.ident == "alloc");
    match file.items.iter().any(is_alloc) {
        true => "alloc",
        false => "std",
    }
}

struct Restorer {
    root: proc_macro2::Ident,
}

impl VisitMut for Restorer {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Match(tested) = expr {
            tested.attrs.retain(|one| !is_of_matches(one));
            if let Some(assertion) = assertion(tested) {
                *expr = assertion;
            }
        }
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Call(call) = expr
            && let Some(restored) = self.restored(call)
        {
            *expr = restored;
        }
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        if let Item::Const(local) = item
            && let Some(restored) = thread_local(local)
        {
            *item = restored;
        }
        visit_mut::visit_item_mut(self, item);
    }

    /// Skips the arguments of macro calls that were not expanded, as syn does not parse them.
    fn visit_macro_mut(&mut self, call: &mut Macro) {
        const OF_EXPRESSIONS: [&str; 3] = ["format_args", "assert_eq", "assert_ne"];
        let name = names(&call.path).pop().unwrap_or_default();
        if !OF_EXPRESSIONS.contains(&name.as_str()) {
            return;
        }
        let parsed = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        if let Ok(mut parsed) = parsed {
            parsed.iter_mut().for_each(|one| self.visit_expr_mut(one));
            call.tokens = syn::parse_quote!(#parsed);
        }
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if let Some(first) = path.segments.first_mut()
            && path.leading_colon.is_some()
            && first.ident == "alloc"
        {
            first.ident = self.root.clone();
        }
        visit_mut::visit_path_mut(self, path);
    }
}

impl Restorer {
    fn restored(&self, call: &ExprCall) -> Option<Expr> {
        let path = library_path(&call.func)?;
        let root = &self.root;
        let first = call.args.first()?;
        let format = format_arguments(first);
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        Some(match path.as_slice() {
            ["io", "_print"] => {
                let format = format?;
                syn::parse_quote!(::std::print!(#format))
            }
            ["io", "_eprint"] => {
                let format = format?;
                syn::parse_quote!(::std::eprint!(#format))
            }
            ["fmt", "format"] => {
                let format = format?;
                syn::parse_quote!(::#root::format!(#format))
            }
            ["__export", "must_use"] => only_expression(first)?.clone(),
            ["panicking" | "rt", "panic_fmt"] if format.is_some() => {
                syn::parse_quote!(::core::panic!(#format))
            }
            ["panicking", "assert_failed"] => syn::parse_quote!(::core::panic!("assertion failed")),
            ["panicking" | "rt", _] => syn::parse_quote!(::core::panic!("{}", #first)),
            ["boxed", "box_assume_init_into_vec_unsafe"] => self.vector(first)?,
            ["boxed", "box_new"] => syn::parse_quote!(::#root::boxed::Box::new(#first)),
            ["vec", "from_elem"] => {
                let length = call.args.get(1)?;
                syn::parse_quote!(::#root::vec![#first; #length])
            }
            _ => return None,
        })
    }

    /// Returns the `vec![..]` that expands to `write_box_via_move(_, [..])`.
    fn vector(&self, boxed: &Expr) -> Option<Expr> {
        let root = &self.root;
        let Expr::Call(call) = boxed else { return None };
        let Some(Expr::Array(array)) = call.args.get(1) else {
            return None;
        };
        let elements = &array.elems;
        Some(syn::parse_quote!(::#root::vec![#elements]))
    }
}

/// Returns the path of a function of the standard library, without the name of the crate.
fn library_path(function: &Expr) -> Option<Vec<String>> {
    let Expr::Path(function) = function else {
        return None;
    };
    let path = names(&function.path);
    let (root, rest) = path.split_first()?;
    let is_library = function.path.leading_colon.is_some() && is_std_root(root);
    is_library.then(|| rest.to_vec())
}

fn format_arguments(expr: &Expr) -> Option<TokenStream> {
    let Expr::Macro(call) = expr else { return None };
    let is_format = call.mac.path.is_ident("format_args");
    is_format.then(|| call.mac.tokens.clone())
}

/// Returns the only expression of a block.
fn only_expression(expr: &Expr) -> Option<&Expr> {
    let Expr::Block(block) = expr else {
        return None;
    };
    match block.block.stmts.as_slice() {
        [Stmt::Expr(only, None)] => Some(only),
        _ => None,
    }
}

/// Returns whether an attribute is the one that `matches!` puts before its `match`.
fn is_of_matches(attribute: &syn::Attribute) -> bool {
    let syn::Meta::List(list) = &attribute.meta else {
        return false;
    };
    list.tokens.to_string() == "non_exhaustive_omitted_patterns"
}

/// Returns the `assert_eq!` or `assert_ne!` that expands to a `match` which compares two references.
fn assertion(tested: &ExprMatch) -> Option<Expr> {
    let (Expr::Tuple(pair), [arm]) = (&*tested.expr, tested.arms.as_slice()) else {
        return None;
    };
    let [Expr::Reference(left), Expr::Reference(right)] = both(&pair.elems)? else {
        return None;
    };
    let mut failure = Failure::default();
    failure.visit_arm(arm);
    let (left, right) = (&left.expr, &right.expr);
    let message = failure
        .message
        .map(|one| -> TokenStream { syn::parse_quote!(, #one) });
    match failure.kind?.as_str() {
        "Eq" => Some(syn::parse_quote!(
            ::core::assert_eq!(#left, #right #message)
        )),
        "Ne" => Some(syn::parse_quote!(
            ::core::assert_ne!(#left, #right #message)
        )),
        _ => None,
    }
}

fn both(pair: &Punctuated<Expr, Token![,]>) -> Option<[&Expr; 2]> {
    let mut all = pair.iter();
    let both = [all.next()?, all.next()?];
    all.next().is_none().then_some(both)
}

/// The call that an expanded assertion makes if it fails.
#[derive(Default)]
struct Failure {
    kind: Option<String>,
    message: Option<TokenStream>,
}

impl<'ast> Visit<'ast> for Failure {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let [.., of, kind] = names(path).as_slice()
            && of == "AssertKind"
        {
            self.kind = Some(kind.clone());
        }
    }

    fn visit_expr_macro(&mut self, call: &'ast syn::ExprMacro) {
        if call.mac.path.is_ident("format_args") {
            self.message = Some(call.mac.tokens.clone());
        }
    }

    fn visit_expr_match(&mut self, _: &'ast ExprMatch) {}
}

/// Returns the `thread_local!` that expands to this constant.
fn thread_local(item: &ItemConst) -> Option<Item> {
    let Type::Path(path) = &*item.ty else {
        return None;
    };
    let key = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &key.arguments else {
        return None;
    };
    let Some(GenericArgument::Type(of)) = arguments.args.first() else {
        return None;
    };
    let Expr::Block(block) = &*item.expr else {
        return None;
    };
    let value: TokenStream = match block.block.stmts.first()? {
        Stmt::Item(Item::Fn(function)) if function.sig.ident == "__rust_std_internal_init_fn" => {
            let value = &function.block;
            syn::parse_quote!(#value)
        }
        Stmt::Item(Item::Const(value)) if value.ident == "__RUST_STD_INTERNAL_INIT" => {
            let value = &value.expr;
            syn::parse_quote!(const #value)
        }
        _ => return None,
    };
    let ItemConst {
        attrs, vis, ident, ..
    } = item;
    let is_key = key.ident == "LocalKey";
    is_key.then(|| {
        syn::parse_quote!(::std::thread_local! { #(#attrs)* #vis static #ident: #of = #value; })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str) {
        let mut file = syn::parse_file(&format!("fn f() {{ {before} }}")).unwrap();
        let root = alloc_root(&file);
        restore_calls(&mut file, root);
        let expected = reduce_syntax::pretty(&format!("fn f() {{ {after} }}"));
        assert_eq!(reduce_syntax::pretty_file(&file), expected);
    }

    #[test]
    fn what_prints_and_formats_is_a_call_again() {
        check(
            "::std::io::_print(format_args!(\"{0}\\n\", x));",
            "::std::print!(\"{0}\\n\", x);",
        );
        check(
            "::alloc::__export::must_use({ ::alloc::fmt::format(format_args!(\"a\")) })",
            "::std::format!(\"a\")",
        );
    }

    #[test]
    fn calls_in_the_arguments_of_others_are_restored() {
        check(
            "::std::io::_eprint(format_args!(\"{0}\", ::alloc::vec::from_elem(1, 2)));",
            "::std::eprint!(\"{0}\", ::std::vec![1; 2]);",
        );
    }

    #[test]
    fn what_panics_is_a_call_again() {
        check(
            "::core::panicking::panic(\"a\");",
            "::core::panic!(\"{}\", \"a\");",
        );
        check(
            "::core::panicking::panic_fmt(format_args!(\"a {0}\", x));",
            "::core::panic!(\"a {0}\", x);",
        );
        check(
            "::std::rt::begin_panic(\"a\")",
            "::core::panic!(\"{}\", \"a\")",
        );
    }

    #[test]
    fn comparisons_that_are_asserted_are_calls_again() {
        let text = |message: &str| {
            format!(
                "match (&a, &b.c) {{ (left_val, right_val) => {{ if !(*left_val == *right_val) {{ \
                 let kind = ::core::panicking::AssertKind::Eq; ::core::panicking::assert_failed(\
                 kind, &*left_val, &*right_val, ::core::option::Option::{message}); }} }} }};"
            )
        };
        check(&text("None"), "::core::assert_eq!(a, b.c);");
        check(
            &text("Some(format_args!(\"x\"))"),
            "::core::assert_eq!(a, b.c, \"x\");",
        );
    }

    #[test]
    fn vectors_are_calls_again() {
        check(
            "::alloc::boxed::box_assume_init_into_vec_unsafe(\
             ::alloc::intrinsics::write_box_via_move(::alloc::boxed::Box::new_uninit(), [1, 2]))",
            "::std::vec![1, 2]",
        );
    }

    #[test]
    fn values_of_threads_are_calls_again() {
        check(
            "pub const A: ::std::thread::LocalKey<u8> = { #[inline] fn \
             __rust_std_internal_init_fn() -> u8 { 3 } unsafe { x } };",
            "::std::thread_local! { pub static A: u8 = { 3 }; }",
        );
    }

    #[test]
    fn everything_else_stays() {
        check(
            "io::_print(x); match (&a, &b) { (c, d) => e }",
            "io::_print(x); match (&a, &b) { (c, d) => e }",
        );
        check(
            "if matches(#[allow(non_exhaustive_omitted_patterns)] match a { b => c }) {}",
            "if matches(match a { b => c }) {}",
        );
    }
}
