//! Signals on systems where nothing but Ctrl-C asks this process for its end.

use crate::signals::Asked;
use std::io;
use std::pin::Pin;

pub(crate) struct Signals {
    /// The future of the next Ctrl-C. It hears only of those after it was first asked, so it is
    /// kept until it has heard one.
    interrupt: Pin<Box<dyn Future<Output = io::Result<()>> + Send>>,
}

impl std::fmt::Debug for Signals {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Signals").finish_non_exhaustive()
    }
}

impl Signals {
    pub(crate) fn new(_: Asked) -> io::Result<Self> {
        Ok(Self {
            interrupt: Box::pin(tokio::signal::ctrl_c()),
        })
    }

    pub(crate) async fn next(&mut self) -> &'static str {
        let heard = self.interrupt.as_mut().await;
        self.interrupt = Box::pin(tokio::signal::ctrl_c());
        if heard.is_err() {
            // Ctrl-C cannot be heard of; the system ends this process then.
            std::future::pending().await
        }
        "Ctrl-C"
    }
}

pub(crate) fn call_before_end(_: fn()) -> io::Result<()> {
    Ok(())
}
