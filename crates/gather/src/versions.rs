//! Writes two versions of a program as one text: elements of one version alone have `#[cfg(before)]` or `#[cfg(after)]`, and all
//! others are common. Compiled with `--cfg before` it is the one version, with `--cfg after` the other.
//!
//! `nodes` reads a text as lists of what may carry an attribute, `alignment` says which elements of two lists
//! belong to each other, and `joined` makes one text of two. `projection` takes a version out of the text again,
//! `names` gives the versions other names, `narrowed` leaves out parts of the difference, `difference` compares what changes with what once
//! changed, and `unified` shows it.
//!
//! Attributes on expressions are unstable, so an expression that differs stands in a block with the attribute:
//! what ends a block, a condition, and a statement whose first operand would get the attribute. All else that cannot have an attribute is taken one
//! level up.
//!
//! See docs/decisions/incremental.md.

mod alignment;
mod difference;
mod joined;
mod names;
mod narrowed;
mod nodes;
mod projection;
mod unified;

pub use difference::Difference;
pub use joined::two_versions;
pub use names::with_other_names;
pub use narrowed::{narrowed, places_of_difference};
pub use projection::version_of;
pub use unified::unified_difference;

/// One of the two versions in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first version.
    Before,
    /// The second version.
    After,
}

impl Side {
    /// Both versions, in their order.
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    /// Returns the `cfg` name under which this version is compiled.
    #[must_use]
    pub fn cfg(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }

    /// Returns the attribute of elements that only this version has, such as `#[cfg(before)]`.
    fn attribute(self) -> String {
        format!("#[cfg({})]", self.cfg())
    }
}

#[cfg(test)]
mod tests;
