//! Signals that ask this process for its end.

use crate::signals::Asked;
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

#[derive(Debug)]
pub(crate) struct Signals {
    interrupt: Signal,
    /// SIGTERM and SIGHUP; absent where they keep their usual effect.
    others: Option<(Signal, Signal)>,
}

impl Signals {
    pub(crate) fn new(asked: Asked) -> io::Result<Self> {
        let others = match asked {
            Asked::Interrupt => None,
            Asked::All => Some((
                signal(SignalKind::terminate())?,
                signal(SignalKind::hangup())?,
            )),
        };
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            others,
        })
    }

    pub(crate) async fn next(&mut self) -> &'static str {
        let Some((terminate, hang_up)) = &mut self.others else {
            self.interrupt.recv().await;
            return "SIGINT";
        };
        tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
            _ = hang_up.recv() => "SIGHUP",
        }
    }
}

pub(crate) fn call_before_end(function: fn()) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP])?;
    let work = move || {
        for signal in signals.forever() {
            function();
            // The handler ends this process, unless the signal is unknown, which these are not.
            let _ = emulate_default_handler(signal);
        }
    };
    let thread = std::thread::Builder::new().name("signals".to_owned());
    thread.spawn(work).map(drop)
}
