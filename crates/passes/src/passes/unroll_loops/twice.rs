//! Unrolls a loop over two values: the body stands twice, with the values in place of the loop's variable.

use super::{PlainLoop, lists, names};
use crate::passes::functions::name_place;
use crate::program::Place;
use reduce_syntax::EditSet;
use syn::Pat;

impl PlainLoop<'_> {
    /// Puts the body twice in place of the loop: `for x in [1, 2] { b(x); }` becomes `b(1); b(2);`. A
    /// value that is mentioned once has the type that its place asks for, as the name had; the first body
    /// must not see what the second evaluates.
    pub(super) fn twice(&self, elements: [&String; 2]) -> Option<EditSet> {
        let is_same = lists::suffixes(elements[0]) == lists::suffixes(elements[1]);
        let is_plain = elements.iter().all(|one| lists::is_literal_text(one));
        let declared = names::declared_in(&self.looping.body)?;
        (is_same && is_plain && declared.is_empty()).then_some(())?;
        let mention = self.only_mention()?;
        let kept = self.unwrapping().contents(&self.looping.body);
        let with = |value: &str| {
            let mut change = self.program.change();
            if let Some(mention) = &mention {
                change.replace_expr(mention, value);
            }
            change.text(&kept.place)
        };
        let standing = self.standing();
        let [between, end] = [";", standing.end].map(|end| if kept.is_ended { "" } else { end });
        let [first, second] = elements.map(|one| with(one));
        let text = format!("{first}{between} {second}{end}");
        self.program.replaced([&standing.whole], &text)
    }

    /// Returns the place in the loop's body that mentions the loop's element, if one does; `None` if that is not a
    /// single place where a value may stand.
    fn only_mention(&self) -> Option<Option<Place>> {
        let name = match &*self.looping.pat {
            Pat::Wild(_) => return Some(None),
            Pat::Ident(name) if name.mutability.is_none() && name.by_ref.is_none() => &name.ident,
            _ => return None,
        };
        let scope = self.file.place(&self.looping.body);
        match names::mentions(self.program, self.file, name, &scope)?.as_slice() {
            [] => Some(None),
            [one] => {
                let place = name_place(self.program, *one);
                let is_read = self.program.expression_context(&place).is_read();
                is_read.then_some(Some(place))
            }
            _ => None,
        }
    }
}
