//! What the paths, fields, variables and labels in the compiler's dump mean, and at which places of the
//! text they are mentioned. A mention counts only where the text spells it.

use super::atoms::{
    AnyDef, LocalDef, Name, NodeId, Span, SpanReader, definition, local_definition, name, node,
};
use super::definitions::{Definitions, label};
use super::segments::{add_places_before_group, places_of_segments};
use crate::dump::Dumped;
use crate::meaning::{Meaning, Place, Verdicts};
use crate::text::{CrateText, Piece};

/// What a mention leads to, before all definitions are known.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Aim {
    Definition(LocalDef),
    Field(LocalDef, String),
    Node(NodeId),
    Place(Place),
    Outside,
}

/// Collects mentions from entries of a dump.
pub struct MentionCollector<'a, 's> {
    text: &'a CrateText<'s>,
    spans: &'a SpanReader<'a, 's>,
    mentions: Vec<(Place, Aim)>,
}

impl<'a, 's> MentionCollector<'a, 's> {
    pub fn new(text: &'a CrateText<'s>, spans: &'a SpanReader<'a, 's>) -> Self {
        Self {
            text,
            spans,
            mentions: Vec::new(),
        }
    }

    /// What all mentions mean, now that all definitions are known.
    pub fn finish(self, definitions: &Definitions, verdicts: &mut Verdicts) {
        for (place, aim) in self.mentions {
            let meaning = match aim {
                Aim::Outside => Some(Meaning::Outside),
                Aim::Place(place) => Some(Meaning::Inside(place)),
                Aim::Definition(definition) => definitions.meaning(definition),
                Aim::Field(owner, name) => definitions.field(owner, &name),
                Aim::Node(node) => definitions.place_of_node(node).map(Meaning::Inside),
            };
            if let Some(meaning) = meaning {
                verdicts.add(place, meaning);
            }
        }
    }

    /// Reads what a node of the dump and all below it mention.
    pub fn add(&mut self, dumped: &Dumped<'_>) {
        match dumped.value {
            "Resolved" => return self.add_qualified(dumped),
            "Path" if dumped.field("segments").is_some() => {
                self.add_path(dumped, false);
            }
            "Item" => {
                self.add_import(dumped);
            }
            "ImplItem" => {
                self.add_implemented(dumped);
            }
            "Pat" => {
                self.add_alternative(dumped);
                self.add_fields(dumped, "PatField");
            }
            "Expr" => {
                self.add_fields(dumped, "ExprField");
                self.add_jump(dumped);
            }
            "Ty" => {
                self.add_lifetime(dumped);
            }
            _ => {}
        }
        self.add_children(dumped);
    }

    fn add_children(&mut self, dumped: &Dumped<'_>) {
        for child in &dumped.children {
            self.add(child);
        }
    }

    /// A path with perhaps a type before it: `<T as Trait>::Item`.
    fn add_qualified(&mut self, dumped: &Dumped<'_>) {
        for part in &dumped.children {
            if part.value == "Path" {
                let has_type = dumped.first().is_some_and(|first| first.value == "Some");
                self.add_path(part, has_type);
                self.add_children(part);
            } else {
                self.add(part);
            }
        }
    }

    fn add_path(&mut self, path: &Dumped<'_>, has_type: bool) -> Option<()> {
        let span = self.spans.read(path.field("span")?.value)?;
        let segments = &path.field("segments")?.children;
        let names = segments
            .iter()
            .map(|segment| name(segment.field("ident")?.value));
        let names: Vec<Name<'_>> = names.collect::<Option<_>>()?;
        let tokens = self.text.tokens(span.file, &span.range);
        let mut places = places_of_segments(&tokens, &names, has_type);
        if matches!(path.field("res")?.value, "PerNS") {
            let before = self.text.tokens_before(span.file, span.range.start);
            add_places_before_group(before, &names, &mut places);
        }
        for (idx, place) in places.into_iter().enumerate() {
            let Some(at) = place.filter(|_| names[idx].expansion == span.expansion) else {
                continue;
            };
            let place = Place {
                file: span.file,
                at,
            };
            let own = aims(segments[idx].field("res")?);
            let is_last = idx + 1 == segments.len();
            let aims = if is_last && own.is_empty() {
                aims(path.field("res")?)
            } else {
                own
            };
            self.mentions
                .extend(aims.into_iter().map(|aim| (place, aim)));
        }
        Some(())
    }

