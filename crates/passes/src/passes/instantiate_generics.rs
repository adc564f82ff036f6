//! `instantiate_generics`: removes a generic parameter, with its bounds and with the arguments for it, and puts
//! something concrete in its place inside of the item that declares it.
//!
//! An argument that goes may have been all that needed a parameter of another item, or all that
//! bound one of an impl: then that one becomes concrete together with it.

mod values;

use super::generics::{Index, Owner, ParameterId, Role, Setting};
use super::generics::{is_lifetime, name_of, plain_name, predicates};
use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Change, Place, Program, SyntaxFile, simplest_first};
use reduce_model::Position;
use reduce_syntax::EditSet;
use std::collections::BTreeSet;
use syn::{GenericArgument, GenericParam, TypeParamBound, WherePredicate};
use values::{Value, values};

pub(super) const PASS: Pass = Pass {
    name: "instantiate_generics",
    about: "Puts something concrete in place of a generic parameter, and drops its arguments",
    example: (
        "struct S<T>(T); impl<T> S<T> { fn f(x: S<u8>) -> T { x.0 } }",
        "struct S(u8); impl S { fn f(x: S) -> u8 { x.0 } }",
    ),
    keeps: Keeps::Nothing,
    work: &[Work::Rewrite(Rewriter(changes))],
};

fn changes(program: &Program) -> Vec<EditSet> {
    let index = Index::new(program);
    let all = index.owners.iter().enumerate().flat_map(|(owner, one)| {
        let is_of_a_trait = |name| program.mentions().definition(name).is_some();
        let n_own = match one.name.is_some_and(is_of_a_trait) {
            true => 0,
            false => one.generics.params.len(),
        };
        (0..n_own).map(move |idx| (owner, idx))
    });
    let of_one = |parameter| {
        let change = |value| Instantiation::new(program, &index, value).finish(parameter);
        let all = values(program, &index, parameter).into_iter();
        let mut found: Vec<EditSet> = all.filter_map(change).collect();
        // A parameter with many mentions may get the shortest value too: what goes with the
        // parameter makes up for `()` at few of them.
        let is_long = index.mentions(parameter).count() > 2;
        if is_long && !found.iter().any(|edits| program.is_made_simpler_by(edits)) {
            found.extend(Value::shortest(&index, parameter).and_then(change));
        }
        found
    };
    simplest_first(program, all.flat_map(of_one))
}

/// A change that puts a value in place of a generic parameter, and of those that have to go together with it.
struct Instantiation<'i, 'p> {
    program: &'p Program,
    index: &'i Index<'p>,
    value: Value,
    change: Change<'p>,
    parameters: BTreeSet<ParameterId>,
    queue: Vec<ParameterId>,
    /// The places that the change removes: a mention inside of one needs no value in its place.
    gone: Vec<Place>,
    /// Generic parameters that lose a mention by the change, and may have none left.
    shaken: BTreeSet<ParameterId>,
    is_of_use: bool,
}

impl<'i, 'p> Instantiation<'i, 'p> {
    fn new(program: &'p Program, index: &'i Index<'p>, value: Value) -> Self {
        Self {
            program,
            index,
            value,
            change: program.change(),
            parameters: BTreeSet::new(),
            queue: Vec::new(),
            gone: Vec::new(),
            shaken: BTreeSet::new(),
            is_of_use: false,
        }
    }

    /// Finishes the change; `None` for a parameter that nothing but its own bounds mentions:
    /// deleting it is enough.
    fn finish(mut self, parameter: ParameterId) -> Option<EditSet> {
        self.queue.push(parameter);
        while let Some(next) = self.queue.pop() {
            self.remove(next);
            if self.queue.is_empty() {
                self.without_mentions();
            }
        }
        let gone = Gone::new(std::mem::take(&mut self.gone));
        for parameter in std::mem::take(&mut self.parameters) {
            self.substitute(parameter, &gone);
        }
        self.is_of_use.then(|| self.change.finish()).flatten()
    }

    /// Removes a parameter with its predicates and arguments.
    fn remove(&mut self, parameter: ParameterId) {
        if !self.parameters.insert(parameter) {
            return;
        }
        let (owner, one) = self.index.declared(parameter);
        own_places(owner, one).for_each(|place| self.lose(place));
        if let Some(name) = owner.name {
            self.remove_arguments(name, parameter);
        }
    }

    fn lose(&mut self, place: Place) {
        self.change.remove(&place);
        self.gone.push(place);
    }

    fn remove_arguments(&mut self, name: Position, parameter: ParameterId) {
        let ordinal = self.index.ordinal(parameter);
        for &mention in self.program.mentions().of(name) {
            if let Some(member) = self.index.owner(mention) {
                self.queue.extend(self.index.at_ordinal(member, ordinal));
            } else if let Some((file, argument)) = self.index.argument(mention, ordinal) {
                self.remove_argument(file, argument, ordinal.is_lifetime);
            }
        }
    }

