//! The doc tests that rustdoc finds in comments, in files that comments include, and in what macros make: its own list, which it
//! has since 1.86. rustdoc names a doc test by a line of the whole text of its item, which need not be the line of a file.

use crate::compiler::capture::Record;
use crate::compiler::toolchain::run_quickly;
use crate::error::OracleError;
use crate::search::context::BaselineContext;
use crate::system::process::Ending;
use camino::Utf8Path;
use serde::Deserialize;

/// The flags with which rustdoc lists doc tests in place of running them.
const LIST: [&str; 2] = ["-Zunstable-options", "--output-format=doctest"];
/// The variable with which a stable rustdoc takes these flags.
const BOOTSTRAP: &str = "RUSTC_BOOTSTRAP";

/// A doc test that rustdoc has found.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct ListedDocTest {
    /// The title of the doc test.
    pub(super) name: String,
    /// The lines between the fences of the doc test, of which hidden ones have lost their mark.
    #[serde(rename = "original_code")]
    pub(super) code: String,
    #[serde(rename = "doctest_attributes")]
    attributes: Attributes,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Attributes {
    original: String,
}

#[derive(Deserialize)]
struct List {
    doctests: Vec<ListedDocTest>,
}

impl ListedDocTest {
    /// Returns the words after the opening fence.
    pub(super) fn words(&self) -> &str {
        &self.attributes.original
    }

    /// Returns the doc test of this title, among those that a call of rustdoc runs; `None` where it is not on the list, or this
    /// rustdoc has none.
    ///
    /// # Errors
    /// Where rustdoc cannot be started, and on cancellation.
    pub(super) fn find(
        title: &str,
        call: &Record,
        context: &BaselineContext<'_>,
    ) -> Result<Option<Self>, OracleError> {
        let given = call.args.iter().filter(|arg| *arg != "--test").cloned();
        let args: Vec<String> = given.chain(LIST.map(str::to_owned)).collect();
        let mut env = call.env.clone();
        env.insert(BOOTSTRAP.to_owned(), "1".to_owned());
        let program = Utf8Path::new(&call.program);
        let outcome = run_quickly(program, &args, &env, &call.cwd, context.cancel)?;
        context.count(1);
        match outcome.ending {
            Ending::Cancelled => Err(OracleError::Cancelled),
            Ending::Exited(0) => Ok(listed(&outcome.stdout, title)),
            _ => Ok(None),
        }
    }
}

fn listed(list: &str, title: &str) -> Option<ListedDocTest> {
    let list: List = serde_json::from_str(list).ok()?;
    list.doctests.into_iter().find(|one| one.name == title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_rustdoc_has_the_code_of_a_title() {
        let list = r#"{"format_version":2,"doctests":[
            {"file":"src/lib.rs","line":4,"name":"src/lib.rs - (line 4)","doctest_code":null,
             "doctest_attributes":{"original":"rust,should_panic","should_panic":true},"original_code":"a();\nb();"}]}"#;
        let found = listed(list, "src/lib.rs - (line 4)").unwrap();
        assert_eq!(found.words(), "rust,should_panic");
        assert_eq!(found.code, "a();\nb();");
        assert_eq!(listed(list, "src/lib.rs - (line 5)"), None);
        assert_eq!(listed("error", "src/lib.rs - (line 4)"), None);
    }
}
