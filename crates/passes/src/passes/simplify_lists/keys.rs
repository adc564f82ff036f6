//! Takes a value out of a map by a key, where the map was collected into a list only for the value of one element.
//! Tests sort what a hash map holds to compare it; of a reduced one a single value is left.
//!
//! Which key it is, is not known: variables and literals that stand before are tried.

use super::super::expressions::{binding, blocks};
use crate::pass::{Rewriter, Work};
use crate::precedence::as_receiver;
use crate::program::{Place, Program, SyntaxFile, simplest_first};
use crate::visit::{self, At, Node, Walk};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::HashMap;
use syn::{Block, Expr, ExprMethodCall, Lit, Local, Member, Stmt};

pub(super) const WORK: Work = Work::Rewrite(Rewriter(changes));

/// The most keys that are tried.
const MOST_KEYS: usize = 12;

fn changes(program: &Program) -> Vec<EditSet> {
    let values = values(program);
    let mut found = Vec::new();
    for (file, block) in blocks(program) {
        for (idx, statement) in block.stmts.iter().enumerate() {
            if let Stmt::Local(local) = statement
                && let Some(lookup) = Lookup::of(program, file, (block, local), &values)
            {
                let keys = keys(program, file, (block, idx)).into_iter();
                found.extend(keys.filter_map(|key| lookup.by(&key)));
            }
        }
    }
    simplest_first(program, found)
}

/// Returns the expressions that take the value of an element, such as `x[i].1`, by the position of `x`.
fn values(program: &Program) -> HashMap<Position, Place> {
    let mut found = HashMap::new();
    visit::each_also_in_macros(program, |at, node| {
        if let Node::Expr(whole @ Expr::Field(value)) = node
            && matches!(&value.member, Member::Unnamed(member) if member.index == 1)
            && let Expr::Index(element) = &*value.base
            && let Expr::Path(list) = &*element.expr
            && let Some(name) = list.path.get_ident()
        {
            found.insert(at.position(name), at.place(whole));
        }
    });
    found
}

/// A list that is made of a map only to be sorted, and to have one value taken out of it.
struct Lookup<'p> {
    program: &'p Program,
    map: String,
    value: Place,
    without: Vec<Place>,
}

impl<'p> Lookup<'p> {
    fn of(
        program: &'p Program,
        file: SyntaxFile<'p>,
        (block, local): (&'p Block, &'p Local),
        values: &HashMap<Position, Place>,
    ) -> Option<Self> {
        let (name, _) = binding(&local.pat)?;
        let map = collected(&local.init.as_ref()?.expr)?;
        let mut without = vec![file.place(local)];
        let mut taken = Vec::new();
        for mention in program.mentions().of(file.position(&name.ident)) {
            match values.get(mention) {
                Some(value) => taken.push(value.clone()),
                None => without.push(sorting(file, block, *mention)?),
            }
        }
        let [value] = <[Place; 1]>::try_from(taken).ok()?;
        Some(Self {
            program,
            map: as_receiver(file.text(map)),
            value,
            without,
        })
    }

    fn by(&self, key: &str) -> Option<EditSet> {
        let mut change = self.program.change();
        for statement in &self.without {
            change.remove(statement);
        }
        let text = format!("{}[{key}]", self.map);
        change.replace_read(&self.value, &text)?.finish()
    }
}

/// Returns the `x` of `x.into_iter().collect()` and `x.iter().collect()`.
fn collected(made: &Expr) -> Option<&Expr> {
    let iterated = &called(made, &["collect"])?.receiver;
    let of = &called(iterated, &["into_iter", "iter"])?.receiver;
    Some(of)
}

fn called<'e>(expression: &'e Expr, names: &[&str]) -> Option<&'e ExprMethodCall> {
    match expression {
        Expr::MethodCall(call) if names.iter().any(|name| call.method == name) => Some(call),
        _ => None,
    }
}

/// Returns the statement that sorts a list, which is mentioned at this position of the statement.
fn sorting(file: SyntaxFile<'_>, block: &Block, mention: Position) -> Option<Place> {
    let sorts = |one: &&Stmt| match one {
        Stmt::Expr(Expr::MethodCall(call), Some(_)) => {
            call.method.to_string().starts_with("sort")
                && file.place(&call.receiver).start() == mention
        }
        _ => false,
    };
    let statement = block.stmts.iter().find(sorts)?;
    Some(file.place(statement))
}

/// Returns the texts that may be a key for this statement of a block: variables that are there before it, the last
/// first, and literals that are written up to its end.
fn keys(program: &Program, file: SyntaxFile<'_>, (block, idx): (&Block, usize)) -> Vec<String> {
    let mut keys: Vec<String> = block.stmts[..idx]
        .iter()
        .rev()
        .filter_map(variable)
        .collect();
    let end = file.place(&block.stmts[idx]).range.end;
    visit::each_in(program, At::of_file(file), Node::Block(block), |_, node| {
        if let Node::Expr(Expr::Lit(literal)) = node
            && file.place(literal).range.start < end
        {
            let text = file.text(literal);
            let key = match literal.lit {
                Lit::Str(_) | Lit::ByteStr(_) => text.to_owned(),
                _ => format!("&{text}"),
            };
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        Walk::Inside
    });
    keys.truncate(MOST_KEYS);
    keys
}

fn variable(statement: &Stmt) -> Option<String> {
    let Stmt::Local(local) = statement else {
        return None;
    };
    let (name, _) = binding(&local.pat)?;
    Some(format!("&{}", name.ident))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{check, check_has, check_not_applicable};
    use super::WORK;

    #[test]
    fn variables_and_literals_are_tried_as_keys() {
        check(
            &WORK,
            "fn f() { let a = g(); let x: Vec<_> = m(\"b\").iter().collect(); assert_eq!(x[2].1, 9); }",
            &[
                "fn f() { let a = g(); assert_eq!(m(\"b\")[&a], 9); }",
                "fn f() { let a = g(); assert_eq!(m(\"b\")[\"b\"], 9); }",
            ],
        );
    }

    #[test]
    fn what_sorts_the_list_goes() {
        check_has(
            &WORK,
            "fn f() { let mut x: Vec<_> = m(1).into_iter().collect(); x.sort_by_key(k); h(x[0].1); }",
            "fn f() { h(m(1)[&1]); }",
        );
    }

    #[test]
    fn a_list_of_which_more_is_asked_stays() {
        for text in [
            "fn f() { let x: Vec<_> = m(1).into_iter().collect(); h(x[0].1, x[1].1); }",
            "fn f() { let x: Vec<_> = m(1).into_iter().collect(); h(x[0].0); }",
            "fn f() { let x: Vec<_> = m(1).into_iter().collect(); x.len(); h(x[0].1); }",
            "fn f() { let x: Vec<_> = m(1).into_iter().map(g).collect(); h(x[0].1); }",
        ] {
            check_not_applicable(&WORK, text);
        }
    }

    #[test]
    fn a_map_is_asked_by_a_key() {
        check_has(
            &WORK,
            "fn f() { let mut x: Vec<_> = g(1).into_iter().collect(); x.sort(); h(x[0].1); }",
            "fn f() { h(g(1)[&1]); }",
        );
    }
}
