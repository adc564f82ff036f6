//! Groups of crashes: classes by their cores, and groups of classes by what these are reduced to.
//!
//! The core of an input is the part of it to which its own crash points, and was seen to crash alone and in the same way. It is
//! found without a look at other inputs. Inputs whose crashes have the same signature, and whose cores are the same program
//! under other names (`form`), are one *class*: their reductions would begin with the same program, so that one is made for
//! all. Classes whose reduced programs crash with the same signature and are the same program under other names are one *group*.
//!
//! A result with the signature of a group, but another program, stays a group of its own, which says that it may be the same.
//! A program that merely contains the reduced program of a group is not in that group for it: a crash is followed from where the
//! compiler says it is, and each step of the way was seen to crash with one signature. So two bugs can share a group only if they
//! have one signature, and a reduction slips from one to the other, as it may in the reduction of a single crash.

use crate::form::form;
use reduce_oracle::{CrashKind, Signature};
use std::collections::BTreeMap;

/// The number of hexadecimal digits of a key.
const DIGITS: usize = 16;

/// An input on which the compiler crashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crashed {
    /// The key of the input's content.
    pub key: String,
    /// The crash's bug, see [`bug`].
    pub bug: String,
    /// The core, or the whole program where no part of it crashes alone; `None` where no text says it all, as of a package.
    pub program: Option<String>,
    /// The size of that program in tokens.
    pub tokens: u64,
    /// The compiler's flags, and what else tells one call from another, such as the toolchain.
    pub call: String,
}

/// Inputs of which one is reduced for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The key by which the reduction of the class is found again: it depends on the class and on the program that is reduced.
    pub key: String,
    /// The input that is reduced: the one with the smallest core.
    pub smallest: usize,
    /// All inputs of the class, as indices, by their keys.
    pub members: Vec<usize>,
}

/// A reduced program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduced {
    /// The bug that the program shows, see [`bug`].
    pub bug: String,
    /// The text of the program; `None` where it has several files, so that it is compared with no other.
    pub program: Option<String>,
    /// The size of the program in tokens.
    pub tokens: u64,
}

/// Classes that are one bug.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The bug.
    pub bug: String,
    /// The classes, as indices; the first one has the smallest reduced program.
    pub classes: Vec<usize>,
}

/// Returns what of a signature tells bugs apart: all of it, but for stack overflows, whose messages depend on where the
/// stack happened to end.
#[must_use]
pub fn bug(signature: &Signature) -> String {
    match signature.kind {
        CrashKind::StackOverflow => signature.kind.to_string(),
        _ => signature.to_string(),
    }
}

/// Makes classes of crashes, in an order that depends on the set of crashes alone.
#[must_use]
pub fn classes(crashed: &[Crashed]) -> Vec<Class> {
    let mut by_key: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, one) in crashed.iter().enumerate() {
        by_key.entry(key_of_class(one)).or_default().push(idx);
    }
    let classes = by_key.into_iter().map(|(of_class, mut members)| {
        members.sort_by_key(|&idx| &crashed[idx].key);
        let size = |idx: &usize| {
            let one = &crashed[*idx];
            (one.tokens, one.program.clone(), one.key.clone())
        };
        let smallest = members.iter().copied().min_by_key(size);
        let smallest = smallest.expect("a class has a member");
        // The result has names of the input that is reduced.
        let reduced = &crashed[smallest];
        let program = reduced.program.as_ref().unwrap_or(&reduced.key);
        Class {
            key: key(&[&of_class, program]),
            smallest,
            members,
        }
    });
    classes.collect()
}

fn key_of_class(one: &Crashed) -> String {
    let program = match &one.program {
        Some(program) => form(program),
        None => one.key.clone(),
    };
    key(&[&one.bug, &one.call, &program])
}

/// Returns hexadecimal digits that tell some texts from others.
#[must_use]
pub fn key(texts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().to_hex()[..DIGITS].to_owned()
}

