//! Simulated reductions for the benchmark `workers`, with recorded answers in place of a compiler, where each query takes
//! the same time: the variable `CARGO_REDUCE_SIMULATE` has the milliseconds of a query and the file of recorded answers,
//! as in `1000:answers.json`.

use crate::context::Context;
use crate::error::CommandError;
use reduce_daemon::Reduce;
use reduce_engine::{Failure, Simulation};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The variable that makes a reduction in this process a simulated one.
pub(crate) const VARIABLE: &str = "CARGO_REDUCE_SIMULATE";

/// Returns the engine, which answers queries from a recording if the variable `CARGO_REDUCE_SIMULATE` is set.
pub(super) fn engine(context: &Context) -> Result<Arc<Reduce>, CommandError> {
    let Some(asked) = context.vars.get(VARIABLE) else {
        return Ok(Arc::new(reduce_engine::reduce));
    };
    let parsed = asked.split_once(':').and_then(|(wait, file)| {
        let wait = Duration::from_millis(wait.parse().ok()?);
        Some((wait, PathBuf::from(file)))
    });
    let (wait, file) = parsed.ok_or_else(|| {
        CommandError::bad_input(format!(
            "`{VARIABLE}` is `{asked}`, and not milliseconds, a colon and a file"
        ))
    })?;
    Ok(Arc::new(move |request, site, store, emit, control| {
        let io = |error: &std::io::Error| Failure::io("use the recorded answers", error);
        let record = match fs::read(&file) {
            Ok(record) => Some(record),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(io(&error)),
        };
        let simulation = Simulation::new(wait, record.as_deref());
        let simulation = Arc::new(simulation.map_err(|error| io(&error.into()))?);
        let mut control = control.clone();
        control.simulation = Some(Arc::clone(&simulation));
        let summary = reduce_engine::reduce(request, site, store, emit, &control)?;
        let record = simulation.record().map_err(|error| io(&error.into()))?;
        fs::write(&file, record).map_err(|error| io(&error))?;
        let figures = simulation.figures();
        let message = format!(
            "simulated: {} ms, {} calls on workers, {} beside them, {} of all not recorded before",
            figures.time.as_millis(),
            figures.on_workers,
            figures.beside_workers,
            figures.not_recorded
        );
        emit(reduce_engine::Event::Warning { message });
        Ok(summary)
    }))
}
