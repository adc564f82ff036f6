//! Replaces owned strings by literals. Where one is passed to a generic type all others have to follow, so that no single
//! conversion can go.

use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_syntax::EditSet;
use std::collections::{BTreeMap, HashMap};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, ExprPath, Ident, Lit, Token, Type, TypeReference};

/// The type of a string that lives forever.
const STATIC: &str = "&'static str";
/// The methods that make a `String` of a string.
const CONVERSIONS: [&str; 3] = ["into", "to_owned", "to_string"];
/// The most functions for which a change is tried that makes literals of their arguments alone.
const MOST_CALLEES: usize = 6;

pub(super) fn changes(program: &Program) -> Vec<EditSet> {
    let strings = Strings::of(program);
    let literals = || strings.conversions.iter().filter(|one| one.is_of_literal);
    if strings.conversions.is_empty() {
        return Vec::new();
    }
    let conversions = strings.conversions.iter();
    let mut found = vec![
        strings.change(program, conversions, &[&strings.owned, &strings.borrowed]),
        strings.change(program, literals(), &[&strings.owned]),
        strings.change(program, literals(), &[]),
    ];
    let mut by_callee: BTreeMap<&str, Vec<&Conversion>> = BTreeMap::new();
    for one in literals() {
        if let Some(callee) = &one.callee {
            by_callee.entry(callee).or_default().push(one);
        }
    }
    let several = by_callee.values().filter(|all| all.len() > 1);
    let several = several.take(MOST_CALLEES);
    found.extend(several.map(|all| strings.change(program, all.iter().copied(), &[])));
    found.into_iter().flatten().collect()
}

/// An expression that makes an owned string of another string.
struct Conversion {
    whole: Place,
    /// The text of the string that becomes an owned one.
    string: String,
    is_of_literal: bool,
    /// The function that gets the owned string as an argument, by its name.
    callee: Option<String>,
}

/// The expressions of a program that make strings, and the places of types of strings.
#[derive(Default)]
struct Strings {
    conversions: Vec<Conversion>,
    /// The places of the type `String`.
    owned: Vec<Place>,
    /// The places of the type `&str`.
    borrowed: Vec<Place>,
}

impl Strings {
    fn of(program: &Program) -> Self {
        let mut found = Self::default();
        // A call comes before its arguments.
        let mut callees: HashMap<Place, String> = HashMap::new();
        visit::each_also_in_macros(program, |at, node| match node {
            Node::Expr(expression) => {
                if let Some((callee, arguments)) = called(expression) {
                    let owned = arguments.iter().filter(|one| converted(one).is_some());
                    callees.extend(owned.map(|one| (at.place(one), callee.to_string())));
                }
                if let Some(string) = converted(expression) {
                    let whole = at.place(expression);
                    found.conversions.push(Conversion {
                        string: string.map_or("\"\"", |one| at.text(one)).to_owned(),
                        is_of_literal: string.is_none_or(is_string),
                        callee: callees.remove(&whole),
                        whole,
                    });
                }
            }
            Node::Type(ty) => found.add_type(at.file, ty),
            _ => {}
        });
        found
    }

    fn add_type(&mut self, file: SyntaxFile<'_>, ty: &Type) {
        match ty {
            Type::Path(path) if path.path.is_ident("String") => self.owned.push(file.place(ty)),
            Type::Reference(TypeReference {
                lifetime: None,
                mutability: None,
                elem,
                ..
            }) if matches!(&**elem, Type::Path(path) if path.path.is_ident("str")) => {
                self.borrowed.push(file.place(ty));
            }
            _ => {}
        }
    }

    /// Replaces some conversions by their strings, and some types by the type of string literals.
    fn change<'c>(
        &self,
        program: &Program,
        conversions: impl Iterator<Item = &'c Conversion>,
        types: &[&Vec<Place>],
    ) -> Option<EditSet> {
        let mut change = program.change();
        let mut is_any = false;
        for one in conversions {
            change.replace(&one.whole, &one.string);
            is_any = true;
        }
        for ty in types.iter().copied().flatten() {
            change.replace(ty, STATIC);
        }
        is_any.then(|| change.finish())?
    }
}

/// Returns the name of the function or method that a call calls, and the arguments.
fn called(call: &Expr) -> Option<(&Ident, &Punctuated<Expr, Token![,]>)> {
    match call {
        Expr::MethodCall(call) => Some((&call.method, &call.args)),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => Some((&path.path.segments.last()?.ident, &call.args)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the string of which an expression makes a `String`: `Some(None)` for an empty one, `None` for another expression.
fn converted(expression: &Expr) -> Option<Option<&Expr>> {
    match expression {
        Expr::MethodCall(call) => {
            let is_conversion = CONVERSIONS.iter().any(|name| call.method == name);
            let is_named = matches!(&*call.receiver, Expr::Path(_)) && call.method != "into";
            let is_meant = is_conversion && call.args.is_empty();
            (is_meant && (is_string(&call.receiver) || is_named)).then_some(Some(&call.receiver))
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else {
                return None;
            };
            match call.args.first() {
                Some(one) if is_of_string(path, "from") => Some(Some(one)),
                None if is_of_string(path, "new") => Some(None),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_string(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Lit(ExprLit {
            lit: Lit::Str(_),
            ..
        })
    )
}

/// Whether a path is that of an associated function of `String`.
fn is_of_string(path: &ExprPath, function: &str) -> bool {
    let segments = &path.path.segments;
    let names: Vec<_> = segments.iter().map(|one| one.ident.to_string()).collect();
    names == ["String", function]
}
