//! Tests of the live view on a real terminal: what it shows, what its keys do, and that it leaves the terminal as it was.

use crate::support::asked::{RECURSES, out, path_str, script, write_script};
use crate::support::terminal::Terminal;
use crate::support::{World, exit_code, signal, wait_until};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

const USUAL: (u16, u16) = (80, 24);

/// Signals that end a process, with their numbers.
const TERMINATE: (&str, i32) = ("TERM", 15);
const HANG_UP: (&str, i32) = ("HUP", 1);
const KILL: (&str, i32) = ("KILL", 9);

/// The text that shows that the view is there.
const KEYS: &str = "q stop";

fn world() -> World {
    World::with("recursion.rs")
}

/// Makes the command of a reduction whose queries take so long that it does not end while a test looks at it.
fn slow(world: &World, args: &[&str]) -> Command {
    let text = RECURSES.replacen('\n', "\nsleep 1\n", 1);
    let script = script(world, &text);
    let mut command = world.program(&[
        "recursion.rs",
        "--script",
        &script,
        "--jobs",
        "2",
        "--output",
    ]);
    command
        .arg(out(world))
        .args(args)
        .env("TERM", "xterm-256color");
    command
}

/// Attaches to job 1, whose view is shown again.
fn attach(world: &World) -> Command {
    let mut command = world.program(&["jobs", "attach", "1"]);
    command.env("TERM", "xterm");
    command
}

/// Checks that the view is gone, and that nothing of it is left.
#[track_caller]
fn check_clean(terminal: &Terminal) {
    terminal.wait_until("the screen of before", |terminal| !terminal.is_alternate());
    assert!(terminal.is_as_usual());
    let everything = terminal.everything();
    // The spinner of the progress line, and the points of the curve.
    let is_braille = |c: char| ('\u{2800}'..='\u{28ff}').contains(&c);
    let is_clean = !everything.contains(KEYS) && !everything.contains(is_braille);
    assert!(is_clean, "{everything}");
    assert!(terminal.shows_cursor());
}

/// The state of job 1, as `jobs show` says it.
fn state(world: &World) -> String {
    let shown = world.program(&["jobs", "show", "1"]).output();
    let shown = shown.expect("it can be started").stdout;
    let text = String::from_utf8_lossy(&shown).into_owned();
    let first = text.lines().next().unwrap_or_default();
    first.trim_start_matches("job 1: ").to_owned()
}

/// Waits until job 1 is in this state.
fn wait_for_state(world: &World, expected: &str) {
    wait_until(expected, || (state(world) == expected).then_some(()));
}

/// Ends the client by a signal.
#[track_caller]
fn end_by(terminal: &Terminal, (name, number): (&str, i32)) {
    signal(terminal.pid(), name);
    assert_eq!(terminal.finish().signal(), Some(number));
}

#[test]
fn keys_pause_skip_and_finish_a_job_and_the_summary_follows() {
    let world = world();
    let mut command = slow(&world, &[]);
    command.env("NO_COLOR", "1");
    let terminal = Terminal::start(&command, USUAL);
    terminal.wait_for(KEYS);
    assert!(terminal.is_alternate() && !terminal.is_as_usual());
    terminal.wait_for("last gain");
    assert!(
        terminal.screen().contains("reduced.rs"),
        "{}",
        terminal.screen()
    );
    assert!(!terminal.has_colours());
    terminal.press("p");
    terminal.wait_for("p go on");
    terminal.wait_for("0/2 workers");
    terminal.press("p");
    terminal.wait_for("p pause");
    // A pass may end by itself before the key is heard of.
    terminal.wait_until("a skipped pass", |terminal| {
        terminal.press("s");
        let screen = terminal.screen();
        let doing = screen.lines().nth(2).unwrap_or_default();
        doing.trim_end().ends_with(" skipped")
    });
    terminal.press("f");
    assert_eq!(terminal.finish().code(), Some(0));
    terminal.wait_for_output("Minimal no: it was told to finish soon");
    terminal.wait_for_output("Skipped ");
    check_clean(&terminal);
}

#[test]
fn an_edit_in_the_editor_is_tried_and_a_job_without_the_daemon_is_stopped() {
    let world = world();
    let editor = world.beside("editor.sh");
    write_script(&editor, "#!/bin/sh\nprintf '// by hand\\n' >> \"$1\"\n");
    let mut command = slow(&world, &["--no-daemon"]);
    command.env("EDITOR", path_str(&editor));
    let terminal = Terminal::start(&command, (120, 40));
    terminal.wait_for("last gain");
    assert!(
        !terminal.screen().contains("d detach"),
        "nothing would go on"
    );
    terminal.press("e");
    terminal.wait_for("Adopted your edit of `reduced.rs`");
    terminal.press("q");
    assert_eq!(terminal.finish().code(), Some(exit_code::STOPPED));
    terminal.wait_for_output("Minimal no: the search was stopped");
    check_clean(&terminal);
    assert!(
        terminal.everything().contains("Adopted your edit"),
        "what came meanwhile is told"
    );
}