    /// The name that a `use .. as name` or an `extern crate` brings: it is a definition, too.
    fn add_import(&mut self, item: &Dumped<'_>) -> Option<()> {
        let kind = item.field("kind")?;
        let span = self.spans.read(item.field("span")?.value)?;
        let (start, before, name, aims) = match (kind.value, kind.children.as_slice()) {
            ("ExternCrate", [.., imported]) => {
                let aims = vec![Aim::Outside];
                (span.range.start, "crate", name(imported.value)?, aims)
            }
            ("Use", [path, single]) if single.value == "Single" => {
                let end = self.spans.read(path.field("span")?.value)?.range.end;
                let aims = aims(path.field("res")?);
                (end, "as", name(single.first()?.value)?, aims)
            }
            _ => return None,
        };
        let after = self.text.tokens_from(span.file, start);
        let is_before = |piece: &&Piece<'_>| piece.text == before;
        let at = after.iter().take(3).position(|piece| is_before(&piece))? + 1;
        let is_renamed_crate = after.get(at + 1).is_some_and(|piece| piece.text == "as");
        let at = if is_renamed_crate { at + 2 } else { at };
        let named = *after.get(at).filter(|piece| piece.name() == name.text)?;
        let place = Place {
            file: span.file,
            at: named.at,
        };
        let aims = aims.into_iter().chain([Aim::Place(place)]);
        self.mentions.extend(aims.map(|aim| (place, aim)));
        Some(())
    }

    /// The name of an item in the `impl` of a trait means the trait's item as well as itself.
    fn add_implemented(&mut self, item: &Dumped<'_>) -> Option<()> {
        let name = name(item.field("ident")?.value)?;
        let span = self.spans.read(item.field("span")?.value)?;
        let of_trait = find(item, &|one| {
            one.key == "trait_item_def_id" && !one.children.is_empty()
        })?;
        let aim = aim_of_definition(find(of_trait, &|one| definition(one.value).is_some())?.value)?;
        let tokens = self.text.tokens(span.file, &span.range);
        let named = tokens.windows(2).find(|two| {
            matches!(two[0].text, "fn" | "const" | "type") && two[1].name() == name.text
        })?;
        self.push(&span, name, named[1], aim);
        Some(())
    }

    /// A variable in the second alternative of a pattern means that of the first.
    fn add_alternative(&mut self, pattern: &Dumped<'_>) -> Option<()> {
        let kind = pattern.field("kind")?;
        let [_, id, variable, ..] = kind.children.as_slice() else {
            return None;
        };
        let is_first = pattern.field("hir_id")?.value == id.value;
        if kind.value != "Binding" || is_first {
            return None;
        }
        let (span, name) = (
            self.spans.read(pattern.field("span")?.value)?,
            name(variable.value)?,
        );
        let piece = self.spelled(&span, name)?;
        self.push(&span, name, piece, Aim::Node(node(id.value)?));
        Some(())
    }

