//! Makes the arguments and variables of a compiler call for a single file.

use crate::compiler::args;
use crate::compiler::target::FileInput;
use crate::error::OracleError;
use crate::search::context::{BaselineContext, environment};
use crate::system::files;
use std::collections::BTreeMap;

/// Returns the arguments of the compiler for a single file, without the path of the file.
pub(super) fn args_of(
    input: &FileInput,
    context: &BaselineContext<'_>,
) -> Result<Vec<String>, OracleError> {
    let mut args = vec![];
    args.extend(
        input
            .edition
            .iter()
            .map(|edition| format!("--edition={edition}")),
    );
    args.extend(
        input
            .target_triple
            .iter()
            .map(|triple| format!("--target={triple}")),
    );
    for arg in &input.rustc_args {
        match arg.strip_prefix('@') {
            Some(list) => {
                let list = files::read(&context.user.cwd.join(list))?;
                args.extend(list.lines().map(str::to_owned));
            }
            None => args.push(arg.clone()),
        }
    }
    let args = args::with_absolute_paths(&args, &context.user.cwd);
    Ok(args::without_output(&args))
}

/// Returns the user's variables that the compiler sees, with the variables of the input in place of those of the same
/// name. `named` are those that the program reads.
pub(super) fn environment_of(
    input: &FileInput,
    named: &[String],
    context: &BaselineContext<'_>,
) -> BTreeMap<String, String> {
    let mut vars = context.user.vars.clone();
    for (name, value) in &input.env {
        match value {
            Some(value) => vars.insert(name.clone(), value.clone()),
            None => vars.remove(name),
        };
    }
    let own = input.env.keys().cloned();
    let named: Vec<String> = named.iter().cloned().chain(own).collect();
    environment::of_file(&vars, &named)
}
