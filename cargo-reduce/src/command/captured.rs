//! `cargo reduce captured [show|export|delete]`: the crashes that were kept when they happened.

use crate::args::{CapturedCommand, MessageFormat};
use crate::context::Context;
use crate::display::{self, Printable};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use crate::request::captured::unknown;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_daemon::{DaemonError, Update, connect};
use reduce_engine::captured::{Captured, CapturedStore};
use reduce_engine::{Event, escape};
use reduce_protocol::{JobCommand, Refusal};
use serde::Serialize;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Runs `cargo reduce captured show`, `export` or `delete`, or lists the kept crashes if no command is named.
pub(crate) async fn run(
    command: Option<&CapturedCommand>,
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    let store = CapturedStore::in_home(&context.base()?);
    match command {
        None => list(&store, format),
        Some(CapturedCommand::Show { number }) => show(&store, *number, format)?,
        Some(CapturedCommand::Export { number, output }) => {
            let default = Utf8PathBuf::from(format!("captured-{number}.tar.gz"));
            let output = context.absolute(output.as_deref().unwrap_or(&default));
            export(&store, *number, &output, format)?;
        }
        Some(CapturedCommand::Delete { numbers, all }) => {
            let all = all.then(|| store.numbers());
            let numbers = all.as_ref().unwrap_or(numbers);
            delete(&store, numbers, context, format).await?;
        }
    }
    Ok(ExitStatus::Reduced)
}

/// A kept crash with its number, as it is printed in JSON.
#[derive(Debug, Serialize)]
struct Numbered<'a> {
    number: u64,
    directory: Utf8PathBuf,
    #[serde(flatten)]
    captured: &'a Captured,
}

fn list(store: &CapturedStore, format: MessageFormat) {
    let numbers = store.numbers().into_iter();
    // One that a newer version has written is left alone.
    let kept: Vec<_> = numbers
        .filter_map(|number| Some((number, store.read(number).ok()?)))
        .collect();
    let lines = kept.iter().map(|(number, captured)| match format {
        MessageFormat::Json => display::json_line(&Numbered {
            number: *number,
            directory: store.directory_of(*number),
            captured,
        }),
        MessageFormat::Human => line(*number, captured),
    });
    let text: String = lines.collect();
    match (format, text.is_empty()) {
        (MessageFormat::Human, true) => display::data(
            "no crash is kept; `cargo reduce capture on` has those of the next builds kept\n",
        ),
        _ => display::data(&text),
    }
}

fn line(number: u64, captured: &Captured) -> String {
    let what = match (captured.before.is_some(), captured.is_incremental) {
        (true, _) => ", with the sources before",
        (false, true) => ", incremental",
        (false, false) => "",
    };
    format!(
        "#{number}  {}  {}: {}{what}\n",
        age(captured.time),
        escape::line(&captured.crate_name),
        escape::line(&short(captured)),
    )
}

/// The message of the crash, in one line.
fn short(captured: &Captured) -> String {
    let signature = &captured.signature;
    let message = signature.message.lines().next().unwrap_or_default();
    match (&signature.file, message) {
        (Some(file), "") => file.clone(),
        (Some(file), message) => format!("{message} ({file})"),
        (None, message) => message.to_owned(),
    }
}

fn age(time: u64) -> String {
    let then = UNIX_EPOCH + Duration::from_secs(time);
    let age = SystemTime::now().duration_since(then).unwrap_or_default();
    format!("{} ago", display::time(age.as_secs_f64()))
}

fn known(store: &CapturedStore, number: u64) -> Result<Captured, CommandError> {
    known_directory(store, number)?;
    let read = store.read(number);
    read.map_err(|error| CommandError::new(ExitStatus::Environment, error))
}

fn known_directory(store: &CapturedStore, number: u64) -> Result<Utf8PathBuf, CommandError> {
    let directory = store.directory_of(number);
    match directory.is_dir() {
        true => Ok(directory),
        false => Err(unknown(number)),
    }
}

fn show(store: &CapturedStore, number: u64, format: MessageFormat) -> Result<(), CommandError> {
    let captured = known(store, number)?;
    let directory = known_directory(store, number)?;
    display::data(&match format {
        MessageFormat::Json => display::json_line(&Numbered {
            number,
            directory,
            captured: &captured,
        }),
        MessageFormat::Human => human(number, &captured, &directory),
    });
    Ok(())
}

