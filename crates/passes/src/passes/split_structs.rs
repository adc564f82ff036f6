//! `split_structs`: a variable that holds a struct or a list becomes a variable for each of its fields or elements, where it is
//! only mentioned to get at these (scalar replacement of aggregates, as optimising compilers do it). The struct goes if nothing
//! else names it.
//!
//! When the fields are dropped may change by that, and without the struct's types some may not be known: so all is also
//! proposed with types, and with the defaults alone called by their types.

mod lists;

use super::data::{Data, Definition, Kind};
use super::expressions::{binding, blocks, member_name};
use super::functions::Shape;
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::{EditSet, TokenCursor, is_one_name, tokens, with_words};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use syn::{Expr, ExprCall, GenericParam, Local};

pub(super) const PASS: Pass = Pass {
    name: "split_structs",
    about: "Makes variables of the fields of a struct, tuple or list that a variable holds",
    example: (
        "struct S(u8, u8); fn f() { let x = S(g(), h()); k(x.0, x.1); }",
        "fn f() { let x_0 = g(); let x_1 = h(); k(x_0, x_1); }",
    ),
    keeps: Keeps::Types,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let data = Data::of(program);
    let is_struct = |one: &&Definition<'_>| matches!(one.kind, Kind::Struct);
    let structs: Vec<&Definition<'_>> = data.definitions.iter().filter(is_struct).collect();
    let reads_of_lists = lists::reads(program);
    if structs.is_empty() && reads_of_lists.is_empty() {
        return Vec::new();
    }
    let splitting = Splitting {
        program,
        reads: reads(program),
        words: words(program),
    };
    let lists = lists::changes(program, &reads_of_lists, &splitting.words);
    let structs = structs.into_iter();
    let structs = structs.flat_map(|one| splitting.changes(one));
    simplest_first(program, lists.into_iter().chain(structs))
}

/// Returns all `let` statements of a program.
fn locals<'p>(program: &'p Program) -> impl Iterator<Item = (SyntaxFile<'p>, &'p Local)> {
    blocks(program).into_iter().flat_map(|(file, block)| {
        block.stmts.iter().filter_map(move |one| match one {
            syn::Stmt::Local(local) => Some((file, local)),
            _ => None,
        })
    })
}

/// Returns the name of the variable for a part of another variable, such as `x_f`; `None` if the program has that word already.
fn part_name(words: &BTreeSet<&str>, variable: &syn::Ident, part: &str) -> Option<String> {
    let name = format!("{variable}_{part}");
    (!words.contains(name.as_str())).then_some(name)
}

/// Reads of fields, such as `x.f`, by the position of `x`: the place of the whole expression, and the name of the field.
type Reads = HashMap<Position, (Place, String)>;

fn reads(program: &Program) -> Reads {
    let mut found = Reads::new();
    visit::each_also_in_macros(program, |at, node| {
        if let Node::Expr(whole @ Expr::Field(read)) = node
            && let Expr::Path(base) = &*read.base
            && base.path.get_ident().is_some()
        {
            let read = (at.place(whole), member_name(&read.member));
            found.insert(at.place(base).start(), read);
        }
    });
    found
}

/// Returns all words of a program: a new name must not be one of them.
fn words(program: &Program) -> BTreeSet<&str> {
    let of_file = |file: SyntaxFile<'_>| {
        let text = program.sources().text(file.id);
        tokens(text)
            .into_iter()
            .map(|token| &text[token.range()])
            .collect::<Vec<_>>()
    };
    program.files().flat_map(of_file).collect()
}

const DEFAULT: &str = "Default::default()";

struct Splitting<'p> {
    program: &'p Program,
    reads: Reads,
    words: BTreeSet<&'p str>,
}

/// Says where the types of fields are written when a variable is split into one for each field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    Nowhere,
    /// A default is called by its type, as `Vec::default()` in place of `Default::default()`.
    ByDefaults,
    Everywhere,
}

impl Told {
    const ALL: [Self; 3] = [Self::Nowhere, Self::ByDefaults, Self::Everywhere];
}

/// A variable that holds a struct.
struct Variable<'p> {
    file: SyntaxFile<'p>,
    name: &'p syn::PatIdent,
    statement: Place,
    /// The values of the fields in the struct that the variable holds, in the order in which they are evaluated.
    values: Vec<FieldValue<'p>>,
    reads: Vec<&'p (Place, String)>,
}

