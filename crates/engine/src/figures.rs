//! The types of the figures in a summary. Whoever fills them stands above; nothing here knows how
//! they come about.

mod goes_to;
mod nearest;
mod of_search;
mod rates;
mod variable_value;

pub use goes_to::GoesTo;
pub use nearest::{NearestProgram, PlainError, TextChange};
pub use of_search::{
    CompiledCrate, DeciderStatistics, Ended, KindStatistics, LinkedCrates, OtherCrash,
    PassStatistics, Phase, RemoteFigures, SkippedPass, Success, Verification,
};
pub use rates::{FlakyFigures, Rate};
pub use reduce_guard::{CodeUnderTest, Function, Guess, LineChange, SuspiciousLine};
pub use variable_value::VariableValue;
