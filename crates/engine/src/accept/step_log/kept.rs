//! The steps of a reduction as they are kept beside its result, so that another search can begin with one of them.

use super::weave::{Part, Woven};
use crate::candidate::{Candidate, CompileOptions};
use crate::failure::{Failure, FailureKind};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::Linkage;
use reduce_syntax::SourceTree;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The name of the file with the steps in the output directory.
const FILE: &str = "steps.json";
/// The version of the format, which is raised when a field changes its meaning.
const VERSION: u32 = 1;

/// The programs that were the best so far, woven into one (see [`super::Woven`]).
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KeptSteps {
    version: u32,
    /// The path of the crate root in the last program.
    root: Utf8PathBuf,
    /// The number of the first program whose text is known.
    first: usize,
    steps: Vec<KeptStep>,
    files: Vec<KeptFile>,
}

/// A program of `steps.json`: the pass that made it, its size, its files, and how it is compiled.
#[derive(Debug, Serialize, Deserialize)]
struct KeptStep {
    pass: String,
    tokens: u64,
    /// The indices of the files that the program has.
    files: Vec<usize>,
    linkage: Linkage,
    is_main: bool,
}

/// A file of the kept programs: its path, and the parts of all its texts.
#[derive(Debug, Serialize, Deserialize)]
struct KeptFile {
    path: Utf8PathBuf,
    parts: Vec<KeptPart>,
}

/// A piece of a text, with the first program that has it, the first after that which does not, and whether its end is left
/// out.
#[derive(Debug, Serialize, Deserialize)]
struct KeptPart(usize, Option<usize>, String, bool);

impl KeptPart {
    fn new(part: &Part) -> Self {
        let is_cut = part.left_out.bytes > 0;
        Self(part.came, part.went, part.text.clone(), is_cut)
    }

    fn is_in(&self, number: usize) -> bool {
        self.0 <= number && self.1.is_none_or(|went| number < went)
    }
}

impl KeptSteps {
    /// The name of the file in an output directory that has the steps.
    pub(crate) const FILE: &str = FILE;

    /// Makes the contents of `steps.json` from the woven programs of a log; `root` is the crate root of the last one.
    /// Of each there are the pass that made it, its size, its files and its compile options.
    pub(super) fn new<'s>(
        root: &Utf8Path,
        woven: &Woven,
        steps: impl Iterator<Item = (&'s str, u64, &'s BTreeSet<Utf8PathBuf>, &'s CompileOptions)>,
    ) -> Self {
        let number = |path: &Utf8PathBuf| woven.files.iter().position(|file| file.path == *path);
        let steps = steps.map(|(pass, tokens, paths, compile_options)| KeptStep {
            pass: pass.to_owned(),
            tokens,
            files: paths.iter().filter_map(number).collect(),
            linkage: Linkage::clone(&compile_options.linkage),
            is_main: compile_options.is_main,
        });
        let files = woven.files.iter().map(|file| KeptFile {
            path: file.path.clone(),
            parts: file.parts.iter().map(KeptPart::new).collect(),
        });
        Self {
            version: VERSION,
            root: root.to_owned(),
            first: woven.first,
            steps: steps.collect(),
            files: files.collect(),
        }
    }

    /// Reads the steps of an earlier reduction.
    ///
    /// # Errors
    /// Where that directory has none that can be read.
    pub(crate) fn read(directory: &Utf8Path) -> Result<Self, Failure> {
        let path = directory.join(FILE);
        let unread = |why: String| {
            let message = format!("failed to read the steps of a reduction in `{path}`: {why}");
            Failure::new(FailureKind::BadInput, message).hint(
                "reduce it first without `--from`; `--output DIR` says where an earlier result is",
            )
        };
        let json = std::fs::read(&path).map_err(|error| unread(error.to_string()))?;
        let steps: Self =
            serde_json::from_slice(&json).map_err(|error| unread(error.to_string()))?;
        match steps.version == VERSION {
            true => Ok(steps),
            false => Err(unread(format!(
                "they have the format {}, and this program reads the format {VERSION}",
                steps.version
            ))),
        }
    }

    /// Returns the number of kept programs, the input included.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the program with this number, and its compile options; `None` where there is none, or a part of its text
    /// is left out.
    pub(crate) fn program(&self, number: usize) -> Option<Candidate> {
        let step = self.steps.get(number).filter(|_| number >= self.first)?;
        let files = step.files.iter().map(|file| {
            let file = self.files.get(*file)?;
            Some((file.path.clone(), file.text(number)?))
        });
        let files: Vec<(Utf8PathBuf, Arc<str>)> = files.collect::<Option<_>>()?;
        Some(Candidate {
            tree: SourceTree::from_files(&self.root, files)?,
            compile_options: CompileOptions {
                linkage: Arc::new(step.linkage.clone()),
                is_main: step.is_main,
                ..CompileOptions::default()
            },
        })
    }

    /// Returns the number of the first program whose text is kept as a whole.
    pub(crate) fn first_whole(&self) -> Option<usize> {
        (0..self.len()).find(|number| self.program(*number).is_some())
    }
}

impl KeptFile {
    fn text(&self, number: usize) -> Option<Arc<str>> {
        let mut text = String::new();
        for part in self.parts.iter().filter(|part| part.is_in(number)) {
            if part.3 {
                return None;
            }
            text.push_str(&part.2);
        }
        Some(text.into())
    }
}
