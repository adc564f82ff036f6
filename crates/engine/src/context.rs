//! What every part of a reduction is given: the request, the surroundings, and where events go.

use crate::event::Event;
use crate::request::ReductionRequest;
use crate::site::Site;
use crate::store::Store;
use reduce_oracle::Cancel;
use std::time::Instant;

/// Everything that a reduction needs besides the request.
#[derive(Clone, Copy)]
pub(crate) struct Context<'r> {
    pub(crate) request: &'r ReductionRequest,
    pub(crate) site: &'r Site,
    pub(crate) store: &'r dyn Store,
    pub(crate) emit: &'r (dyn Fn(Event) + Sync),
    pub(crate) cancel: &'r Cancel,
    pub(crate) started: Instant,
}
