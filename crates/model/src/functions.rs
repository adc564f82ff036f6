//! The functions of a crate with their calls, by *families*: a function by itself, the member of a trait
//! with those of impls that stand for it, or a closure that a `let` names.

use crate::definitions::Definition;
use crate::family::Family;
use crate::ids::{CallId, DefId, WordId};
use crate::model::{Model, Resolution};
use crate::names::Hint;
use std::collections::{BTreeSet, HashMap};

impl Model {
    /// Returns the functions of the crate by their signatures, with their calls, in order of the
    /// source.
    #[must_use]
    pub fn families(&self) -> &[Family] {
        self.families.get_or_init(|| families(self))
    }
}

/// Returns all families, in the order of the names of their first functions. The member of an impl
/// belongs to none if the trait is not of the crate: it cannot change.
fn families(model: &Model) -> Vec<Family> {
    let mut families = Families::of(model);
    let calls: HashMap<WordId, CallId> = model.calls().collect();
    for word in model.words() {
        let call = calls.get(&word).copied();
        if model.defined_by(word).is_some() || !families.may_mean(word, call) {
            continue;
        }
        let (meant, is_known) = families.meant(word);
        for idx in meant {
            let family = &mut families.all[idx];
            match call.filter(|_| is_known) {
                Some(call) => family.calls.push(call),
                None => family.mentions.push(word),
            }
        }
    }
    families.all
}

struct Families<'m> {
    model: &'m Model,
    all: Vec<Family>,
    of_function: HashMap<DefId, usize>,
    of_name: HashMap<&'m str, Vec<usize>>,
}

impl<'m> Families<'m> {
    fn of(model: &'m Model) -> Self {
        let mut families = Self {
            model,
            all: Vec::new(),
            of_function: HashMap::new(),
            of_name: HashMap::new(),
        };
        let functions = model
            .definitions()
            .filter(|(_, one)| model.is_function(one));
        let mut functions: Vec<(DefId, &Definition)> = functions.collect();
        functions.sort_by_key(|(_, one)| one.name);
        let (members, others): (Vec<_>, Vec<_>) = functions
            .into_iter()
            .map(|(def, _)| def)
            .partition(|&def| model.is_member_of_trait_impl(def));
        others.into_iter().for_each(|def| families.begin(def));
        members.into_iter().for_each(|def| families.join(def));
        families
    }

    fn begin(&mut self, def: DefId) {
        let idx = self.all.len();
        self.all.push(Family {
            functions: vec![def],
            calls: Vec::new(),
            mentions: Vec::new(),
        });
        self.of_function.insert(def, idx);
        if let Some(name) = self.model.name(def) {
            self.of_name.entry(name).or_default().push(idx);
        }
    }

    fn join(&mut self, member: DefId) {
        let of_trait = self.model.implemented_member(member);
        if let Some(&idx) = of_trait.and_then(|def| self.of_function.get(&def)) {
            self.all[idx].functions.push(member);
            self.of_function.insert(member, idx);
        }
    }

    /// Returns whether a word may mean a function: it calls something, or is spelled as a function.
    fn may_mean(&self, word: WordId, call: Option<CallId>) -> bool {
        let is_name = !matches!(self.model.hint(word), Hint::Silent | Hint::Field);
        call.is_some() || is_name && self.of_name.contains_key(self.model.text(word))
    }

    /// Returns the families that a word may mean, and whether that is known: a word that cannot be
    /// resolved may mean any family of its name, and is taken to mean the only one.
    fn meant(&self, word: WordId) -> (BTreeSet<usize>, bool) {
        let resolution = self.model.resolve(word);
        if resolution == Resolution::Unknown {
            let all = self.of_name.get(self.model.text(word));
            let all: BTreeSet<usize> = all.into_iter().flatten().copied().collect();
            let is_only = all.len() == 1;
            return (all, is_only);
        }
        let families = resolution.candidates().iter();
        let families = families.filter_map(|def| self.of_function.get(def));
        (families.copied().collect(), true)
    }
}

#[cfg(test)]
mod tests {
    use crate::ids::Position;
    use crate::model::Model;
    use camino::Utf8PathBuf;
    use reduce_syntax::SourceTree;
    use std::sync::Arc;

    /// The families of a file: of each, the lines with its functions, its calls and its other mentions. Each
    /// name that belongs to one stands on a line of its own.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let sources = SourceTree::single(Utf8PathBuf::from("lib.rs"), Arc::from(text));
        let model = Model::new(&sources);
        let lines = |all: Vec<Position>| -> String {
            let line = |one: Position| text[..one.at].matches('\n').count().to_string();
            all.into_iter().map(line).collect::<Vec<_>>().join(" ")
        };
        let shown = |family: &super::Family| {
            let functions = family.functions.iter();
            let calls = family.calls.iter().map(|&one| model.callee(one));
            let mentions = family.mentions.iter();
            [
                lines(functions.map(|&one| model.definition(one).name).collect()),
                lines(calls.map(|one| model.position(one)).collect()),
                lines(mentions.map(|&one| model.position(one)).collect()),
            ]
            .join(", ")
        };
        let found: Vec<String> = model.families().iter().map(shown).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn functions_know_their_calls_and_what_else_mentions_them() {
        check("fn f() {}\n fn g() { f();\n h(f) }", &["0, 1, 2", "1, , "]);
        check(
            "mod m { pub fn f() {} }\n use m::f as g;\n fn h() { g() }",
            &["0, 2, 1", "2, , "],
        );
    }

    #[test]
    fn a_trait_and_its_impls_have_one_signature() {
        check(
            "impl T for S { fn f() {} }\n trait T { fn f(); }\n struct S;\n fn g() { S::f();\n T::f(); }",
            &["1 0, 3 4, ", "3, , "],
        );
        check(
            "struct S; impl Clone for S { fn clone(&self) -> S { S } }",
            &[],
        );
    }

    #[test]
    fn calls_mean_what_their_types_have() {
        check(
            "struct S; impl S { fn f(&self) {} }\n struct U; impl U { fn f(&self) {} }\n fn g(s: S) { s.f() }",
            &["0, 2, ", "1, , ", "2, , "],
        );
        check(
            "struct S; impl S { fn new() {} }\n fn g() { Box::new() }",
            &["0, , ", "1, , "],
        );
    }

    #[test]
    fn a_call_of_what_may_be_several_is_one_of_each() {
        check(
            "impl S { fn f(&self) {} }\n impl U { fn f(&self) {} }\n fn g(s: V) { s.f() }",
            &["0, 2, ", "1, 2, ", "2, , "],
        );
    }

    #[test]
    fn what_nobody_knows_is_taken_for_the_only_one_of_the_name() {
        check(
            "impl S { fn f() {} }\n fn g() { S::f() }",
            &["0, 1, ", "1, , "],
        );
        check(
            "impl S { fn f() {} }\n impl U { fn f() {} }\n fn g() { S::f() }",
            &["0, , 2", "1, , 2", "2, , "],
        );
    }

    #[test]
    fn closures_with_a_name_are_functions() {
        check(
            "fn f() {\n let c = |x| x;\n c(1);\n let d = 1; d }",
            &["0, , ", "1, 2, "],
        );
    }
}
