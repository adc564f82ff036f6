//! The configuration files of tools such as clippy and rustfmt: where they are, and what is left when a setting goes.

use crate::error::OracleError;
use crate::plan::Plan;
use crate::system::files;
use camino::Utf8Path;
use toml_edit::{Array, DocumentMut, Item, TableLike, Value};

/// Returns the plan with the configuration file that a tool finds beside the program or above, or `near` the user. One from
/// outside the tree is copied to the top of it.
pub(crate) fn with_file_near(
    mut plan: Plan,
    names: &[&str],
    near: &Utf8Path,
) -> Result<Plan, OracleError> {
    let find = |dir: &Utf8Path| {
        let candidates = names.iter().map(|name| dir.join(name));
        candidates.into_iter().find(|path| path.is_file())
    };
    let root = plan.inputs.tree.join(&plan.call.root);
    let inside = root
        .ancestors()
        .skip(1)
        .take_while(|dir| dir.starts_with(&plan.inputs.tree));
    if let Some(found) = inside.filter_map(find).next() {
        let inner = found
            .strip_prefix(&plan.inputs.tree)
            .map(Utf8Path::to_owned);
        plan.inputs.files.extend(inner.ok());
        return Ok(plan);
    }
    let found = near.ancestors().filter_map(find).next();
    let named = found
        .as_deref()
        .and_then(|path| Some((path, path.file_name()?)));
    if let Some((from, name)) = named {
        files::copy(from, &plan.inputs.tree.join(name))?;
        plan.inputs.files.insert(name.into());
    }
    Ok(plan)
}

/// Returns the texts of a configuration with one setting less, or one element of a setting; before them its own text without
/// comments, if it has some. None where it is no TOML.
#[must_use]
pub fn with_fewer_settings(text: &str) -> Vec<String> {
    let Ok(mut whole) = text.parse::<DocumentMut>() else {
        return Vec::new();
    };
    clear(whole.as_table_mut());
    whole.set_trailing("");
    let mut all = Vec::new();
    let plain = whole.to_string();
    if plain.trim() != text.trim() {
        all.push(plain);
    }
    for path in places(whole.as_table()) {
        let mut fewer = whole.clone();
        remove(fewer.as_table_mut(), &path);
        all.push(fewer.to_string());
    }
    all
}

/// A key in a table, or an element of an array.
#[derive(Debug, Clone)]
enum Step {
    Key(String),
    Element(usize),
}

/// Returns the places of all settings in a table, each table before the settings in it.
fn places(table: &dyn TableLike) -> Vec<Vec<Step>> {
    let mut all = Vec::new();
    for (key, item) in table.iter() {
        let key = Step::Key(key.to_owned());
        all.push(vec![key.clone()]);
        let inner = match (item.as_table_like(), item.as_array()) {
            (Some(inner), _) => places(inner),
            (None, Some(array)) => (0..array.len())
                .map(|idx| vec![Step::Element(idx)])
                .collect(),
            (None, None) => Vec::new(),
        };
        all.extend(
            inner
                .into_iter()
                .map(|rest| [vec![key.clone()], rest].concat()),
        );
    }
    all
}

fn remove(table: &mut dyn TableLike, path: &[Step]) {
    let Some((Step::Key(key), rest)) = path.split_first() else {
        return;
    };
    if rest.is_empty() {
        table.remove(key);
        return;
    }
    let Some(item) = table.get_mut(key) else {
        return;
    };
    match rest {
        [Step::Element(idx)] => {
            if let Some(array) = item.as_array_mut() {
                array.remove(*idx);
                lay_out(array);
            }
        }
        _ => {
            if let Some(inner) = item.as_table_like_mut() {
                remove(inner, rest);
            }
        }
    }
}

/// Removes the comments and the white space around the settings of a table.
fn clear(table: &mut dyn TableLike) {
    for (mut key, item) in table.iter_mut() {
        key.leaf_decor_mut().clear();
        match item {
            Item::Value(value) => {
                if let Value::Array(array) = value {
                    lay_out(array);
                }
                value.decor_mut().clear();
            }
            Item::Table(inner) => {
                inner.decor_mut().clear();
                clear(inner);
            }
            Item::ArrayOfTables(_) | Item::None => {}
        }
    }
}

/// Writes an array on one line, without comments.
fn lay_out(array: &mut Array) {
    array.fmt();
    array.set_trailing("");
    array.set_trailing_comma(false);
}

#[cfg(test)]
mod tests {
    use super::with_fewer_settings;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(with_fewer_settings(text), expected, "{text}");
    }

    #[test]
    fn settings_and_elements_go_one_by_one() {
        check(
            "a = 1\nb = [\"x\", \"y\"]\n",
            &[
                "b = [\"x\", \"y\"]\n",
                "a = 1\n",
                "a = 1\nb = [\"y\"]\n",
                "a = 1\nb = [\"x\"]\n",
            ],
        );
        check(
            "[t]\nc = true\nd = 2\n",
            &["", "[t]\nd = 2\n", "[t]\nc = true\n"],
        );
    }

    #[test]
    fn comments_go_first() {
        check("# Mine.\na = 1 # One.\n# The end.\n", &["a = 1\n", ""]);
        check("a = \n", &[]);
        check("", &[]);
    }
}
