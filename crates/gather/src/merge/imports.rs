//! `use` and `extern crate` by their tokens.

use reduce_syntax::TokenCursor;

/// A `use ..;`. What does not look like one, as in some macros, is none.
pub(super) struct Import {
    /// The token `use`.
    pub(super) keyword: usize,
    pub(super) semicolon: usize,
    /// The `::` before all of it.
    pub(super) global: Option<usize>,
    pub(super) leaves: Vec<Leaf>,
}

/// What an import brings in: one name, or what is in a module.
pub(super) struct Leaf {
    /// The names of its path, from the first one on, in whatever groups these stand.
    pub(super) path: Vec<usize>,
    /// What it is called here.
    pub(super) alias: Option<usize>,
    pub(super) is_glob: bool,
    /// Its first and last token in the innermost group.
    pub(super) tokens: (usize, usize),
}

impl Leaf {
    pub(super) fn words<'t>(&self, cursor: &TokenCursor<'t>) -> Vec<&'t str> {
        self.path.iter().map(|&idx| cursor.word(idx)).collect()
    }

    /// The name that it defines.
    pub(super) fn name<'t>(&self, cursor: &TokenCursor<'t>) -> Option<&'t str> {
        if self.is_glob {
            return None;
        }
        let mut path = self.path.iter().rev().map(|&idx| cursor.word(idx));
        let last = || path.find(|&word| word != "self");
        self.alias.map(|idx| cursor.word(idx)).or_else(last)
    }
}

/// An `extern crate ..;`.
pub(super) struct ExternCrate {
    /// The token `extern`.
    pub(super) keyword: usize,
    /// What it is called here.
    pub(super) alias: Option<usize>,
    pub(super) semicolon: usize,
}

impl ExternCrate {
    /// The token that names the crate.
    pub(super) fn name(&self) -> usize {
        self.keyword + 2
    }

    /// The token that it is known by here.
    pub(super) fn here(&self) -> usize {
        self.alias.unwrap_or(self.name())
    }
}

/// All imports of a text, in their order.
pub(super) fn imports(cursor: &TokenCursor<'_>) -> Vec<Import> {
    let keywords = cursor.indices().filter(|&idx| cursor.is(idx, "use"));
    keywords.filter_map(|idx| import(cursor, idx)).collect()
}

/// All `extern crate` of a text, in their order.
pub(super) fn extern_crates(cursor: &TokenCursor<'_>) -> Vec<ExternCrate> {
    let keywords = cursor
        .indices()
        .filter(|&idx| cursor.are(idx, &["extern", "crate"]));
    keywords
        .filter_map(|idx| extern_crate(cursor, idx))
        .collect()
}

fn extern_crate(cursor: &TokenCursor<'_>, keyword: usize) -> Option<ExternCrate> {
    if !cursor.is_name(keyword + 2) {
        return None;
    }
    let has_alias = cursor.is(keyword + 3, "as") && cursor.is_name(keyword + 4);
    let semicolon = keyword + if has_alias { 5 } else { 3 };
    cursor.is(semicolon, ";").then_some(ExternCrate {
        keyword,
        alias: has_alias.then_some(keyword + 4),
        semicolon,
    })
}

fn import(cursor: &TokenCursor<'_>, keyword: usize) -> Option<Import> {
    let global = Some(keyword + 1).filter(|&idx| cursor.is(idx, "::"));
    let mut tree = ImportTree::new(global.unwrap_or(keyword) + 1);
    while !cursor.is(tree.position, ";") || !tree.groups.is_empty() {
        tree.step(cursor)?;
    }
    tree.end_leaf();
    Some(Import {
        keyword,
        semicolon: tree.position,
        global,
        leaves: tree.leaves,
    })
}

/// Goes through the tree of an import.
struct ImportTree {
    position: usize,
    path: Vec<usize>,
    /// The lengths of the paths that stand before the open groups.
    groups: Vec<usize>,
    alias: Option<usize>,
    is_glob: bool,
    first: Option<usize>,
    leaves: Vec<Leaf>,
}

impl ImportTree {
    fn new(position: usize) -> Self {
        Self {
            position,
            path: Vec::new(),
            groups: Vec::new(),
            alias: None,
            is_glob: false,
            first: None,
            leaves: Vec::new(),
        }
    }

    fn step(&mut self, cursor: &TokenCursor<'_>) -> Option<()> {
        let idx = self.position;
        match cursor.word(idx) {
            "{" => self.open(),
            "}" => self.close()?,
            "," => self.end_leaf(),
            "::" | "$" => {
                self.first.get_or_insert(idx);
            }
            "*" => self.mark_glob(),
            "as" => {
                self.position += 1;
                self.alias = cursor.is_name(self.position).then_some(self.position);
                self.alias?;
            }
            _ => self.segment(cursor)?,
        }
        self.position += 1;
        Some(())
    }

    fn segment(&mut self, cursor: &TokenCursor<'_>) -> Option<()> {
        let idx = self.position;
        self.first.get_or_insert(idx);
        self.path.push(idx);
        cursor.is_name(idx).then_some(())
    }

    fn mark_glob(&mut self) {
        self.first.get_or_insert(self.position);
        self.is_glob = true;
    }

    fn open(&mut self) {
        self.first = None;
        self.groups.push(self.path.len());
    }

    fn close(&mut self) -> Option<()> {
        self.end_leaf();
        self.groups.pop()?;
        let before = self.groups.last().copied().unwrap_or(0);
        self.path.truncate(before);
        Some(())
    }

    /// What came last is a leaf, unless it was a group.
    fn end_leaf(&mut self) {
        let is_glob = std::mem::take(&mut self.is_glob);
        let alias = self.alias.take();
        if let Some(first) = self.first.take() {
            self.leaves.push(Leaf {
                path: self.path.clone(),
                alias,
                is_glob,
                tokens: (first, self.position - 1),
            });
        }
        let before = self.groups.last().copied().unwrap_or(0);
        self.path.truncate(before);
    }
}
