//! The looks of the parts of the live view, with colours or without: bold, underlined and reversed text is not a
//! colour.

use ratatui::crossterm::style::force_color_output;
use ratatui::style::{Color, Modifier, Style};

/// Styles for the parts of the live view, which are plain where there are no colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paint {
    has_colours: bool,
}

impl Paint {
    /// Paint without colours.
    #[cfg(test)]
    pub(super) const PLAIN: Self = Self { has_colours: false };

    /// Makes paint with colours or without.
    pub(crate) fn new(has_colours: bool) -> Self {
        // `--color always` counts more than `NO_COLOR`.
        force_color_output(has_colours);
        Self { has_colours }
    }

    /// Returns the style of those parts of the code that the current candidates would change.
    pub(super) fn trial(self) -> Style {
        match self.has_colours {
            true => Style::new().fg(Color::Black).bg(Color::Yellow),
            false => Style::new().add_modifier(Modifier::REVERSED),
        }
    }

    /// The style of text that stands out.
    pub(super) fn strong(self) -> Style {
        self.coloured(Color::Green).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of the name of a key that can be pressed.
    pub(super) fn key(self) -> Style {
        self.coloured(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of the line with the last message.
    pub(super) fn said(self) -> Style {
        self.coloured(Color::Yellow)
    }

    /// Returns the style of the curve of sizes over time.
    pub(super) fn curve(self) -> Style {
        self.coloured(Color::Green)
    }

    /// Returns the style of less important text: numbers of lines, and frames.
    pub(super) fn margin(self) -> Style {
        self.coloured(Color::DarkGray)
    }

    fn coloured(self, colour: Color) -> Style {
        match self.has_colours {
            true => Style::new().fg(colour),
            false => Style::new(),
        }
    }
}
