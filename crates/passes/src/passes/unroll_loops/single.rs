//! Replaces a variable that has a list of one element and is never changed: it becomes that element where
//! each of its mentions goes through the list or reads the element. Otherwise the loops over it read the
//! element by its index.

use super::lists::{self, Giving, Way};
use super::{PlainLoop, names};
use crate::passes::expressions::literals::integer;
use crate::passes::expressions::{binding, blocks};
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::HashMap;
use syn::{Expr, GenericArgument, Ident, Local, PathArguments, Stmt, Type};

/// Returns the changes of the loops over variables of one element.
pub(super) fn changes<'p>(program: &'p Program, loops: &[PlainLoop<'p>]) -> Vec<EditSet> {
    let loops = by_variable(loops);
    if loops.is_empty() {
        return Vec::new();
    }
    let reads = reads(program);
    let locals = blocks(program).into_iter().flat_map(|(file, block)| {
        let scope = file.place(block);
        let single = move |statement: &'p Stmt| match statement {
            Stmt::Local(local) => Single::of(program, file, local, &scope),
            _ => None,
        };
        block.stmts.iter().filter_map(single)
    });
    let mut found = Vec::new();
    for single in locals {
        match single.as_element(&loops, &reads) {
            Some(change) => found.push(change),
            None => found.extend(single.indexed(&loops)),
        }
    }
    found
}

/// Loops over a variable, by the position where the loop names it, each with the way in which it gets the elements.
type ByVariable<'l> = HashMap<Position, (&'l PlainLoop<'l>, Way<'l>)>;

fn by_variable<'l>(loops: &'l [PlainLoop<'l>]) -> ByVariable<'l> {
    let over = loops.iter().filter_map(|one| {
        let way = Way::of(&one.looping.expr)?;
        let Expr::Path(path) = way.source else {
            return None;
        };
        let name = path
            .path
            .get_ident()
            .filter(|_| way.giving != Giving::Cloning)?;
        Some((one.file.position(name), (one, way)))
    });
    over.collect()
}

/// The reads of one value of a variable, by the position where the variable is named: the expression, and
/// the text for it where the variable is the only element.
type Reads = HashMap<Position, (Place, String)>;

fn reads(program: &Program) -> Reads {
    let mut found = Reads::new();
    visit::each_also_in_macros(program, |at, node| {
        let (list, text) = match node {
            Node::Expr(Expr::Index(one)) if is_zero(&one.index) => (&*one.expr, None),
            Node::Expr(Expr::MethodCall(call)) if call.method == "len" && call.args.is_empty() => {
                (&*call.receiver, Some("1usize"))
            }
            _ => return,
        };
        if let (Expr::Path(path), Node::Expr(whole)) = (list, node)
            && let Some(name) = path.path.get_ident()
        {
            let text = text.map_or_else(|| name.to_string(), str::to_owned);
            found.insert(at.position(name), (at.place(whole), text));
        }
    });
    found
}

fn is_zero(index: &Expr) -> bool {
    integer(index).is_some_and(|int| int.base10_digits() == "0")
}

/// A variable that is a list of one element for as long as it lives.
struct Single<'p> {
    program: &'p Program,
    file: SyntaxFile<'p>,
    name: &'p Ident,
    ty: Option<&'p Type>,
    init: &'p Expr,
    element: &'p Expr,
    is_lent: bool,
    mentions: Vec<Position>,
}

impl<'p> Single<'p> {
    fn of(
        program: &'p Program,
        file: SyntaxFile<'p>,
        local: &'p Local,
        scope: &Place,
    ) -> Option<Self> {
        let (name, ty) = binding(&local.pat).filter(|(name, _)| name.mutability.is_none())?;
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let (list, is_lent) = match &*init.expr {
            Expr::Reference(one) if one.mutability.is_none() => (&*one.expr, true),
            list => (list, false),
        };
        let is_list = matches!(list, Expr::Array(_) | Expr::Macro(_));
        let elements = is_list.then(|| lists::elements(program, file, list))??;
        let [element] = elements.as_slice() else {
            return None;
        };
        Some(Self {
            program,
            file,
            name: &name.ident,
            ty,
            init: &init.expr,
            element,
            is_lent,
            mentions: names::mentions(program, file, &name.ident, scope)?,
        })
    }

    /// Replaces the list of one element by the element, where its variable is initialised and wherever that is mentioned.
    fn as_element(&self, loops: &ByVariable<'_>, reads: &Reads) -> Option<EditSet> {
        let is_gone_through = self
            .mentions
            .iter()
            .any(|mention| loops.contains_key(mention));
        let mut change = self.program.change();
        change.replace(&self.file.place(self.init), self.file.text(self.element));
        if let Some(ty) = self.ty {
            let element = self.file.text(element_type(ty)?);
            change.replace(&self.file.place(ty), element);
        }
        for mention in is_gone_through.then_some(&self.mentions)? {
            if let Some((one, way)) = loops.get(mention) {
                let element = self.giving(*way).given(0, &self.name.to_string());
                one.bind(&element, &mut change);
            } else {
                let (place, text) = reads.get(mention)?;
                change.replace_read(place, text)?;
            }
        }
        change.finish()
    }

    /// Puts the body with `let p = &x[0];` in place of each loop that borrows or copies the element.
    fn indexed(&self, loops: &ByVariable<'_>) -> Vec<EditSet> {
        let over = self
            .mentions
            .iter()
            .filter_map(|mention| loops.get(mention));
        let changes = over.filter_map(|(one, way)| {
            let given = self.giving(*way);
            (given.giving != Giving::Nothing).then_some(())?;
            let mut change = self.program.change();
            one.bind(&given.given(0, &format!("{}[0]", self.name)), &mut change);
            change.finish()
        });
        changes.collect()
    }

    /// Returns the way in which a loop gets the element of the list: by reference, if the list is itself borrowed.
    fn giving<'e>(&self, way: Way<'e>) -> Way<'e> {
        match way.giving {
            Giving::Nothing if self.is_lent => way.lending(),
            _ => way,
        }
    }
}

/// Returns the `T` of `Vec<T>`, `[T; 1]` or `&[T]`.
fn element_type(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Array(array) => Some(&array.elem),
        Type::Slice(slice) => Some(&slice.elem),
        Type::Reference(inner) => element_type(&inner.elem),
        Type::Path(path) => {
            let last = path
                .path
                .segments
                .last()
                .filter(|last| last.ident == "Vec")?;
            match &last.arguments {
                PathArguments::AngleBracketed(all) => match all.args.first()? {
                    GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}
