//! Tells whether the names that a loop or a block declares may be declared in the block around it: no code
//! after it must mean something else by them.

use super::PlainLoop;
use crate::program::{Place, Program, SyntaxFile};
use reduce_model::{Position, Resolution, Role};
use syn::visit::{self, Visit};
use syn::{Block, Ident, Pat, PatIdent, Stmt};

/// Whether the names that the pattern and the body of a loop declare need no block of their own.
pub(super) fn keeps_names_apart(one: &PlainLoop<'_>) -> bool {
    let after = one
        .file
        .place(one.block)
        .after(&one.file.place(one.statement));
    let is_apart = |name: &Ident| is_declared_within(one.program, &name.to_string(), &after);
    bound_by(&one.looping.pat).into_iter().all(is_apart)
        && needs_no_block(one.program, &one.looping.body, &after)
}

/// Whether the names that a block declares may be declared before what comes `after` it.
pub(in crate::passes) fn needs_no_block(program: &Program, block: &Block, after: &Place) -> bool {
    let names = declared_in(block);
    names.is_some_and(|names| {
        let mut names = names.iter();
        names.all(|name| is_declared_within(program, &name.to_string(), after))
    })
}

/// Whether each mention of a name in a place means something that is declared in that place.
fn is_declared_within(program: &Program, name: &str, place: &Place) -> bool {
    let model = program.model();
    let spelled = program.mentions().spelled(name).iter();
    let mut inside = spelled.filter(|one| one.role == Role::Plain && one.position().is_in(place));
    inside.all(|one| {
        let is_declaration = |word| model.defined_by(word).is_some();
        let meant = program.meant(one.position());
        model.word_at(one.position()).is_some_and(is_declaration)
            || meant.is_some_and(|def| model.definition(def).name.is_in(place))
    })
}

/// Returns the names that the statements of a body declare; `None` where that is not known.
pub(super) fn declared_in(body: &Block) -> Option<Vec<&Ident>> {
    let mut names = Vec::new();
    for statement in &body.stmts {
        match statement {
            Stmt::Local(local) => names.extend(bound_by(&local.pat)),
            Stmt::Item(_) => return None,
            Stmt::Macro(call) => declares_nothing(&call.mac).then_some(())?,
            Stmt::Expr(..) => {}
        }
    }
    Some(names)
}

/// Beginnings of the names of macros whose calls declare nothing.
const WITHOUT_NAMES: [&str; 9] = [
    "assert",
    "debug_assert",
    "dbg",
    "eprint",
    "panic",
    "print",
    "todo",
    "unreachable",
    "write",
];

fn declares_nothing(call: &syn::Macro) -> bool {
    let name = call.path.get_ident().map(ToString::to_string);
    name.is_some_and(|name| WITHOUT_NAMES.iter().any(|start| name.starts_with(start)))
}

/// Returns the names that a pattern binds.
fn bound_by(pattern: &Pat) -> Vec<&Ident> {
    let mut names = Bound::default();
    names.visit_pat(pattern);
    names.names.iter().map(|name| &name.ident).collect()
}

/// Whether a pattern binds a name with `ref mut`, which may change what the name was bound to.
pub(super) fn binds_changeably(pattern: &Pat) -> bool {
    let mut names = Bound::default();
    names.visit_pat(pattern);
    let mut names = names.names.iter();
    names.any(|name| name.by_ref.is_some() && name.mutability.is_some())
}

#[derive(Default)]
struct Bound<'p> {
    names: Vec<&'p PatIdent>,
}

impl<'p> Visit<'p> for Bound<'p> {
    fn visit_pat_ident(&mut self, name: &'p PatIdent) {
        self.names.push(name);
        visit::visit_pat_ident(self, name);
    }
}

/// Returns all mentions of the variable that is defined by a name, in the place where it can be mentioned; `None`
/// where something else of its name may be one.
pub(super) fn mentions(
    program: &Program,
    file: SyntaxFile<'_>,
    name: &Ident,
    scope: &Place,
) -> Option<Vec<Position>> {
    let (model, defined) = (program.model(), file.position(name));
    let known = program.mentions().of(defined);
    let spelled = program.mentions().spelled(&name.to_string()).iter();
    let plain = spelled.filter(|one| one.role == Role::Plain && one.position().is_in(scope));
    let mut all = Vec::new();
    for position in plain.map(|one| one.position()) {
        let word = model.word_at(position)?;
        match model.resolve(word) {
            _ if known.contains(&position) => all.push(position),
            _ if model.defined_by(word).is_some() => {}
            Resolution::Certain(def) if model.definition(def).name == defined => all.push(position),
            Resolution::Certain(_) | Resolution::Outside => {}
            Resolution::Maybe(_) | Resolution::Unknown => return None,
        }
    }
    Some(all)
}
