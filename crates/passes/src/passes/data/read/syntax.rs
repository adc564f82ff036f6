//! Which syntax holds what is read.

use super::super::{Alternatives, Impl, PathRole};
use super::Reader;
use reduce_syntax::ItemParts;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Item, Pat, Path, Stmt, Type};

impl<'ast> Visit<'ast> for Reader<'_, '_> {
    fn visit_attribute(&mut self, _attribute: &'ast syn::Attribute) {}

    fn visit_item(&mut self, item: &'ast Item) {
        self.definition(item);
        let parts = ItemParts::of(item);
        let parts = parts.filter(|one| matches!(one.keyword, "struct" | "enum" | "union"));
        let own = parts.and_then(|parts| parts.name);
        let own = own.map(|name| (name.to_string(), self.file.position(name)));
        let outer = std::mem::replace(&mut self.own, own);
        visit::visit_item(self, item);
        self.own = outer;
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let parameters = self.parameters(&item.generics, Some(&item.ident));
        self.data.parameters.extend(parameters);
        visit::visit_item_trait(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        let parameters = self.parameters(&signature.generics, Some(&signature.ident));
        self.data.parameters.extend(parameters);
        visit::visit_signature(self, signature);
    }

    fn visit_item_use(&mut self, import: &'ast syn::ItemUse) {
        let whole = self.place(import);
        self.import(&import.tree, &whole);
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let last = match &*block.self_ty {
            Type::Path(one) => one.path.segments.last(),
            _ => None,
        };
        self.own = last.map(|one| (one.ident.to_string(), self.file.position(&one.ident)));
        self.data.impls.push(Impl {
            whole: self.place(block),
            own: self.own.as_ref().map(|(_, at)| *at),
            is_inherent: block.trait_.is_none(),
        });
        let parameters = self.parameters(&block.generics, None);
        self.data.parameters.extend(parameters);
        visit::visit_item_impl(self, block);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if item.ident.is_none() {
            self.visit_macro(&item.mac);
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.macro_arguments(call);
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        match ty {
            Type::Path(one) => {
                one.qself
                    .iter()
                    .for_each(|qself| self.visit_type(&qself.ty));
                self.path_as(
                    if one.qself.is_some() {
                        PathRole::Other
                    } else {
                        PathRole::Type
                    },
                    &one.path,
                );
            }
            Type::Tuple(tuple) => {
                self.data.has_tuples |= !tuple.elems.is_empty();
                visit::visit_type(self, ty);
            }
            _ => visit::visit_type(self, ty),
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        self.path(path);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let place = self.place(arm);
        self.within_arm(Some(place), |inside| inside.visit_pat(&arm.pat));
        let n_before = self.data.reads.len();
        self.visit_expr(&arm.body);
        self.first_read(&arm.body, None, n_before);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        let n_before = self.data.reads.len();
        visit::visit_stmt(self, statement);
        if let Stmt::Expr(expression, _) = statement
            && self.data.reads.len() > n_before
        {
            self.first_read(expression, Some(statement), n_before);
        }
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Struct(literal) => self.struct_expression(literal),
            Expr::Call(call) => match &*call.func {
                Expr::Path(callee) => self.call(call, callee),
                _ => visit::visit_expr(self, expression),
            },
            Expr::Path(one) => self.unit(one, false),
            Expr::Field(read) => {
                self.field_read(read);
                visit::visit_expr(self, expression);
            }
            Expr::Tuple(tuple) => {
                self.data.has_tuples |= !tuple.elems.is_empty();
                visit::visit_expr(self, expression);
            }
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.within_arm(None, |inside| visit::visit_block(inside, block));
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        match pattern {
            Pat::Struct(one) => self.struct_pattern(one),
            Pat::TupleStruct(one) => self.tuple_pattern(one),
            Pat::Path(one) => self.unit(one, true),
            Pat::Ident(one) => self.name_pattern(one),
            Pat::Or(one) => {
                let cases = one.cases.iter().map(|case| self.place(case)).collect();
                let around = self.arm.clone();
                self.data.alternatives.push(Alternatives { cases, around });
                for case in &one.cases {
                    let place = self.place(case);
                    self.within_arm(Some(place), |inside| inside.visit_pat(case));
                }
            }
            _ => visit::visit_pat(self, pattern),
        }
    }
}