fn human(number: u64, captured: &Captured, directory: &Utf8Path) -> String {
    let package = captured.package.as_deref().unwrap_or(&captured.crate_name);
    let version = captured.package_version.as_deref().unwrap_or_default();
    let compiler = captured
        .compiler
        .verbose_version
        .lines()
        .next()
        .unwrap_or_default();
    let before = match (captured.is_incremental, &captured.before) {
        (false, _) => "no: the call was not incremental".to_owned(),
        (true, None) => "no: no good call was seen before".to_owned(),
        (true, Some(before)) => format!("yes, {} files", before.files.len()),
    };
    let rows = [
        ("crash", short(captured)),
        (
            "query",
            captured
                .signature
                .query
                .clone()
                .unwrap_or_else(|| "none".to_owned()),
        ),
        (
            "crate",
            format!("{} of {package} {version}", captured.crate_name),
        ),
        (
            "compiler",
            format!("{compiler}, `{}`", captured.compiler.path),
        ),
        ("when", age(captured.time)),
        ("directory", captured.base.to_string()),
        ("sources", format!("{} files", captured.call.files.len())),
        ("sources before", before),
        ("links", format!("{} crates", captured.dependencies.len())),
        ("size", format!("{} MiB", captured.bytes.div_ceil(1 << 20))),
        ("kept in", directory.to_string()),
    ];
    let rows = rows.map(|(name, value)| format!("{name:<15} {}\n", escape::line(&value)));
    format!("#{number}\n{}", rows.concat())
}

fn export(
    store: &CapturedStore,
    number: u64,
    output: &Utf8Path,
    format: MessageFormat,
) -> Result<(), CommandError> {
    known(store, number)?;
    store
        .export(number, output)
        .map_err(|error| CommandError::new(ExitStatus::Environment, error))?;
    #[derive(Serialize)]
    struct Exported<'a> {
        number: u64,
        output: &'a Utf8Path,
    }
    match format {
        MessageFormat::Json => display::data(&display::json_line(&Exported { number, output })),
        MessageFormat::Human => display::talk(&Printable::line(&format!(
            "#{number} is in `{output}`; it has sources and dependencies of yours, so look at whom you give it to"
        ))),
    }
    Ok(())
}

async fn delete(
    store: &CapturedStore,
    numbers: &[u64],
    context: &Context,
    format: MessageFormat,
) -> Result<(), CommandError> {
    let environment = |error| CommandError::new(ExitStatus::Environment, error);
    for number in numbers {
        known_directory(store, *number)?;
        store.automatic().unwant(*number).map_err(environment)?;
    }
    end_jobs(store, numbers, context).await?;
    for number in numbers {
        store.delete(*number).map_err(environment)?;
    }
    #[derive(Serialize)]
    struct Deleted<'a> {
        deleted: &'a [u64],
    }
    if format == MessageFormat::Json {
        display::data(&display::json_line(&Deleted { deleted: numbers }));
    }
    Ok(())
}

/// Cancels the jobs of the daemon that reduce these crashes, and waits for their ends: they write their best results, which
/// go with the crashes.
async fn end_jobs(
    store: &CapturedStore,
    numbers: &[u64],
    context: &Context,
) -> Result<(), CommandError> {
    let Some(mut session) = connect(&context.home()?, &context.hello()).await? else {
        return Ok(());
    };
    let inputs = numbers.iter().map(|number| store.directory_of(*number));
    let inputs: Vec<Utf8PathBuf> = inputs.collect();
    let mut jobs = session.status().await?.jobs;
    jobs.retain(|job| inputs.contains(&job.input));
    for job in &jobs {
        refused_or(session.command(job.job, JobCommand::Cancel).await)?;
    }
    for job in &jobs {
        let mut update = refused_or(session.attach(job.job).await)?;
        while let Some(Update::Accepted { .. } | Update::Event(_)) = &update {
            if matches!(&update, Some(Update::Event(Event::Finished(_)))) {
                break;
            }
            update = refused_or(session.next().await)?;
        }
    }
    Ok(())
}

/// Returns the daemon's answer about a job, or `None` if the daemon refuses one because the job has ended.
fn refused_or<T>(answer: Result<T, DaemonError>) -> Result<Option<T>, DaemonError> {
    match answer {
        Err(DaemonError::Refused(Refusal::HasEnded(_) | Refusal::NoSuchJob(_))) => Ok(None),
        answer => answer.map(Some),
    }
}
