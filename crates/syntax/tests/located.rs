//! The places of syntax are those that syn finds by printing it: a test compares both for all syntax in the sources of this
//! repository, and in those of the directory that `REDUCE_TEST_SOURCES` names.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proc_macro2::{Ident, TokenStream};
use reduce_syntax::{Located, Parsed, SpanGuard, byte_range};
use std::collections::BTreeSet;
use std::fs;
use std::path::{self, PathBuf};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::*;

/// The variable that names one more directory of sources, such as that of cargo's registry.
const SOURCES_VARIABLE: &str = "REDUCE_TEST_SOURCES";

/// The kinds that no text has: only macros make groups without brackets.
const NOT_PARSED: [&str; 2] = ["ExprGroup", "TypeGroup"];

/// Compares the places of all syntax that it visits.
#[derive(Default)]
struct Comparison {
    n_compared: usize,
    kinds: BTreeSet<&'static str>,
    /// The kinds and places that differ.
    different: Vec<String>,
}

impl Comparison {
    fn compare<T: Located + Spanned>(&mut self, kind: &'static str, syntax: &T) {
        let (expected, found) = (syntax.span().byte_range(), byte_range(syntax));
        self.n_compared += 1;
        self.kinds.insert(kind);
        if expected != found {
            self.different
                .push(format!("{kind} at {expected:?}, not {found:?}"));
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(file) = Parsed::new(text).file() {
            self.visit_file(file);
        }
    }
}

macro_rules! compare_all {
    ($($visit:ident $kind:ident,)+) => {
        /// The kinds of syntax that are compared.
        const KINDS: &[&str] = &[$(stringify!($kind)),+];

        impl<'ast> Visit<'ast> for Comparison {
            $(fn $visit(&mut self, syntax: &'ast $kind) {
                self.compare(stringify!($kind), syntax);
                visit::$visit(self, syntax);
            })+
        }
    };
}

compare_all! {
    visit_abi Abi, visit_angle_bracketed_generic_arguments AngleBracketedGenericArguments, visit_arm Arm,
    visit_assoc_const AssocConst, visit_assoc_type AssocType, visit_attribute Attribute, visit_bin_op BinOp,
    visit_block Block, visit_bound_lifetimes BoundLifetimes, visit_captured_param CapturedParam,
    visit_const_param ConstParam, visit_constraint Constraint, visit_expr Expr, visit_expr_array ExprArray,
    visit_expr_assign ExprAssign, visit_expr_async ExprAsync, visit_expr_await ExprAwait,
    visit_expr_binary ExprBinary, visit_expr_block ExprBlock, visit_expr_break ExprBreak, visit_expr_call ExprCall,
    visit_expr_cast ExprCast, visit_expr_closure ExprClosure, visit_expr_const ExprConst,
    visit_expr_continue ExprContinue, visit_expr_field ExprField, visit_expr_for_loop ExprForLoop,
    visit_expr_group ExprGroup, visit_expr_if ExprIf, visit_expr_index ExprIndex, visit_expr_infer ExprInfer,
    visit_expr_let ExprLet, visit_expr_lit ExprLit, visit_expr_loop ExprLoop, visit_expr_macro ExprMacro,
    visit_expr_match ExprMatch, visit_expr_method_call ExprMethodCall, visit_expr_paren ExprParen,
    visit_expr_path ExprPath, visit_expr_range ExprRange, visit_expr_raw_addr ExprRawAddr,
    visit_expr_reference ExprReference, visit_expr_repeat ExprRepeat, visit_expr_return ExprReturn,
    visit_expr_struct ExprStruct, visit_expr_try ExprTry, visit_expr_try_block ExprTryBlock,
    visit_expr_tuple ExprTuple, visit_expr_unary ExprUnary, visit_expr_unsafe ExprUnsafe, visit_expr_while ExprWhile,
    visit_expr_yield ExprYield, visit_field Field, visit_field_pat FieldPat, visit_field_value FieldValue,
    visit_fields Fields, visit_fields_named FieldsNamed, visit_fields_unnamed FieldsUnnamed, visit_file File,
    visit_fn_arg FnArg, visit_fn_ptr_variadic FnPtrVariadic, visit_foreign_item ForeignItem,
    visit_foreign_item_fn ForeignItemFn, visit_foreign_item_macro ForeignItemMacro,
    visit_foreign_item_static ForeignItemStatic, visit_foreign_item_type ForeignItemType,
    visit_generic_argument GenericArgument, visit_generic_param GenericParam, visit_generics Generics,
    visit_ident Ident, visit_impl_item ImplItem, visit_impl_item_const ImplItemConst, visit_impl_item_fn ImplItemFn,
    visit_impl_item_macro ImplItemMacro, visit_impl_item_type ImplItemType, visit_index Index, visit_item Item,
    visit_item_const ItemConst, visit_item_enum ItemEnum, visit_item_extern_crate ItemExternCrate,
    visit_item_fn ItemFn, visit_item_foreign_mod ItemForeignMod, visit_item_impl ItemImpl, visit_item_macro ItemMacro,
    visit_item_mod ItemMod, visit_item_static ItemStatic, visit_item_struct ItemStruct, visit_item_trait ItemTrait,
    visit_item_trait_alias ItemTraitAlias, visit_item_type ItemType, visit_item_union ItemUnion,
    visit_item_use ItemUse, visit_label Label, visit_lifetime Lifetime, visit_lifetime_param LifetimeParam,
    visit_lit Lit, visit_lit_bool LitBool, visit_lit_byte LitByte, visit_lit_byte_str LitByteStr,
    visit_lit_cstr LitCStr, visit_lit_char LitChar, visit_lit_float LitFloat, visit_lit_int LitInt,
    visit_lit_str LitStr, visit_local Local, visit_macro Macro, visit_member Member, visit_meta Meta,
    visit_meta_list MetaList, visit_meta_name_value MetaNameValue, visit_named_arg NamedArg,
    visit_parenthesized_generic_arguments ParenthesizedGenericArguments, visit_pat Pat, visit_pat_guard PatGuard,
    visit_pat_ident PatIdent, visit_pat_or PatOr, visit_pat_paren PatParen, visit_pat_reference PatReference,
    visit_pat_rest PatRest, visit_pat_slice PatSlice, visit_pat_struct PatStruct, visit_pat_tuple PatTuple,
    visit_pat_tuple_struct PatTupleStruct, visit_pat_type PatType, visit_pat_wild PatWild, visit_path Path,
    visit_path_arguments PathArguments, visit_path_segment PathSegment, visit_pointer_mutability PointerMutability,
    visit_precise_capture PreciseCapture, visit_predicate_lifetime PredicateLifetime,
    visit_predicate_type PredicateType, visit_range_limits RangeLimits, visit_receiver Receiver,
    visit_return_type ReturnType, visit_safety Safety, visit_signature Signature, visit_stmt Stmt,
    visit_stmt_macro StmtMacro, visit_trait_bound TraitBound, visit_trait_item TraitItem,
    visit_trait_item_const TraitItemConst, visit_trait_item_fn TraitItemFn, visit_trait_item_macro TraitItemMacro,
    visit_trait_item_type TraitItemType, visit_type Type, visit_type_array TypeArray, visit_type_fn_ptr TypeFnPtr,
    visit_type_group TypeGroup, visit_type_impl_trait TypeImplTrait, visit_type_infer TypeInfer,
    visit_type_macro TypeMacro, visit_type_never TypeNever, visit_type_param TypeParam,
    visit_type_param_bound TypeParamBound, visit_type_paren TypeParen, visit_type_path TypePath,
    visit_type_ptr TypePtr, visit_type_reference TypeReference, visit_type_slice TypeSlice,
    visit_type_trait_object TypeTraitObject, visit_type_tuple TypeTuple, visit_un_op UnOp, visit_use_glob UseGlob,
    visit_use_group UseGroup, visit_use_name UseName, visit_use_path UsePath, visit_use_rename UseRename,
    visit_use_tree UseTree, visit_variadic Variadic, visit_variant Variant, visit_vis_restricted VisRestricted,
    visit_visibility Visibility, visit_where_clause WhereClause, visit_where_predicate WherePredicate,
}

#[expect(
    clippy::disallowed_methods,
    reason = "a person who runs the test names more sources by a variable"
)]
fn more_sources() -> Option<PathBuf> {
    std::env::var_os(SOURCES_VARIABLE).map(PathBuf::from)
}

