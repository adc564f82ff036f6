//! Puts the items that procedural macros made in place of the calls of these macros. The rest stays as it is written: the program
//! and its expansion are walked together, module by module. An item and its expansion have the same kind and name; what the
//! expansion has between two that are known, a macro has made of what stands there.

use super::alignment::align;
use super::attributes::{derives, metas, std_derives, strip_edits};
use super::builtin::{is_builtin_attribute, is_std_derive, names};
use super::derives::{derived_impl, restore_derives};
use super::imports::without_macros;
use super::macros::{Macros, Procedural};
use super::part::{Part, thread_local_name};
use super::printed::parse_expanded;
use super::std_calls::{alloc_root, restore_calls};
use crate::rewriting::with_replaced;
use reduce_syntax::{Parsed, SourceTree, pretty_file};
use std::collections::BTreeSet;
use std::ops::Range;
use syn::visit::Visit;
use syn::{File, Item};

/// Returns whether the program has derives or attributes that are of a procedural macro, or calls of
/// function-like macros that may be: those of `macro_rules` in another crate cannot be told from them.
#[must_use]
pub fn has_procedural_calls(sources: &SourceTree) -> bool {
    let files = sources.files();
    let parsed: Vec<Parsed> = files.map(|(_, _, text)| Parsed::new(text)).collect();
    let syntax = || parsed.iter().filter_map(Parsed::file);
    let macros = Macros::of(syntax());
    syntax().any(|file| {
        let mut found = Procedural::new(&macros);
        found.visit_file(file);
        found.is_any()
    })
}

/// Replaces calls of procedural macros by what they expand to, and leaves all other macro calls as they are written. An
/// import of a macro goes where nothing needs it.
///
/// `sources` is one file, `expanded` what the compiler printed for it. `None` if nothing is to be
/// expanded or one of the two does not parse.
#[must_use]
pub fn expand_procedural(sources: &SourceTree, expanded: &str) -> Option<String> {
    if sources.files().count() != 1 {
        return None;
    }
    let parsed = Parsed::new(sources.text(sources.root()));
    let file = parsed.file()?;
    let printed = parse_expanded(expanded)?;
    let macros = Macros::of([file]);
    let mut procedural = Procedural::new(&macros);
    procedural.visit_file(file);
    if !procedural.is_any() {
        return None;
    }
    let mut expander = Expander {
        original: sources.text(sources.root()),
        expanded: &printed.text,
        macros: &macros,
        root: alloc_root(&printed.file),
        imported: imported_names(file),
        replaced: Vec::new(),
    };
    expander.scope(&items(&file.items), &items(&printed.file.items));
    let result = with_replaced(expander.original, expander.replaced);
    without_macros(&result, &procedural.names, &printed.file)
}

fn items(items: &[Item]) -> Vec<Part<'_>> {
    items.iter().map(Part::Item).collect()
}

/// Returns the names that the file imports under their own names: `b` for `use a::b;`.
fn imported_names(file: &File) -> BTreeSet<String> {
    struct Imported(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Imported {
        fn visit_use_name(&mut self, name: &'ast syn::UseName) {
            self.0.insert(name.ident.to_string());
        }
    }
    let mut imported = Imported(BTreeSet::new());
    imported.visit_file(file);
    imported.0
}

struct Expander<'s> {
    /// The text of the program before expansion.
    original: &'s str,
    expanded: &'s str,
    macros: &'s Macros,
    root: &'static str,
    imported: BTreeSet<String>,
    replaced: Vec<(Range<usize>, String)>,
}

/// The treatment of an item of the program that was found again in the expansion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The item stays as it is.
    Stays,
    /// The derives of the item are removed, and the items that they made are put after it.
    Derives,
    /// An attribute macro has made the item and those that come after it.
    Made,
    /// The item is replaced by its expansion, as a procedural macro is called somewhere in it.
    Replaced,
    /// A procedural macro is called in the item, and the item's parts are expanded one by one.
    Entered,
    /// The item defines a macro whose calls are all expanded, and goes.
    Goes,
}