/// The value that a field is initialised with.
struct FieldValue<'p> {
    idx: usize,
    /// The value as it is written; `None` for the default of the field's type.
    written: Option<&'p Expr>,
}

impl<'p> Splitting<'p> {
    /// Splits all variables of a struct together, and if there are several each by itself.
    fn changes(&self, of: &Definition<'p>) -> Vec<EditSet> {
        let variables: Vec<Variable<'_>> = locals(self.program)
            .filter_map(|(file, local)| self.variable(of, file, local))
            .collect();
        let single = variables.iter().filter(|_| variables.len() > 1);
        let sets = std::iter::once(variables.as_slice()).chain(single.map(std::slice::from_ref));
        let both = sets.flat_map(|set| Told::ALL.map(|told| self.split(of, set, told)));
        both.flatten().collect()
    }

    fn variable<'s>(
        &'s self,
        of: &Definition<'p>,
        file: SyntaxFile<'p>,
        local: &'p Local,
    ) -> Option<Variable<'s>> {
        let (name, _) = binding(&local.pat)?;
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let values = values(of, file, &init.expr)?;
        let mentions = self.program.mentions().of(file.position(&name.ident));
        let reads: Option<Vec<_>> = mentions.iter().map(|at| self.reads.get(at)).collect();
        Some(Variable {
            file,
            name,
            statement: file.place(local),
            values,
            reads: reads?,
        })
    }

    /// Returns the change that splits these variables, and writes the types of the fields or does not.
    fn split(
        &self,
        of: &Definition<'p>,
        variables: &[Variable<'_>],
        told: Told,
    ) -> Option<EditSet> {
        if variables.is_empty() {
            return None;
        }
        let mut change = self.program.change();
        let mut kept = Vec::new();
        for variable in variables {
            let (text, values) = self.declarations(of, variable, told)?;
            kept.extend(values);
            match text.is_empty() {
                true => change.remove(&variable.statement),
                false => change.replace(&variable.statement, &text),
            };
            for (whole, member) in &variable.reads {
                change.replace(whole, &self.part_name(variable, member)?);
            }
        }
        let is_gone = |at: Position| {
            variables.iter().any(|one| at.is_in(&one.statement))
                && !kept.iter().any(|value| at.is_in(value))
        };
        let mut others = of.segments.iter().filter(|one| !is_gone(one.at));
        if others.next().is_none() && of.strays.is_empty() && of.impls.is_empty() {
            of.remove(&mut change);
        }
        change.finish()
    }

    /// Returns the declarations that replace the one of a variable, and the places of the old declaration that stay.
    /// A value that does nothing goes if nobody reads it; with types it stays, as its type may be known from there.
    fn declarations(
        &self,
        of: &Definition<'p>,
        variable: &Variable<'_>,
        told: Told,
    ) -> Option<(String, Vec<Place>)> {
        let (mut text, mut kept) = (String::new(), Vec::new());
        let mutability = variable.name.mutability.map_or("", |_| "mut ");
        for FieldValue { idx, written } in &variable.values {
            let member = of.fields[*idx]
                .name
                .map_or_else(|| idx.to_string(), str::to_owned);
            let is_read = variable.reads.iter().any(|(_, read)| *read == member);
            let is_typed = told == Told::Everywhere;
            let is_inert = written.is_none_or(|one| !is_typed && Shape::of(one) == Shape::Simple);
            if is_inert && !is_read {
                continue;
            }
            let value = match written {
                Some(one) => variable.file.text(one),
                None if told == Told::Nowhere => return None,
                None => DEFAULT,
            };
            let value = match told {
                Told::ByDefaults if value == DEFAULT => {
                    default_of(self.program.text(&of.fields[*idx].ty))?
                }
                _ => {
                    kept.extend(written.map(|one| variable.file.place(one)));
                    value.to_owned()
                }
            };
            let ty = match is_typed {
                true => self.annotation(of, *idx),
                false => String::new(),
            };
            let name = self.part_name(variable, &member)?;
            text += &format!("let {mutability}{name}{ty} = {value}; ");
        }
        Some((text.trim_end().to_owned(), kept))
    }

    /// Returns the type of a field as it is written behind a variable (`: T`); nothing where that would say nothing.
    fn annotation(&self, of: &Definition<'p>, idx: usize) -> String {
        let ty = self.program.text(&of.fields[idx].ty);
        match inferred(ty, of.parameters()) {
            Some(ty) if ty != "_" => format!(": {ty}"),
            _ => String::new(),
        }
    }

    fn part_name(&self, variable: &Variable<'_>, member: &str) -> Option<String> {
        part_name(&self.words, &variable.name.ident, member)
    }
}