    fn remove_argument(
        &mut self,
        file: SyntaxFile<'p>,
        argument: &'p GenericArgument,
        is_lifetime: bool,
    ) {
        let place = file.place(argument);
        let index = self.index;
        if is_name(argument) && index.in_headers.contains_key(&place) {
            let is_it =
                |one: &ParameterId| self::is_lifetime(index.declared(*one).1) == is_lifetime;
            self.queue.extend(index.parameters_in(&place).find(is_it));
        }
        self.shaken.extend(index.parameters_in(&place));
        self.lose(place);
        self.is_of_use = true;
    }

    /// Queues the parameters that nothing mentions any more.
    fn without_mentions(&mut self) {
        let gone = Gone::new(self.gone.clone());
        for parameter in std::mem::take(&mut self.shaken) {
            let (owner, one) = self.index.declared(parameter);
            let own = Gone::new(own_places(owner, one).collect());
            let mut mentions = self.index.mentions(parameter).map(|place| place.start());
            if mentions.all(|at| gone.contains(at) || own.contains(at)) {
                self.queue.push(parameter);
            }
        }
        self.queue.retain(|one| !self.parameters.contains(one));
    }

    /// Puts the value in place of all mentions of a parameter.
    fn substitute(&mut self, parameter: ParameterId, gone: &Gone) {
        let (_, one) = self.index.declared(parameter);
        let all = self.index.mentions(parameter);
        for place in all.filter(|place| !gone.contains(place.start())) {
            let at = place.start();
            if is_lifetime(one) {
                let use_of = self.index.lifetimes.get(&at);
                self.value
                    .put_for_lifetime(&mut self.change, &place, use_of);
            } else {
                let head = self.index.heads.get(&at);
                self.value.put(&mut self.change, &place, head);
            }
            self.is_of_use = true;
        }
    }
}

/// Returns the places in the item with a generic parameter that go together with the parameter.
fn own_places(owner: &Owner<'_>, parameter: &GenericParam) -> impl Iterator<Item = Place> {
    let about = predicates(owner.generics).filter(|predicate| is_about(predicate, parameter));
    let places = about.map(|predicate| owner.file.place(predicate));
    std::iter::once(owner.file.place(parameter)).chain(places)
}

/// Whether a predicate says something of nothing but a parameter.
fn is_about(predicate: &WherePredicate, parameter: &GenericParam) -> bool {
    match (predicate, parameter) {
        (WherePredicate::Type(one), GenericParam::Lifetime(parameter)) => {
            let is_it = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Lifetime(bound) if *bound == parameter.lifetime);
            !one.bounds.is_empty() && one.bounds.iter().all(is_it)
        }
        (WherePredicate::Type(one), _) => {
            let name = name_of(parameter);
            name.is_some() && plain_name(&one.bounded_ty) == name
        }
        (WherePredicate::Lifetime(one), GenericParam::Lifetime(parameter)) => {
            let mut all = one.bounds.iter().chain([&one.lifetime]);
            all.any(|lifetime| *lifetime == parameter.lifetime)
        }
        _ => false,
    }
}

fn is_name(argument: &GenericArgument) -> bool {
    match argument {
        GenericArgument::Lifetime(_) => true,
        GenericArgument::Type(ty) => plain_name(ty).is_some(),
        GenericArgument::Const(syn::Expr::Path(path)) => path.path.get_ident().is_some(),
        _ => false,
    }
}

/// Places that are deleted, merged where they overlap, and in order.
struct Gone(Vec<Place>);

impl Gone {
    fn new(mut places: Vec<Place>) -> Self {
        places.sort_by_key(|place| (place.start(), place.range.end));
        let mut merged: Vec<Place> = Vec::with_capacity(places.len());
        for place in places {
            match merged.last_mut() {
                Some(last) if place.start().is_in(last) => {
                    last.range.end = last.range.end.max(place.range.end);
                }
                _ => merged.push(place),
            }
        }
        Self(merged)
    }

    fn contains(&self, position: Position) -> bool {
        let idx = self.0.partition_point(|place| place.start() <= position);
        let last = idx.checked_sub(1).and_then(|idx| self.0.get(idx));
        last.is_some_and(|place| position.is_in(place))
    }
}

impl Value {
    fn put_for_lifetime(
        &self,
        change: &mut Change<'_>,
        place: &Place,
        use_of: Option<&(Role, Setting)>,
    ) {
        const EVER: &str = "'static";
        match use_of {
            _ if !matches!(self, Self::Elided) => change.replace(place, EVER),
            Some((Role::Bound, _) | (Role::Argument, Setting::Free)) => change.remove(place),
            Some((Role::Reference, Setting::Free | Setting::Header)) => change.delete(place),
            Some((Role::Argument, Setting::Header)) => change.replace(place, "'_"),
            Some((_, Setting::Rigid)) => change.replace(place, EVER),
            None => change.give_up(),
        };
    }
}

#[cfg(test)]
mod tests;
