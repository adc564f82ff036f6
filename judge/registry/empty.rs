//! Nothing: this package exists for what it depends on.