/// Returns the default of a type as a call of its path without arguments, such as `Vec::default()`; `None` for another type.
fn default_of(ty: &str) -> Option<String> {
    let path = ty.split('<').next().unwrap_or(ty).trim_end();
    let is_path = |word: &str| word == "::" || is_one_name(word);
    TokenCursor::new(path)
        .words()
        .all(is_path)
        .then(|| format!("{path}::default()"))
}

/// Returns a type in which parameters are left to the compiler; `None` where that cannot be written.
fn inferred<'p>(ty: &str, parameters: impl Iterator<Item = &'p GenericParam>) -> Option<String> {
    let (mut hidden, mut constants) = (BTreeMap::new(), BTreeSet::new());
    for parameter in parameters {
        match parameter {
            GenericParam::Lifetime(one) => drop(hidden.insert(one.lifetime.to_string(), "'_")),
            GenericParam::Type(one) => drop(hidden.insert(one.ident.to_string(), "_")),
            GenericParam::Const(one) => drop(constants.insert(one.ident.to_string())),
        }
    }
    let cursor = TokenCursor::new(ty);
    let is_kept = |idx: usize| {
        let word = &ty[cursor.bytes(idx, idx)];
        constants.contains(word) || (hidden.contains_key(word) && cursor.is(idx + 1, "::"))
    };
    if cursor.indices().any(is_kept) {
        return None;
    }
    Some(with_words(ty, |word| hidden.get(word).copied()))
}

/// Returns the values of which a struct is made; `None` for another expression.
fn values<'p>(
    of: &Definition<'_>,
    file: SyntaxFile<'_>,
    made: &'p Expr,
) -> Option<Vec<FieldValue<'p>>> {
    let place = file.place(made);
    let mut uses = of
        .uses
        .iter()
        .filter(|one| !one.is_pattern && one.rest.is_none());
    let is_made = uses.any(|one| one.whole == place);
    let value = |idx: usize, written: Option<&'p Expr>| Some(FieldValue { idx, written });
    match made {
        Expr::Call(call) if is_made && call.args.len() == of.fields.len() => {
            let all = call.args.iter().enumerate();
            all.map(|(idx, one)| value(idx, Some(one))).collect()
        }
        Expr::Struct(literal) if is_made => {
            let idx = |name: &str| of.fields.iter().position(|one| one.name == Some(name));
            let all = literal.fields.iter();
            all.map(|one| value(idx(&member_name(&one.member))?, Some(&one.expr)))
                .collect()
        }
        Expr::Call(call) if is_default(of, file, call) => {
            (0..of.fields.len()).map(|idx| value(idx, None)).collect()
        }
        _ => None,
    }
}

