//! The names that the modules of a crate may have, and the paths that lead nowhere.

use super::file::{DefinitionKind, FileNames, Mention, MentionKind, Name, Place};
use crate::std_names::is_external;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The names that the modules of a crate may have.
pub(super) struct CrateNames<'f> {
    definitions: HashMap<&'f str, Definers<'f>>,
    /// The names that certainly stand for modules or enums of the crate wherever a path leads
    /// through them.
    inner: HashSet<&'f str>,
    /// Whether modules may have names that are not spelled in the crate, from other crates or
    /// unknown files.
    has_unseen: bool,
    has_glob_on_top: bool,
    has_own_macro: bool,
    imports_macros: bool,
}

/// All definitions and imports that may define a name.
#[derive(Default)]
struct Definers<'f> {
    is_module: bool,
    is_enum: bool,
    is_value: bool,
    is_other: bool,
    is_everywhere: bool,
    imports: Vec<Vec<&'f str>>,
}

impl<'f> CrateNames<'f> {
    pub(super) fn new(files: &[&'f FileNames]) -> Self {
        let mut result = Self {
            definitions: HashMap::new(),
            inner: HashSet::new(),
            has_unseen: includes_unknown_files(files),
            has_glob_on_top: files.iter().any(|file| file.has_glob_on_top),
            has_own_macro: false,
            imports_macros: files.iter().any(|file| file.imports_macros),
        };
        for file in files {
            result.add(file);
        }
        result.find_inner();
        result.has_own_macro = has_own_macro(files);
        let globs = files
            .iter()
            .flat_map(|file| file.globs.iter().map(|glob| texts(file, glob)));
        result.has_unseen |= globs.into_iter().any(|glob| !result.is_ours(&glob));
        result
    }

    fn add(&mut self, file: &'f FileNames) {
        for definition in &file.definitions {
            let definers = self
                .definitions
                .entry(file.text(definition.name))
                .or_default();
            match &definition.kind {
                DefinitionKind::Module => definers.is_module = true,
                DefinitionKind::Enum => definers.is_enum = true,
                DefinitionKind::Value => definers.is_value = true,
                DefinitionKind::Other => definers.is_other = true,
                DefinitionKind::Everywhere => {
                    (definers.is_other, definers.is_everywhere) = (true, true);
                }
                DefinitionKind::Import(path) => definers.imports.push(texts(file, path)),
            }
        }
    }

    /// Returns whether a name is that of something in the crate wherever it stands: no import takes it from elsewhere.
    pub(super) fn has_own(&self, name: &str) -> bool {
        let definers = self.definitions.get(name);
        definers.is_some_and(|definers| {
            let mut imports = definers.imports.iter();
            imports.all(|path| self.stays_inside(path))
        })
    }

    /// Returns whether arguments of macros may have been misread, so that nothing is certain.
    pub(super) fn is_uncertain(&self) -> bool {
        self.has_own_macro
    }

    /// Returns the names at which the paths of a file certainly lead nowhere.
    pub(super) fn unresolved(&self, file: &'f FileNames) -> impl Iterator<Item = &'f str> {
        let mentions = file.mentions.iter().filter(|mention| !mention.is_uncertain);
        mentions.filter_map(|mention| self.dead_end(&texts(file, &mention.path), mention))
    }

    /// Returns the names of a file that may come from outside of the crate, whatever it defines, if
    /// each of its paths leads somewhere.
    pub(super) fn external(&self, file: &'f FileNames) -> impl Iterator<Item = &'f str> {
        let external = |mention: &'f Mention| {
            let path = texts(file, &mention.path);
            let is_external = self.may_be_external(&path, mention);
            let first = path.first().copied().filter(|_| is_external);
            first.or_else(|| self.first_undefined(&path, mention.kind, true))
        };
        let outside = file.outside.iter().map(|&name| file.text(name));
        let shadowed = file.shadowed.iter().map(|&name| file.text(name));
        // Parameters for types and items of blocks begin in another way than crates.
        let shadowed = shadowed.filter(|name| name.starts_with(char::is_lowercase));
        let mentions = file.mentions.iter().filter_map(external);
        mentions.chain(outside).chain(shadowed)
    }

    /// Returns whether the first name of a path may be that of something outside of the crate. Only
    /// what a module itself defines is certainly of the crate: by a `*` or from nowhere comes what
    /// a prelude or a `*` of another crate has, and where a path begins, another crate itself.
    /// Where macros of another crate are visible, no macro's name is certain anyway.
    fn may_be_external(&self, path: &[&str], mention: &Mention) -> bool {
        let may_be_crate = path.len() > 1 || mention.kind == MentionKind::Import;
        let is_macro = mention.kind == MentionKind::Macro && !may_be_crate;
        match mention.place {
            _ if n_roots(path) > 0 || is_macro => false,
            Place::Defined | Place::Unknown if path.len() > 1 => !self.is_type_only(path[0]),
            Place::Defined | Place::Unknown => may_be_crate,
            Place::Glob => may_be_crate || self.has_unseen,
            Place::Outside => true,
        }
    }

    /// Returns whether a name is that of types and modules alone: a crate cannot have the name beside
    /// these, but beside a function, a constant or a word of a macro.
    fn is_type_only(&self, name: &str) -> bool {
        let definers = self.definitions.get(name);
        definers.is_some_and(|definers| !definers.is_value && !definers.is_everywhere)
    }

    /// Returns the segment at which a path certainly leads nowhere.
    fn dead_end(&self, path: &[&'f str], mention: &Mention) -> Option<&'f str> {
        let (roots, rest) = path.split_at(n_roots(path));
        let Some(&first) = rest.first() else {
            let is_value = path == ["self"] && mention.kind == MentionKind::Path;
            return path.first().copied().filter(|_| is_value);
        };
        let is_macro = mention.kind == MentionKind::Macro;
        if is_macro && (self.imports_macros || !roots.is_empty()) {
            return None;
        }
        if roots.is_empty() && is_external(first) {
            return None;
        }
        match self.is_outside(first, mention) {
            true => Some(first),
            false => self.spelled_nowhere(path, mention.kind),
        }
    }

    /// Returns whether the module around a path does not have the first name of the path. `use` is
    /// no matter of modules in the edition of 2015, and macros never are.
    fn is_outside(&self, first: &str, mention: &Mention) -> bool {
        let is_decided = mention.place == Place::Outside && mention.kind == MentionKind::Path;
        is_decided && !self.is_everywhere(first)
    }

    /// Returns the first segment of a path whose name nothing in the crate has, unless it may come
    /// from elsewhere.
    fn spelled_nowhere(&self, path: &[&'f str], kind: MentionKind) -> Option<&'f str> {
        let is_on_top = path[..n_roots(path)] == ["crate"] && !self.has_glob_on_top;
        if self.has_unseen && !is_on_top {
            return None;
        }
        let found = self.first_undefined(path, kind, !self.has_unseen);
        found.filter(|name| !is_external(name))
    }

    /// Returns the first segment of a path that nothing defines. From one to the next it can be
    /// followed only through what is certainly a module of the crate.
    fn first_undefined(
        &self,
        path: &[&'f str],
        kind: MentionKind,
        follow: bool,
    ) -> Option<&'f str> {
        let rest = &path[n_roots(path)..];
        for (idx, &name) in rest.iter().enumerate() {
            let is_import = idx + 1 == rest.len() && kind == MentionKind::Import;
            if !self.is_defined(name, is_import) {
                return Some(name);
            }
            if !follow || !self.is_inner(name, kind) {
                return None;
            }
        }
        None
    }

    /// Returns whether a name may be defined. Where `beyond_imports`, an import counts only if it may
    /// lead out of the crate: one that stays in it must end at something else.
    fn is_defined(&self, name: &str, beyond_imports: bool) -> bool {
        self.definitions.get(name).is_some_and(|definers| {
            let mut imports = definers.imports.iter();
            let has_import = match beyond_imports {
                true => imports.any(|path| !self.stays_inside(path)),
                false => imports.next().is_some(),
            };
            definers.has_item() || has_import
        })
    }

    fn is_everywhere(&self, name: &str) -> bool {
        let definers = self.definitions.get(name);
        definers.is_some_and(|definers| definers.is_everywhere)
    }

    /// Returns whether a name certainly stands for a module of the crate, or for an import also for
    /// an enum.
    fn is_inner(&self, name: &str, kind: MentionKind) -> bool {
        let is_enum = |definers: &Definers<'_>| definers.is_enum;
        let is_allowed =
            kind == MentionKind::Import || !self.definitions.get(name).is_some_and(is_enum);
        is_allowed && self.inner.contains(name)
    }

    /// Returns whether the path of an import certainly ends at a definition in the crate. A path of
    /// one name leads to another crate only where nothing here has the name.
    fn stays_inside(&self, path: &[&str]) -> bool {
        let before = path.split_last();
        before.is_some_and(|(_, before)| before.is_empty() || self.is_ours(before))
    }

    /// Returns whether all names of a path certainly stand for modules or enums of the crate.
    fn is_ours(&self, path: &[&str]) -> bool {
        let mut names = path[n_roots(path)..].iter();
        !path.is_empty() && names.all(|name| self.inner.contains(name))
    }

    /// Finds the names that stand for modules or enums alone: a name is not certain if something else
    /// may have it. An import of that name is nothing else if its own path stays inside.
    fn find_inner(&mut self) {
        let may_be = |definers: &Definers<'_>| {
            (definers.is_module || definers.is_enum) && !definers.is_other
        };
        let names = self
            .definitions
            .iter()
            .filter(|(_, definers)| may_be(definers));
        self.inner = names.map(|(name, _)| *name).collect();
        loop {
            let is_outer = |name: &&&str| {
                let mut imports = self.definitions[**name].imports.iter();
                imports.any(|path| !self.stays_inside(path))
            };
            let outer: Vec<&str> = self.inner.iter().filter(is_outer).copied().collect();
            if outer.is_empty() {
                return;
            }
            self.inner.retain(|name| !outer.contains(name));
        }
    }
}

impl Definers<'_> {
    /// Returns whether something other than an import defines the name.
    fn has_item(&self) -> bool {
        self.is_module || self.is_enum || self.is_value || self.is_other
    }
}

/// Returns whether there are modules whose text is in none of the files.
fn includes_unknown_files(files: &[&FileNames]) -> bool {
    let n_included: usize = files.iter().map(|file| file.n_files_included).sum();
    n_included >= files.len() || files.iter().any(|file| file.includes_by_macro)
}

/// Returns whether a macro whose arguments were read as expressions may be another one of that name.
fn has_own_macro(files: &[&FileNames]) -> bool {
    let own = |file: &&FileNames| {
        let names = file.own_macros.iter();
        names
            .map(|&name| file.text(name).to_owned())
            .collect::<Vec<_>>()
    };
    let own: BTreeSet<String> = files.iter().flat_map(own).collect();
    let may_be_any = files
        .iter()
        .any(|file| file.imports_macros || file.generates_macros);
    files.iter().any(|file| {
        let mut read = file.read_macros.iter();
        read.any(|&name| may_be_any || own.contains(file.text(name)))
    })
}

/// Returns the number of words at the beginning of a path that are no names.
fn n_roots(path: &[&str]) -> usize {
    let is_root = |name: &&&str| matches!(**name, "crate" | "self" | "super");
    path.iter().take_while(is_root).count()
}

fn texts<'f>(file: &'f FileNames, path: &[Name]) -> Vec<&'f str> {
    path.iter().map(|&name| file.text(name)).collect()
}
