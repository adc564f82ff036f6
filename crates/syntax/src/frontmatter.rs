//! The frontmatter of a cargo script: the manifest that stands before the code of a single file, between two lines of
//! dashes (RFC 3503). rustc's own lexer says where it is.

use crate::lexer::bytes_before_code;
use ra_ap_rustc_lexer::{Cursor, FrontmatterAllowed, TokenKind};

/// A single file that has its manifest in itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CargoScript<'t> {
    /// The word behind the opening dashes: `cargo`, or nothing.
    pub kind: &'t str,
    /// The manifest, without the lines of dashes.
    pub manifest: &'t str,
    /// The code behind the closing dashes. A shebang line is not part of it.
    pub code: &'t str,
}

impl<'t> CargoScript<'t> {
    /// The parts of a text that begins with a frontmatter; `None` of any other text, also where the frontmatter is not
    /// closed.
    #[must_use]
    pub fn in_text(text: &'t str) -> Option<Self> {
        let mut rest = &text[bytes_before_code(text)..];
        let mut cursor = Cursor::new(rest, FrontmatterAllowed::Yes);
        loop {
            let token = cursor.advance_token();
            let (text, behind) = rest.split_at(token.len as usize);
            match token.kind {
                TokenKind::Whitespace => rest = behind,
                // The lexer makes an invalid word of a Windows line end behind the dashes: rustc gives it none.
                TokenKind::Frontmatter {
                    has_invalid_preceding_whitespace: false,
                    ..
                } => return Self::of(text, behind),
                _ => return None,
            }
        }
    }

    fn of(frontmatter: &'t str, code: &'t str) -> Option<Self> {
        let (opening, rest) = frontmatter.split_once('\n')?;
        let kind = opening.trim_start_matches('-');
        let fence = &opening[..opening.len() - kind.len()];
        // An empty manifest has its closing line right behind the opening one.
        let (manifest, closing) = match rest.rfind('\n') {
            Some(at) => (&rest[..=at], &rest[at + 1..]),
            None => ("", rest),
        };
        let kind = kind.trim();
        let is_word = !kind.contains(char::is_whitespace);
        (is_word && closing.trim_end() == fence).then_some(Self {
            kind,
            manifest,
            code,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str, &str)>) {
        let found = CargoScript::in_text(text);
        let found = found.map(|script| (script.kind, script.manifest, script.code));
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn the_manifest_stands_between_lines_of_dashes() {
        let manifest = "[dependencies]\na = \"1\"\n";
        let code = "\n\nfn main() {}\n";
        check(
            &format!("---\n{manifest}---{code}"),
            Some(("", manifest, code)),
        );
        check(
            &format!("---cargo\n{manifest}---  {code}"),
            Some(("cargo", manifest, code)),
        );
        check(
            &format!("----- cargo \n{manifest}a = '''\n---\n'''\n-----{code}"),
            Some((
                "cargo",
                "[dependencies]\na = \"1\"\na = '''\n---\n'''\n",
                code,
            )),
        );
        check("---\n---\nfn main() {}", Some(("", "", "\nfn main() {}")));
    }

    #[test]
    fn a_shebang_line_and_empty_lines_may_stand_before_it() {
        let text = "#!/usr/bin/env -S cargo +nightly -Zscript\n\n---\na = 1\n---\nfn main() {}\n";
        check(text, Some(("", "a = 1\n", "\nfn main() {}\n")));
        // The line of the closing dashes goes to its end, where a line feed counts.
        check(
            "\u{feff}---\r\na = 1\r\n---\r\nmod a;",
            Some(("", "a = 1\r\n", "\nmod a;")),
        );
    }

    #[test]
    fn other_text_has_none() {
        check("", None);
        check("fn main() { ---1; }", None);
        check("// a\n---\n---\n", None);
        check("  ---\na = 1\n---\n", None);
        check("---\na = 1\n--\nfn main() {}", None);
        check("---\na = 1\n", None);
        check("---cargo toml\na = 1\n---\n", None);
        check("#![allow(unused)]\n---\n---\n", None);
    }
}
