//! Replaces reads of parts of literals that have a name: those of variables, constants and statics.

use super::Projecting;
use super::chains::{Chain, bare, is_aggregate, parts};
use super::inert::is_constant_of_number;
use super::numbers::{Class, Numbers};
use super::selection::{Declared, Selection};
use crate::passes::expressions::binding;
use crate::passes::paths::Import;
use crate::program::{Change, Place, SyntaxFile};
use reduce_model::{Position, Resolution};
use reduce_syntax::EditSet;
use syn::{Attribute, Block, Expr, Ident, Item, Local, Path, Stmt, Type};

/// A literal that is the value of a variable, constant or static.
struct NamedLiteral<'p> {
    file: SyntaxFile<'p>,
    /// The place of the `let` statement or of the item.
    whole: Place,
    name: Position,
    value: &'p Expr,
    declared: Declared<'p>,
    numbers: Numbers,
}

/// A mention of a named literal of which a part is read.
struct Reading<'c, 'p> {
    mention: Position,
    chain: &'c Chain<'p>,
    selection: Selection<'p>,
}

/// A constant or a static.
pub(super) struct Constant<'p> {
    pub(super) file: SyntaxFile<'p>,
    pub(super) name: &'p Ident,
    pub(super) ty: &'p Type,
    item: &'p Item,
    value: &'p Expr,
    is_plain: bool,
}

impl<'p> Constant<'p> {
    pub(super) fn of(file: SyntaxFile<'p>, item: &'p Item) -> Option<Self> {
        let (name, ty, value, attributes) = match item {
            Item::Const(one) => (&one.ident, &one.ty, &one.expr, &one.attrs),
            Item::Static(one) if matches!(one.mutability, syn::StaticMutability::None) => {
                (&one.ident, &one.ty, &one.expr, &one.attrs)
            }
            _ => return None,
        };
        let is_harmless =
            |one: &Attribute| one.path().is_ident("doc") || one.path().is_ident("allow");
        Some(Self {
            file,
            name,
            ty,
            item,
            value,
            is_plain: attributes.iter().all(is_harmless),
        })
    }
}

impl<'p> Projecting<'p> {
    /// Returns the changes of the literals of a block's variables.
    pub(super) fn of_variables(
        &self,
        file: SyntaxFile<'p>,
        block: &'p Block,
    ) -> impl Iterator<Item = EditSet> {
        block.stmts.iter().filter_map(move |statement| {
            let Stmt::Local(local) = statement else {
                return None;
            };
            let later = file.place(block).after(&file.place(statement));
            let literal = self.of_variable(file, statement, local)?;
            self.change(&literal, |_, part| self.means_the_same_in(&later, part))
        })
    }

