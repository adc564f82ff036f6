//! The packages that the workspace's lock file pins, for tests on real crates.

use camino::Utf8Path;
use cargo_metadata::{Metadata, MetadataCommand};

/// The metadata of cargo about the workspace that the test's own crate is in: the crate is in
/// `crates/`.
pub(crate) fn metadata() -> Metadata {
    let workspace = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    MetadataCommand::new()
        .manifest_path(workspace)
        .other_options([
            "--locked".to_owned(),
            "--offline".to_owned(),
            format!(
                "--filter-platform={}-unknown-linux-gnu",
                std::env::consts::ARCH
            ),
        ])
        .exec()
        .expect("cargo knows this workspace")
}
