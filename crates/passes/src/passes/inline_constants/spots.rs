//! Constants with their values, and the places where a constant may be mentioned.

use super::super::expressions::is_tight;
use super::super::paths::path_mentions;
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::Position;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{Expr, GenericArgument, Ident, ImplItemConst, ItemConst, ItemStatic, Pat, Path, Type};

/// A constant, a static or an associated constant.
pub(super) struct Constant {
    pub(super) name: String,
    pub(super) position: Position,
    pub(super) whole: Place,
    pub(super) home: Home,
    pub(super) value: Option<Value>,
}

/// What a constant belongs to.
#[derive(Clone)]
pub(super) enum Home {
    Module,
    Trait,
    /// With the name of the type, if it has one, and the place of the impl.
    Impl(String, Place),
}

pub(super) struct Value {
    pub(super) place: Place,
    pub(super) shape: Shape,
}

/// What an expression may stand in without brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// In anything: a literal.
    Literal,
    /// In a generic argument and a pattern: `-1`.
    Negative,
    /// In any expression.
    Atom,
    Other,
}

/// A path that may name a constant.
pub(super) struct Spot {
    pub(super) place: Place,
    around: Around,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    Expression,
    GenericArgument,
    Pattern,
}

#[derive(Default)]
pub(super) struct Spots {
    pub(super) constants: Vec<Constant>,
    /// By where the last name of the path stands.
    pub(super) found: HashMap<Position, Spot>,
}

impl Spots {
    pub(super) fn of(program: &Program<'_>) -> Self {
        let mut found = Self::default();
        for path in path_mentions(program) {
            let Some(last) = path.segments.last() else {
                continue;
            };
            let place = (path.file, path.range.clone());
            found.add((path.file, last.at), place, Around::Expression);
        }
        for file in program.files() {
            let mut reader = Reader {
                file,
                home: Home::Module,
                found: &mut found,
            };
            reader.visit_file(file.syntax);
        }
        found
    }

    fn add(&mut self, name: Position, place: Place, around: Around) {
        self.found.insert(name, Spot { place, around });
    }
}

/// A value with the brackets that it needs; `None` if it cannot stand there.
pub(super) fn in_brackets(
    value: &Value,
    text: &str,
    spot: Option<&Spot>,
    is_alone: bool,
) -> Option<String> {
    let around = spot.map_or(Around::Expression, |spot| spot.around);
    let is_simple = matches!(value.shape, Shape::Literal | Shape::Negative);
    match around {
        Around::Pattern => is_simple.then(|| text.to_owned()),
        Around::GenericArgument if is_simple => Some(text.to_owned()),
        Around::GenericArgument if text.starts_with('{') => Some(text.to_owned()),
        Around::GenericArgument => Some(format!("{{ {text} }}")),
        Around::Expression if is_alone => Some(text.to_owned()),
        Around::Expression => match value.shape {
            Shape::Literal | Shape::Atom => Some(text.to_owned()),
            Shape::Negative | Shape::Other => Some(format!("({text})")),
        },
    }
}

struct Reader<'p, 'f> {
    file: SyntaxFile<'p>,
    home: Home,
    found: &'f mut Spots,
}

impl<'p> Reader<'p, '_> {
    fn constant(&mut self, name: &Ident, whole: Place, value: Option<&Expr>) {
        if name == "_" {
            return;
        }
        self.found.constants.push(Constant {
            name: name.to_string(),
            position: self.file.position(name),
            whole,
            home: self.home.clone(),
            value: value.map(|expression| Value {
                place: self.file.place(expression),
                shape: shape(expression),
            }),
        });
    }

    fn spot(&mut self, path: &Path, place: Place, around: Around) {
        if let Some(last) = path.segments.last() {
            let name = self.file.position(&last.ident);
            self.found.add(name, place, around);
        }
    }

    fn within(&mut self, home: Home, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.home, home);
        walk(self);
        self.home = outer;
    }
}

impl<'p> Visit<'p> for Reader<'p, '_> {
    fn visit_item_const(&mut self, item: &'p ItemConst) {
        self.within(Home::Module, |inside| {
            inside.constant(&item.ident, inside.file.place(item), Some(&item.expr));
        });
        visit::visit_item_const(self, item);
    }

    fn visit_item_static(&mut self, item: &'p ItemStatic) {
        self.within(Home::Module, |inside| {
            inside.constant(&item.ident, inside.file.place(item), Some(&item.expr));
        });
        visit::visit_item_static(self, item);
    }

    fn visit_item_impl(&mut self, block: &'p syn::ItemImpl) {
        let name = match &*block.self_ty {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let home = Home::Impl(name.unwrap_or_default(), self.file.place(block));
        self.within(home, |inside| visit::visit_item_impl(inside, block));
    }

    fn visit_item_trait(&mut self, definition: &'p syn::ItemTrait) {
        self.within(Home::Trait, |inside| {
            visit::visit_item_trait(inside, definition);
        });
    }

    fn visit_impl_item_const(&mut self, item: &'p ImplItemConst) {
        self.constant(&item.ident, self.file.place(item), Some(&item.expr));
        visit::visit_impl_item_const(self, item);
    }

    fn visit_trait_item_const(&mut self, item: &'p syn::TraitItemConst) {
        let value = item.default.as_ref().map(|(_, value)| value);
        self.constant(&item.ident, self.file.place(item), value);
        visit::visit_trait_item_const(self, item);
    }

    fn visit_expr_path(&mut self, path: &'p syn::ExprPath) {
        let place = self.file.place(path);
        self.spot(&path.path, place, Around::Expression);
        visit::visit_expr_path(self, path);
    }

    fn visit_generic_argument(&mut self, argument: &'p GenericArgument) {
        visit::visit_generic_argument(self, argument);
        let path = match argument {
            GenericArgument::Type(Type::Path(path)) => &path.path,
            GenericArgument::Const(Expr::Path(path)) => &path.path,
            _ => return,
        };
        let place = self.file.place(argument);
        self.spot(path, place, Around::GenericArgument);
    }

    fn visit_pat(&mut self, pattern: &'p Pat) {
        visit::visit_pat(self, pattern);
        let place = self.file.place(pattern);
        match pattern {
            Pat::Path(path) => self.spot(&path.path, place, Around::Pattern),
            Pat::Ident(name) if name.subpat.is_none() => {
                let position = self.file.position(&name.ident);
                self.found.add(position, place, Around::Pattern);
            }
            _ => {}
        }
    }
}

fn shape(expression: &Expr) -> Shape {
    match expression {
        Expr::Lit(_) => Shape::Literal,
        Expr::Unary(unary) if matches!(*unary.expr, Expr::Lit(_)) => Shape::Negative,
        _ if is_tight(expression) => Shape::Atom,
        _ => Shape::Other,
    }
}
