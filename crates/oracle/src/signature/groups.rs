//! The pairs of brackets in a text. rustc prints types, patterns and whole structures into its
//! messages, and cuts some of them off, so that a bracket may also have no partner.

/// Returns, for each character that opens a bracket, the place behind the bracket that closes it.
pub(super) fn group_ends(chars: &[char]) -> Vec<Option<usize>> {
    let mut ends = vec![None; chars.len()];
    let mut open: Vec<usize> = vec![];
    for (at, char) in chars.iter().enumerate() {
        match char {
            '(' | '[' | '{' => open.push(at),
            '<' if opens_generics(chars, at) => open.push(at),
            ')' | ']' | '}' => close(chars, &mut open, &mut ends, at),
            '>' if closes_generics(chars, &open, at) => close(chars, &mut open, &mut ends, at),
            _ => {}
        }
    }
    ends
}

/// Closes the innermost bracket of the right kind; brackets inside that are still open belong to
/// nothing.
fn close(chars: &[char], open: &mut Vec<usize>, ends: &mut [Option<usize>], at: usize) {
    let opening = match chars[at] {
        ')' => '(',
        ']' => '[',
        '}' => '{',
        _ => '<',
    };
    if let Some(depth) = open.iter().rposition(|open| chars[*open] == opening) {
        ends[open[depth]] = Some(at + 1);
        open.truncate(depth);
    }
}

/// Whether a `<` opens generics, and is not "less than" or a shift.
fn opens_generics(chars: &[char], at: usize) -> bool {
    chars
        .get(at + 1)
        .is_some_and(|next| !next.is_whitespace() && !"=<-".contains(*next))
}

/// Whether a `>` closes generics, and is no arrow; inside other brackets that were opened later it
/// is "greater than".
fn closes_generics(chars: &[char], open: &[usize], at: usize) -> bool {
    let is_arrow = at > 0 && matches!(chars[at - 1], '-' | '=');
    !is_arrow && open.last().is_some_and(|open| chars[*open] == '<')
}
