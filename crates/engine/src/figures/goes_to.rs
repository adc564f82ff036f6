//! The part of the user's crate that a result replaces.

use reduce_gather::TestPlace;
use serde::{Deserialize, Serialize};

/// The part of the user's crate that a result replaces. Files are relative to the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoesTo {
    /// The result replaces all that is in a module with braces.
    Module {
        /// The path of the module that the result goes to.
        module: String,
        /// The file that the module stands in, where the result goes.
        file: String,
    },
    /// The result replaces all of a file.
    File {
        /// The file that the result replaces.
        file: String,
    },
    /// The result replaces all of the crate root of a test target.
    TestFile {
        /// The file that the result replaces.
        file: String,
    },
    /// The result replaces tests and other items that are only there for tests, among the items of
    /// a module.
    Items {
        /// The path of the module; empty for the crate root.
        module: String,
        /// The file that the module stands in.
        file: String,
    },
}

impl GoesTo {
    /// Returns an instruction where to put the result, as an imperative. Code is written as `code`
    /// does.
    #[must_use]
    pub fn instruction(&self, code: &dyn Fn(&str) -> String) -> String {
        match self {
            Self::TestFile { file } => format!("put it into the file {}", code(file)),
            other => format!("put it in place of {}", other.words(code)),
        }
    }

    /// Returns the words after "in place of" in the instruction.
    fn words(&self, code: &dyn Fn(&str) -> String) -> String {
        match self {
            Self::Module { module, file } => {
                let (module, file) = (code(module), code(file));
                format!("what is in the module {module} in {file}")
            }
            Self::File { file } | Self::TestFile { file } => {
                format!("what is in the file {}", code(file))
            }
            Self::Items { module, file } => {
                let condition = code("#[cfg(test)]");
                let items = format!("the tests and the {condition} items that stand in");
                match module.as_str() {
                    "" => format!("{items} {}", code(file)),
                    module => format!("{items} the module {} in {}", code(module), code(file)),
                }
            }
        }
    }
}

impl From<&TestPlace> for GoesTo {
    fn from(place: &TestPlace) -> Self {
        match place {
            TestPlace::Module { module, file } => Self::Module {
                module: module.clone(),
                file: file.to_string(),
            },
            TestPlace::File { file } => Self::File {
                file: file.to_string(),
            },
            TestPlace::Items { module, file } => Self::Items {
                module: module.clone(),
                file: file.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(place: &TestPlace, expected: &str) {
        let words = GoesTo::from(place).instruction(&|code| format!("`{code}`"));
        assert_eq!(words, format!("put it in place of {expected}"));
    }

    #[test]
    fn a_test_file_is_put_into_its_place() {
        let file = "tests/orders.rs".to_owned();
        let words = GoesTo::TestFile { file }.instruction(&str::to_uppercase);
        assert_eq!(words, "put it into the file TESTS/ORDERS.RS");
    }

    #[test]
    fn a_place_reads_as_part_of_a_sentence() {
        let (module, file) = ("a::tests".to_owned(), "src/lib.rs".into());
        let expected = "what is in the module `a::tests` in `src/lib.rs`";
        check(&TestPlace::Module { module, file }, expected);
        let file = "src/tests.rs".into();
        check(
            &TestPlace::File { file },
            "what is in the file `src/tests.rs`",
        );
        let (module, file) = (String::new(), "src/lib.rs".into());
        let expected = "the tests and the `#[cfg(test)]` items that stand in `src/lib.rs`";
        check(&TestPlace::Items { module, file }, expected);
        let (module, file) = ("a".to_owned(), "src/lib.rs".into());
        let expected =
            "the tests and the `#[cfg(test)]` items that stand in the module `a` in `src/lib.rs`";
        check(&TestPlace::Items { module, file }, expected);
    }
}
