//! What stands around each expression of a program, and around the types after `&` and `*`.

use super::{Begins, Role, Setting, open_parts};
use crate::program::{Place, Program, SyntaxFile};
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, GenericArgument, Macro, Member, Stmt, Type};

/// Settings by the place of the expression.
pub(crate) type ByPlace = HashMap<Place, Setting>;

/// The settings of all expressions, those in the arguments of macros included.
pub(crate) fn by_place(program: &Program) -> ByPlace {
    let mut found = ByPlace::new();
    for file in program.files() {
        let mut walk = SettingsWalk {
            program,
            file,
            found: &mut found,
            coming: HashMap::new(),
        };
        walk.visit_file(file.syntax);
    }
    found
}

struct SettingsWalk<'p, 'f> {
    program: &'p Program,
    file: SyntaxFile<'p>,
    found: &'f mut ByPlace,
    /// Those of expressions that are still to be visited. Others stand in brackets.
    coming: HashMap<*const Expr, Setting>,
}

impl SettingsWalk<'_, '_> {
    fn expect(&mut self, expression: &Expr, setting: Setting) {
        self.coming.insert(expression, setting);
    }

    /// Notes what comes before a block.
    fn expect_condition(&mut self, expression: &Expr) {
        let in_condition = true;
        let setting = Setting::of(Role::BeforeBlock);
        self.expect(
            expression,
            Setting {
                in_condition,
                ..setting
            },
        );
    }

    fn expect_statement(&mut self, expression: &Expr) {
        let begins = Begins::Statement;
        self.expect(
            expression,
            Setting {
                begins,
                ..Setting::FREE
            },
        );
    }

    fn parts(&mut self, expression: &Expr, around: Setting) {
        for (role, part) in open_parts(expression) {
            let is_prefixed = matches!(expression, Expr::RawAddr(_)) || role == Role::Prefixed;
            let is_first = match role {
                Role::Left(_) | Role::Receiver | Role::Callee | Role::Indexed => true,
                Role::Assigned => !is_prefixed,
                _ => false,
            };
            let begins = match (is_first, around.begins) {
                (false, _) | (_, Begins::Nothing) => Begins::Nothing,
                (true, _) if role == Role::Receiver => Begins::Statement,
                (true, _) => Begins::Operation,
            };
            let before_less = match role {
                Role::Left(_) => is_less(expression),
                Role::Right(_) | Role::Prefixed => around.before_less,
                _ => false,
            };
            self.expect(
                part,
                Setting {
                    role,
                    in_condition: around.in_condition || role == Role::Scrutinee,
                    begins,
                    before_less,
                },
            );
        }
    }
}

/// Whether an operator begins with `<`.
fn is_less(expression: &Expr) -> bool {
    matches!(expression, Expr::Binary(one) if matches!(one.op, BinOp::Lt(_) | BinOp::Shl(_)))
}

impl<'p> Visit<'p> for SettingsWalk<'p, '_> {
    fn visit_attribute(&mut self, _attribute: &'p syn::Attribute) {}

    fn visit_expr(&mut self, expression: &'p Expr) {
        let coming = self.coming.remove(&std::ptr::from_ref(expression));
        let setting = coming.unwrap_or(Setting::FREE);
        let place = self.file.place(expression);
        self.found.entry(place).or_insert(setting);
        self.parts(expression, setting);
        match expression {
            Expr::If(one) => self.expect_condition(&one.cond),
            Expr::While(one) => self.expect_condition(&one.cond),
            Expr::ForLoop(one) => self.expect_condition(&one.expr),
            Expr::Match(one) => self.expect_condition(&one.expr),
            Expr::Index(one) => self.expect(&one.index, Setting::of(Role::Typed)),
            Expr::Repeat(one) => self.expect(&one.len, Setting::of(Role::Typed)),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_item_const(&mut self, item: &'p syn::ItemConst) {
        self.expect(&item.expr, Setting::of(Role::Typed));
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'p syn::ItemStatic) {
        self.expect(&item.expr, Setting::of(Role::Typed));
        visit::visit_item_static(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'p syn::ImplItemConst) {
        self.expect(&item.expr, Setting::of(Role::Typed));
        visit::visit_impl_item_const(self, item);
    }

    fn visit_type_array(&mut self, array: &'p syn::TypeArray) {
        self.expect(&array.len, Setting::of(Role::Typed));
        visit::visit_type_array(self, array);
    }

    fn visit_stmt(&mut self, statement: &'p Stmt) {
        if let Stmt::Expr(expression, _) = statement {
            self.expect_statement(expression);
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_arm(&mut self, arm: &'p syn::Arm) {
        self.expect_statement(&arm.body);
        visit::visit_arm(self, arm);
    }

    fn visit_local(&mut self, local: &'p syn::Local) {
        if let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_some()) {
            self.expect(&init.expr, Setting::of(Role::BeforeElse));
        }
        visit::visit_local(self, local);
    }

    fn visit_field_value(&mut self, value: &'p syn::FieldValue) {
        if value.colon_token.is_none() && matches!(value.member, Member::Named(_)) {
            self.expect(&value.expr, Setting::of(Role::Shorthand));
        }
        visit::visit_field_value(self, value);
    }

    fn visit_generic_argument(&mut self, argument: &'p GenericArgument) {
        if let GenericArgument::Type(Type::Path(_)) | GenericArgument::Const(_) = argument {
            let place = self.file.place(argument);
            self.found.insert(place, Setting::of(Role::GenericArgument));
        }
        visit::visit_generic_argument(self, argument);
    }

    fn visit_type(&mut self, ty: &'p Type) {
        let pointee = match ty {
            Type::Reference(one) => Some(&one.elem),
            Type::Ptr(one) => Some(&one.elem),
            _ => None,
        };
        let pointee = pointee.map(|ty| (self.file.place(ty), Setting::of(Role::Pointee)));
        self.found.extend(pointee);
        visit::visit_type(self, ty);
    }

    fn visit_macro(&mut self, call: &'p Macro) {
        if let Some(arguments) = self.program.arguments(self.file, call) {
            arguments.visit(self);
        }
        visit::visit_macro(self, call);
    }
}
