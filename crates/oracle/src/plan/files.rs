//! Replaces files of a plan by others: the parts of a crate that was split, or files that were instrumented.

use super::{Plan, Sources};
use crate::error::OracleError;
use crate::system::files;
use crate::text::paths::relocate;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Plan {
    /// Returns the plan for a copy of its tree: paths in arguments and variables lead into the copy.
    pub(crate) fn in_copy(&self, tree: &Utf8Path) -> Self {
        let here = |text: &str| relocate(text, &self.inputs.tree, tree.as_str());
        let mut plan = self.clone();
        for text in plan.call.args.iter_mut().chain(plan.call.env.values_mut()) {
            *text = here(text);
        }
        plan.inputs.tree = tree.to_owned();
        plan
    }

    /// Returns the plan with these files in its tree, and without those that are `gone`. Where others have
    /// a plan with the same tree, they see them too.
    ///
    /// # Errors
    /// [`OracleError::Io`].
    pub fn with_files(
        &self,
        written: &Sources,
        gone: &BTreeSet<Utf8PathBuf>,
    ) -> Result<Self, OracleError> {
        let mut plan = self.clone();
        let tree = &self.inputs.tree;
        for path in gone {
            files::remove(&tree.join(path))?;
            plan.inputs.files.remove(path);
        }
        for (path, text) in written {
            files::write_below(tree, path, text)?;
            plan.inputs.files.insert(path.clone());
        }
        plan.take_digests()?;
        Ok(plan)
    }

    /// Returns the text of a file of the call, relative to the tree; `None` where it is not there or not
    /// UTF-8.
    #[must_use]
    pub fn text(&self, path: &Utf8Path) -> Option<Arc<str>> {
        let other = self.inputs.texts.get(path).cloned();
        other.or_else(|| {
            let text = std::fs::read_to_string(self.inputs.tree.join(path));
            text.ok().map(Arc::from)
        })
    }

    /// Returns the plan in which these files have another text than in its tree, which stays as it is.
    #[must_use]
    pub fn with_texts(&self, texts: &Sources) -> Self {
        let mut plan = self.clone();
        for (path, text) in texts {
            let digest = *blake3::hash(text.as_bytes()).as_bytes();
            plan.inputs.files.insert(path.clone());
            plan.inputs.contents.insert(path.clone(), digest);
            plan.inputs.texts.insert(path.clone(), text.clone());
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::testing::plan;

    #[test]
    fn files_take_the_place_of_others_and_count_for_the_digest() {
        let scratch = tempfile::tempdir().unwrap();
        let tree = camino::Utf8Path::from_path(scratch.path()).unwrap();
        let (old, new) = (
            Utf8PathBuf::from("src/old.rs"),
            Utf8PathBuf::from("src/new.rs"),
        );
        let mut before = plan(tree.as_str());
        before.inputs.files = BTreeSet::from([old.clone()]);
        files::write_below(tree, &old, "fn old() {}").unwrap();
        let sources = |text: &str| Sources::from([(new.clone(), Arc::from(text))]);
        let gone = BTreeSet::from([old.clone()]);
        let one = before.with_files(&sources("fn f() {}"), &gone).unwrap();
        assert_eq!(one.inputs.files, BTreeSet::from([new.clone()]));
        assert!(!tree.join(&old).exists() && tree.join(&new).is_file());
        let other = one.with_files(&sources("fn g() {}"), &gone).unwrap();
        let edited = BTreeSet::new();
        assert_ne!(one.digest(&edited), other.digest(&edited));
        assert_ne!(one.digest(&edited), before.digest(&edited));
    }

    #[test]
    fn a_plan_in_a_copy_names_what_is_there() {
        let line = ["a.rs", "-Ldependency=/one/x", "-Ldependency=/builds"];
        let mut here = plan("/one").with_args(line.map(str::to_owned).to_vec());
        let dir = "CARGO_MANIFEST_DIR".to_owned();
        here.call.env.insert(dir.clone(), "/one/a".to_owned());
        let there = here.in_copy("/two".into());
        let expected = ["a.rs", "-Ldependency=/two/x", "-Ldependency=/builds"];
        assert_eq!(there.call.args, expected);
        assert_eq!(there.call.env[&dir], "/two/a");
        assert_eq!(there.inputs.tree, "/two");
    }

    #[test]
    fn a_text_counts_as_it_would_in_the_tree() {
        let scratch = tempfile::tempdir().unwrap();
        let tree = camino::Utf8Path::from_path(scratch.path()).unwrap();
        let path = Utf8PathBuf::from("src/rest.rs");
        let sources = |text: &str| Sources::from([(path.clone(), Arc::from(text))]);
        let mut before = plan(tree.as_str());
        before.inputs.files.clear();
        let nothing = BTreeSet::new();
        let before = before.with_files(&sources("fn f() {}"), &nothing).unwrap();
        let other = before.with_texts(&sources("fn g() {}"));
        assert_ne!(before.digest(&nothing), other.digest(&nothing));
        let text = |plan: &Plan| plan.text(&path).unwrap().to_string();
        assert_eq!([text(&before), text(&other)], ["fn f() {}", "fn g() {}"]);
        let written = before.with_files(&sources("fn g() {}"), &nothing).unwrap();
        assert_eq!(written.digest(&nothing), other.digest(&nothing));
    }
}
