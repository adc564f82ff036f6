//! The names in one file: definitions, and mentions that nothing in their scope defines.

use std::collections::{BTreeSet, HashMap};

/// A name of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name(u32);

/// The names of one file, without positions, so that it outlives the parse.
#[derive(Debug, Default)]
pub(super) struct FileNames {
    texts: Vec<String>,
    /// The names that the crate's modules may have, as far as this file says.
    pub(super) definitions: Vec<Definition>,
    /// The mentions that no scope of the file defines. Sorted, each once.
    pub(super) mentions: Vec<Mention>,
    /// The paths before the `*` of imports that are visible in a module.
    pub(super) globs: Vec<Vec<Name>>,
    /// Whether an import with `*` is visible in the file's own module.
    pub(super) has_glob_on_top: bool,
    /// The number of modules whose text is in a file of their own.
    pub(super) n_files_included: usize,
    /// Whether macros may include files that were not read.
    pub(super) includes_by_macro: bool,
    /// Whether the macros of another crate are visible by their names.
    pub(super) imports_macros: bool,
    /// The macros of the standard library whose arguments were read as expressions.
    pub(super) read_macros: BTreeSet<Name>,
    /// The macros of the crate that may have the name of one of the standard library.
    pub(super) own_macros: BTreeSet<Name>,
    /// Whether macros define macros whose names are not known.
    pub(super) generates_macros: bool,
    /// The first names of paths that lead out of the crate, whatever it defines.
    pub(super) outside: BTreeSet<Name>,
    /// The first names of longer paths that something in a block or an item has too, such as a
    /// variable, although the path may mean a crate of that name.
    pub(super) shadowed: BTreeSet<Name>,
    pub(super) arguments: Arguments,
}

/// A name that a module may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) name: Name,
    pub(super) kind: DefinitionKind,
}

/// The kind of thing that a name may stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DefinitionKind {
    /// A module, all of which stands in the crate's files.
    Module,
    /// An enum, whose variants can be imported.
    Enum,
    /// An import, by the path that it imports.
    Import(Vec<Name>),
    /// A function, a constant or a static: paths do not lead through it.
    Value,
    /// Anything else that is visible in its module.
    Other,
    /// A word that a macro gets, or the name of another crate: it may be visible in any module.
    Everywhere,
}

/// A path in the source that must resolve.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mention {
    pub(super) path: Vec<Name>,
    pub(super) kind: MentionKind,
    pub(super) place: Place,
    /// Whether the compiler may never see the mention, or something may define it that is not
    /// spelled.
    pub(super) is_uncertain: bool,
}

/// The relation of the first name of a path to the innermost module around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// The module around the path is still being read.
    Unknown,
    /// The module defines the first name of the path, or the path does not begin in the module.
    Defined,
    /// An import with `*` may bring the first name of the path.
    Glob,
    /// The first name of the path comes from outside of the module, if it exists.
    Outside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MentionKind {
    Path,
    Import,
    Macro,
}

impl FileNames {
    /// Returns the spelling of a name, without `r#`.
    pub(super) fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
}

/// Gives each spelling a number.
#[derive(Debug, Default)]
pub(super) struct Interner {
    numbers: HashMap<String, Name>,
}

impl Interner {
    pub(super) fn name(&mut self, ident: &impl ToString) -> Name {
        let text = ident.to_string();
        let plain = text.strip_prefix("r#").unwrap_or(&text);
        if let Some(&name) = self.numbers.get(plain) {
            return name;
        }
        let next = u32::try_from(self.numbers.len()).expect("a file has fewer names than bytes");
        self.numbers.insert(plain.to_owned(), Name(next));
        Name(next)
    }

    /// Stores the spellings in the names of a file, in the order of their numbers.
    pub(super) fn finish(self, file: &mut FileNames) {
        let mut texts: Vec<(String, Name)> = self.numbers.into_iter().collect();
        texts.sort_unstable_by_key(|(_, name)| *name);
        file.texts = texts.into_iter().map(|(text, _)| text).collect();
    }
}

/// The numbers of arguments in one file: of functions, and of calls.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// The functions, with how many parameters each has, and tuple structs and variants with their
    /// fields. A receiver counts.
    pub(super) takes: Vec<(Name, usize)>,
    pub(super) calls: Vec<Call>,
    /// The names that may be called but are not known to be functions: variables, constants, other names
    /// of imports, words that a macro gets.
    pub(super) unknown: BTreeSet<Name>,
}

/// A call by a path or of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) callee: Callee<Name>,
    /// The number of arguments, with the receiver.
    pub(super) n_arguments: usize,
}

/// The form in which a call names its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Callee<N> {
    Function(N),
    /// The name of the function, with the segment before it.
    Qualified(N, N),
    Method(N),
}

impl<N: Copy> Callee<N> {
    pub(super) fn name(self) -> N {
        match self {
            Self::Function(name) | Self::Qualified(_, name) | Self::Method(name) => name,
        }
    }

    pub(super) fn map<M>(self, to: impl Fn(N) -> M) -> Callee<M> {
        match self {
            Self::Function(name) => Callee::Function(to(name)),
            Self::Qualified(before, name) => Callee::Qualified(to(before), to(name)),
            Self::Method(name) => Callee::Method(to(name)),
        }
    }
}
