//! Which compiler answers queries: one that is loaded already, or one that is started anew.

use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::reduce::Context;
use crate::request::CompilerChoice;
use reduce_oracle::{OracleError, Plan, WarmCompiler};

/// The warm compiler, if the user wants it and it gives the same answers as one that is started
/// anew. If it does not, the user is told why, once.
///
/// # Errors
/// Where the compiler cannot be asked at all, or the user wants the warm one and nothing else.
pub(crate) fn choose(context: &Context<'_>, plan: &Plan) -> Result<Option<WarmCompiler>, Failure> {
    let choice = context.request.compiler;
    if choice == CompilerChoice::Spawn {
        return Ok(None);
    }
    let what = "checking the warm compiler".to_owned();
    (context.emit)(Event::Preparing { what });
    match (try_warm(context, plan)?, choice) {
        (Ok(compiler), _) => Ok(Some(compiler)),
        (Err(reason), CompilerChoice::Warm) => Err(Failure::new(
            FailureKind::CompilerMissing,
            format!("failed to use the warm compiler: {reason}"),
        )
        .hint("leave out `--compiler warm`: the compiler is then started for each query")),
        (Err(reason), _) => {
            let message = format!("the warm compiler is not used, queries take longer: {reason}");
            (context.emit)(Event::Warning { message });
            Ok(None)
        }
    }
}

/// The warm compiler, or why there is none.
fn try_warm(
    context: &Context<'_>,
    plan: &Plan,
) -> Result<Result<WarmCompiler, String>, OracleError> {
    let scratch = &context.site.scratch;
    let Some(compiler) = WarmCompiler::install(scratch)? else {
        let reason = "it is written for Linux on x86_64 with the GNU C library";
        return Ok(Err(reason.to_owned()));
    };
    let reason = compiler.check(plan, scratch, context.cancel)?;
    Ok(reason.map_or(Ok(compiler), Err))
}
