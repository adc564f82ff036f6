//! The compiler's `{:#?}` output as a tree, read by indentation alone: what stands in a line is not
//! understood here, so that no odd string, path or number can lead the reading astray.

/// A line of the dump with the lines that are indented below it.
#[derive(Debug, Default)]
pub struct Dumped<'t> {
    /// The field's name in `name: value`, or else empty.
    pub key: &'t str,
    /// The value without the bracket that opens its children and without a comma at the end.
    pub value: &'t str,
    pub children: Vec<Dumped<'t>>,
}

impl<'t> Dumped<'t> {
    /// The child with this key.
    pub fn field(&self, key: &str) -> Option<&Dumped<'t>> {
        self.children.iter().find(|child| child.key == key)
    }

    /// The first child.
    pub fn first(&self) -> Option<&Dumped<'t>> {
        self.children.first()
    }
}

/// Splits a dump into its top-level entries, each of which is read on its own: a dump of a large crate
/// has millions of lines.
pub fn entries(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.trim().is_empty() {
            return None;
        }
        let end = rest.find("\n}\n").map_or(rest.len(), |at| at + 3);
        let (entry, after) = rest.split_at(end);
        rest = after;
        Some(entry)
    })
}

/// Reads one entry.
pub fn read(entry: &str) -> Dumped<'_> {
    let mut lines = entry
        .lines()
        .map(|line| (line.len() - line.trim_start().len(), line.trim()))
        .filter(|(_, line)| !line.is_empty())
        .peekable();
    let Some((indent, line)) = lines.next() else {
        return Dumped::default();
    };
    let mut root = of_line(line);
    root.children = children(&mut lines, indent);
    root
}

fn children<'t>(
    lines: &mut std::iter::Peekable<impl Iterator<Item = (usize, &'t str)>>,
    parent: usize,
) -> Vec<Dumped<'t>> {
    let mut children = Vec::new();
    while let Some((indent, line)) = lines.next_if(|&(indent, _)| indent > parent) {
        let mut child = of_line(line);
        child.children = self::children(lines, indent);
        // The line that closes the brackets has the indentation of the one that opened them.
        lines.next_if(|&(closing, line)| closing == indent && is_closing(line));
        children.push(child);
    }
    children
}

fn is_closing(line: &str) -> bool {
    matches!(line.trim_end_matches(','), ")" | "]" | "}")
}

fn of_line(line: &str) -> Dumped<'_> {
    let line = line.strip_suffix(',').unwrap_or(line);
    let (key, value) = line
        .split_once(": ")
        .filter(|(key, _)| is_key(key))
        .unwrap_or(("", line));
    Dumped {
        key,
        value: value.trim_end_matches(['(', '[', '{']).trim_end(),
        children: Vec::new(),
    }
}

fn is_key(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "\
DefId(0:3 ~ a[1]::S) => OwnerNodes {
    node: Item(
        Item {
            doc: \"a } and \\n (\",
            list: [],
            span: a.rs:1:2: 1:3 (#0),
        },
    ),
    other: None,
}
DefId(0:4 ~ a[1]::T) => OwnerNodes {
    node: None,
}
";

    #[test]
    fn entries_end_with_the_brace_in_the_first_column() {
        assert_eq!(entries(DUMP).count(), 2);
    }

    #[test]
    fn children_are_what_is_indented_below_a_line() {
        let entry = read(entries(DUMP).next().unwrap());
        let item = entry.field("node").unwrap().first().unwrap();
        assert_eq!(item.value, "Item");
        let keys: Vec<_> = item.children.iter().map(|child| child.key).collect();
        assert_eq!(keys, ["doc", "list", "span"]);
        assert_eq!(item.children[2].value, "a.rs:1:2: 1:3 (#0)");
        assert_eq!(entry.field("other").unwrap().value, "None");
    }
}
