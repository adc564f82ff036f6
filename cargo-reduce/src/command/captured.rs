//! `cargo reduce captured [show|export|delete]`: the crashes that were kept when they happened.

use crate::args::{CapturedCommand, MessageFormat};
use crate::context::Context;
use crate::display::{self, Printable};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use crate::request::captured::unknown;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_engine::captured::{Captured, CapturedStore};
use reduce_engine::escape;
use serde::Serialize;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Runs one of these commands; without one, lists what is kept.
pub(crate) fn run(
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
            delete(&store, all.as_ref().unwrap_or(numbers), format)?;
        }
    }
    Ok(ExitStatus::Reduced)
}

/// A kept crash, to machines.
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
    match store.directory_of(number).is_dir() {
        true => store
            .read(number)
            .map_err(|error| CommandError::new(ExitStatus::Environment, error)),
        false => Err(unknown(number)),
    }
}

fn show(store: &CapturedStore, number: u64, format: MessageFormat) -> Result<(), CommandError> {
    let captured = known(store, number)?;
    let directory = store.directory_of(number);
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

fn delete(
    store: &CapturedStore,
    numbers: &[u64],
    format: MessageFormat,
) -> Result<(), CommandError> {
    for number in numbers {
        let deleted = store.delete(*number);
        if !deleted.map_err(|error| CommandError::new(ExitStatus::Environment, error))? {
            return Err(unknown(*number));
        }
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
