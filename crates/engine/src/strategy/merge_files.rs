//! The stage that puts the files of modules into one.

use super::forms::try_instead;
use crate::auxiliary::own_and_others;
use crate::failure::Failure;
use crate::propose::Methods;
use crate::request::Stage;
use crate::session::Session;
use reduce_gather::inline_modules;

/// Makes one file of several, if it still crashes: modules can then be dissolved. Returns how many candidates were accepted.
///
/// # Errors
/// Where our own surroundings fail.
pub(super) fn merge_files(session: &mut Session<'_>, _: &Methods, _: u32) -> Result<u64, Failure> {
    let (own, others) = own_and_others(&session.best().tree);
    let Some(mut tree) = inline_modules(&own) else {
        return Ok(0);
    };
    for (path, text) in others {
        tree.add(path, text);
    }
    try_instead(session, Stage::MergeFiles, tree).map(u64::from)
}
