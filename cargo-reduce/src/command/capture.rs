//! `cargo reduce capture on|off|status`: has crashes of the compiler kept in ordinary builds.

pub(crate) mod config;

use crate::args::{CaptureCommand, MessageFormat};
use crate::context::{Context, NAMING_WRAPPERS};
use crate::display::{self, Printable};
use crate::error::CommandError;
use crate::exit::ExitStatus;
use crate::project::{Project, find_manifest};
use camino::{Utf8Path, Utf8PathBuf};
use config::{ConfigFile, TurnedOff};
use reduce_engine::captured::{
    CapturedStore, OwnWrapper, WrapperPlace, WrapperSettings, is_tracked_by_git,
};
use reduce_engine::{Surroundings, escape};
use serde::Serialize;

/// Runs `cargo reduce capture on`, `off` or `status`.
pub(crate) fn run(
    command: &CaptureCommand,
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    for directory in [context.data()?, context.base()?] {
        refresh(&directory, &context.program);
    }
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

/// Replaces the installed compiler wrappers that another build of this program has made by those of this build. Where
/// that is not possible, they go on as they are. An earlier version had them in our home.
fn refresh(directory: &Utf8Path, program: &Utf8Path) {
    for place in WrapperPlace::all(directory) {
        let _older = place.refresh(program);
    }
}

fn environment(error: impl std::error::Error + Send + Sync + 'static) -> CommandError {
    CommandError::new(ExitStatus::Environment, error)
}

/// Returns cargo's configuration file of the user, or else that of the workspace.
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
    let place = WrapperPlace::of_config(&context.data()?, &config.path);
    let ours = config.own_wrapper()?;
    let known = ours.as_ref().and_then(OwnWrapper::settings);
    let before = match known {
        Some(known) => known,
        None => anew(
            config,
            config.wrapper()?.filter(|_| ours.is_none()),
            context,
        )?,
    };
    let settings = WrapperSettings {
        config: config.path.clone(),
        home: Some(context.base()?),
        limit_bytes,
        auto,
        ..before
    };
    let guard = config.guard();
    if let Some(guard) = guard.as_ref().filter(|guard| guard.is_of_another_user()) {
        return Err(of_another_user(guard.path()));
    }
    place
        .install(&context.program, &settings)
        .map_err(environment)?;
    let surroundings = Surroundings {
        cwd: context.cwd.clone(),
        vars: context.vars.clone(),
        rustc: None,
    };
    if is_tracked_by_git(&config.path, &surroundings).map_err(environment)? {
        return Err(tracked(config, &place, context));
    }
    config.make_directory()?;
    if let Some(guard) = guard {
        guard.write(&place, &settings).map_err(|error| {
            environment(error).hint("`--user` has crashes kept by a file in `$CARGO_HOME`")
        })?;
    }
    config.set_wrapper(&config.name_of(&place))?;
    remove_older(&place, config, context)?;
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

/// Makes the settings of our compiler wrapper for a configuration file that does not name it yet, though perhaps another wrapper.
fn anew(
    config: &ConfigFile,
    replaced: Option<String>,
    context: &Context,
) -> Result<WrapperSettings, CommandError> {
    let own = replaced.as_deref().map(|there| config.resolved(there));
    let outer = config.outer_wrapper(context);
    Ok(WrapperSettings {
        config: config.path.clone(),
        home: None,
        made_file: !config.path.is_file(),
        made_table: !config.has_table()?,
        made_directory: !config.directory().is_dir(),
        chained: own.or(outer).and_then(|wrapper| behind_ours(&wrapper)),
        replaced,
        limit_bytes: 0,
        auto: false,
    })
}

/// Returns the program that our wrapper calls in place of a wrapper that a file named before: that wrapper, or what it
/// calls, if it is one of ours.
fn behind_ours(wrapper: &str) -> Option<String> {
    match OwnWrapper::of(Utf8Path::new(wrapper)) {
        Some(ours) => ours.settings()?.chained,
        None => Some(wrapper.to_owned()),
    }
}

/// Makes the error for a file that git tracks: it comes to everybody who works on the program, and a script of ours does not.
fn tracked(config: &ConfigFile, place: &WrapperPlace, context: &Context) -> CommandError {
    let path = &config.path;
    let wrapper = place.wrapper();
    let wrapper = shlex::try_quote(wrapper.as_str()).unwrap_or_default();
    let error = CommandError::bad_input(format!(
        "refused to edit `{path}`: git tracks it, and other people who build the program do not have your wrapper"
    ));
    let is_user = ConfigFile::of_user(context).is_ok_and(|user| user == *config);
    let error = match is_user {
        true => error,
        false => error.hint("`cargo reduce capture on --user` edits a file of your own"),
    };
    error.hint(format!(
        "or paste this into your shell, for the builds that are started there: `[ -x {wrapper} ] && export RUSTC_WRAPPER={wrapper}`"
    ))
}

fn of_another_user(guard: &Utf8Path) -> CommandError {
    CommandError::bad_input(format!(
        "refused to replace `{guard}`: another user has crashes kept by it"
    ))
    .hint("`cargo reduce capture on --user` edits a file of your own")
}

/// An earlier version had the wrapper of a configuration file in our home.
fn remove_older(
    place: &WrapperPlace,
    config: &ConfigFile,
    context: &Context,
) -> Result<(), CommandError> {
    let older = WrapperPlace::of_config(&context.base()?, &config.path);
    match older == *place {
        true => Ok(()),
        false => older.remove().map_err(environment),
    }
}

fn off(config: &ConfigFile, context: &Context) -> Result<(), CommandError> {
    let place = WrapperPlace::of_config(&context.data()?, &config.path);
    let ours = config.own_wrapper()?;
    let named = ours.as_ref().and_then(OwnWrapper::settings);
    let settings = named.or_else(|| place.settings().ok());
    let turned_off = config.remove_wrapper(settings.as_ref())?;
    let path = &config.path;
    match turned_off {
        TurnedOff::Removed => say(&format!("crashes are not kept any more by `{path}`")),
        TurnedOff::Changed(other) => say(&format!(
            "`{path}` names another wrapper by now, `{other}`; it is left as it is"
        )),
        TurnedOff::NotOn => say(&format!("crashes are not kept by `{path}`")),
    }
    place.remove().map_err(environment)?;
    remove_older(&place, config, context)?;
    if let Some((name, value)) = variable(context)
        && Utf8Path::new(value) == place.wrapper()
    {
        say(&format!(
            "`unset {name}` in this shell, too: its wrapper is gone"
        ));
    }
    Ok(())
}

/// Warns the user if a variable such as `RUSTC_WRAPPER` keeps cargo from reading the wrapper in its configuration files.
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

/// Returns the variable that names a wrapper of the compiler for cargo (such as `RUSTC_WRAPPER`) with its value, if one is set.
fn variable(context: &Context) -> Option<(&'static str, &str)> {
    let mut set = NAMING_WRAPPERS
        .iter()
        .filter_map(|name| Some((*name, context.vars.get(*name)?)));
    set.next().map(|(name, value)| (name, value.as_str()))
}

/// Returns the variable that names a wrapper of the compiler other than ours, with its value.
fn outranking(context: &Context) -> Option<(&'static str, &str)> {
    variable(context).filter(|(_, value)| OwnWrapper::of(Utf8Path::new(value)).is_none())
}

fn say(line: &str) {
    display::talk(&Printable::line(line));
}

/// The output of `capture status` for machines.
#[derive(Debug, Serialize)]
struct Status {
    /// The configuration files of cargo by which crashes in the user's current directory are kept.
    on: Vec<On>,
    /// The variable, if any, that makes cargo ignore the wrapper in its configuration files.
    outranked_by: Option<String>,
    /// The variable, if any, that names our wrapper, so that crashes are kept.
    kept_by: Option<String>,
    crashes: usize,
    bytes: u64,
    home: Utf8PathBuf,
}

#[derive(Debug, Serialize)]
struct On {
    config: Utf8PathBuf,
    chained: Option<String>,
    limit_bytes: Option<u64>,
    /// Whether cargo finds the wrapper that the configuration file names: it cannot compile otherwise.
    builds: bool,
    /// Whether the wrapper that keeps crashes is there.
    works: bool,
}

fn status(context: &Context, format: MessageFormat) -> Result<(), CommandError> {
    let home = context.base()?;
    let usage = CapturedStore::in_home(&home).usage();
    let configs = ConfigFile::all(context);
    let status = Status {
        on: configs.iter().filter_map(on_in).collect(),
        outranked_by: outranking(context).map(|(name, _)| name.to_owned()),
        kept_by: variable(context)
            .filter(|_| outranking(context).is_none())
            .map(|(name, _)| name.to_owned()),
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
    let ours = config.own_wrapper().ok()??;
    let settings = ours.settings();
    let (builds, works) = match &ours {
        OwnWrapper::Guarded(guard) => (guard.path().is_file(), guard.wrapper_is_there()),
        OwnWrapper::Bare(place) => (place.wrapper().is_file(), place.wrapper().is_file()),
    };
    Some(On {
        config: config.path.clone(),
        chained: settings
            .as_ref()
            .and_then(|settings| settings.chained.clone()),
        limit_bytes: settings.map(|settings| settings.limit_bytes),
        builds,
        works,
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
        if let Some(what) = match (on.builds, on.works) {
            (false, _) => Some("its wrapper is missing, so that cargo cannot compile"),
            (true, false) => Some("its wrapper is missing, so that no crash is kept"),
            (true, true) => None,
        } {
            lines.push(format!(
                "  {what}: `cargo reduce capture on` makes it again"
            ));
        }
    }
    if let Some(name) = &status.kept_by {
        lines.push(format!("crashes are kept by `{name}` in the environment"));
    } else if status.on.is_empty() {
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
