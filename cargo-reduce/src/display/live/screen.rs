//! The terminal while the live view has it: the alternate screen, and keys one by one. However the view ends, by an error, a
//! panic or a signal too, the terminal is given back as it was, with nothing left in its scrollback.

use super::draw::draw;
use super::paint::Paint;
use super::view::View;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{Event, KeyEvent, KeyEventKind, poll, read};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Rect;
use reduce_platform::{signals, terminal};
use std::cell::Cell;
use std::io::{BufWriter, Result, Stderr, stderr};
use std::panic::{set_hook, take_hook};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

/// Whether the view has the terminal.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
/// The lock of a thread that writes to the terminal, as another one may want to do so at the same time.
static WRITING: Mutex<()> = Mutex::new(());
/// Whether the alternate screen is empty, as the terminal was given back since the last drawing.
static IS_BLANK: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread is the one that draws the live view.
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
}

/// The terminal, as long as the view has it.
#[derive(Debug)]
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stderr>>>,
}

/// The effect of signals that end a process, while the view has the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnSignal {
    /// A signal ends the process, but the terminal is given back first.
    End,
    /// The live view does not watch for signals, as other code of this process does.
    Nothing,
}

impl Screen {
    /// Switches the terminal to its alternate screen, on which the live view is drawn.
    pub(super) fn open(on_signal: OnSignal) -> Result<Self> {
        give_back_after_panics();
        if on_signal == OnSignal::End {
            give_back_at_signals()?;
        }
        IS_TAKEN.store(true, Ordering::SeqCst);
        let opened = Self::take();
        if opened.is_err() {
            give_back();
        }
        opened
    }

    fn take() -> Result<Self> {
        enable_raw_mode()?;
        // Keys that were typed before were not meant for the view.
        terminal::forget_input()?;
        execute!(stderr(), EnterAlternateScreen)?;
        let backend = CrosstermBackend::new(BufWriter::new(stderr()));
        let mut screen = Self {
            terminal: Terminal::new(backend)?,
        };
        screen.clear()?;
        Ok(screen)
    }

    /// Draws the parts of the live view that have changed.
    pub(super) fn draw(&mut self, view: &View, paint: Paint, now: Instant) -> Result<()> {
        let _writing = WRITING.lock();
        if IS_BLANK.swap(false, Ordering::SeqCst) {
            self.clear()?;
        }
        self.terminal.draw(|frame| draw(frame, view, paint, now))?;
        Ok(())
    }

    /// Forgets what is on the screen, so that all is drawn anew.
    pub(super) fn clear(&mut self) -> Result<()> {
        // `Terminal::clear` asks where the cursor is, which not every terminal answers.
        let size = self.terminal.size()?;
        self.terminal
            .resize(Rect::new(0, 0, size.width, size.height))
    }

    /// The keys that were pressed since this was asked last.
    pub(super) fn keys(&self) -> Result<Vec<KeyEvent>> {
        let mut keys = Vec::new();
        while poll(Duration::ZERO)? {
            match read()? {
                Event::Key(key) if key.kind == KeyEventKind::Press => keys.push(key),
                _ => {}
            }
        }
        Ok(keys)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _writing = WRITING.lock();
        give_back();
    }
}

/// Leaves the alternate screen, if the live view has the terminal. A terminal that is gone needs nothing.
fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(stderr(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// Gives the terminal back after a panic, whose message would be gone with the alternate screen. One of this thread ends the view. After one of another thread,
/// such as the engine's, the view goes on until somebody says what came of it.
fn give_back_after_panics() {
    static HOOK: Once = Once::new();
    IS_OURS.set(true);
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| match IS_OURS.get() {
            true => {
                give_back();
                before(panic);
            }
            false => on_the_screen_of_before(|| before(panic)),
        }));
    });
}

/// Leaves the alternate screen while another thread prints something, such as a panic's message, and takes it again afterwards.
fn on_the_screen_of_before(print: impl FnOnce()) {
    let _writing = WRITING.lock();
    let is_taken = IS_TAKEN.load(Ordering::SeqCst);
    give_back();
    print();
    if is_taken {
        IS_TAKEN.store(true, Ordering::SeqCst);
        IS_BLANK.store(true, Ordering::SeqCst);
        // A terminal that cannot be taken again is seen when the view is drawn.
        let _ = enable_raw_mode();
        let _ = execute!(stderr(), EnterAlternateScreen);
    }
}

fn give_back_at_signals() -> Result<()> {
    static HANDLER: Once = Once::new();
    let mut result = Ok(());
    HANDLER.call_once(|| result = signals::call_before_end(give_back));
    result
}

#[cfg(test)]
mod tests {
    use super::super::paint::Paint;
    use super::*;
    use pty_process::blocking::{Command, open};
    use std::io::Read;
    use std::num::NonZeroU16;

    /// The variable that makes the test the program on the terminal.
    const ROLE: &str = "REDUCE_TEST_ON_TERMINAL";
    const NAME: &str = "display::live::screen::tests::\
                        a_panic_of_another_thread_is_there_after_the_view_which_goes_on";
    const MESSAGE: &str = "as the test says";
    /// The word that shows that the view is drawn.
    const KEY: &str = "pause";

    fn panic_below_the_view() {
        let mut screen = Screen::open(OnSignal::Nothing).unwrap();
        let now = Instant::now();
        let view = View::new(None, now);
        let paint = Paint::PLAIN;
        screen.draw(&view, paint, now).unwrap();
        let panicked = std::thread::spawn(|| panic!("{MESSAGE}")).join();
        assert!(panicked.is_err());
        screen.draw(&view, paint, now).unwrap();
    }

    /// Returns the bytes that this test writes to a terminal, as the program on it.
    fn written(lines: u16, columns: u16) -> Vec<u8> {
        let (mut pty, pts) = open().unwrap();
        pty.resize(pty_process::Size::new(lines, columns)).unwrap();
        let program = std::env::current_exe().unwrap();
        let command = Command::new(program).args([NAME, "--exact", "--nocapture"]);
        let command = command.env(ROLE, "1").env("RUST_BACKTRACE", "0");
        let mut child = command.spawn(pts).unwrap();
        let mut bytes = Vec::new();
        // Reading ends by an error once nobody has the terminal.
        let _ = pty.read_to_end(&mut bytes);
        assert!(child.wait().unwrap().success());
        bytes
    }

    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "the variable tells the program on the terminal from the test"
    )]
    fn a_panic_of_another_thread_is_there_after_the_view_which_goes_on() {
        if std::env::var_os(ROLE).is_some() {
            return panic_below_the_view();
        }
        let (lines, columns) = (40, 100);
        let bytes = written(lines, columns);
        let text = String::from_utf8_lossy(&bytes);
        let (before, after) = text.split_once(MESSAGE).unwrap();
        assert!(before.contains(KEY) && after.contains(KEY), "{text}");
        let side = |length| NonZeroU16::new(length).unwrap();
        let mut terminal = vt100::Parser::new(side(lines), side(columns), 0);
        terminal.process(&bytes);
        let screen = terminal.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor());
        assert!(screen.contents().contains(MESSAGE), "{}", screen.contents());
    }
}
