//! Rewrites the paths in a copied `Cargo.toml` that lead out of the copy.

use crate::error::OracleError;
use crate::system::files;
use crate::text::path::normal;
use camino::Utf8Path;
use toml_edit::{DocumentMut, Item, TableLike, Value, value};

/// A function that tells whether a path of the original was copied.
type IsCopied<'a> = &'a dyn Fn(&Utf8Path) -> bool;

/// Makes the paths in the copied manifest `to` absolute that would lead elsewhere than in the original `from`: path
/// dependencies, patches, and targets outside the workspace. A file that is no TOML stays as it is; cargo says what
/// is wrong with it. The original need not be there, and the copy keeps its age.
pub(crate) fn make_outer_paths_absolute(
    from: &Utf8Path,
    to: &Utf8Path,
    is_copied: IsCopied<'_>,
) -> Result<(), OracleError> {
    let Ok(text) = std::fs::read_to_string(to) else {
        return Ok(());
    };
    let Ok(mut document) = text.parse::<DocumentMut>() else {
        return Ok(());
    };
    let dir = from.parent().unwrap_or(from);
    if !rewrite_table(document.as_table_mut(), dir, is_copied) {
        return Ok(());
    }
    let modified = to
        .metadata()
        .and_then(|data| data.modified())
        .map_err(OracleError::io("read", to))?;
    files::write(to, &document.to_string())?;
    let file = std::fs::File::options()
        .write(true)
        .open(to)
        .map_err(OracleError::io("open", to))?;
    file.set_modified(modified)
        .map_err(OracleError::io("write", to))
}

/// Rewrites the paths in a table, and returns whether one was changed.
fn rewrite_table(table: &mut dyn TableLike, dir: &Utf8Path, is_copied: IsCopied<'_>) -> bool {
    let mut is_changed = false;
    for (key, item) in table.iter_mut() {
        is_changed |= match key.get() {
            "metadata" => false,
            "path" | "workspace" | "build" => {
                rewrite_path(item, dir, is_copied) || rewrite_item(item, dir, is_copied)
            }
            _ => rewrite_item(item, dir, is_copied),
        };
    }
    is_changed
}

fn rewrite_item(item: &mut Item, dir: &Utf8Path, is_copied: IsCopied<'_>) -> bool {
    if let Some(tables) = item.as_array_of_tables_mut() {
        // Each of them, not only up to the first that changes.
        let changed = tables
            .iter_mut()
            .filter_map(|table| rewrite_table(table, dir, is_copied).then_some(()));
        return changed.count() > 0;
    }
    item.as_table_like_mut()
        .is_some_and(|table| rewrite_table(table, dir, is_copied))
}

fn rewrite_path(item: &mut Item, dir: &Utf8Path, is_copied: IsCopied<'_>) -> bool {
    let Some(path) = item.as_value().and_then(Value::as_str) else {
        return false;
    };
    let original = normal(&dir.join(path));
    if Utf8Path::new(path).is_absolute() || is_copied(&original) {
        return false;
    }
    *item = value(original.as_str());
    true
}