#[test]
fn a_job_that_is_detached_goes_on_and_is_shown_again() {
    let world = world();
    let terminal = Terminal::start(&slow(&world, &[]), USUAL);
    terminal.wait_for(KEYS);
    terminal.press("d");
    assert_eq!(terminal.finish().code(), Some(exit_code::STOPPED));
    terminal.wait_for_output("Detached from job 1");
    check_clean(&terminal);
    for signal in [TERMINATE, HANG_UP] {
        let terminal = Terminal::start(&attach(&world), USUAL);
        terminal.wait_for("job 1   running");
        assert!(!terminal.shows_cursor());
        end_by(&terminal, signal);
        check_clean(&terminal);
        assert_eq!(state(&world), "running");
    }
}

#[test]
fn a_job_goes_on_whose_client_ends_while_its_editor_is_open() {
    let world = world();
    let (editor, opened) = (world.beside("editor.sh"), world.beside("opened"));
    let text = format!("#!/bin/sh\ntouch {}\nread line\n", opened.display());
    write_script(&editor, &text);
    for (mut command, signal) in [(slow(&world, &[]), KILL), (attach(&world), HANG_UP)] {
        command.env("EDITOR", path_str(&editor));
        let terminal = Terminal::start(&command, USUAL);
        terminal.wait_for("last gain");
        terminal.press("e");
        wait_until("the editor is open", || opened.exists().then_some(()));
        wait_for_state(&world, "paused");
        end_by(&terminal, signal);
        wait_for_state(&world, "running");
        std::fs::remove_file(&opened).expect("it is there");
    }
}

#[test]
fn a_job_that_a_key_has_paused_stays_paused_without_its_client() {
    let world = world();
    let terminal = Terminal::start(&slow(&world, &[]), USUAL);
    terminal.wait_for("last gain");
    terminal.press("p");
    terminal.wait_for("p go on");
    end_by(&terminal, KILL);
    let listeners = || {
        let shown = world.program(&["jobs", "show", "1"]).output();
        let shown = shown.expect("it can be started").stdout;
        String::from_utf8_lossy(&shown).contains("clients: 0")
    };
    wait_until("nobody listens", || listeners().then_some(()));
    assert_eq!(state(&world), "paused");
}

/// The prompt of the shell that has the terminal while the program is stopped.
const PROMPT: &str = "the shell is here";

/// Makes the command of a shell that starts a program as one of its jobs. Once the program is stopped, a line typed to the
/// shell brings it back.
fn in_shell(world: &World, program: &Command) -> Command {
    let text = format!("set -m\n\"$@\"\necho {PROMPT}\nread line\nfg >/dev/null\n");
    let mut shell = world.command("/bin/sh");
    shell.args(["-c", &text, "sh"]);
    shell.arg(program.get_program()).args(program.get_args());
    let vars = program.get_envs();
    shell.envs(vars.filter_map(|(name, value)| Some((name, value?))));
    shell
}

#[test]
fn ctrl_z_leaves_the_terminal_to_the_shell_until_fg() {
    let world = world();
    let terminal = Terminal::start(&in_shell(&world, &slow(&world, &[])), USUAL);
    terminal.wait_for("last gain");
    terminal.press("\u{1a}");
    terminal.wait_for_output(PROMPT);
    check_clean(&terminal);
    assert_eq!(state(&world), "running");
    terminal.press("\n");
    terminal.wait_for(KEYS);
    terminal.wait_for("last gain");
    assert!(terminal.is_alternate() && !terminal.is_as_usual());
    assert!(!terminal.shows_cursor());
    terminal.press("q");
    assert_eq!(terminal.finish().code(), Some(exit_code::STOPPED));
    terminal.wait_for_output("Minimal no: the search was stopped");
    check_clean(&terminal);
}

/// The seconds that a progress line tells.
fn seconds(screen: &str) -> f64 {
    let told = screen.split(" tokens, ").skip(1).filter_map(|rest| {
        let (seconds, _) = rest.split_once(" s, ")?;
        seconds.parse::<f64>().ok()
    });
    told.fold(0.0, f64::max)
}

#[test]
fn without_the_view_there_is_a_line() {
    let world = world();
    for flag in ["--no-tui", "-v"] {
        let terminal = Terminal::start(&slow(&world, &[flag]), USUAL);
        // The view opens after three.
        terminal.wait_until("four seconds", |terminal| {
            seconds(&terminal.screen()) >= 4.0
        });
        assert!(!terminal.is_alternate());
        signal(terminal.pid(), "INT");
        assert_eq!(terminal.finish().code(), Some(exit_code::STOPPED));
        std::fs::remove_dir_all(out(&world)).expect("there is a result");
    }
}
