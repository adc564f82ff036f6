//! `--from`: a search that begins with a step of an earlier reduction.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// A step of an earlier reduction, with which a search begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierStep {
    /// The output directory of the earlier reduction, absolute.
    pub directory: Utf8PathBuf,
    /// The number of the step, as its report has it; 0 is the input.
    pub step: u64,
    /// `--forbid`: the programs that came after this step are not accepted again, so that another way is found.
    pub forbids: bool,
}
