//! Describes a kind of failure: words for people, the parts of the command line that go with it, and how cargo and
//! the compiler are called while it is looked for.

use camino::Utf8PathBuf;
use std::time::Duration;

/// Verbs of cargo with their options.
pub(crate) type Verbs = &'static [&'static [&'static str]];

/// The cargo verbs that compile just enough to show an error, and then everything, if there was none.
pub(crate) const CHECK_AND_BUILD: Verbs = &[&["check"], &["build"]];
/// The cargo verb that compiles just enough to show an error.
pub(crate) const CHECK: Verbs = &[&["check"]];
/// The verb that compiles programs.
pub(crate) const BUILD: Verbs = &[&["build"]];
/// The verb that compiles tests.
pub(crate) const TESTS: Verbs = &[&["test", "--no-run"]];

/// The kind of failure that a user asks for. [`FailureInfo::of`] has the values that most kinds share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureInfo {
    /// The words for the failure in messages: "failed to see ..".
    pub words: String,
    /// Whether candidates are run, not only compiled.
    pub executes: bool,
    /// Whether the user may name a test for this failure.
    pub takes_test_name: bool,
    /// The name of the test that becomes a part of the name of a result's directory.
    pub test_name: Option<String>,
    /// Whether the failure is one of packages alone, and not of a single file.
    pub needs_package: bool,
    /// The flags that ask for the failure, where these flags need a single target.
    pub one_target_for: Option<&'static str>,
    /// The word for the failure in the name of a result's directory.
    pub directory: DirectoryWord,
    /// A number or path that the user has named for this failure, and that must be within bounds.
    pub given: Option<Given>,
    /// The verbs of cargo that compile what may fail, in the order in which they are tried.
    pub(crate) verbs: Verbs,
    /// Whether cargo shows the failure while it compiles, so that its output says which call fails.
    pub(crate) shows_in_cargo: bool,
    /// Whether the failure is seen without compiling a package.
    pub(crate) needs_no_call: bool,
    /// Whether the compiler arguments that the user gives are for another tool than rustc.
    pub(crate) has_own_tool: bool,
    /// The time for which cargo waits for a compiler that need not end.
    pub(crate) call_time: CallTime,
    /// The memory that a compiler must be able to use, in bytes, where its use is looked for.
    pub(crate) compiler_bytes: Option<u64>,
    /// The arguments with which a hang is looked for instead of this failure; `None` where that says nothing.
    pub(crate) as_hang: Option<Vec<String>>,
}

impl FailureInfo {
    /// Makes the description of a failure that a compiler shows, in these words and with nothing special.
    #[must_use]
    pub fn of(words: impl Into<String>) -> Self {
        Self {
            words: words.into(),
            executes: false,
            takes_test_name: false,
            test_name: None,
            needs_package: false,
            one_target_for: None,
            directory: DirectoryWord::none(),
            given: None,
            verbs: CHECK_AND_BUILD,
            shows_in_cargo: false,
            needs_no_call: false,
            has_own_tool: false,
            call_time: CallTime::Any,
            compiler_bytes: None,
            as_hang: None,
        }
    }
}

/// A word for the name of a result's directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryWord {
    /// The word that becomes a part of the name.
    pub word: String,
    /// Whether the word says all that tells this failure from others.
    pub is_complete: bool,
    /// The case in which the word is needed.
    pub needed: Needed,
}

/// The case in which a word is a part of a directory's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needed {
    /// The word is always needed.
    Always,
    /// The word is needed only where all of a package is selected: a single target says it by itself.
    WithoutTarget,
    /// The word is needed only where a target is selected: it goes without saying for a whole package.
    WithTarget,
}

impl DirectoryWord {
    /// Makes a word that says all that tells this failure from others.
    #[must_use]
    pub fn complete(word: impl Into<String>) -> Self {
        Self {
            word: word.into(),
            is_complete: true,
            needed: Needed::Always,
        }
    }

    /// Makes a word that does not say all that tells this failure from others.
    #[must_use]
    pub fn incomplete(word: impl Into<String>) -> Self {
        Self {
            is_complete: false,
            ..Self::complete(word)
        }
    }

    /// Sets the case in which the word is needed.
    #[must_use]
    pub fn needed(self, needed: Needed) -> Self {
        Self { needed, ..self }
    }

    fn none() -> Self {
        Self::complete("")
    }
}

/// A number or path that the user has named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// A flag with a number of seconds.
    Seconds(&'static str, u64),
    /// A flag with a number of MiB.
    Mebibytes(&'static str, u64),
    /// A path that must be absolute, with what it is called.
    Path(&'static str, Utf8PathBuf),
}

/// The time for which cargo waits for a compiler that need not end; it is then stopped by our wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallTime {
    /// cargo waits for the compiler, however long that takes.
    Any,
    /// cargo waits at most this time for the compiler.
    AtMost(Duration),
    /// cargo waits for the compiler until the deadline of the user, who may know that the failure is seen early
    /// enough.
    AsTheUserSays,
}
