//! `cargo reduce man DIR`: the man pages, made from the definition of the command line like `--help`.

use crate::args::{Cargo, MessageFormat};
use crate::context::Context;
use crate::display;
use crate::error::CommandError;
use crate::exit::ExitStatus;
use crate::help;
use camino::Utf8Path;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;

/// The first line of each man page that we write, by which we know our own pages.
const MARK: &str = ".\\\" Written by `cargo reduce man`.\n";
/// Where pages go that the program `man` finds.
const EXAMPLE: &str = "~/.local/share/man/man1";

/// A man page.
#[derive(Debug)]
struct Page {
    /// The name of its file, such as `cargo-reduce.1`.
    file: String,
    text: String,
}

/// Writes all pages to a directory, or none of them.
///
/// # Errors
/// Where they cannot be written, or a file that is none of ours has the name of one.
pub(crate) fn run(
    directory: &Utf8Path,
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    let directory = context.absolute(directory);
    let pages = pages();
    write_all(&pages, &directory)?;
    let message = format!("{} man pages to `{directory}`", pages.len());
    display::say(format, "Written", &message);
    Ok(ExitStatus::Reduced)
}

fn write_all(pages: &[Page], directory: &Utf8Path) -> Result<(), CommandError> {
    let made = std::fs::create_dir_all(directory);
    made.map_err(|error| unwritable("make", directory, error))?;
    for page in pages {
        check_place(&directory.join(&page.file))?;
    }
    for page in pages {
        let path = directory.join(&page.file);
        let written = std::fs::write(&path, &page.text);
        written.map_err(|error| unwritable("write", &path, error))?;
    }
    Ok(())
}

/// Checks that no file is at a path, or one that may be replaced, as it is a man page that we have written.
fn check_place(path: &Utf8Path) -> Result<(), CommandError> {
    match std::fs::read(path) {
        Ok(bytes) if bytes.starts_with(MARK.as_bytes()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(_) => {
            let message = format!("`{path}` is there, and was not written by `cargo reduce man`");
            Err(CommandError::bad_input(message).hint("name another directory, or remove the file"))
        }
        Err(error) => Err(unwritable("read", path, error)),
    }
}

fn unwritable(verb: &str, path: &Utf8Path, error: io::Error) -> CommandError {
    let message = format!("failed to {verb} `{path}`: {error}");
    CommandError::new(ExitStatus::Environment, message)
        .hint(format!("name a directory of yours, such as `{EXAMPLE}`"))
}

/// The page of `cargo reduce`, and one for each command below it.
fn pages() -> Vec<Page> {
    let mut cargo = Cargo::command();
    cargo.build();
    let reduce = cargo.find_subcommand("reduce").expect("it is defined");
    let mut commands = Vec::new();
    collect(reduce, &mut commands);
    commands
        .iter()
        .map(|command| page(command, reduce))
        .collect()
}

fn collect<'a>(command: &'a Command, commands: &mut Vec<&'a Command>) {
    commands.push(command);
    for below in command.get_subcommands() {
        collect(below, commands);
    }
}

fn page(command: &Command, reduce: &Command) -> Page {
    let version = reduce.get_version().unwrap_or_default();
    let man = Man::new(command.clone()).source(format!("cargo-reduce {version}"));
    let man = man.manual("cargo-reduce");
    let mut text = MARK.as_bytes().to_vec();
    let written = write(&man, command, reduce, &mut text);
    written.expect("a vector takes all that is written");
    Page {
        file: man.get_filename(),
        text: String::from_utf8(text).expect("all parts of it are UTF-8"),
    }
}

fn write(man: &Man, command: &Command, reduce: &Command, text: &mut Vec<u8>) -> io::Result<()> {
    man.render_title(text)?;
    man.render_name_section(text)?;
    man.render_synopsis_section(text)?;
    man.render_description_section(text)?;
    if command.get_arguments().any(|arg| !arg.is_hide_set()) {
        man.render_options_section(text)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(text)?;
    }
    match std::ptr::eq(command, reduce) {
        true => what_help_adds().to_writer(text),
        false => see_also().to_writer(text),
    }
}

