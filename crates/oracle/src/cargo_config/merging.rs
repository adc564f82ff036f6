//! Merges tables of several configuration files into one.

use toml_edit::{Array, DocumentMut, Item, TableLike};

/// The keys whose lists are the words of a command: these lists are not joined when files are merged. `*` stands for any
/// key.
const COMMANDS: [&[&str]; 7] = [
    &["credential-alias", "*"],
    &["host", "*", "linker"],
    &["host", "*", "runner"],
    &["registries", "*", "credential-provider"],
    &["registry", "credential-provider"],
    &["target", "*", "linker"],
    &["target", "*", "runner"],
];

/// Merges the tables of several configuration files into one. Those that count less come first.
pub(crate) fn merged(files: impl Iterator<Item = DocumentMut>) -> DocumentMut {
    let mut merged = DocumentMut::new();
    for more in files {
        merge_tables(merged.as_table_mut(), more.as_table(), &mut Vec::new());
    }
    merged
}

fn merge_tables<'k>(less: &mut dyn TableLike, more: &'k dyn TableLike, keys: &mut Vec<&'k str>) {
    for (key, item) in more.iter() {
        keys.push(key);
        match less.get_mut(key) {
            Some(there) => merge_items(there, item, keys),
            None => {
                less.insert(key, item.clone());
            }
        }
        keys.pop();
    }
}

fn merge_items<'k>(less: &mut Item, more: &'k Item, keys: &mut Vec<&'k str>) {
    match (less.as_table_like_mut(), more.as_table_like()) {
        (Some(less), Some(more)) => return merge_tables(less, more, keys),
        // cargo refuses a table in one file that is none in another.
        (Some(_), None) | (None, Some(_)) => {}
        (None, None) => {
            let lists = less.as_array_mut().zip(more.as_array());
            if let Some((less, more)) = lists.filter(|_| !is_command(keys)) {
                return append(less, more);
            }
        }
    }
    *less = more.clone();
}

fn append(less: &mut Array, more: &Array) {
    for value in more {
        less.push(value.clone());
    }
}

fn is_command(keys: &[&str]) -> bool {
    let is_same = |pattern: &&[&str]| {
        let mut pairs = pattern.iter().zip(keys);
        pattern.len() == keys.len() && pairs.all(|(wanted, key)| *wanted == "*" || wanted == key)
    };
    COMMANDS.iter().any(is_same)
}
