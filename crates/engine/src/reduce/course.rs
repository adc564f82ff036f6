//! The course of a search: what it begins with, and how it goes on until nothing more can go.

use crate::Failure;
use crate::figures::Verification;
use crate::methods::Methods;
use crate::request::Part;
use crate::session::Session;
use crate::strategy::{
    Named, RemovableFlags, Slice, delete_flags, embed_inputs, keep_slice, leave_marks_out,
    make_readable, run_as_main, run_to_fixpoint, verify_minimal,
};
use reduce_model::{Model, Relations};

/// Keeps a slice, and puts in place what the program reads. Where there is no slice of the program as
/// it is, there may be one of what is then left of it. Returns which slice was kept.
pub(super) fn begin_small(
    session: &mut Session<'_>,
    methods: &Methods,
    named: &Named,
) -> Result<Slice, Failure> {
    let before = session.best().tree.clone();
    let sliced = keep_slice(session, methods, named)?;
    let embedded = embed_inputs(session, methods)?;
    run_as_main(session, methods)?;
    if sliced == Slice::Nothing && embedded > 0 {
        let lasting = Named {
            seeds: Relations::of(&Model::new(&before)).lasting(&named.seeds),
            pointed_at: Vec::new(),
            made: Vec::new(),
            said: named.said.clone(),
        };
        return keep_slice(session, methods, &lasting);
    }
    Ok(sliced)
}

/// Searches until nothing more can go, and makes the result readable. Where that is to be proved and
/// is not so, as names and layout have changed what a pass may do, it goes on.
pub(super) fn run_to_end(
    session: &mut Session<'_>,
    methods: &Methods,
    flags: &RemovableFlags,
) -> Result<Option<Verification>, Failure> {
    let mut n_mended = 0;
    loop {
        run_to_fixpoint(session, methods)?;
        session.end_part(Part::FinePasses);
        delete_flags(session, methods, flags)?;
        session.end_part(Part::Flags);
        session.without_checkpoints(|session| {
            leave_marks_out(session)?;
            make_readable(session, methods)
        })?;
        session.end_part(Part::NamesAndLayout);
        if !methods.options.verify_minimal || session.is_cancelled() {
            return Ok(None);
        }
        let before = session.best().tree.clone();
        let Verification { edits, accepted } = verify_minimal(session, methods)?;
        n_mended += accepted;
        if accepted == 0 {
            let accepted = n_mended;
            return Ok(Some(Verification { edits, accepted }));
        }
        if session.best().tree.count_tokens() >= before.count_tokens() {
            // Names and layout would only undo it.
            return Ok(None);
        }
    }
}
