//! A type becomes `()` together with the values of one variable, constant, field or function.

use crate::passes::data::{Data, Definition, Field};
use crate::program::{Place, Program, SyntaxFile};
use reduce_syntax::{EditSet, count_tokens};
use syn::visit::{self, Visit};
use syn::{Block, Expr, Item, Pat, ReturnType, Signature, Stmt, Type};

pub(super) fn changes(program: &Program<'_>, data: &Data) -> Vec<EditSet> {
    let fields = data.definitions.iter().enumerate();
    let mut found: Vec<EditSet> = fields
        .flat_map(|(idx, of)| of_fields(program, data, idx, of))
        .collect();
    for file in program.files() {
        let mut values = Values {
            program,
            file,
            found: Vec::new(),
        };
        values.visit_file(file.syntax);
        found.append(&mut values.found);
    }
    found
}

/// `S { a: e }` becomes `S { a: () }`, with `a`'s type.
fn of_fields(program: &Program<'_>, data: &Data, idx: usize, of: &Definition) -> Vec<EditSet> {
    let n = of.fields.len();
    let change = |(field_idx, field): (usize, &Field)| {
        let values = data.uses_of(idx).filter(|one| !one.is_pattern);
        let name = field.name.as_deref();
        let parts = values.filter_map(|one| one.part(field_idx, name, n));
        let mut change = program.change();
        let mut has_value = false;
        for part in parts.filter(|part| program.text(&part.value) != "()") {
            let label = format!("{}: ()", part.member.as_deref().unwrap_or_default());
            let is_shorthand = part.member.is_some() && part.label.is_none();
            change.replace(&part.value, if is_shorthand { &label } else { "()" });
            has_value = true;
        }
        if !has_value
            || count_tokens(program.text(&field.ty)) < 2
            || program.text(&field.ty) == "()"
        {
            return None;
        }
        change.replace(&field.ty, "()");
        change.finish()
    };
    of.fields.iter().enumerate().filter_map(change).collect()
}

struct Values<'p, 's> {
    program: &'p Program<'s>,
    file: SyntaxFile<'p>,
    found: Vec<EditSet>,
}

impl Values<'_, '_> {
    fn weight(&self, place: &Place) -> u64 {
        count_tokens(self.program.text(place))
    }

    /// `let x: T = e;` becomes `let x = ();`
    fn variable(&mut self, local: &syn::Local) {
        let (Pat::Type(typed), Some(init)) = (&local.pat, &local.init) else {
            return;
        };
        let (name, value) = (self.file.place(&typed.pat), self.file.place(&init.expr));
        if init.diverge.is_some() || self.weight(&value) < 2 || self.program.text(&value) == "()" {
            return;
        }
        let (file, ty) = self.file.place(&typed.ty);
        let mut change = self.program.change();
        change
            .delete(&(file, name.1.end..ty.end))
            .replace(&value, "()");
        self.found.extend(change.finish());
    }

    /// `const C: T = e;` becomes `const C: () = ();`
    fn constant(&mut self, ty: &Type, value: &Expr) {
        let (ty, value) = (self.file.place(ty), self.file.place(value));
        let is_unit = self.program.text(&ty) == "()";
        if is_unit || self.weight(&ty) + self.weight(&value) <= 4 {
            return;
        }
        let mut change = self.program.change();
        change.replace(&ty, "()").replace(&value, "()");
        self.found.extend(change.finish());
    }

    /// A function that returns early returns nothing. Others lose their type by `delete_parts`.
    fn function(&mut self, signature: &Signature, body: &Block) {
        let ReturnType::Type(..) = signature.output else {
            return;
        };
        let mut returned = Returned {
            file: self.file,
            values: Vec::new(),
        };
        returned.visit_block(body);
        if returned.values.is_empty() {
            return;
        }
        let mut change = self.program.change();
        change.delete(&self.file.place(&signature.output));
        for value in &returned.values {
            change.delete(value);
        }
        if let Some(Stmt::Expr(last, None)) = body.stmts.last() {
            change.delete(&self.file.place(last));
        }
        self.found.extend(change.finish());
    }
}

/// What the `return`s of a function return.
struct Returned<'p> {
    file: SyntaxFile<'p>,
    values: Vec<Place>,
}

impl<'p> Visit<'p> for Returned<'p> {
    fn visit_expr_return(&mut self, one: &'p syn::ExprReturn) {
        self.values
            .extend(one.expr.iter().map(|value| self.file.place(value)));
    }

    fn visit_expr_closure(&mut self, _closure: &'p syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _block: &'p syn::ExprAsync) {}

    fn visit_item(&mut self, _item: &'p Item) {}
}

impl<'p> Visit<'p> for Values<'p, '_> {
    fn visit_local(&mut self, local: &'p syn::Local) {
        self.variable(local);
        visit::visit_local(self, local);
    }

    fn visit_item_const(&mut self, item: &'p syn::ItemConst) {
        self.constant(&item.ty, &item.expr);
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'p syn::ItemStatic) {
        self.constant(&item.ty, &item.expr);
        visit::visit_item_static(self, item);
    }

    fn visit_item_fn(&mut self, item: &'p syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'p syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }
}
