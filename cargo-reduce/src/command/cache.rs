//! `cargo reduce cache stats|prune|verify`: what is kept across jobs. A daemon that runs has the store
//! open, and does it itself.

use crate::args::{CacheCommands, MessageFormat};
use crate::context::Context;
use crate::display;
use crate::error::CommandError;
use crate::exit::ExitStatus;
use reduce_daemon::{connect, look_after};
use reduce_engine::Failure;
use reduce_protocol::{CacheCommand, CacheReply, CacheStats, Pruned, Verified};

/// The hint for a user whose command cannot open the store, as another process has it open.
const LOCKED: &[&str] = &["a `cargo reduce --no-daemon` is running: wait for it to end"];

/// Runs the command.
pub(crate) async fn run(
    command: &CacheCommands,
    context: &Context,
    format: MessageFormat,
) -> Result<ExitStatus, CommandError> {
    let command = match command {
        CacheCommands::Stats => CacheCommand::Stats,
        CacheCommands::Verify => CacheCommand::Verify,
        CacheCommands::Prune(args) => {
            let is_nothing = args.older_than.is_none() && args.max_size.is_none() && !args.verdicts;
            if is_nothing {
                return Err(CommandError::bad_input("it was not said what to remove")
                    .hint("`--older-than DAYS` and `--max-size MIB` remove compiled dependencies, `--verdicts` all verdicts"));
            }
            CacheCommand::Prune((*args).into())
        }
    };
    let home = context.home()?;
    let reply = match connect(&home, &context.hello()).await? {
        Some(mut session) => session.look_after_cache(command).await?,
        None => look_after(&home, &command).map_err(|error| error.into_failure(LOCKED))?,
    };
    if let CacheReply::Failed(message) = &reply {
        let failure = Failure::new(reduce_engine::FailureKind::Store, message.clone());
        return Err(failure.into());
    }
    display::data(&match format {
        MessageFormat::Json => display::json_line(&reply),
        MessageFormat::Human => human(&reply),
    });
    Ok(ExitStatus::Reduced)
}

fn human(reply: &CacheReply) -> String {
    match reply {
        CacheReply::Stats(stats) => of_stats(stats),
        CacheReply::Pruned(pruned) => of_pruned(pruned),
        CacheReply::Verified(verified) => of_verified(*verified),
        CacheReply::Failed(message) => format!("{message}\n"),
    }
}

fn of_stats(stats: &CacheStats) -> String {
    let mut text = format!(
        "verdicts: {}\nstore: {}\nunfinished jobs: {}\ncompiled dependencies: {}, {}\n",
        stats.verdicts,
        size(stats.store_bytes),
        stats.checkpoints,
        stats.builds,
        size(stats.build_bytes),
    );
    if let (Some(hits), Some(queries)) = (stats.hits, stats.queries) {
        text += &format!("answered by a known verdict since the daemon started: {hits}\n");
        text += &format!("queries since the daemon started: {queries}\n");
    }
    text
}

fn of_pruned(pruned: &Pruned) -> String {
    let mut text = format!(
        "removed {} directories of compiled dependencies ({}) and {} verdicts\n",
        pruned.builds,
        size(pruned.build_bytes),
        pruned.verdicts
    );
    if pruned.in_use > 0 {
        text += &format!(
            "{} directories stay, as jobs that run may use them; prune again when no job runs\n",
            pruned.in_use
        );
    }
    text
}

fn of_verified(verified: Verified) -> String {
    let Verified {
        verdicts,
        bad_verdicts,
        checkpoints,
        bad_checkpoints,
    } = verified;
    let mut text = format!("read {verdicts} verdicts and the steps of {checkpoints} jobs\n");
    if bad_verdicts + bad_checkpoints > 0 {
        text += &format!(
            "{bad_verdicts} verdicts and the steps of {bad_checkpoints} jobs cannot be read; the \
             compiler is asked again, and the jobs begin anew\n"
        );
    }
    text
}

/// Returns a number of bytes as people read it, such as `1.5 MiB`.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_given_with_their_units() {
        let stats = CacheStats {
            verdicts: 7,
            store_bytes: 2048,
            checkpoints: 1,
            builds: 2,
            build_bytes: 3 << 20,
            hits: Some(5),
            queries: Some(9),
        };
        insta::assert_snapshot!(of_stats(&stats), @"
        verdicts: 7
        store: 2.0 KiB
        unfinished jobs: 1
        compiled dependencies: 2, 3.0 MiB
        answered by a known verdict since the daemon started: 5
        queries since the daemon started: 9
        ");
    }

    #[test]
    fn what_stays_or_cannot_be_read_is_said() {
        let pruned = Pruned {
            in_use: 2,
            ..Pruned::default()
        };
        assert!(of_pruned(&pruned).contains("2 directories stay"));
        assert!(!of_pruned(&Pruned::default()).contains("stay"));
        let bad = Verified {
            bad_verdicts: 1,
            ..Verified::default()
        };
        assert!(of_verified(bad).contains("1 verdicts"));
        assert!(!of_verified(Verified::default()).contains("cannot"));
    }
}
