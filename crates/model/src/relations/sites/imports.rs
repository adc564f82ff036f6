//! What use declarations name.

use super::{Binding, BindingKind, Reader, Special};
use syn::{Ident, UseTree};

impl Reader<'_> {
    /// The names that a use tree brings, and its mentions. `path` is the words before it.
    pub(super) fn import(&mut self, tree: &UseTree, path: &mut Vec<usize>, is_external: bool) {
        match tree {
            UseTree::Path(segment) => {
                let at = self.at(&segment.ident);
                path.push(at);
                self.special(at, Special::Import(head(path, is_external)));
                self.import(&segment.tree, path, is_external);
                path.pop();
            }
            UseTree::Group(group) => {
                let trees = group.items.iter();
                trees.for_each(|tree| self.import(tree, path, is_external));
            }
            UseTree::Name(leaf) => self.leaf(&leaf.ident, None, path, is_external),
            UseTree::Rename(leaf) => self.leaf(&leaf.ident, Some(&leaf.rename), path, is_external),
            UseTree::Glob(_) => {}
        }
    }

    fn leaf(&mut self, ident: &Ident, rename: Option<&Ident>, path: &[usize], is_external: bool) {
        let at = self.at(ident);
        let whole: Vec<usize> = path.iter().copied().chain([at]).collect();
        let head = head(&whole, is_external);
        self.special(at, Special::Import(head));
        let name_at = match (rename, path.last()) {
            (Some(rename), _) => self.at(rename),
            (None, Some(&module)) if ident == "self" => module,
            _ => at,
        };
        if rename.is_some() {
            self.special(name_at, Special::Site);
        }
        self.sites.bindings.push(Binding {
            at,
            name_at,
            visible: self.scope.clone(),
            kind: BindingKind::Import(head),
        });
    }
}

/// Where a path begins, if that may be in this crate.
fn head(path: &[usize], is_external: bool) -> Option<usize> {
    path.first().copied().filter(|_| !is_external)
}
