//! Tests on code that nobody wrote for a test: the sources of this module.

use super::*;

const FILES: [(&str, &str); 6] = [
    ("relations.rs", include_str!("../../relations.rs")),
    ("mentions.rs", include_str!("../mentions.rs")),
    ("nesting.rs", include_str!("../../nesting.rs")),
    ("references.rs", include_str!("../references.rs")),
    ("model.rs", include_str!("../../model.rs")),
    ("names.rs", include_str!("../../names.rs")),
];

const KINDS: [&[ListKind]; 5] = [
    ITEMS,
    STATEMENTS,
    &[ListKind::Items, ListKind::Members],
    &[ListKind::Fields, ListKind::Variants, ListKind::UseTrees],
    &[ListKind::Parts, ListKind::Elements, ListKind::Arguments],
];

/// The files but the root, which is the first, are added in this order.
fn sources(order: [usize; 5]) -> SourceTree {
    let (path, text) = FILES[0];
    let mut sources = SourceTree::single(Utf8PathBuf::from(path), Arc::from(text));
    for (path, text) in order.map(|idx| FILES[idx]) {
        sources.add(Utf8PathBuf::from(path), Arc::from(text));
    }
    sources
}

/// A part, as something that does not depend on the order of files.
fn key(sources: &SourceTree, Place { file, range }: &Place) -> (String, usize, usize) {
    (sources.path(*file).to_string(), range.start, range.end)
}

/// Users and distances of all parts, by key.
fn found(sources: &SourceTree, kinds: &[ListKind]) -> BTreeMap<(String, usize, usize), String> {
    let model = Model::new(sources);
    let relations = Relations::of(&model);
    let parts = parts(sources, kinds);
    let users = relations.users(&parts);
    let distances = relations.distances(&[name("references")], &parts);
    let mut shown = BTreeMap::new();
    for ((part, users), distance) in parts.iter().zip(users).zip(distances) {
        let mut users: Vec<_> = users
            .iter()
            .map(|&user| key(sources, &parts[user]))
            .collect();
        users.sort_unstable();
        shown.insert(key(sources, part), format!("{users:?} {distance:?}"));
    }
    shown
}

#[test]
fn users_are_other_parts_in_ascending_order() {
    let sources = sources([1, 2, 3, 4, 5]);
    let model = Model::new(&sources);
    let relations = Relations::of(&model);
    for kinds in KINDS {
        let parts = parts(&sources, kinds);
        for (used, users) in relations.users(&parts).iter().enumerate() {
            assert!(users.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(users.iter().all(|&user| user < parts.len() && user != used));
        }
    }
}

#[test]
fn parts_in_one_another_never_use_each_other() {
    let sources = sources([1, 2, 3, 4, 5]);
    let model = Model::new(&sources);
    let relations = Relations::of(&model);
    for kinds in KINDS {
        let parts = parts(&sources, kinds);
        for (used, users) in relations.users(&parts).iter().enumerate() {
            for &user in users {
                let (used, user) = (&parts[used], &parts[user]);
                assert!(
                    !used.is_within(user) && !user.is_within(used),
                    "{used:?} {user:?}"
                );
            }
        }
    }
}

#[test]
fn the_order_of_files_and_parts_does_not_matter() {
    for kinds in KINDS {
        let expected = found(&sources([1, 2, 3, 4, 5]), kinds);
        assert_eq!(found(&sources([5, 3, 4, 1, 2]), kinds), expected);
        assert!(expected.len() > 20);
    }
}

#[test]
fn many_uses_in_real_code_are_found() {
    let sources = sources([1, 2, 3, 4, 5]);
    let n_pairs = |kinds| pairs(&sources, kinds).len();
    assert!(n_pairs(ITEMS) > 50);
    assert!(n_pairs(MEMBERS) > 20);
    assert!(n_pairs(STATEMENTS) > 50);
}
