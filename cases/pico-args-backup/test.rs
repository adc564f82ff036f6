//! The command line of a program that copies directories to another disk.

use pico_args::Arguments;
use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Compression {
    #[default]
    None,
    Fast,
    Level(u8),
}

impl FromStr for Compression {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Compression::None),
            "fast" => Ok(Compression::Fast),
            _ => match text.parse() {
                Ok(level @ 1..=9) => Ok(Compression::Level(level)),
                _ => Err(format!("`{text}` is no compression")),
            },
        }
    }
}

/// A size such as `200M`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        unit => return Err(format!("no such unit: {unit}")),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is no size"))?;
    Ok(number * factor)
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    verbosity: usize,
    recursive: bool,
    dry_run: bool,
    force: bool,
    compression: Compression,
    limit: Option<u64>,
    threads: Option<usize>,
    excluded: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Command {
    Help,
    List { disk: PathBuf },
    Copy { from: PathBuf, to: PathBuf, options: Options },
}

#[derive(Debug, PartialEq, Eq)]
enum Wrong {
    Unknown(Vec<String>),
    NoCommand,
    Conflict(&'static str, &'static str),
    SameDirectory(PathBuf),
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Unknown(words) => write!(f, "what is {}?", words.join(" ")),
            Wrong::NoCommand => write!(f, "say `copy` or `list`"),
            Wrong::Conflict(one, other) => write!(f, "{one} and {other} exclude each other"),
            Wrong::SameDirectory(path) => write!(f, "{} is copied to itself", path.display()),
        }
    }
}

impl Error for Wrong {}

/// Values come first, then flags, then the directories, as the parser wants it.
fn options(arguments: &mut Arguments) -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        compression: arguments
            .opt_value_from_str(["-c", "--compression"])?
            .unwrap_or_default(),
        limit: arguments.opt_value_from_fn("--limit", size)?,
        threads: arguments.opt_value_from_str("--threads")?,
        excluded: arguments.values_from_str("--exclude")?,
        ..Options::default()
    };
    while arguments.contains(["-v", "--verbose"]) {
        options.verbosity += 1;
    }
    options.recursive = arguments.contains(["-r", "--recursive"]);
    options.force = arguments.contains(["-f", "--force"]);
    options.dry_run = arguments.contains(["-n", "--dry-run"]);
    if options.force && options.dry_run {
        return Err(Wrong::Conflict("--force", "--dry-run").into());
    }
    Ok(options)
}

fn command(line: &str) -> Result<Command, Box<dyn Error>> {
    let words = line.split_whitespace().map(OsString::from).collect();
    let mut arguments = Arguments::from_vec(words);
    if arguments.contains(["-h", "--help"]) {
        return Ok(Command::Help);
    }
    let command = match arguments.subcommand()?.as_deref() {
        Some("list") => Command::List {
            disk: arguments.value_from_str("--disk")?,
        },
        Some("copy") => {
            let options = options(&mut arguments)?;
            let from: PathBuf = arguments.free_from_str()?;
            let to: PathBuf = arguments.free_from_str()?;
            if from == to {
                return Err(Wrong::SameDirectory(from).into());
            }
            Command::Copy { from, to, options }
        }
        _ => return Err(Wrong::NoCommand.into()),
    };
    let rest = arguments.finish();
    if !rest.is_empty() {
        let words = rest.iter().map(|word| word.to_string_lossy().into_owned());
        return Err(Wrong::Unknown(words.collect()).into());
    }
    Ok(command)
}

fn copy(line: &str) -> Options {
    match command(&format!("copy {line} home disk")) {
        Ok(Command::Copy { from, to, options }) => {
            assert_eq!((from.as_path(), to.as_path()), (Path::new("home"), Path::new("disk")));
            options
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn help_comes_before_everything_else() {
    assert_eq!(command("copy -h").unwrap(), Command::Help);
    let disk = PathBuf::from("usb");
    assert_eq!(command("list --disk usb").unwrap(), Command::List { disk });
}

#[test]
fn what_is_wrong_is_said() {
    let said = |line: &str| command(line).unwrap_err().to_string();
    assert_eq!(said("move a b"), "say `copy` or `list`");
    assert_eq!(said("copy a a"), "a is copied to itself");
    assert_eq!(said("copy a b c"), "what is c?");
    assert_eq!(said("copy -f -n a b"), "--force and --dry-run exclude each other");
}

#[test]
fn sizes_have_units() {
    assert_eq!(copy("--limit 20M").limit, Some(20 << 20));
    assert_eq!(copy("--limit 512").limit, Some(512));
    assert!(size("3T").is_err());
}

#[test]
fn short_flags_stand_together() {
    let options = copy("-c fast -rvv --exclude target --exclude .cache");
    assert_eq!(options.verbosity, 2);
    assert!(options.recursive && !options.force);
    assert_eq!(options.excluded, ["target", ".cache"]);
}

#[test]
fn copying_with_several_threads_is_no_call_for_help() {
    let cases = [("-rv", 1, true), ("-n", 0, false), ("--verbose -v --recursive", 2, true)];
    for (flags, verbosity, recursive) in cases {
        for threads in [2, 8] {
            let line = format!("copy {flags} --threads {threads} --limit 1G home disk");
            let options = Options {
                verbosity,
                recursive,
                dry_run: flags == "-n",
                limit: Some(1 << 30),
                threads: Some(threads),
                ..Options::default()
            };
            let expected = Command::Copy {
                from: PathBuf::from("home"),
                to: PathBuf::from("disk"),
                options,
            };
            assert_eq!(command(&line).unwrap(), expected);
        }
    }
}
