//! Commands about the cache that is kept across jobs: figures, removal, and whether it can be read. A running
//! daemon does that itself, as it has the store open.

use crate::builds::Builds;
use crate::error::one_line;
use crate::home::Home;
use crate::job::Asked;
use crate::store::{OpenError, SledStore};
use reduce_protocol::{CacheCommand, CacheReply, CacheStats, Pruned, Verified};

/// Carries out a command about the cache in this process, where no daemon runs.
///
/// # Errors
/// Where the store cannot be opened, as when another process has it open.
pub fn look_after(home: &Home, command: &CacheCommand) -> Result<CacheReply, OpenError> {
    home.protect()?;
    let opened = SledStore::open(&home.store())?;
    Ok(follow(&opened.store, &Builds::new(home), None, command))
}

/// Carries out a command about the cache, and returns the answer. `asked` is what the jobs of the daemon have asked, if one runs.
pub(crate) fn follow(
    store: &SledStore,
    builds: &Builds,
    asked: Option<Asked>,
    command: &CacheCommand,
) -> CacheReply {
    let followed = match command {
        CacheCommand::Stats => stats(store, builds, asked).map(CacheReply::Stats),
        CacheCommand::Prune(prune) => {
            let forgotten = match prune.verdicts {
                true => store.forget_verdicts(),
                false => Ok(0),
            };
            forgotten.map(|verdicts| {
                let pruned = builds.prune(prune);
                CacheReply::Pruned(Pruned { verdicts, ..pruned })
            })
        }
        CacheCommand::Verify => verify(store).map(CacheReply::Verified),
    };
    followed.unwrap_or_else(|error| CacheReply::Failed(one_line(&error)))
}

fn stats(store: &SledStore, builds: &Builds, asked: Option<Asked>) -> sled::Result<CacheStats> {
    let (n_builds, build_bytes) = builds.sizes();
    let checkpoints = store.look_at_checkpoints()?;
    Ok(CacheStats {
        verdicts: store.count_verdicts(),
        store_bytes: store.size_on_disk()?,
        checkpoints: checkpoints.readable + checkpoints.unreadable,
        builds: n_builds,
        build_bytes,
        hits: asked.map(|asked| asked.cache_hits),
        queries: asked.map(|asked| asked.queries),
    })
}

fn verify(store: &SledStore) -> sled::Result<Verified> {
    let (verdicts, checkpoints) = (store.look_at_verdicts()?, store.look_at_checkpoints()?);
    Ok(Verified {
        verdicts: verdicts.readable,
        bad_verdicts: verdicts.unreadable,
        checkpoints: checkpoints.readable,
        bad_checkpoints: checkpoints.unreadable,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;
    use reduce_engine::{Store, Verdict};
    use reduce_protocol::Prune;

    fn home() -> (tempfile::TempDir, Home) {
        let temp = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::from_path_buf(temp.path().join("base")).unwrap();
        (temp, Home::at(base))
    }

    #[test]
    fn without_a_daemon_the_store_is_opened_counted_and_emptied() {
        let (_temp, home) = home();
        home.protect().unwrap();
        let store = SledStore::open(&home.store()).unwrap().store;
        for number in 0..3 {
            store
                .keep_verdict(&[number; 32], &Verdict::Compiles)
                .unwrap();
        }
        let stats = |home: &Home| match look_after(home, &CacheCommand::Stats) {
            Ok(CacheReply::Stats(stats)) => stats,
            other => panic!("{other:?}"),
        };
        assert!(matches!(
            look_after(&home, &CacheCommand::Stats),
            Err(OpenError::Locked { .. })
        ));
        drop(store);
        let before = stats(&home);
        assert_eq!((before.verdicts, before.hits), (3, None));
        assert!(before.store_bytes > 0);
        let verified = look_after(&home, &CacheCommand::Verify).unwrap();
        let Verified {
            verdicts,
            bad_verdicts,
            ..
        } = match verified {
            CacheReply::Verified(verified) => verified,
            other => panic!("{other:?}"),
        };
        assert_eq!((verdicts, bad_verdicts), (3, 0));
        let prune = Prune {
            verdicts: true,
            ..Prune::default()
        };
        let pruned = look_after(&home, &CacheCommand::Prune(prune)).unwrap();
        assert!(matches!(
            pruned,
            CacheReply::Pruned(Pruned { verdicts: 3, .. })
        ));
        assert_eq!(stats(&home).verdicts, 0);
    }
}