/// Makes the sections of a man page that stand after the options in `--help`, and that of exit statuses.
fn what_help_adds() -> Roff {
    let mut roff = Roff::new();
    for (title, text) in help::SECTIONS {
        roff.control("SH", [title]);
        paragraphs(&mut roff, text);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for status in ExitStatus::ALL {
        roff.control("TP", []);
        roff.text([bold(status.code().to_string())]);
        roff.text([roman(status.meaning())]);
    }
    roff
}

/// Adds paragraphs to a man page, in which lines that begin with `-` become the items of a list.
fn paragraphs(roff: &mut Roff, text: &str) {
    let mut is_list = false;
    for line in text.lines() {
        let item = line.strip_prefix("  - ");
        match item {
            Some(_) => _ = roff.control("IP", ["\\(bu", "2"]),
            None if is_list => _ = roff.control("PP", []),
            None => {}
        }
        is_list = item.is_some();
        roff.text([roman(item.unwrap_or(line))]);
    }
}

fn see_also() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    roff.text([
        bold("cargo-reduce"),
        roman("(1) has the variables, files and exit codes."),
    ]);
    roff
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::flag_names;

    fn in_directory(check: impl Fn(&Utf8Path)) {
        let temp = tempfile::tempdir().unwrap();
        check(Utf8Path::from_path(temp.path()).unwrap());
    }

    #[test]
    fn each_command_has_a_page() {
        let files: Vec<String> = pages().into_iter().map(|page| page.file).collect();
        let expected = [
            "cargo-reduce.1",
            "cargo-reduce-daemon.1",
            "cargo-reduce-daemon-status.1",
            "cargo-reduce-daemon-stop.1",
            "cargo-reduce-daemon-run.1",
            "cargo-reduce-triage.1",
            "cargo-reduce-capture.1",
            "cargo-reduce-capture-on.1",
            "cargo-reduce-capture-off.1",
            "cargo-reduce-capture-status.1",
            "cargo-reduce-captured.1",
            "cargo-reduce-captured-show.1",
            "cargo-reduce-captured-export.1",
            "cargo-reduce-captured-delete.1",
            "cargo-reduce-jobs.1",
            "cargo-reduce-jobs-list.1",
            "cargo-reduce-jobs-attach.1",
            "cargo-reduce-jobs-show.1",
            "cargo-reduce-jobs-pause.1",
            "cargo-reduce-jobs-resume.1",
            "cargo-reduce-jobs-cancel.1",
            "cargo-reduce-jobs-finish.1",
            "cargo-reduce-jobs-skip.1",
            "cargo-reduce-jobs-result.1",
            "cargo-reduce-jobs-log.1",
            "cargo-reduce-jobs-clean.1",
            "cargo-reduce-cache.1",
            "cargo-reduce-cache-stats.1",
            "cargo-reduce-cache-prune.1",
            "cargo-reduce-cache-verify.1",
            "cargo-reduce-completions.1",
            "cargo-reduce-man.1",
        ];
        assert_eq!(files, expected);
    }

    #[test]
    fn the_first_page_has_all_that_the_help_has() {
        let page = pages().swap_remove(0).text;
        for flag in flag_names() {
            let option = format!("\\fB\\-\\-{}\\fR", flag.replace('-', "\\-"));
            assert!(page.contains(&option), "{option}\n{page}");
        }
        for text in ["reduce.toml", "CARGO_REDUCE_HOME", "Ctrl\\-C"] {
            assert!(page.contains(text), "{text}\n{page}");
        }
        for status in ExitStatus::ALL {
            assert!(page.contains(&format!("\\fB{}\\fR\n", status.code())));
        }
    }

    #[test]
    fn hidden_options_are_on_no_page() {
        for page in pages() {
            assert!(!page.text.contains("started\\-by\\-client"), "{page:?}");
        }
    }

    #[test]
    fn pages_replace_pages_and_no_other_file() {
        in_directory(|directory| {
            let path = directory.join("man1");
            for _ in 0..2 {
                write_all(&pages(), &path).unwrap();
            }
            let other = path.join("cargo-reduce-man.1");
            std::fs::write(&other, "mine").unwrap();
            std::fs::remove_file(path.join("cargo-reduce.1")).unwrap();
            let error = write_all(&pages(), &path).unwrap_err();
            assert_eq!(error.kind, ExitStatus::BadInput);
            assert!(error.source.to_string().contains(other.as_str()));
            assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine");
            assert!(!path.join("cargo-reduce.1").exists());
        });
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_named() {
        in_directory(|directory| {
            std::fs::write(directory.join("file"), "").unwrap();
            let path = directory.join("file/man1");
            let error = write_all(&pages(), &path).unwrap_err();
            assert_eq!(error.kind, ExitStatus::Environment);
            let expected = format!("failed to make `{path}`");
            assert!(error.source.to_string().contains(&expected), "{error:?}");
            assert!(error.hints[0].contains(EXAMPLE));
        });
    }
}
