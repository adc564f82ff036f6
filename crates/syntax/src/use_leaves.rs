//! The leaves of a tree of imports: what a use declaration brings in, each with its path.

use syn::{Ident, UseTree};

/// A leaf of an import: one name, or all names of a module.
pub struct UseLeaf<'t> {
    /// The names of the path before the last one, also those outside of the groups around it.
    pub prefix: Vec<&'t Ident>,
    /// The last part of the leaf's path.
    pub end: UseEnd<'t>,
    /// syn's tree for the last part of the leaf's path.
    pub tree: &'t UseTree,
    /// The largest element of a group of imports that contains this leaf and no other one; `None` where the whole tree
    /// has no other.
    pub element: Option<&'t UseTree>,
}

/// The end of an import's path.
#[derive(Clone, Copy)]
pub enum UseEnd<'t> {
    /// `a`, or `self`
    Name(&'t Ident),
    /// `a as b`
    Rename(&'t Ident, &'t Ident),
    /// `*`
    Glob,
}

/// All leaves of a tree, in their order.
#[must_use]
pub fn use_leaves(tree: &UseTree) -> Vec<UseLeaf<'_>> {
    let mut leaves = Vec::new();
    collect(tree, None, &mut Vec::new(), &mut leaves);
    leaves
}

fn collect<'t>(
    tree: &'t UseTree,
    element: Option<&'t UseTree>,
    prefix: &mut Vec<&'t Ident>,
    leaves: &mut Vec<UseLeaf<'t>>,
) {
    let end = match tree {
        UseTree::Path(path) => {
            prefix.push(&path.ident);
            collect(&path.tree, element, prefix, leaves);
            prefix.pop();
            return;
        }
        UseTree::Group(group) => {
            let is_alone = group.items.len() == 1;
            let members = group.items.iter();
            return members.for_each(|one| {
                let element = if is_alone { element } else { Some(one) };
                collect(one, element, prefix, leaves);
            });
        }
        UseTree::Name(leaf) => UseEnd::Name(&leaf.ident),
        UseTree::Rename(leaf) => UseEnd::Rename(&leaf.ident, &leaf.rename),
        UseTree::Glob(_) => UseEnd::Glob,
    };
    leaves.push(UseLeaf {
        prefix: prefix.clone(),
        end,
        tree,
        element,
    });
}

impl<'t> UseLeaf<'t> {
    /// Returns the last name of the path before a renaming: `a` of `a as b`, and `None` for `*`.
    #[must_use]
    pub fn original(&self) -> Option<&'t Ident> {
        match self.end {
            UseEnd::Name(name) | UseEnd::Rename(name, _) => Some(name),
            UseEnd::Glob => None,
        }
    }

    /// Returns the name by which the import is used: `b` of `a as b`, `self` of `a::{self}`, and `None` for `*`.
    #[must_use]
    pub fn name(&self) -> Option<&'t Ident> {
        match self.end {
            UseEnd::Name(name) | UseEnd::Rename(_, name) => Some(name),
            UseEnd::Glob => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{SpanGuard, byte_range};

    #[test]
    fn each_leaf_has_its_path_its_name_and_its_element() {
        let expected = [
            "a::b as b in b",
            "a::c::self as self in self",
            "a::c::d as e in d as e",
            "a::f::* as * in f::*",
        ];
        check("use a::{b, c::{self, d as e}, f::*};", &expected);
        check("use a::{b};", &["a::b as b in all"]);
        let expected = ["a::b::c as c in b::{c}", "a::d as d in d"];
        check("use a::{b::{c}, d};", &expected);
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let _positions = SpanGuard::new();
        let item: syn::ItemUse = syn::parse_str(text).unwrap();
        let shown = |leaf: UseLeaf<'_>| {
            let prefix: Vec<String> = leaf.prefix.iter().map(ToString::to_string).collect();
            let name = |name: Option<&Ident>| name.map_or("*".to_owned(), Ident::to_string);
            let names = [name(leaf.original()), name(leaf.name())].join(" as ");
            let element = leaf
                .element
                .map_or("all", |element| &text[byte_range(element)]);
            format!("{}::{names} in {element}", prefix.join("::"))
        };
        let found: Vec<String> = use_leaves(&item.tree).into_iter().map(shown).collect();
        assert_eq!(found, expected);
    }
}