/// Whether a call makes the default that a struct derives.
fn is_default(of: &Definition<'_>, file: SyntaxFile<'_>, call: &ExprCall) -> bool {
    let Expr::Path(function) = &*call.func else {
        return false;
    };
    let segments = &function.path.segments;
    let is_meant = segments.len() == 2 && segments[1].ident == "default" && {
        let name = file.position(&segments[0].ident);
        of.segments.iter().any(|one| one.at == name)
    };
    let attributes = Place::new(of.file.id, of.whole.range.start..of.keyword.range.start);
    let derives = tokens(of.file.text_at(&attributes)).into_iter();
    let mut derives = derives.map(|token| &of.file.text_at(&attributes)[token.range()]);
    call.args.is_empty() && is_meant && derives.any(|word| word == "Default")
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_has, check_not_applicable};
    use super::PASS;

    #[test]
    fn elements_become_variables() {
        check(
            &PASS,
            "fn f() { let mut x = vec![g(1), g(2), 3, 4]; h(&mut x[0], x[2]); assert_eq!(x[0], 5); }",
            &[
                "fn f() { let mut x_0 = g(1); let mut x_1 = g(2); let mut x_2 = 3; h(&mut x_0, x_2); assert_eq!(x_0, 5); }",
            ],
        );
        check(
            &PASS,
            "fn f() { let x = (g(), h()); k(x.0, |y| x.1.m(y)); }",
            &["fn f() { let x_0 = g(); let x_1 = h(); k(x_0, |y| x_1.m(y)); }"],
        );
        check_not_applicable(&PASS, "fn f() { let x = [g(), h()]; k(x[0], x.len()); }");
        check_not_applicable(
            &PASS,
            "fn f(i: usize) { let x = [g(), h()]; k(x[0], x[i]); }",
        );
        check_not_applicable(&PASS, "fn f() { let x = [g()]; k(x[0], x[1]); }");
    }

    #[test]
    fn fields_become_variables_and_the_struct_goes() {
        check(
            &PASS,
            "struct S { a: u8, b: Vec<u8> } fn f(c: Vec<u8>) { let mut x = S { b: c, a: g() }; x.a += 1; h(&x.b, x.a) }",
            &[
                "fn f(c: Vec<u8>) { let mut x_b = c; let mut x_a = g(); x_a += 1; h(&x_b, x_a) }",
                "fn f(c: Vec<u8>) { let mut x_b: Vec<u8> = c; let mut x_a: u8 = g(); x_a += 1; h(&x_b, x_a) }",
            ],
        );
    }

    #[test]
    fn what_is_made_for_a_field_that_nobody_reads_stays_only_if_it_does_something() {
        check_has(
            &PASS,
            "struct S(u8, u8, u8); fn f(c: u8) { let x = S(c, g(), 1); h(x.2); }",
            "fn f(c: u8) { let x_1 = g(); let x_2 = 1; h(x_2); }",
        );
        check_has(
            &PASS,
            "struct S(u8, u8); fn f() { let x = S(1, 2); }",
            "fn f() { }",
        );
    }

    #[test]
    fn a_derived_default_is_that_of_each_field() {
        check(
            &PASS,
            "#[derive(Debug, Default)] struct S(Vec<u8>, u8); fn f() { let mut x = S::default(); x.0.push(1); }",
            &[
                "fn f() { let mut x_0 = Vec::default(); x_0.push(1); }",
                "fn f() { let mut x_0: Vec<u8> = Default::default(); x_0.push(1); }",
            ],
        );
    }

    #[test]
    fn a_struct_that_is_named_elsewhere_stays() {
        check(
            &PASS,
            "struct S<T>(T, T); fn f(y: &S<u8>) { let x = S(1, 2); g(x.0, x.0, x.1, x.1); }",
            &[
                "struct S<T>(T, T); fn f(y: &S<u8>) { let x_0 = 1; let x_1 = 2; g(x_0, x_0, x_1, x_1); }",
            ],
        );
    }

    #[test]
    fn a_default_is_called_by_the_type_of_its_field() {
        check_has(
            &PASS,
            "struct S<T>(a::Queue<T>, T); fn f() { let mut x = S(Default::default(), 1); x.0.push(x.1); }",
            "fn f() { let mut x_0 = a::Queue::default(); let mut x_1 = 1; x_0.push(x_1); }",
        );
    }

    #[test]
    fn types_are_written_without_the_parameters_of_the_struct() {
        check_has(
            &PASS,
            "struct S<'a, T>(Vec<T>, T, &'a [T]); fn f() { let x = S(Default::default(), 1, &[]); g(x.0, x.1, x.2); }",
            "fn f() { let x_0: Vec<_> = Default::default(); let x_1 = 1; let x_2: &'_ [_] = &[]; g(x_0, x_1, x_2); }",
        );
        check_has(
            &PASS,
            "struct S<T: Iterator, const N: usize>(T::Item, [u8; N], u8); fn f() { let x = S(1, [], 2); g(x.0, x.1, x.2); }",
            "fn f() { let x_0 = 1; let x_1 = []; let x_2: u8 = 2; g(x_0, x_1, x_2); }",
        );
    }

    #[test]
    fn several_variables_are_split_together() {
        check_has(
            &PASS,
            "struct S(u8); fn f() { let x = S(1); let y = S(2); g(x.0, y.0); }",
            "fn f() { let x_0 = 1; let y_0 = 2; g(x_0, y_0); }",
        );
    }

    #[test]
    fn a_variable_that_is_passed_or_called_stays() {
        check_not_applicable(
            &PASS,
            "struct S(u8); fn f() { let x = S(1); g(&x); let y = S(2); y.h(); let (z, a) = (S(3), 4); }
            enum E { A(u8) } fn k() { let x = E::A(1); }
            fn l(b: S) { let c = S { ..b }; c.0; let d = S::default(); d.0; }",
        );
        check_not_applicable(
            &PASS,
            "struct S(u8, u8); fn f(x_0: u8) { let x = S(1, 2); g(x.0, x.0, x.0) }",
        );
    }
}
