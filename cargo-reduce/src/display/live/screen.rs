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
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether the view has the terminal.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread draws the view.
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
}

/// The terminal, as long as the view has it.
#[derive(Debug)]
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stderr>>>,
}

/// What signals that end a process do while the view has the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnSignal {
    /// They end it, once the terminal is given back.
    End,
    /// Somebody else hears of them.
    Nothing,
}

impl Screen {
    /// Takes the terminal.
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
        // What was typed before was not meant for the view.
        terminal::forget_input()?;
        execute!(stderr(), EnterAlternateScreen)?;
        let backend = CrosstermBackend::new(BufWriter::new(stderr()));
        let mut screen = Self {
            terminal: Terminal::new(backend)?,
        };
        screen.clear()?;
        Ok(screen)
    }

    /// Draws what has changed.
    pub(super) fn draw(&mut self, view: &View, paint: Paint, now: Instant) -> Result<()> {
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
        give_back();
    }
}

/// Leaves the terminal as it was, if the view has it. A terminal that is gone needs nothing.
fn give_back() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(stderr(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// What a panic of this thread says would be gone with the alternate screen.
fn give_back_after_panics() {
    static HOOK: Once = Once::new();
    IS_OURS.set(true);
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if IS_OURS.get() {
                give_back();
            }
            before(panic);
        }));
    });
}

fn give_back_at_signals() -> Result<()> {
    static HANDLER: Once = Once::new();
    let mut result = Ok(());
    HANDLER.call_once(|| result = signals::call_before_end(give_back));
    result
}
