//! `cargo reduce capture on|off|status`: has crashes of the compiler kept in ordinary builds.

pub(crate) mod config;

use crate::args::{CaptureCommand, MessageFormat};
use crate::context::Context;
use crate::display::{self, Printable};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use crate::project::{Project, find_manifest};
use camino::{Utf8Path, Utf8PathBuf};
use config::{ConfigFile, TurnedOff};
use reduce_engine::captured::{CapturedStore, WrapperPlace, WrapperSettings};
use reduce_engine::escape;
use serde::Serialize;

/// Variables that cargo looks at before its configuration.
const OUTRANKING: [&str; 2] = ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"];

/// Runs one of these commands.
pub(crate) fn run(
    command: &CaptureCommand,
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    let home = context.base()?;
    refresh(&home, &context.program);
    match command {
        CaptureCommand::On { user, limit, auto } => {
            let wanted = (limit << 20, *auto);
            on(&config_of(*user, context)?, wanted, context)?;
        }
        CaptureCommand::Off { user } => off(&config_of(*user, context)?, context)?,
        CaptureCommand::Status => status(context, format)?,
    }
    Ok(ExitStatus::Reduced)
}

/// Replaces the wrappers of another build of this program. Where that is not possible, they go on as they are.
fn refresh(home: &Utf8Path, program: &Utf8Path) {
    for place in WrapperPlace::all(home) {
        let _older = place.refresh(program);
    }
}

fn environment(error: impl std::error::Error + Send + Sync + 'static) -> CommandError {
    CommandError::new(ExitStatus::Environment, error)
}

/// The configuration file of the workspace, or of the user.
fn config_of(user: bool, context: &Context) -> Result<ConfigFile, CommandError> {
    match user {
        true => ConfigFile::of_user(context),
        false => match find_manifest(&context.cwd) {
            Some(manifest) => Ok(ConfigFile::of_directory(
                &Project::of_manifest(&manifest).target_parent,
            )),
            None => Err(CommandError::bad_input(format!(
                "found no `Cargo.toml` in `{}` or a directory above",
                context.cwd
            ))
            .hint("stand in a workspace, or say `--user` for all of them")),
        },
    }
}

fn on(
    config: &ConfigFile,
    (limit_bytes, auto): (u64, bool),
    context: &Context,
) -> Result<(), CommandError> {
    let home = context.base()?;
    let place = WrapperPlace::of_config(&home, &config.path);
    let wrapper = place.wrapper();
    let there = config.wrapper()?;
    let settings = match (&there, place.settings().ok()) {
        (Some(there), Some(old)) if *there == wrapper => WrapperSettings {
            limit_bytes,
            auto,
            ..old
        },
        _ => {
            let replaced = there.filter(|there| *there != wrapper);
            let outer = config.outer_wrapper(context);
            let own = replaced.as_deref().map(|there| config.resolved(there));
            WrapperSettings {
                config: config.path.clone(),
                made_file: !config.path.is_file(),
                made_table: !config.has_table()?,
                made_directory: !config.directory().is_dir(),
                chained: own.or(outer).and_then(|wrapper| behind_ours(&wrapper)),
                replaced,
                limit_bytes,
                auto,
            }
        }
    };
    place
        .install(&context.program, &settings)
        .map_err(environment)?;
    config.set_wrapper(wrapper.as_str())?;
    say(&format!(
        "crashes of the compiler are kept from now on, by `{}`",
        config.path
    ));
    if let Some(chained) = &settings.chained {
        say(&format!("the wrapper `{chained}` is called as before"));
    }
    outranked(context);
    Ok(())
}

/// What is to be called for a wrapper that was there: of one of ours, what that calls.
fn behind_ours(wrapper: &str) -> Option<String> {
    match WrapperPlace::of_wrapper(Utf8Path::new(wrapper)) {
        Some(ours) => ours.settings().ok()?.chained,
        None => Some(wrapper.to_owned()),
    }
}

