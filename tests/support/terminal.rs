//! Runs a program on a terminal. What the program writes becomes a screen, which is read as a person reads it.

use super::wait_until;
use pty_process::blocking::{Command as OnTerminal, Pts, Pty, open};
use rustix::termios::{LocalModes, tcgetattr};
use std::cell::RefCell;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use vt100::Parser;

/// The number of lines that are kept once they have left the screen.
const SCROLLBACK: usize = 1000;

/// A terminal, and the program on it. Dropping it kills the program.
pub(crate) struct Terminal {
    pty: Arc<Pty>,
    /// The program's side, kept so that its modes can be looked at after its end.
    pts: Pts,
    screen: Arc<Mutex<Parser>>,
    child: RefCell<Child>,
}

impl Terminal {
    /// Starts a program on a terminal of so many columns and lines.
    pub(crate) fn start(command: &Command, (columns, lines): (u16, u16)) -> Self {
        let (pty, pts) = open().expect("a terminal can be made");
        let size = pty_process::Size::new(lines, columns);
        pty.resize(size).expect("it can have a size");
        let child = on_terminal(command).spawn_borrowed(&pts);
        let side = |length| NonZeroU16::new(length).expect("a screen has a size");
        let parser = Parser::new(side(lines), side(columns), SCROLLBACK);
        let (pty, screen) = (Arc::new(pty), Arc::new(Mutex::new(parser)));
        let (read, parsed) = (Arc::clone(&pty), Arc::clone(&screen));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n_read @ 1..) = (&*read).read(&mut bytes) {
                locked(&parsed).process(&bytes[..n_read]);
            }
        });
        Self {
            pty,
            pts,
            screen,
            child: RefCell::new(child.expect("the program can be started")),
        }
    }

    /// The number of the program's process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.borrow().id()
    }

    /// Presses keys.
    pub(crate) fn press(&self, keys: &str) {
        (&*self.pty)
            .write_all(keys.as_bytes())
            .expect("somebody reads");
    }

    /// The text on the screen.
    pub(crate) fn screen(&self) -> String {
        locked(&self.screen).screen().contents()
    }

    /// The text on the screen with all that has left it above, line by line.
    pub(crate) fn everything(&self) -> String {
        let mut parser = locked(&self.screen);
        let screen = parser.screen_mut();
        let columns = screen.size().1.get();
        let mut lines = Vec::new();
        for above in (1..=screen.scrollback_len()).rev() {
            screen.set_scrollback(above);
            lines.extend(screen.rows(0, columns).next());
        }
        screen.set_scrollback(0);
        lines.extend(screen.rows(0, columns));
        lines.join("\n")
    }

    /// Whether a program has the screen to itself.
    pub(crate) fn is_alternate(&self) -> bool {
        locked(&self.screen).screen().alternate_screen()
    }

    /// Whether the cursor is shown.
    pub(crate) fn shows_cursor(&self) -> bool {
        !locked(&self.screen).screen().hide_cursor()
    }

    /// Whether any character on the screen has a colour.
    pub(crate) fn has_colours(&self) -> bool {
        let parser = locked(&self.screen);
        let screen = parser.screen();
        let (lines, columns) = screen.size();
        let places = (0..lines.get()).flat_map(|line| (0..columns.get()).map(move |at| (line, at)));
        let cells = places.filter_map(|(line, at)| screen.cell(line, at));
        let plain = vt100::Color::Default;
        cells
            .into_iter()
            .any(|cell| (cell.fgcolor(), cell.bgcolor()) != (plain, plain))
    }

    /// Whether the terminal shows what is typed and collects lines, as a shell leaves it.
    pub(crate) fn is_as_usual(&self) -> bool {
        let modes = tcgetattr(&self.pts).expect("it is a terminal").local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }

    /// Waits until a text is on the screen.
    ///
    /// # Panics
    /// Where it does not come.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, |terminal| terminal.screen().contains(text));
    }

    /// Waits until a text is on the screen, or has left it.
    ///
    /// # Panics
    /// Where it does not come.
    pub(crate) fn wait_for_output(&self, text: &str) {
        self.wait_until(text, |terminal| terminal.everything().contains(text));
    }

    /// Waits until a condition holds.
    ///
    /// # Panics
    /// Where it does not come about.
    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        wait_until(what, || is_so(self).then_some(()));
    }

    /// Waits for the end of the program.
    ///
    /// # Panics
    /// Where it takes too long.
    pub(crate) fn finish(&self) -> ExitStatus {
        let mut child = self.child.borrow_mut();
        wait_until("the end", || child.try_wait().expect("it is our child"))
    }
}

impl Drop for Terminal {
    #[expect(
        clippy::print_stderr,
        reason = "whoever reads of a test that failed wants to see the screen"
    )]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the screen was:\n{}", self.everything());
        }
        let child = self.child.get_mut();
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn locked(parser: &Mutex<Parser>) -> MutexGuard<'_, Parser> {
    parser.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Copies a command into the form in which it can be started on a terminal.
fn on_terminal(command: &Command) -> OnTerminal {
    let vars = command.get_envs();
    let vars = vars.filter_map(|(name, value)| Some((name, value?)));
    let started = OnTerminal::new(command.get_program())
        .args(command.get_args())
        .env_clear()
        .envs(vars);
    match command.get_current_dir() {
        Some(directory) => started.current_dir(directory),
        None => started,
    }
}