    fn of_variable(
        &self,
        file: SyntaxFile<'p>,
        statement: &Stmt,
        local: &'p Local,
    ) -> Option<NamedLiteral<'p>> {
        let (name, ty) = binding(&local.pat)?;
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let is_plain = local.attrs.is_empty() && name.mutability.is_none();
        let is_known = is_plain
            && is_aggregate(&init.expr)
            && self.known.is_inert(file, &init.expr, ty.is_none());
        is_known.then(|| NamedLiteral {
            file,
            whole: file.place(statement),
            name: file.position(&name.ident),
            value: &init.expr,
            declared: ty.map_or(Declared::Inferred, Declared::Written),
            numbers: Numbers::of(&self.known, file, &init.expr),
        })
    }

    /// Returns the changes of the literals of constants. Other paths than those of numbers may mean something else
    /// where a constant is mentioned.
    pub(super) fn of_constants(&self) -> impl Iterator<Item = EditSet> {
        self.constants.iter().filter_map(|constant| {
            let file = constant.file;
            let is_known = constant.is_plain
                && is_aggregate(constant.value)
                && self.known.is_inert(file, constant.value, false);
            let literal = is_known.then(|| NamedLiteral {
                file,
                whole: file.place(constant.item),
                name: file.position(constant.name),
                value: constant.value,
                declared: Declared::Written(constant.ty),
                numbers: Numbers::of(&self.known, file, constant.value),
            })?;
            self.change(&literal, |mention, part| {
                let mut names = names_in(part).into_iter();
                self.is_certain(mention, literal.name) && names.all(is_constant_of_number)
            })
        })
    }

    /// Puts the part that is read in place of each read of a literal, and removes the literal if nothing else
    /// mentions it. `fits` says whether a part may stand at a mention.
    fn change(
        &self,
        literal: &NamedLiteral<'p>,
        fits: impl Fn(Position, &Expr) -> bool,
    ) -> Option<EditSet> {
        let all = self.program.mentions().of(literal.name).iter().copied();
        let (imports, mentions): (Vec<&Import>, Vec<Position>) = self.apart(all);
        let readings: Vec<Option<Reading<'_, 'p>>> = mentions
            .iter()
            .map(|at| self.reading(literal, *at))
            .collect();
        let reads: Vec<Class> = readings.iter().map(class_read).collect();
        let mut change = self.program.change();
        let fitting = readings.iter().flatten();
        let fitting = fitting.filter(|one| fits(one.mention, one.selection.part));
        let put = fitting.filter_map(|one| self.put_part(&mut change, literal, one, &reads));
        let n_put = put.count();
        (n_put > 0).then_some(())?;
        if n_put == mentions.len() {
            change.remove(&literal.whole);
            for import in imports {
                change.remove(import.whole());
            }
        }
        change.finish()
    }

    /// Splits the mentions of a literal's name into imports and all others.
    fn apart(&self, all: impl Iterator<Item = Position>) -> (Vec<&Import>, Vec<Position>) {
        let (mut imports, mut others) = (Vec::new(), Vec::new());
        for mention in all {
            match self.imports.iter().find(|import| import.name == mention) {
                Some(import) => imports.push(import),
                None => others.push(mention),
            }
        }
        (imports, others)
    }

    fn reading(&self, literal: &NamedLiteral<'p>, mention: Position) -> Option<Reading<'_, 'p>> {
        let chain = self.chains.of_names.get(&mention)?;
        let value = (literal.file, literal.value);
        Some(Reading {
            mention,
            chain,
            selection: self.selection(value, literal.declared, chain),
        })
    }

    fn put_part(
        &self,
        change: &mut Change<'_>,
        literal: &NamedLiteral<'p>,
        reading: &Reading<'_, 'p>,
        reads: &[Class],
    ) -> Option<()> {
        let Reading {
            chain, selection, ..
        } = reading;
        let class = selection.class(&chain.steps);
        let numbers = (&class, &literal.numbers);
        let text = selection.text(&self.known, literal.file, numbers, reads)?;
        let place = chain.place(selection.n_steps)?;
        change.replace_read(place, &text).map(drop)
    }

    /// Whether a mention is one of a definition for certain.
    fn is_certain(&self, mention: Position, name: Position) -> bool {
        let model = self.program.model();
        match model.resolve_at(mention) {
            Resolution::Certain(def) => model.definition(def).name == name,
            _ => false,
        }
    }

    /// Whether nothing in a place gives the names in a part another meaning.
    fn means_the_same_in(&self, place: &Place, part: &Expr) -> bool {
        let mut imports = self.imports.iter();
        let brings_names = imports.any(|import| import.item.is_within(place));
        let names = names_in(part);
        let mut heads = names.iter().filter_map(|path| path.segments.first());
        names.is_empty()
            || !brings_names && !heads.any(|head| self.defines(place, &head.ident.to_string()))
    }

    fn defines(&self, place: &Place, name: &str) -> bool {
        let model = self.program.model();
        let spelled = self.program.mentions().spelled(name).iter();
        let within = spelled
            .map(|word| word.position())
            .filter(|at| at.is_in(place));
        let mut words = within.filter_map(|at| model.word_at(at));
        words.any(|word| model.defined_by(word).is_some())
    }
}

/// Returns the class of the part that a mention reads: that of the whole literal, if the mention is no chain.
fn class_read(reading: &Option<Reading<'_, '_>>) -> Class {
    let class = |one: &Reading<'_, '_>| one.selection.class(&one.chain.steps);
    reading.as_ref().map_or_else(Class::new, class)
}

/// Returns the paths in an expression that does nothing.
fn names_in(value: &Expr) -> Vec<&Path> {
    match bare(value) {
        Expr::Path(path) => vec![&path.path],
        Expr::Repeat(array) => names_in(&array.expr),
        aggregate => {
            let own = match aggregate {
                Expr::Struct(literal) => Some(&literal.path),
                _ => None,
            };
            let parts = parts(aggregate).into_iter();
            let within = parts.flat_map(|(_, part)| names_in(part));
            own.into_iter().chain(within).collect()
        }
    }
}