fn off(config: &ConfigFile, context: &Context) -> Result<(), CommandError> {
    let place = WrapperPlace::of_config(&context.base()?, &config.path);
    let settings = place.settings().ok();
    let turned_off = config.remove_wrapper(&place.wrapper(), settings.as_ref())?;
    let path = &config.path;
    match turned_off {
        TurnedOff::Removed => say(&format!("crashes are not kept any more by `{path}`")),
        TurnedOff::Changed(other) => say(&format!(
            "`{path}` names another wrapper by now, `{other}`; it is left as it is"
        )),
        TurnedOff::NotOn => say(&format!("crashes are not kept by `{path}`")),
    }
    place.remove().map_err(environment)
}

/// Warns where cargo does not look at its configuration.
fn outranked(context: &Context) {
    if let Some((name, value)) = outranking(context) {
        let message = format!(
            "`{name}={value}` in the environment outranks cargo's configuration: crashes are not kept while it is set"
        );
        display::talk(&Printable::labelled(
            clap_cargo::style::WARN,
            "warning",
            &message,
        ));
    }
}

fn outranking(context: &Context) -> Option<(&'static str, &str)> {
    let mut set = OUTRANKING
        .iter()
        .filter_map(|name| Some((*name, context.vars.get(*name)?)));
    set.next().map(|(name, value)| (name, value.as_str()))
}

fn say(line: &str) {
    display::talk(&Printable::line(line));
}

/// What `status` says to machines.
#[derive(Debug, Serialize)]
struct Status {
    /// Configuration files that have crashes kept, for where the user stands.
    on: Vec<On>,
    /// A variable that outranks them.
    outranked_by: Option<String>,
    crashes: usize,
    bytes: u64,
    home: Utf8PathBuf,
}

#[derive(Debug, Serialize)]
struct On {
    config: Utf8PathBuf,
    chained: Option<String>,
    limit_bytes: Option<u64>,
    /// Whether the wrapper is there.
    works: bool,
}

fn status(context: &Context, format: MessageFormat) -> Result<(), CommandError> {
    let home = context.base()?;
    let usage = CapturedStore::in_home(&home).usage();
    let configs = ConfigFile::all(context);
    let status = Status {
        on: configs.iter().filter_map(on_in).collect(),
        outranked_by: outranking(context).map(|(name, _)| name.to_owned()),
        crashes: usage.crashes,
        bytes: usage.bytes,
        home,
    };
    display::data(&match format {
        MessageFormat::Json => display::json_line(&status),
        MessageFormat::Human => human(&status),
    });
    Ok(())
}

fn on_in(config: &ConfigFile) -> Option<On> {
    let wrapper = Utf8PathBuf::from(config.wrapper().ok()??);
    let settings = WrapperPlace::of_wrapper(&wrapper)?.settings().ok();
    Some(On {
        config: config.path.clone(),
        chained: settings
            .as_ref()
            .and_then(|settings| settings.chained.clone()),
        limit_bytes: settings.map(|settings| settings.limit_bytes),
        works: wrapper.is_file(),
    })
}

fn human(status: &Status) -> String {
    let mut lines = Vec::new();
    for on in &status.on {
        lines.push(format!(
            "crashes are kept by `{}`",
            escape::line(on.config.as_str())
        ));
        if let Some(chained) = &on.chained {
            lines.push(format!(
                "  the wrapper `{}` is called, too",
                escape::line(chained)
            ));
        }
        if let Some(limit) = on.limit_bytes {
            lines.push(format!("  they may need {} MiB on the disk", limit >> 20));
        }
        if !on.works {
            lines.push("  its wrapper is missing, so that cargo cannot compile: `cargo reduce capture on` makes it again".to_owned());
        }
    }
    if status.on.is_empty() {
        lines.push("crashes are not kept here: `cargo reduce capture on` has them kept".to_owned());
    }
    if let Some(name) = &status.outranked_by {
        lines.push(format!(
            "`{name}` in the environment outranks cargo's configuration: crashes are not kept while it is set"
        ));
    }
    let home = escape::line(status.home.as_str());
    let (crashes, mib) = (status.crashes, status.bytes.div_ceil(1 << 20));
    lines.push(match crashes {
        0 => format!("no crash is kept in `{home}`"),
        1 => format!("1 crash is kept in `{home}`, {mib} MiB"),
        crashes => format!("{crashes} crashes are kept in `{home}`, {mib} MiB"),
    });
    lines.join("\n") + "\n"
}
