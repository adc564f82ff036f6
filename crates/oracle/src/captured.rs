//! Crashes that are kept when they happen, in the user's own builds.
//!
//! cargo calls our executable through `build.rustc-wrapper`. It makes the call that it was made for, and looks at the end:
//! of a good call it keeps the sources, of a crash all that is needed to see it again.
//!
//! - `description` is the description of a kept crash in `captured.json`.
//! - `guard` is the script that cargo calls: it calls the wrapper, or the compiler where that is gone.
//! - `tracked` asks git whether a configuration file comes to others.
//! - `wrapper` stands before the compiler. `invocation` takes its arguments apart, `settings` is the one file that it reads.
//! - `good` keeps the sources of the last good call of each crate and of the one before it, and how dependencies were compiled.
//! - `crash` decides what a crash is, and collects all that belongs to it; `inputs` finds the files that a call reads, and
//!   `incremental` the compiler's directory as it was before the call.
//! - `background` has kept crashes reduced after the build has gone on, one at a time, and tells the user at a later build.
//!   `automatic` knows which ones wait for that.
//! - `store` has the kept crashes, within a limit. `archive` takes one elsewhere.
//!
//! See docs/decisions/captured-crashes.md.

mod archive;
mod automatic;
mod background;
mod crash;
mod description;
mod good;
mod guard;
mod incremental;
mod inputs;
mod invocation;
mod settings;
mod store;
mod tracked;
pub mod wrapper;

pub use automatic::Automatic;
pub(crate) use description::LINKED_BEFORE;
pub use description::{
    Captured, CapturedCall, CapturedCompiler, CapturedDependency, CapturedFile, ELSEWHERE,
};
pub use guard::{Guard, OwnWrapper};
pub use settings::{DEFAULT_LIMIT_BYTES, WrapperPlace, WrapperSettings};
pub use store::{CapturedStore, Usage};
pub use tracked::is_tracked_by_git;