    /// The fields that a struct expression or pattern names.
    fn add_fields(&mut self, dumped: &Dumped<'_>, each: &str) -> Option<()> {
        let kind = dumped.field("kind")?;
        let path = (kind.value == "Struct").then(|| kind.first())??;
        let path = path.children.iter().find(|child| child.value == "Path")?;
        let owner = resolved(path.field("res")?)?;
        let fields = kind.children.iter().flat_map(|list| &list.children);
        for field in fields.filter(|field| field.value == each) {
            let name = name(field.field("ident")?.value)?;
            let Some(span) = self.spans.read(field.field("span")?.value) else {
                continue;
            };
            if let Some(piece) = self.spelled(&span, name) {
                let aim = Aim::Field(owner, name.text.to_owned());
                self.push(&span, name, piece, aim);
            }
        }
        Some(())
    }

    /// `break 'a` and `continue 'a`.
    fn add_jump(&mut self, expression: &Dumped<'_>) -> Option<()> {
        let kind = expression.field("kind")?;
        if !matches!(kind.value, "Break" | "Continue") {
            return None;
        }
        let destination = kind.first()?;
        let label = label(destination.field("label")?.first()?.value)?;
        let target = node(destination.field("target_id")?.first()?.value)?;
        let span = self.spans.read(expression.field("span")?.value)?;
        let piece = self.spelled(&span, label)?;
        self.push(&span, label, piece, Aim::Node(target));
        Some(())
    }

    /// The lifetime of a reference. The places of other lifetimes are not printed.
    fn add_lifetime(&mut self, ty: &Dumped<'_>) -> Option<()> {
        let kind = ty.field("kind")?;
        let lifetime = (kind.value == "Ref").then(|| kind.first())??;
        let parameter = lifetime.field("kind")?;
        let parameter = (parameter.value == "Param").then(|| parameter.first())??;
        let aim = aim_of_definition(parameter.value)?;
        let span = self.spans.read(ty.field("span")?.value)?;
        let name = name(lifetime.field("ident")?.value)?;
        let second = *self.text.tokens(span.file, &span.range).get(1)?;
        if second.text == name.text {
            self.push(&span, name, second, aim);
        }
        Some(())
    }

    /// The first token of a range that spells the name.
    fn spelled(&self, span: &Span, name: Name<'_>) -> Option<Piece<'s>> {
        let tokens = self.text.tokens(span.file, &span.range);
        tokens.into_iter().find(|piece| piece.name() == name.text)
    }

    fn push(&mut self, span: &Span, name: Name<'_>, piece: Piece<'_>, aim: Aim) {
        if span.expansion == name.expansion {
            let (file, at) = (span.file, piece.at);
            self.mentions.push((Place { file, at }, aim));
        }
    }
}

/// The definition that a resolution names: for `Self`, the `impl`.
pub fn resolved(res: &Dumped<'_>) -> Option<LocalDef> {
    let definitions = res.children.iter();
    definitions
        .filter_map(|child| local_definition(child.value))
        .next_back()
}

fn find<'d, 't>(
    dumped: &'d Dumped<'t>,
    is: &dyn Fn(&Dumped<'t>) -> bool,
) -> Option<&'d Dumped<'t>> {
    if is(dumped) {
        return Some(dumped);
    }
    dumped.children.iter().find_map(|child| find(child, is))
}

fn aim_of_definition(text: &str) -> Option<Aim> {
    Some(match definition(text)? {
        AnyDef::Local(index, _) => Aim::Definition(index),
        AnyDef::Foreign => Aim::Outside,
    })
}

/// What a resolution leads to. That of a `use` has several, one for each kind of name.
fn aims(res: &Dumped<'_>) -> Vec<Aim> {
    match res.value {
        "PerNS" => res.children.iter().flat_map(aims).collect(),
        "Some" => res.children.iter().flat_map(aims).collect(),
        "Def" => {
            let last = res.children.last();
            last.and_then(|id| aim_of_definition(id.value))
                .into_iter()
                .collect()
        }
        "Local" => {
            let id = res.first().and_then(|id| node(id.value));
            id.map(Aim::Node).into_iter().collect()
        }
        "PrimTy" | "NonMacroAttr" | "ToolMod" => vec![Aim::Outside],
        _ => Vec::new(),
    }
}