/// Makes groups of classes by what these were reduced to. Those with the most members come first; `n_members` says how many a
/// class counts for.
#[must_use]
pub fn groups(reduced: &[Reduced], n_members: &dyn Fn(usize) -> usize) -> Vec<Group> {
    let mut by_form: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
    for (idx, one) in reduced.iter().enumerate() {
        let program = match &one.program {
            Some(program) => format!("form {}", form(program)),
            None => format!("class {idx}"),
        };
        by_form.entry((&one.bug, program)).or_default().push(idx);
    }
    let mut groups: Vec<(usize, Group)> = by_form
        .into_iter()
        .map(|((bug, _), mut classes)| {
            classes.sort_by_key(|&idx| (reduced[idx].tokens, &reduced[idx].program, idx));
            let size = classes.iter().map(|&class| n_members(class)).sum();
            let group = Group {
                bug: bug.to_owned(),
                classes,
            };
            (size, group)
        })
        .collect();
    // Groups of one size stay in the order of their bugs and programs.
    groups.sort_by_key(|(size, _)| usize::MAX - size);
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Returns for each group the others with the same signature, as indices: these may be the same bug.
pub(crate) fn possibly_same(groups: &[Group]) -> Vec<Vec<usize>> {
    let all = groups.iter().enumerate();
    let others = all.map(|(idx, group)| {
        let is_same = |other: &usize| *other != idx && groups[*other].bug == group.bug;
        (0..groups.len()).filter(is_same).collect()
    });
    others.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crashed(key: &str, bug: &str, program: &str) -> Crashed {
        Crashed {
            key: key.to_owned(),
            bug: bug.to_owned(),
            program: Some(program.to_owned()),
            tokens: program.len() as u64,
            call: String::new(),
        }
    }

    fn members(classes: &[Class], crashed: &[Crashed]) -> Vec<Vec<String>> {
        let mut all: Vec<Vec<String>> = classes
            .iter()
            .map(|class| {
                class
                    .members
                    .iter()
                    .map(|&idx| crashed[idx].key.clone())
                    .collect()
            })
            .collect();
        all.sort();
        all
    }

    #[test]
    fn a_class_has_one_signature_and_one_core() {
        let all = [
            crashed("a", "E1", "fn f() { 1 }"),
            crashed("b", "E1", "fn longer() { 1 }"),
            crashed("c", "E2", "fn f() { 1 }"),
            crashed("d", "E1", "fn f() { 2 }"),
        ];
        let classes = classes(&all);
        assert_eq!(
            members(&classes, &all),
            [vec!["a", "b"], vec!["c"], vec!["d"]]
        );
        let of_two = classes.iter().find(|class| class.members.len() == 2);
        assert_eq!(of_two.unwrap().smallest, 0);
    }

    #[test]
    fn the_order_of_inputs_changes_nothing() {
        let mut all = vec![
            crashed("a", "E1", "fn f() { 1 }"),
            crashed("b", "E1", "fn g() { 1 }"),
            crashed("c", "E1", "fn f() { 2 }"),
        ];
        let keys = |all: &[Crashed]| -> Vec<(String, String)> {
            let classes = classes(all).into_iter();
            classes
                .map(|class| (class.key, all[class.smallest].key.clone()))
                .collect()
        };
        let before = keys(&all);
        all.reverse();
        assert_eq!(keys(&all), before);
    }

    #[test]
    fn another_call_or_no_text_is_another_class() {
        let mut all = vec![
            crashed("a", "E", "fn f() {}"),
            crashed("b", "E", "fn f() {}"),
        ];
        all[1].call = "-Zx".to_owned();
        assert_eq!(classes(&all).len(), 2);
        all[1].call.clear();
        assert_eq!(classes(&all).len(), 1);
        all.iter_mut().for_each(|one| one.program = None);
        assert_eq!(classes(&all).len(), 2);
    }

    #[test]
    fn a_smaller_input_makes_another_reduction() {
        let one = [crashed("a", "E", "fn longer() {}")];
        let both = [one[0].clone(), crashed("b", "E", "fn f() {}")];
        let [before, after] = [classes(&one), classes(&both)];
        assert_eq!(after.len(), 1);
        assert_ne!(before[0].key, after[0].key);
        let others = [one[0].clone(), crashed("b", "E", "fn longest() {}")];
        assert_eq!(classes(&others)[0].key, before[0].key);
    }

    fn reduced(bug: &str, program: Option<&str>) -> Reduced {
        Reduced {
            bug: bug.to_owned(),
            program: program.map(str::to_owned),
            tokens: program.map_or(0, str::len) as u64,
        }
    }

    #[test]
    fn classes_that_become_the_same_program_are_one_group() {
        let all = [
            reduced("E", Some("fn f() { 1 }")),
            reduced("E", Some("fn other() { 2 }")),
            reduced("E", Some("fn g() { 1 }")),
            reduced("F", Some("fn f() { 1 }")),
        ];
        let groups = groups(&all, &|_| 1);
        let classes: Vec<_> = groups.iter().map(|group| group.classes.clone()).collect();
        assert_eq!(classes, [vec![0, 2], vec![1], vec![3]]);
        assert_eq!(possibly_same(&groups), [vec![1], vec![0], vec![]]);
    }

    #[test]
    fn what_has_no_one_text_is_a_group_of_its_own_and_the_largest_group_comes_first() {
        let all = [reduced("E", None), reduced("E", None)];
        let groups = groups(&all, &|class| class + 1);
        let classes: Vec<_> = groups.iter().map(|group| group.classes.clone()).collect();
        assert_eq!(classes, [vec![1], vec![0]]);
    }
}