impl Expander<'_> {
    /// Expands the procedural macros in one list of parts: of a module, an impl or a trait.
    fn scope(&mut self, original: &[Part<'_>], expanded: &[Part<'_>]) {
        let left: Vec<String> = original.iter().map(|one| one.key(self.original)).collect();
        let right: Vec<String> = expanded.iter().map(|one| one.key(self.expanded)).collect();
        let aligned = align(&left, &right);
        let known: Vec<usize> = (0..aligned.len())
            .filter(|&at| aligned[at].is_some())
            .collect();
        let first = known.first().copied().unwrap_or(original.len());
        let place = |at: Option<&usize>| at.and_then(|&at| aligned[at]).unwrap_or(expanded.len());
        self.run(None, &original[..first], &expanded[..place(known.first())]);
        for (nth, &at) in known.iter().enumerate() {
            let next = known.get(nth + 1);
            let followers = &original[at + 1..next.copied().unwrap_or(original.len())];
            let here = place(Some(&at));
            let anchor = Some((original[at], expanded[here]));
            self.run(anchor, followers, &expanded[here + 1..place(next)]);
        }
    }

    /// Expands a part that was found again in the expansion, with the parts after it that were not. `gap` is what the expansion
    /// has after it.
    fn run(
        &mut self,
        anchor: Option<(Part<'_>, Part<'_>)>,
        followers: &[Part<'_>],
        gap: &[Part<'_>],
    ) {
        let role = anchor.map_or(Role::Stays, |(part, made)| self.role(part, made));
        let is_made = matches!(role, Role::Derives | Role::Made);
        let is_procedural = |one: &Part<'_>| one.procedural(self.macros).is_any();
        let is_expanded = is_made || followers.iter().any(is_procedural);
        let gone = followers
            .iter()
            .filter(|one| is_expanded && self.is_gone(**one));
        let gone: Vec<Part<'_>> = gone.copied().collect();
        let mut made: Vec<Part<'_>> = Vec::new();
        if let Some((_, itself)) = anchor
            && matches!(role, Role::Made | Role::Replaced)
        {
            made.push(itself);
        }
        if is_expanded {
            let original = anchor.map(|(part, _)| part);
            let is_new = |one: &&Part<'_>| original.is_none_or(|part| !is_of(part, role, **one));
            made.extend(gap.iter().filter(is_new));
        }
        let text = self.print(&made);
        self.put(anchor, role, &gone, &text);
    }

    /// Writes the text that takes the place of a part and of those after it that were not found again in the expansion.
    fn put(
        &mut self,
        anchor: Option<(Part<'_>, Part<'_>)>,
        role: Role,
        gone: &[Part<'_>],
        text: &str,
    ) {
        let mut text = text;
        match (anchor, role) {
            (Some((part, _)), Role::Made | Role::Replaced | Role::Goes) => {
                self.replace(part, std::mem::take(&mut text));
            }
            (Some((part, made)), Role::Entered) => self.enter(part, made),
            (Some((Part::Item(item), _)), Role::Derives) => {
                self.replaced
                    .extend(strip_edits(std::slice::from_ref(item)));
            }
            _ => {}
        }
        if let Some((part, _)) = anchor
            && !text.is_empty()
        {
            self.append(part, std::mem::take(&mut text));
        }
        for &part in gone {
            self.replace(part, std::mem::take(&mut text));
        }
    }

    fn replace(&mut self, part: Part<'_>, text: &str) {
        self.replaced.push((part.range(), text.to_owned()));
    }

    /// Puts `text` after a part. The last byte of the part is replaced along with it, as an edit of
    /// nothing would give way to one that begins in the same place.
    fn append(&mut self, part: Part<'_>, text: &str) {
        let end = part.range().end;
        let start = end.saturating_sub(1);
        let last = self.original.get(start..end);
        let (start, last) = last.map_or((end, ""), |last| (start, last));
        self.replaced.push((start..end, format!("{last}\n{text}")));
    }

    fn enter(&mut self, part: Part<'_>, made: Part<'_>) {
        let (Part::Item(item), Part::Item(made)) = (part, made) else {
            return;
        };
        match (item, made) {
            (Item::Mod(item), Item::Mod(made)) => {
                if let (Some((_, left)), Some((_, right))) = (&item.content, &made.content) {
                    self.scope(&items(left), &items(right));
                }
            }
            (Item::Impl(item), Item::Impl(made)) => {
                let left: Vec<_> = item.items.iter().map(Part::Impl).collect();
                let right: Vec<_> = made.items.iter().map(Part::Impl).collect();
                self.scope(&left, &right);
            }
            (Item::Trait(item), Item::Trait(made)) => {
                let left: Vec<_> = item.items.iter().map(Part::Trait).collect();
                let right: Vec<_> = made.items.iter().map(Part::Trait).collect();
                self.scope(&left, &right);
            }
            _ => {}
        }
    }

    fn role(&self, part: Part<'_>, made: Part<'_>) -> Role {
        if let Part::Item(Item::Macro(item)) = part
            && let Some(name) = &item.ident
        {
            let name = name.to_string();
            let is_unused = self.macros.makes_calls(&name) && !self.imported.contains(&name);
            return if is_unused { Role::Goes } else { Role::Stays };
        }
        let found = part.procedural(self.macros);
        let attributes = own_attributes(part);
        let is_type = part.type_name().is_some();
        match () {
            () if !found.is_any() => Role::Stays,
            () if is_type && has_procedural_derive(part) => {
                let left = own_attributes(made);
                let is_eaten = attributes.iter().any(|path| !left.contains(path));
                match is_eaten || found.has_calls {
                    true => Role::Made,
                    false => Role::Derives,
                }
            }
            () if !attributes.is_empty() => Role::Made,
            () if matches!(
                part,
                Part::Item(Item::Mod(_) | Item::Impl(_) | Item::Trait(_))
            ) =>
            {
                Role::Entered
            }
            () => Role::Replaced,
        }
    }

    /// Returns whether a part that was not found again in the expansion is to be removed: a macro call, or something that is
    /// there by another name. What a condition excludes may stay.
    fn is_gone(&self, part: Part<'_>) -> bool {
        let is_conditional = |one: &syn::Attribute| one.path().is_ident("cfg");
        if let Some(call) = part.call() {
            return thread_local_name(call).is_none();
        }
        part.procedural(self.macros).is_any() || !part.attributes().iter().any(is_conditional)
    }

    /// Prints the items that macros made, with the compiler's own derives and std's macros back in place.
    fn print(&self, parts: &[Part<'_>]) -> String {
        let Some(first) = parts.first() else {
            return String::new();
        };
        let mut file = File {
            shebang: None,
            frontmatter: None,
            attrs: Vec::new(),
            items: whole_items(parts),
        };
        restore_derives(&mut file);
        restore_calls(&mut file, self.root);
        let text = pretty_file(&file).unwrap_or_else(|| {
            let tokens: proc_macro2::TokenStream = syn::parse_quote!(#file);
            tokens.to_string()
        });
        let parsed = Parsed::new(&text);
        let items = parsed.file().map_or(&[][..], |file| &file.items);
        let text = with_replaced(&text, strip_edits(items));
        match first {
            Part::Item(_) => text,
            _ => braced(&text).to_owned(),
        }
    }
}

/// Returns whether `made` belongs to an item that stays: an impl of a derive that the item keeps, or another value of the same
/// `thread_local!`.
fn is_of(part: Part<'_>, role: Role, made: Part<'_>) -> bool {
    let Part::Item(made) = made else { return false };
    let is_local = part
        .call()
        .is_some_and(|call| thread_local_name(call).is_some());
    if let Item::Const(_) = made {
        return is_local;
    }
    let keeps = matches!(role, Role::Derives | Role::Stays);
    let derived = derived_impl(made).filter(|_| keeps);
    derived.is_some_and(|(of, name)| {
        let kept = std_derives(part.attributes());
        let is_kept =
            kept.contains(&name) || name.starts_with("Structural") || name.starts_with("Trivial");
        Some(of) == part.type_name() && is_kept
    })
}

/// Returns the attributes of an item that are not the compiler's; of a type, without those in a `cfg_attr`.
fn own_attributes(part: Part<'_>) -> Vec<Vec<String>> {
    let paths = part.attributes().iter().map(|one| names(one.path()));
    let under_condition = part
        .attributes()
        .iter()
        .filter(|one| part.type_name().is_none() && one.path().is_ident("cfg_attr"));
    let inner = under_condition.flat_map(|one| metas(&one.meta));
    let all = paths.chain(inner.map(|meta| names(meta.path())));
    all.filter(|path| !is_builtin_attribute(path)).collect()
}

fn has_procedural_derive(part: Part<'_>) -> bool {
    let derives = derives(part.attributes());
    derives.iter().any(|path| !is_std_derive(path))
}

/// Returns the parts as items: members are put into an impl or trait that only holds them.
fn whole_items(parts: &[Part<'_>]) -> Vec<Item> {
    let mut items = Vec::new();
    let mut of_impl: syn::ItemImpl = syn::parse_quote!(impl A {});
    let mut of_trait: syn::ItemTrait = syn::parse_quote!(
        trait A {}
    );
    for part in parts {
        match part {
            Part::Item(item) => items.push((*item).clone()),
            Part::Impl(member) => of_impl.items.push((*member).clone()),
            Part::Trait(member) => of_trait.items.push((*member).clone()),
        }
    }
    if !of_impl.items.is_empty() {
        items.push(Item::Impl(of_impl));
    }
    if !of_trait.items.is_empty() {
        items.push(Item::Trait(of_trait));
    }
    items
}

/// Returns the text between the first `{` and the last `}`.
fn braced(text: &str) -> &str {
    let inner = text.find('{').zip(text.rfind('}'));
    let inner = inner.and_then(|(start, end)| text.get(start + 1..end));
    inner.unwrap_or_default()
}

#[cfg(test)]
mod tests;
