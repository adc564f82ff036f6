//! The book's page of options, which is written from the definition of the command line: `UPDATE_DOCS=1 cargo test -p
//! cargo-reduce the_page_of_options` writes it, and without the variable the test compares.

use super::check_written;
use crate::args::Cargo;
use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::fmt::Write;

const HEAD: &str = "\
# Options

This page says the same as `cargo reduce --help`. It is made from the definition of the command line, and a test compares the two.
Each option may also be set by a variable or in a file: see [Configuration](configuration.md).
";

/// Returns the text of the book's page of options.
fn page() -> String {
    let cargo = Cargo::command();
    let reduce = cargo.find_subcommand("reduce").expect("it is defined");
    let mut page = HEAD.to_owned();
    for heading in headings(reduce) {
        let args = arguments(reduce).filter(|arg| arg.get_help_heading() == Some(heading));
        page += &section(heading, args);
    }
    page += "\n## Commands of the daemon\n\n[The daemon](daemon.md) says what it is for.\n";
    let daemon = reduce.find_subcommand("daemon").expect("it is defined");
    for command in daemon.get_subcommands() {
        page += &subcommand("cargo reduce daemon ", command);
    }
    page += "\n## Commands for kept crashes\n\n[Crashes in your own builds](capture.md) says what they are for.\n";
    for group in ["capture", "captured"] {
        let group = reduce.find_subcommand(group).expect("it is defined");
        let above = format!("{} ", group.get_name());
        for command in group.get_subcommands() {
            page += &subcommand(&above, command);
        }
    }
    page += "\n## Commands about jobs\n\n[Several jobs](jobs.md) says how to use them.\n";
    for name in ["jobs", "cache"] {
        let command = reduce.find_subcommand(name).expect("it is defined");
        for below in command.get_subcommands() {
            page += &subcommand(&format!("{name} "), below);
        }
    }
    page += "\n## Other commands\n\n[Completion and man pages](shell.md) says how to use them.\n";
    let others = reduce.get_subcommands();
    for command in others.filter(|command| !command.has_subcommands()) {
        page += &subcommand("", command);
    }
    page
}

/// Returns the headings of the options of a command, in the order of its help.
fn headings(command: &Command) -> Vec<&str> {
    let mut headings = Vec::new();
    for heading in arguments(command).filter_map(Arg::get_help_heading) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    headings
}

/// The arguments that the help shows.
fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_hide_set())
}

fn section<'a>(heading: &str, args: impl Iterator<Item = &'a Arg>) -> String {
    format!("\n## {heading}\n\n{}", table(args))
}

fn table<'a>(args: impl Iterator<Item = &'a Arg>) -> String {
    let mut table = "| option | meaning |\n| --- | --- |\n".to_owned();
    for arg in args {
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {} | {} |", cell(&names(arg)), cell(&meaning(arg)));
    }
    table
}

/// Escapes a text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Returns the section about a subcommand, whose title is its name behind `above`, such as `cargo reduce jobs`.
fn subcommand(above: &str, command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string);
    let name = command.get_name();
    let about = about.unwrap_or_default();
    let mut text = format!("\n### `{above}{name}`\n\n{about}.\n");
    if arguments(command).next().is_some() {
        text += "\n";
        text += &table(arguments(command));
    }
    text
}

/// Returns the first cell for an option: its names with the placeholder of its value, or that placeholder alone for a
/// positional argument.
fn names(arg: &Arg) -> String {
    let value = value_names(arg);
    let Some(long) = arg.get_long() else {
        return match arg.is_last_set() {
            true => format!("`-- {value}..`"),
            false => format!("`{value}`"),
        };
    };
    let short = arg.get_short();
    let short = short
        .map(|short| format!("`-{short}`, "))
        .unwrap_or_default();
    format!("{short}`--{long}{}`", given(arg, &value))
}

/// Returns the text behind an option's name that gives it a value, such as ` N` or `[=N]`.
fn given(arg: &Arg, value: &str) -> String {
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    match (is_switch, arg.is_require_equals_set()) {
        (true, _) => String::new(),
        (false, true) => format!("[={value}]"),
        (false, false) => format!(" {value}"),
    }
}

fn value_names(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    names.join(" ")
}

/// Returns the second cell for an option: its help, its default, and the values that it may have.
fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let (help, default) = match help.split_once(" [default: ") {
        Some((help, default)) => (help.to_owned(), Some(default.replace(']', ""))),
        None => (help, default_value(arg)),
    };
    let default = default.map(|default| format!(" Default: {default}."));
    let is_list = matches!(arg.get_action(), ArgAction::Append) && arg.get_long().is_some();
    let again = if is_list {
        " May be given several times."
    } else {
        ""
    };
    format!(
        "{help}.{}{again}{}",
        default.unwrap_or_default(),
        possible_values(arg)
    )
}

fn default_value(arg: &Arg) -> Option<String> {
    let default = arg.get_default_values().first();
    let default = default.filter(|_| arg.get_action().takes_values())?;
    Some(format!("`{}`", default.to_string_lossy()))
}

/// A line for each value that may be given.
fn possible_values(arg: &Arg) -> String {
    if arg.is_hide_possible_values_set() || !arg.get_action().takes_values() {
        return String::new();
    }
    let values = arg.get_possible_values();
    values.iter().map(possible_value).collect()
}

fn possible_value(value: &PossibleValue) -> String {
    let help = value.get_help().map(|help| format!(": {help}"));
    format!("<br>`{}`{}", value.get_name(), help.unwrap_or_default())
}

#[test]
fn the_page_of_options_is_that_of_the_command_line() {
    check_written("options.md", &page());
}

#[test]
fn an_option_is_shown_with_its_names_values_and_default() {
    let switch = Arg::new("a")
        .long("all")
        .short('a')
        .help("Takes all")
        .action(ArgAction::SetTrue);
    let choice = Arg::new("b").long("by").value_name("X|Y").help("Chooses");
    let choice = choice.value_parser(["x", "y"]).default_value("x");
    let optional = Arg::new("c")
        .long("call")
        .value_name("ARGS")
        .help("Calls [default: none]");
    let optional = optional.num_args(0..=1).require_equals(true);
    let mut command = Command::new("c").arg(switch).arg(choice).arg(optional);
    command.build();
    let args = command.get_arguments().take(3);
    let expected = "\
| option | meaning |
| --- | --- |
| `-a`, `--all` | Takes all. |
| `--by X\\|Y` | Chooses. Default: `x`.<br>`x`<br>`y` |
| `--call[=ARGS]` | Calls. Default: none. |
";
    assert_eq!(table(args), expected);
}
