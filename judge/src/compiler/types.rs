//! What the compiler knows of methods, associated functions and fields after it has checked types:
//! `-Zunpretty=thir-tree` prints the type of each expression, and a function's type names its definition.
//! Read line by line, as the indentation of this dump does not follow its brackets.

use super::atoms::{AnyDef, SpanReader, definition};
use super::definitions::Definitions;
use crate::meaning::{Meaning, Place, Verdicts};
use crate::text::CrateText;

/// Reads the dump line by line.
pub struct TypeReader<'a, 's, 't> {
    text: &'a CrateText<'s>,
    spans: &'a SpanReader<'a, 's>,
    definitions: &'a Definitions,
    /// The expressions around a line: their indentation, type and range.
    around: Vec<Around<'t>>,
    field: Option<Field<'t>>,
}

struct Around<'t> {
    indent: usize,
    ty: &'t str,
    span: &'t str,
}

/// A field access of which the type on the left is not read yet.
struct Field<'t> {
    span: &'t str,
    index: Option<usize>,
}

impl<'a, 's, 't> TypeReader<'a, 's, 't> {
    pub fn new(
        text: &'a CrateText<'s>,
        spans: &'a SpanReader<'a, 's>,
        definitions: &'a Definitions,
    ) -> Self {
        Self {
            text,
            spans,
            definitions,
            around: Vec::new(),
            field: None,
        }
    }

    /// Adds what the dump says.
    pub fn read(mut self, dump: &'t str, verdicts: &mut Verdicts) {
        for line in dump.lines() {
            let text = line.trim_start();
            self.read_line(line.len() - text.len(), text.trim_end(), verdicts);
        }
    }

    fn read_line(&mut self, indent: usize, line: &'t str, verdicts: &mut Verdicts) {
        if let Some(ty) = line.strip_prefix("ty: ") {
            self.around.retain(|around| around.indent < indent);
            let span = "";
            self.around.push(Around { indent, ty, span });
            self.finish_field(ty, verdicts);
        } else if let Some(span) = line.strip_prefix("span: ") {
            let around = self.around.last_mut();
            if let Some(around) = around.filter(|around| around.indent == indent) {
                around.span = span;
                let ty = around.ty.strip_prefix("FnDef(");
                ty.and_then(|ty| self.add_function(ty, span, verdicts));
            }
        } else if line == "Field {" {
            let span = self.around.last().map_or("", |around| around.span);
            self.field = Some(Field { span, index: None });
        } else if let Some(index) = line.strip_prefix("name: ") {
            if let Some(field) = &mut self.field {
                field.index = index.parse().ok();
            }
        } else if let Some(constant) = line.strip_prefix("def_id: ") {
            let span = self.around.last().map_or("", |around| around.span);
            self.add_function(constant, span, verdicts);
        }
    }

    /// A function or constant that the last word of a range names.
    fn add_function(&self, id: &str, span: &str, verdicts: &mut Verdicts) -> Option<()> {
        let end = id.find(')')?;
        let (meaning, path) = match definition(&id[..=end])? {
            AnyDef::Local(index, path) => (self.definitions.meaning(index)?, path),
            AnyDef::Foreign => (Meaning::Outside, id[..end].split_once("]::")?.1),
        };
        let path = path.trim_end_matches("::{constructor#0}");
        let (_, name) = path.rsplit_once("::").unwrap_or(("", path));
        let place = self.last_word(span, name)?;
        verdicts.add(place, meaning);
        Some(())
    }

    /// The last name in a range, before generic arguments, if it is spelled so.
    fn last_word(&self, span: &str, name: &str) -> Option<Place> {
        let span = self.spans.read(span)?;
        let tokens = self.text.tokens(span.file, &span.range);
        let mut depth = 0_i32;
        for piece in tokens.iter().rev() {
            match piece.text {
                ">" => depth += 1,
                ">>" => depth += 2,
                "<" => depth -= 1,
                "<<" => depth -= 2,
                "::" => {}
                _ if depth > 0 => {}
                _ => {
                    let (file, at) = (span.file, piece.at);
                    return (piece.name() == name).then_some(Place { file, at });
                }
            }
        }
        None
    }

    fn finish_field(&mut self, left: &str, verdicts: &mut Verdicts) -> Option<()> {
        let field = self.field.take()?;
        let path = left.split(['<', ' ']).next()?;
        let (name, meaning) = self.definitions.field_of_path(path, field.index?)?;
        let place = self.last_word(field.span, name)?;
        verdicts.add(place, meaning);
        Some(())
    }
}
