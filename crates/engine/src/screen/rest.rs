//! The names in the files of a crate that are not edited, where only a part of it is.

use camino::Utf8PathBuf;
use reduce_oracle::Plan;
use reduce_syntax::TokenCursor;
use std::collections::BTreeSet;

/// Returns all names in the files of the crate that are not edited, as a name in the edited files may mean any of them.
pub(crate) fn names_of_rest(plan: &Plan, edited: &BTreeSet<Utf8PathBuf>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if plan.inputs.edited_root.is_none() {
        return names;
    }
    let rest = plan.inputs.files.difference(edited);
    for path in rest.filter(|path| path.extension() == Some("rs")) {
        let text = plan.text(path).unwrap_or_default();
        let tokens = TokenCursor::without_docs(&text);
        let found = tokens.indices().filter(|idx| tokens.is_name(*idx));
        names.extend(found.map(|idx| tokens.word(idx).trim_start_matches("r#").to_owned()));
    }
    names
}
