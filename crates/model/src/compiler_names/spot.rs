//! Places and definitions as rustc writes them in what it prints for debugging.

/// A place in a file that has no number yet: its path as rustc writes it, a line and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SpotInText<'t> {
    pub(super) file: &'t str,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Returns the start in a line such as `span: src/lib.rs:60:1: 64:2 (#0)`: `Some(None)` where a macro has made
/// what stands there, `None` where this is no such line.
pub(super) fn span(line: &str) -> Option<Option<SpotInText<'_>>> {
    let span = line.strip_prefix("span: ")?;
    let (place, context) = span.rsplit_once(" (#")?;
    let context = context.trim_end_matches([',', ')']);
    match context.parse() {
        Ok(0u32) => Some(start(place)),
        Ok(_) => Some(None),
        Err(_) => None,
    }
}

/// Returns the start of a place such as `src/lib.rs:60:1: 64:2`.
fn start(place: &str) -> Option<SpotInText<'_>> {
    let (start, _) = place.rsplit_once(": ")?;
    let mut parts = start.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let file = parts.next()?;
    Some(SpotInText { file, line, column })
}

/// Returns the paths of the definitions of the crate in a line: `::m::f` of `DefId(0:5 ~ krate[8787]::m::f)`.
/// Definitions in the numbers of nodes do not count: `HirId(DefId(..).3)`.
pub(super) fn local_paths(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find("DefId(0:")?;
            let is_of_node = rest[..at].ends_with("HirId(");
            rest = &rest[at + "DefId(0:".len()..];
            if let Some(path) = path_after_number(rest).filter(|_| !is_of_node) {
                return Some(path);
            }
        }
    })
}

/// Returns the path after a number: `::m::f` of `5 ~ krate[8787]::m::f)`.
fn path_after_number(text: &str) -> Option<&str> {
    let (number, named) = text.split_once(" ~ ")?;
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (krate, behind) = named.split_once(']')?;
    if krate.contains([' ', ')']) {
        return None;
    }
    let (path, _) = behind.split_once(')')?;
    (path.is_empty() || path.starts_with("::")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_of_the_program_has_a_start() {
        let file = r"C:\src\a.rs";
        let (line, column) = (60, 1);
        let spot = Some(Some(SpotInText { file, line, column }));
        assert_eq!(span(r"span: C:\src\a.rs:60:1: 64:2 (#0),"), spot);
    }

    #[test]
    fn a_span_of_a_macro_has_none() {
        assert_eq!(span("span: a.rs:60:1: 64:2 (#12),"), Some(None));
        assert_eq!(span("span: no-location (#0),"), Some(None));
    }

    #[test]
    fn other_lines_are_no_spans() {
        for line in [
            "vis_span: a.rs:1:1: 1:1 (#0),",
            "span: a.rs",
            "",
            "span: (#)",
        ] {
            assert_eq!(span(line), None, "{line}");
        }
    }

    #[test]
    fn definitions_of_the_crate_have_paths() {
        let line = "Def(Fn, DefId(0:5 ~ a[87]::m::{impl#0}::f)), DefId(2:6 ~ core[c1]::fmt), DefId(0:0 ~ a[8])";
        let paths: Vec<&str> = local_paths(line).collect();
        assert_eq!(paths, ["::m::{impl#0}::f", ""]);
    }

    #[test]
    fn numbers_of_nodes_and_broken_ones_do_not_count() {
        for line in [
            "hir_id: HirId(DefId(0:36 ~ a[dc]::f).5),",
            "DefId(0:36 ~ a[dc]::f",
            "DefId(0:x ~ a[dc]::f)",
            "DefId(0:1 ~ a b]::f)",
            "DefId(0:1 ~ a[1]f)",
            "DefId(0:",
        ] {
            assert_eq!(local_paths(line).next(), None, "{line}");
        }
    }
}
