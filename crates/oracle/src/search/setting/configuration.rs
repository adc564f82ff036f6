//! The configuration files of tools such as clippy and rustfmt.

use crate::error::OracleError;
use crate::plan::Plan;
use crate::system::files;
use camino::Utf8Path;

/// The plan with the configuration file that a tool finds beside the program or above, or `near` the
/// user. One from outside the tree is copied to the top of it.
pub(crate) fn with_file_near(
    mut plan: Plan,
    names: &[&str],
    near: &Utf8Path,
) -> Result<Plan, OracleError> {
    let find = |dir: &Utf8Path| {
        let candidates = names.iter().map(|name| dir.join(name));
        candidates.into_iter().find(|path| path.is_file())
    };
    let root = plan.inputs.tree.join(&plan.call.root);
    let inside = root
        .ancestors()
        .skip(1)
        .take_while(|dir| dir.starts_with(&plan.inputs.tree));
    if let Some(found) = inside.filter_map(find).next() {
        let inner = found
            .strip_prefix(&plan.inputs.tree)
            .map(Utf8Path::to_owned);
        plan.inputs.files.extend(inner.ok());
        return Ok(plan);
    }
    let found = near.ancestors().filter_map(find).next();
    let named = found
        .as_deref()
        .and_then(|path| Some((path, path.file_name()?)));
    if let Some((from, name)) = named {
        files::copy(from, &plan.inputs.tree.join(name))?;
        plan.inputs.files.insert(name.into());
    }
    Ok(plan)
}
