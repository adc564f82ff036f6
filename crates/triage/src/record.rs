//! `triage.json`: all that a triage has found, for programs and for the next triage in the same directory.

use crate::grouping::{Group, possibly_same};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// The version of the format of `triage.json`.
pub const TRIAGE_VERSION: u32 = 1;

/// The results of a triage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Triage {
    /// The version of the format, which is [`TRIAGE_VERSION`].
    pub version: u32,
    /// Whether all that crashes was reduced; `false` where the triage was stopped before.
    pub is_complete: bool,
    /// The compilers that the inputs were given to, in the order in which the user has named them.
    pub toolchains: Vec<ToolchainRecord>,
    /// The groups, each of which is one bug as far as signatures and reduced programs tell; those with the most members
    /// come first.
    pub groups: Vec<GroupRecord>,
    /// The inputs that are in no group, with the reason.
    pub others: Vec<Other>,
}

/// A compiler that the inputs were given to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolchainRecord {
    /// The name of the toolchain as the user has given it; `default` where the user has named none.
    pub name: String,
    /// The first line of the compiler's version.
    pub version: String,
}

/// Inputs that show one bug.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupRecord {
    /// The number of the group, from 1.
    pub number: usize,
    /// The signature of the crash.
    pub signature: String,
    /// The names of the toolchains on which a member crashes with the same message.
    pub toolchains: Vec<String>,
    /// The reduced program; `None` where there is none.
    pub reduced: Option<ReducedRecord>,
    /// The reason why there is no reduced program, if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// The inputs of the group, by their paths.
    pub members: Vec<Member>,
    /// Known crashes with the same signature and the same reduced program.
    pub known: Vec<KnownRecord>,
    /// Known crashes with the same signature and another reduced program.
    pub possibly_known: Vec<KnownRecord>,
    /// The numbers of groups with the same signature and another reduced program.
    pub possibly_same_as: Vec<usize>,
}

/// The program that a group was reduced to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReducedRecord {
    /// The text of the program; `None` where it has several files.
    pub program: Option<String>,
    /// The size of the program in tokens.
    pub tokens: u64,
    /// The program's file or directory, below the directory of the triage.
    pub result: Utf8PathBuf,
    /// The directory of the result with its report, below the directory of the triage.
    pub directory: Utf8PathBuf,
    /// The page with the report, below the directory of the triage.
    pub report: Utf8PathBuf,
    /// The input whose core was reduced.
    pub from: String,
}

/// An input of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The path of the input, as it was given.
    pub input: String,
    /// The size of the input in tokens; 0 where it was not counted, as of a package.
    pub tokens: u64,
    /// The size of the core in tokens; `None` where the input has none.
    pub core_tokens: Option<u64>,
    /// The way in which the input was found to be of this group.
    pub confirmed: Confirmed,
}

/// The way in which an input was found to be of its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confirmed {
    /// The input itself was reduced to the program of the group.
    Reduction,
    /// The core of the input is that of an input that was reduced, under other names.
    Core,
    /// The input has the same content as another one of the group.
    Content,
    /// Nothing could be reduced: the input has the signature and the core of the others, or is alone.
    Signature,
}

impl Confirmed {
    /// Returns words for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Reduction => "its reduction",
            Self::Core => "its core",
            Self::Content => "the same content as another one",
            Self::Signature => "its signature",
        }
    }
}

/// A known crash, of a directory that the user has named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownRecord {
    /// The path of the file.
    pub file: String,
    /// The bug that the file's own lines name, such as `#12345`; `None` where they name none.
    pub bug: Option<String>,
}

/// An input that is in no group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    /// The path of the input, as it was given.
    pub input: String,
    /// A sentence about the input, such as "it compiles".
    pub reason: String,
}

/// Numbers groups from 1, and says by numbers which may be the same.
pub fn group_records(
    groups: &[Group],
    record: &mut dyn FnMut(&Group) -> GroupRecord,
) -> Vec<GroupRecord> {
    let numbered = groups.iter().zip(possibly_same(groups)).enumerate();
    let records = numbered.map(|(idx, (group, others))| GroupRecord {
        number: idx + 1,
        possibly_same_as: others.iter().map(|other| other + 1).collect(),
        ..record(group)
    });
    records.collect()
}
