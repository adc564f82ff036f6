//! The type of an expression, as far as it is known.

use crate::ids::DefId;
use std::rc::Rc;

/// The type of an expression, as far as it is known. References are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Typed {
    /// A type of the crate, with its arguments as far as they are known; a trait or a parameter
    /// stands for whatever has it.
    Own(DefId, Rc<[Self]>),
    /// A type that is known by several traits of the crate.
    Bounds(Vec<DefId>),
    /// An option, a result, a sequence or an iterator of something.
    Holder(Rc<Self>),
    /// A raw pointer.
    Pointer(Rc<Self>),
    /// A tuple.
    Tuple(Rc<[Self]>),
    /// Another type of another crate, with its arguments, as any of which it may be used.
    Guard(Rc<[Self]>),
    /// Another type of another crate or of the language.
    Outside,
    Unknown,
}

impl Typed {
    /// Returns whether the type is one of another crate or of the language.
    pub(crate) fn is_outside(&self) -> bool {
        !matches!(
            self,
            Self::Own(..) | Self::Bounds(_) | Self::Guard(_) | Self::Unknown
        )
    }

    pub(crate) fn own(def: DefId) -> Self {
        Self::Own(def, Rc::new([]))
    }
}
