#!/usr/bin/env bash
# One would expect a tab in a text that is drawn to become some white space, as in a terminal, or at least one cell, so that what it separates stays apart.
#
# What happens: every control character is left out, so that "if\tx" is drawn as "ifx", indented code begins in the first column, and a table with tabs becomes one word.
# Of a coloured text only the escape character is left out: the rest of the sequence, `[31m`, is drawn as text. `Line::width`
# counts each of them as one cell all the same, so that what is aligned by the width of its text is off by one for each.
#
# Version: ratatui-core 0.1.2, ratatui-widgets 0.3.2 (of ratatui 0.30) and rustc 1.95.0. Source: `set_stringn` in ratatui-core's src/buffer/buffer.rs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR || true
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "drawn"
version = "0.0.0"
edition = "2024"
[dependencies]
ratatui-core = "=0.1.2"
ratatui-widgets = { version = "=0.3.2", default-features = false }
[profile.dev]
debug = 0
[workspace]
TOML
cat > src/main.rs <<'RUST'
use ratatui_core::{buffer::Buffer, layout::Rect, text::Line, widgets::Widget};
use ratatui_widgets::paragraph::Paragraph;

fn main() {
    for text in ["if\tx", "\tx", "\u{1b}[31mred\u{1b}[0m", "x\r"] {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 16, 1));
        Paragraph::new(text).render(buffer.area, &mut buffer);
        let drawn: String = buffer.content().iter().map(|cell| cell.symbol()).collect();
        println!("{text:?} is drawn as {:?}, and has the width {}", drawn.trim_end(), Line::raw(text).width());
    }
}
RUST
cargo +1.95.0 run --quiet > out
cat out
grep -q -F '"if\tx" is drawn as "ifx", and has the width 4' out && grep -q -F '"\tx" is drawn as "x"' out || { echo 'changed: a tab is drawn' >&2; exit 1; }
grep -q -F 'is drawn as "[31mred[0m"' out || { echo 'changed: a sequence for a colour is drawn otherwise' >&2; exit 1; }