fn rust_files(directory: &path::Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            rust_files(&entry.path(), found);
        } else if kind.is_file() && entry.path().extension().is_some_and(|one| one == "rs") {
            found.push(entry.path());
        }
    }
}

#[test]
fn places_in_real_sources_are_those_of_the_tokens_that_syn_prints() {
    let root = path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let parts = ["crates", "daemon", "cargo-reduce", "fixtures", "tests"];
    let mut files = Vec::new();
    for directory in parts
        .map(|one| root.join(one))
        .iter()
        .chain(&more_sources())
    {
        rust_files(directory, &mut files);
    }
    let mut n_compared = 0;
    for file in files {
        // A fixture or a file of another crate need not be text.
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        let mut comparison = Comparison::default();
        comparison.text(&text);
        assert!(
            comparison.different.is_empty(),
            "{}: {:#?}",
            file.display(),
            comparison.different
        );
        n_compared += comparison.n_compared;
    }
    assert!(n_compared > 1_000_000, "{n_compared}");
}

/// Items with the forms that real sources have seldom: each is parsed alone.
const RARE_ITEMS: &[&str] = &[
    "#![feature(x)]\n//! An inner comment.",
    "/// An outer comment.\n#[a] #[b = \"c\"] pub(in crate::b) const unsafe extern \"C\" fn f<'a: 'b + 'c, #[a] T: ?Sized + for<'x> F<'x>,
        const N: u8 = 1, const M: u8 = {2}>(#[a] self: &'a Self, a: u8, mut b: (), ...) -> impl A + use<'a, T>
        where T: B, for<'x> &'x T: C, 'a: 'b, { #![inner] }",
    "async fn f<>() where {} fn g<T:>() -> ! {} fn h() -> (dyn A) where A: {}",
    "unsafe extern \"C\" { #![x] pub safe fn f(a: u8, #[a] ...); pub static mut A: u8; safe static B: u8; type C; m!{} n!(); }",
    "extern { fn f(args: ...); } extern crate a as b; pub extern crate core; extern crate self as me;",
    "use ::a::{self, b as _, c::*, d}; pub use {}; use *; use {a, b,};",
    "pub struct A; struct B<T>(#[a] pub T, u8,) where T: C; struct D<T> where T: C { #[a] pub(super) a: T, b: [u8; 3] }",
    "enum E<T> where T: C { #[a] A, B(u8) = 1, C { a: u8 } = -2, D() } pub union U { a: u8 } enum Never {}",
    "type A<T> = B<T> where T: C; type D<T> where T: E = F; pub trait G<T> = H<T> + I where T: J; pub unsafe auto trait K {}",
    "pub trait A<T>: B + 'static where T: C { #![x] const D: u8; const E: u8 = 1; type F: G + H = I where T: J; type K;
        fn f(); fn g(&mut self) where Self: Sized {} async fn h(self); m! {} n!(); #[a] type L<'a>: where Self: 'a; }",
    "#[a] default unsafe impl<'a, T> const A<'a> for B<T> where T: C { #![x] }",
    "impl<> !Send for A {} impl A for fn(u8) -> u8 {} unsafe impl<T> A for *const T where T: B {}",
    "impl A { pub default const B: u8 = 1; default type C = u8; #[a] pub default fn f() {} m! {} n![]; pub const fn g(&'a mut self,) {} }",
    "macro_rules! a { () => {} } macro_rules! b ( () => {} ); m! {} a::n!(); pub macro c($a:expr) { $a }",
    "mod a; pub mod b { #![x] mod c; } #[path = \"x\"] unsafe mod d {} static mut A: u8 = 1; pub const _: () = ();",
    "fn f(A { a, ref mut b, .. }: A, (a, ..): B, [a, b @ .., c]: C, &mut a: &mut D, _: E, (a): F, ref a: G) {}",
    "fn f(a: &'a mut [T], b: *const (u8,), c: fn(a: u8, ...) -> !, d: dyn A + 'b + Send, e: impl for<'a> A<'a>, f: <T as A>::B<u8>,
        g: Fn(u8, (u8)) -> u8, h: m!(), i: ::a::b::<u8>, j: A<'a, u8, B = u8, C: D, 1, -1, {N}, E<F> = G, H = 2>, k: [u8; N], l: (),
        m: <A>::B, n: unsafe extern \"C\" fn(), o: _, p: &dyn A, q: (dyn A + B), r: for<'a> fn(&'a u8), s: A + B) {}",
];

/// Statements with forms of the same kind, which become bodies of functions.
const RARE_STATEMENTS: &[&str] = &[
    "#[a] let b: u8 = 1; let A(c) = d else { return; }; let e; let f = |g: u8| -> u8 { g }; #[h] i = j; #[k] l += m; #[n] o.p().q;",
    "/// A comment.\n#[a] b!(); c! {} d![] ; e!(); #[f] g! {} ; h! {}.i(); #[j] k!(); ; ;",
    "#[a] { #![b] } #[a] if b {} else if let C = d && e {} else { #![f] } #[g] unsafe {} #[h] match i { #![j] }",
    "'a: loop { break 'a 1 + 2; continue 'a; break; break 'a; continue } 'b: for _ in 0.. { #![c] } 'd: while let E = f {} 'g: { }",
    "return; return -1; return a?.b()[c].await as d; yield; yield a; become f();",
    "..; ..a; a..; a..=b; ..=-a; (..); a = b = ..; &mut *a = !-b; &raw const a.b; &raw mut a; a == b && c || !d; a << 1 >> 2 <= 3;",
    "|| {}; move |a, B { c }: B, #[d] e| a + c; async move || a; for<'a> |b: &'a u8| -> u8 { *b }; static || 1; async move { a }.await;",
    "A { a, b: 1, #[c] d, 0: e, ..f }; A::<u8> { ..Default::default() }; (a,); (); [a; 3]; [a, #[b] c,]; (a); A { .. } = b; _ = c;",
    "<A as B>::c::<D>(); <E>::f; ::a::b(); a.0.1.2.b::<c>(d,); (#[a] b + c); #[a] (b + c); f(#[a] -b, #[c] |d| e); const { 1 };",
    "match a { | A | B(_, ..) if c => {} #[d] e @ (1 | 2) => f, ..=3 => {}, 4.. => (), 'a'..='z' => (), -1 => (), [.., g] => (),
        <H as I>::J => (), &K => (), l!() => (), M { ref n, o: P, 0: q, .. } => (), R::<S> => (), const { 1 } => (), box t => (),
        \"u\" => (), A..B => (), mut v => (), ref w => (), _ => return, }",
    "-1i32; 1.0; 0x1f64; 'a'; b'a'; b\"a\"; c\"a\"; r#\"a\"#; true; \"a\"; r#type; 1u8.a(); -a.b(); &a.b; *a as b as c; a as u8 < b;",
    "if a { b } else { c } - 1; match a {} ; match a {}.b; unsafe { a }? ; { a } as b; loop {} + 1;",
    "(if a { b } else { c }) - 1; (match a {}).b; (A {}).c; ({ a })(); (a.b)(); (|| a)(); (a = b).c; (a..b).d; &(a + b) * c; -(a + b);",
    "let a = b!{ c } else { d }; let e: F<G> = h; struct I; fn j() {} use k::l; let (m, n): (O, P) = (q, r); return || s; try { t }",
    "do yeet a; builtin # offset_of(A, b); let super a = 1; a::<{ b }>(); c.await?; let _ = if d { e } else { f } else { return };",
];

#[test]
fn places_of_rare_syntax_are_those_of_the_tokens_that_syn_prints() {
    let bodies = RARE_STATEMENTS
        .iter()
        .map(|body| format!("fn f() {{ {body} }}"));
    let items = RARE_ITEMS.iter().map(|item| (*item).to_owned());
    let mut comparison = Comparison::default();
    for text in items.chain(bodies) {
        let n_before = comparison.n_compared;
        comparison.text(&text);
        assert!(comparison.n_compared > n_before, "{text}");
        assert!(
            comparison.different.is_empty(),
            "{text}: {:#?}",
            comparison.different
        );
    }
    let is_missing =
        |kind: &&&str| !comparison.kinds.contains(*kind) && !NOT_PARSED.contains(*kind);
    let missing: Vec<_> = KINDS.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn attributes_begin_expressions_and_comments_are_attributes() {
    let _positions = SpanGuard::new();
    let text = "#[a] b += c";
    let expression: Expr = parse_str(text).unwrap();
    assert_eq!(byte_range(&expression), 0..text.len());
    let item: Item = parse_str("/// A comment.\nfn f() { #![inner] }").unwrap();
    let start = byte_range(&item).start;
    assert_eq!(byte_range(&item), start..start + 35);
}

#[test]
fn syntax_without_tokens_is_nowhere() {
    let _positions = SpanGuard::new();
    let signature: Signature = parse_str("fn f()").unwrap();
    assert_eq!(byte_range(&Visibility::Inherited), 0..0);
    assert_eq!(byte_range(&PathArguments::None), 0..0);
    assert_eq!(byte_range(&signature.generics), 0..0);
    assert_eq!(byte_range(&signature.output), 0..0);
    assert_eq!(byte_range(&signature.inputs), 0..0);
    assert_eq!(byte_range(&TokenStream::new()), 0..0);
    assert_eq!(byte_range(&Punctuated::<Type, Token![,]>::new()), 0..0);
}

/// A stack of the usual size is enough to find the ends of a chain that is as deep as it is long.
#[test]
fn a_long_chain_needs_no_deep_stack() {
    const LENGTH: usize = 20_000;
    let _positions = SpanGuard::new();
    for (first, again) in [
        ("a", " + a"),
        ("a", ".b()"),
        ("a", "?"),
        ("a", "[0]"),
        ("a", " as b"),
        ("a", ".await"),
    ] {
        let text = first.to_owned() + &again.repeat(LENGTH);
        let chain: Expr = parse_str(&text).unwrap();
        assert_eq!(byte_range(&chain), 0..text.len(), "{again}");
        // To drop it would need a deep stack.
        std::mem::forget(chain);
    }
}
