//! The choice of the compiler that answers queries: one that is loaded already, or one that is
//! started anew.

use crate::context::Context;
use crate::event::Event;
use crate::failure::{Failure, FailureKind};
use crate::request::CompilerChoice;
use reduce_oracle::{OracleError, Plan, WarmCheck, WarmCompiler};

/// The compiler that was chosen for queries.
#[derive(Default)]
pub(crate) struct Chosen {
    /// The warm compiler; without it, one is started for each query.
    pub(crate) warm: Option<WarmCompiler>,
    /// The compiler runs that the choice took.
    pub(crate) runs: u64,
}

/// Chooses the warm compiler, if the user wants it and it gives the same answers as one that is
/// started anew. If it does not, the user is told why, once.
///
/// # Errors
/// Where the compiler cannot be asked at all, or the user wants the warm one and nothing else.
pub(crate) fn choose(context: &Context<'_>, plan: &Plan) -> Result<Chosen, Failure> {
    let choice = context.request.compiler;
    // A fork uses other amounts of time and memory than a process that is started anew; where a
    // command is run, no compiler is asked by us.
    let asks_anew = plan.is_measured() || plan.runs_command();
    if choice == CompilerChoice::Spawn || asks_anew {
        return Ok(Chosen::default());
    }
    let what = "checking the warm compiler".to_owned();
    (context.emit)(Event::Preparing { what });
    let (warm, WarmCheck { objection, runs }) = try_warm(context, plan)?;
    let Some(objection) = objection else {
        return Ok(Chosen { warm, runs });
    };
    if choice == CompilerChoice::Warm {
        let message = format!("failed to use the warm compiler: {objection}");
        let hint = "leave out `--compiler warm`: the compiler is then started for each query";
        return Err(Failure::new(FailureKind::CompilerMissing, message).hint(hint));
    }
    let message = format!("the warm compiler is not used, queries take longer: {objection}");
    (context.emit)(Event::Warning { message });
    Ok(Chosen { warm: None, runs })
}

/// Makes ready what programs are forked by before a warm compiler is chosen; `None` where the user wants all processes started
/// anew, or the system has no forks.
///
/// # Errors
/// Where it cannot be written.
pub(crate) fn for_programs(context: &Context<'_>) -> Result<Option<WarmCompiler>, OracleError> {
    match context.request.compiler {
        CompilerChoice::Spawn => Ok(None),
        _ => WarmCompiler::install(&context.site.scratch.join("forks")),
    }
}

fn try_warm(
    context: &Context<'_>,
    plan: &Plan,
) -> Result<(Option<WarmCompiler>, WarmCheck), OracleError> {
    let scratch = &context.site.scratch;
    let Some(compiler) = WarmCompiler::install(scratch)? else {
        let objection = "it is written for Linux on x86_64 with the GNU C library";
        let check = WarmCheck {
            objection: Some(objection.to_owned()),
            runs: 0,
        };
        return Ok((None, check));
    };
    let mut check = compiler.check(plan, scratch, context.cancel)?;
    let mut serves_companions = check.objection.is_none();
    for companion in plan.companion_plans() {
        // A companion's compiler that cannot be warm is started anew, and the plan's own stays warm.
        if serves_companions {
            let other = compiler.check(&companion, scratch, context.cancel)?;
            check.runs += other.runs;
            serves_companions = other.objection.is_none();
        }
    }
    let compiler = match serves_companions {
        true => compiler.for_companions(),
        false => compiler,
    };
    Ok((Some(compiler), check))
}
