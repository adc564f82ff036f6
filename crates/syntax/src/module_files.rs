//! The files that a `mod x;` may mean (Rust reference, "Module source filenames").

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ItemMod, Lit, Meta, Token};

/// The directories in which a module's children are looked for.
#[derive(Debug, Clone)]
pub struct ModuleDirectory {
    /// The directory to which the `#[path]`s of the module's children are relative.
    of_paths: Utf8PathBuf,
    /// The directory in which a child `mod x;` has its file `x.rs` or `x/mod.rs`.
    of_children: Utf8PathBuf,
}

impl ModuleDirectory {
    /// Makes the directories of a module whose children lie beside its file: a crate root, a `mod.rs`, or a file that a
    /// `#[path]` names.
    fn owning(path: &Utf8Path) -> Self {
        let directory = path.parent().unwrap_or(Utf8Path::new("")).to_owned();
        Self {
            of_paths: directory.clone(),
            of_children: directory,
        }
    }

    /// Makes the directories of a module whose children lie in a directory of the same name as its file.
    fn beside(path: &Utf8Path) -> Self {
        let owning = Self::owning(path);
        let of_children = owning.of_paths.join(path.file_stem().unwrap_or_default());
        Self {
            of_children,
            ..owning
        }
    }

    /// Makes the directories of a file: by its name, and whether it is the crate root or was
    /// reached by a `#[path]`.
    pub fn of_file(path: &Utf8Path, is_root: bool, by_path_attribute: bool) -> Self {
        if is_root || by_path_attribute || path.file_name() == Some("mod.rs") {
            Self::owning(path)
        } else {
            Self::beside(path)
        }
    }

    /// Returns the directory to which the `#[path]`s of the module's children are relative.
    pub fn of_paths(&self) -> &Utf8Path {
        &self.of_paths
    }

    /// Returns the directory with the files of those children of the module that have no `#[path]`.
    pub fn of_children(&self) -> &Utf8Path {
        &self.of_children
    }

    /// Makes the directories of an inline module in this one.
    pub fn inline(&self, item: &ItemMod) -> Self {
        let directory = match path_attribute(&item.attrs) {
            Some(path) => self.of_paths.join(path),
            None => self.of_children.join(name_of(item)),
        };
        Self {
            of_paths: directory.clone(),
            of_children: directory,
        }
    }

    /// The files that `mod x;` may mean, most likely first, each with whether a `#[path]` names it.
    /// One in a `cfg_attr` may be off, so the others come after it.
    pub fn candidates(&self, item: &ItemMod) -> Vec<(Utf8PathBuf, bool)> {
        let always = path_attribute(&item.attrs);
        let named: Vec<String> = conditional_paths(&item.attrs)
            .chain(always.clone())
            .collect();
        let named = named.into_iter();
        let mut found: Vec<_> = named
            .map(|path| (without_dots(&self.of_paths.join(path)), true))
            .collect();
        if always.is_none() {
            let name = name_of(item);
            found.push((self.of_children.join(format!("{name}.rs")), false));
            found.push((self.of_children.join(name).join("mod.rs"), false));
        }
        found
    }
}

fn name_of(item: &ItemMod) -> String {
    item.ident.to_string().trim_start_matches("r#").to_owned()
}

fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|one| path_of(&one.meta))
}

/// Returns the path that an attribute `path = ".."` names, if it is one.
fn path_of(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Returns the paths in attributes of the form `#[cfg_attr(.., path = "..")]`.
fn conditional_paths(attributes: &[Attribute]) -> impl Iterator<Item = String> {
    let all = attributes.iter().flat_map(conditional_attributes);
    all.filter_map(|meta| path_of(&meta))
}

/// Returns whether an attribute says under some condition where a module's file is, and nothing
/// else.
pub fn is_conditional_path(attribute: &Attribute) -> bool {
    let metas = conditional_attributes(attribute);
    !metas.is_empty() && metas.iter().all(|meta| path_of(meta).is_some())
}

/// The attributes that a `cfg_attr` stands for.
fn conditional_attributes(attribute: &Attribute) -> Vec<Meta> {
    if !attribute.path().is_ident("cfg_attr") {
        return Vec::new();
    }
    let metas = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    metas.map_or_else(|_| Vec::new(), |all| all.into_iter().skip(1).collect())
}

/// Resolves `.` and `..` by name, as far as they stay below the root.
pub fn without_dots(path: &Utf8Path) -> Utf8PathBuf {
    let mut result = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir if result.file_name().is_some() => {
                result.pop();
            }
            other => result.push(other),
        }
    }
    result
}
