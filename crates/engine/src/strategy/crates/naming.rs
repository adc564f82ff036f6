//! The names by which a program knows the crates that it is linked with, and crates that are linked
//! without a name.

use crate::auxiliary::own_and_others;
use crate::candidate::Candidate;
use crate::words::has_word;
use reduce_oracle::Linkage;
use reduce_syntax::TokenCursor;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns the candidate linked with the crates that it names, and no others.
pub(super) fn only_named(candidate: &Candidate) -> Candidate {
    let mut fewer = candidate.clone();
    let mut linkage = Linkage::clone(&fewer.compile_options.linkage);
    let (own, others) = own_and_others(&fewer.tree);
    let is_named = |name: &str| own.files().any(|(_, _, text)| names(text, name));
    linkage.externs.retain(|name, _| is_named(name));
    for auxiliary in linkage.auxiliaries.values_mut() {
        let text = fewer.tree.find(&auxiliary.file);
        let text = text.map_or("", |file| fewer.tree.text(file));
        auxiliary.externs.retain(|name, _| names(text, name));
    }
    let needed = linkage.named();
    linkage.auxiliaries.retain(|idx, _| needed.contains(idx));
    for (path, _) in others {
        let is_needed = linkage.auxiliaries.values().any(|one| one.file == path);
        if let Some(file) = fewer.tree.find(&path).filter(|_| !is_needed) {
            fewer.tree.drop_file(file);
        }
    }
    fewer.compile_options.linkage = Arc::new(linkage);
    fewer
}

/// Whether a program names a crate, at least in a literal. What its comments say does not count.
fn names(text: &str, name: &str) -> bool {
    let is_in_code = || {
        let code = TokenCursor::without_docs(text);
        code.words().any(|word| has_word(word, name))
    };
    has_word(text, name) && is_in_code()
}

/// Returns the names by which a crate knows another one that it links.
pub(super) fn names_of(externs: &BTreeMap<String, usize>, idx: usize) -> Vec<String> {
    let named = externs.iter().filter(|(_, unit)| **unit == idx);
    named.map(|(name, _)| name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_names_no_crate() {
        assert!(names("use tools::Hammer;", "tools"));
        assert!(names("f!(\"tools::Hammer\");", "tools"));
        assert!(!names(
            "//@ aux-build: tools.rs\n/// See `tools`.\nfn f() {}",
            "tools"
        ));
    }
}
