//! Finds the variables that a part of a function mentions; where a name is ambiguous, rather more than fewer.

use crate::passes::{binding, is_made_of_literals};
use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, Node};
use reduce_model::{DefKind, Position, Resolution, Role};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Local, Pat, PatType, Type};

/// The variables of a program.
#[derive(Default)]
pub(super) struct Variables {
    /// For each position of a name, the definitions of the variables that the name may mean.
    meant: BTreeMap<Position, Vec<Position>>,
    /// The variables that may be changed after their definition, as far as the source tells.
    changeable: BTreeSet<Position>,
    /// The variables that are made of literals alone and are never changed.
    plain: BTreeSet<Position>,
}

impl Variables {
    pub(super) fn of(program: &Program) -> Self {
        let mut found = Self::default();
        found.add_mentions(program);
        visit::each_also_in_macros(program, |at, node| match node {
            Node::Pat(Pat::Ident(name)) if name.mutability.is_some() => {
                found.changeable.insert(at.position(&name.ident));
            }
            Node::Pat(Pat::Type(typed)) => found.add_typed(at.file, typed),
            Node::Signature(signature) => {
                let typed = signature.inputs.iter().filter_map(|input| match input {
                    syn::FnArg::Typed(typed) => Some(typed),
                    syn::FnArg::Receiver(_) => None,
                });
                typed.for_each(|typed| found.add_typed(at.file, typed));
            }
            Node::Local(local) => found.add_local(at.file, local),
            _ => {}
        });
        found
    }

    /// Returns the variables that are mentioned or defined in a place, without those that are made of literals alone.
    pub(super) fn within<'v>(&'v self, place: &Place) -> impl Iterator<Item = Position> + use<'v> {
        let all = self.mentioned(place);
        all.filter(|defined| !self.plain.contains(defined))
    }

    /// Returns the variables that are defined outside of a place and mentioned in it.
    pub(super) fn of_outside<'v>(
        &'v self,
        place: &'v Place,
    ) -> impl Iterator<Item = Position> + use<'v> {
        let all = self.mentions_of_outside(place);
        all.map(|(_, defined)| defined)
    }

    /// Returns the mentions, in a place, of variables that are defined outside, each with its variable.
    pub(super) fn mentions_of_outside<'v>(
        &'v self,
        place: &'v Place,
    ) -> impl Iterator<Item = (Position, Position)> + use<'v> {
        let all = self.meant.range(place.start()..place.end());
        let all = all.flat_map(|(at, defined)| defined.iter().map(|one| (*at, *one)));
        all.filter(|(_, defined)| !defined.is_in(place))
    }

    /// Returns the variables that are defined in a place.
    pub(super) fn defined_in<'v>(
        &'v self,
        place: &'v Place,
    ) -> impl Iterator<Item = Position> + use<'v> {
        let all = self.mentioned(place);
        all.filter(|defined| defined.is_in(place))
    }

    /// Whether a variable may be changed after its definition, as far as the source tells.
    pub(super) fn is_changeable(&self, defined: Position) -> bool {
        self.changeable.contains(&defined)
    }

    /// Whether a variable is made of literals alone and never changed.
    pub(super) fn is_plain(&self, defined: Position) -> bool {
        self.plain.contains(&defined)
    }

    /// Whether all variables that are mentioned in a place and defined outside of it are made of
    /// literals alone.
    pub(super) fn are_plain_in(&self, place: &Place) -> bool {
        self.of_outside(place).all(|one| self.is_plain(one))
    }

    /// Returns the variables that are mentioned or defined in a place.
    pub(super) fn mentioned<'v>(
        &'v self,
        place: &Place,
    ) -> impl Iterator<Item = Position> + use<'v> {
        let all = self.meant.range(place.start()..place.end());
        all.flat_map(|(_, defined)| defined.iter().copied())
    }

    /// Adds the mentions of variables: a name whose meaning is uncertain may mean each variable of this name.
    fn add_mentions(&mut self, program: &Program) {
        let model = program.model();
        for (def, definition) in model.definitions() {
            let name = model.name(def);
            let Some(name) = name.filter(|_| definition.kind == DefKind::Variable) else {
                continue;
            };
            for spelled in program.mentions().spelled(name) {
                let may_mean = match model.resolve_at(spelled.position()) {
                    Resolution::Certain(other) => other == def,
                    _ => spelled.role == Role::Plain && spelled.file == definition.name.file,
                };
                if may_mean {
                    let meant = self.meant.entry(spelled.position()).or_default();
                    meant.push(definition.name);
                }
            }
        }
    }

    fn add_typed(&mut self, file: SyntaxFile<'_>, typed: &PatType) {
        if let (Pat::Ident(name), Type::Reference(reference)) = (&*typed.pat, &*typed.ty)
            && reference.mutability.is_some()
        {
            self.changeable.insert(file.position(&name.ident));
        }
    }

    fn add_local(&mut self, file: SyntaxFile<'_>, local: &Local) {
        let (Pat::Ident(name), Some(init)) = (without_type(&local.pat), &local.init) else {
            return;
        };
        let defined = file.position(&name.ident);
        let names_mut = file.text(&*init.expr).contains("mut ");
        if names_mut {
            self.changeable.insert(defined);
        }
        if name.mutability.is_none() && name.by_ref.is_none() && is_made_of_literals(&init.expr) {
            self.plain.insert(defined);
        }
    }
}

/// Whether a statement defines a variable that nothing mentions.
pub(super) fn is_unmentioned(program: &Program, file: SyntaxFile<'_>, local: &Local) -> bool {
    binding(&local.pat).is_some_and(|(name, _)| {
        let mentions = program.mentions().of(file.position(&name.ident));
        mentions.is_empty()
    })
}

fn without_type(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Type(typed) => &typed.pat,
        other => other,
    }
}
