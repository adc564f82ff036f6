//! Replaces a type by `()` together with the values that have it: those of one variable, constant, field or function;
//! or with the associated type that stands for it in an impl.

use crate::passes::data::{Data, Definition, Field};
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, At, Node};
use reduce_syntax::{EditSet, count_tokens};
use syn::visit::Visit;
use syn::{
    Block, Expr, FnArg, ImplItem, ImplItemType, Item, Local, Pat, ReturnType, Signature, Stmt, Type,
};

pub(super) fn changes(program: &Program, data: &Data<'_>) -> Vec<EditSet> {
    let fields = data.definitions.iter();
    let fields = fields.flat_map(|of| of_fields(program, of));
    let others = visit::collect(program, |at, node| match node {
        Node::Local(local) => variable(program, at.file, local),
        Node::Item(Item::Const(one)) => constant(program, at.file, &one.ty, &one.expr),
        Node::Item(Item::Static(one)) => constant(program, at.file, &one.ty, &one.expr),
        Node::Item(Item::Fn(one)) => function(program, at.file, &one.sig, &one.block),
        Node::ImplItem(ImplItem::Fn(one)) => function(program, at.file, &one.sig, &one.block),
        Node::ImplItem(ImplItem::Type(one)) => associated(program, at, one),
        _ => None,
    });
    fields.chain(others).collect()
}

/// Replaces the type of a field and its values: `S { a: e }` becomes `S { a: () }`, with `a`'s type.
fn of_fields(program: &Program, of: &Definition<'_>) -> Vec<EditSet> {
    let change = |(idx, field): (usize, &Field<'_>)| {
        let values = of
            .parts(idx)
            .filter(|(one, part)| !one.is_pattern && program.text(&part.value) != "()");
        let mut change = program.change();
        let mut has_value = false;
        for (_, part) in values {
            let label = format!("{}: ()", part.member.as_deref().unwrap_or_default());
            let is_shorthand = part.member.is_some() && part.label.is_none();
            change.replace(&part.value, if is_shorthand { &label } else { "()" });
            has_value = true;
        }
        let ty = program.text(&field.ty);
        let is_long = ty != "()" && count_tokens(ty) > 1;
        (has_value && is_long).then(|| change.replace(&field.ty, "()").finish())?
    };
    of.fields.iter().enumerate().filter_map(change).collect()
}

/// Replaces the type of a variable and its value: `let x: T = e;` becomes `let x = ();`.
fn variable(program: &Program, at: SyntaxFile<'_>, local: &Local) -> Option<EditSet> {
    let (Pat::Type(typed), Some(init)) = (&local.pat, &local.init) else {
        return None;
    };
    let value = at.text(&init.expr);
    if init.diverge.is_some() || count_tokens(value) < 2 || value == "()" {
        return None;
    }
    let Place { file, range: ty } = at.place(&typed.ty);
    let ascription = Place::new(file, at.place(&typed.pat).range.end..ty.end);
    let mut change = program.change();
    change
        .delete(&ascription)
        .replace(&at.place(&init.expr), "()")
        .finish()
}

/// Replaces the type of a constant and its value: `const C: T = e;` becomes `const C: () = ();`.
fn constant(program: &Program, at: SyntaxFile<'_>, ty: &Type, value: &Expr) -> Option<EditSet> {
    let n_tokens = count_tokens(at.text(ty)) + count_tokens(at.text(value));
    let is_worth_it = at.text(ty) != "()" && n_tokens > 4;
    is_worth_it.then(|| program.replaced(&[at.place(ty), at.place(value)], "()"))?
}

/// Lets a function with an early return return nothing. Others lose their type by `delete_parts`.
fn function(
    program: &Program,
    at: SyntaxFile<'_>,
    signature: &Signature,
    body: &Block,
) -> Option<EditSet> {
    let mut returned = Returned {
        file: at,
        values: Vec::new(),
    };
    returned.visit_block(body);
    if matches!(signature.output, ReturnType::Default) || returned.values.is_empty() {
        return None;
    }
    if let Some(Stmt::Expr(last, None)) = body.stmts.last() {
        returned.values.push(at.place(last));
    }
    returned.values.push(at.place(&signature.output));
    program.replaced(&returned.values, "")
}

/// Replaces an associated type: `type A = T;` becomes `type A = ();`, with the signatures of its impl that say `T` where the trait
/// may say `Self::A`. Functions that return it and never end have nothing in their bodies then.
fn associated(program: &Program, at: At<'_>, ty: &ImplItemType) -> Option<EditSet> {
    let value = at.text(&ty.ty);
    let block = at.block().filter(|block| block.trait_.is_some())?;
    let mut change = program.change();
    let mut is_named = false;
    for item in &block.items {
        let ImplItem::Fn(function) = item else {
            continue;
        };
        for input in &function.sig.inputs {
            if let FnArg::Typed(typed) = input
                && at.text(&typed.ty) == value
            {
                change.replace(&at.place(&typed.ty), "()");
                is_named = true;
            }
        }
        if let ReturnType::Type(_, returned) = &function.sig.output
            && at.text(returned) == value
        {
            if !is_endless(&function.block) {
                return None;
            }
            change.delete(&at.place(&function.sig.output));
            change.replace(&at.place(&function.block), "{}");
            is_named = true;
        }
    }
    let is_worth_it = is_named && value != "()";
    is_worth_it.then(|| change.replace(&at.place(&ty.ty), "()").finish())?
}

/// Returns whether a body is `{ loop {} }`.
fn is_endless(body: &Block) -> bool {
    matches!(body.stmts.as_slice(), [Stmt::Expr(Expr::Loop(one), _)] if one.body.stmts.is_empty())
}

/// The values of the `return`s of a function.
struct Returned<'p> {
    file: SyntaxFile<'p>,
    values: Vec<Place>,
}

impl<'p> Visit<'p> for Returned<'p> {
    fn visit_expr_return(&mut self, one: &'p syn::ExprReturn) {
        let value = one.expr.iter().map(|value| self.file.place(value));
        self.values.extend(value);
    }

    fn visit_expr_closure(&mut self, _closure: &'p syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _block: &'p syn::ExprAsync) {}

    fn visit_item(&mut self, _item: &'p Item) {}
}
