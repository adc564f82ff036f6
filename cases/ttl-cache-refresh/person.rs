extern crate ttl_cache;

use std::thread;
use std::time::Duration;
use ttl_cache::{Entry, TtlCache};

#[test]
fn a_session_that_logs_out_is_gone_after_the_grace_period() {
    let mut cache = TtlCache::new(16);
    cache.insert(2, (), Duration::from_secs(600));
    if let Entry::Occupied(mut entry) = cache.entry(2) {
        entry.insert((), Duration::from_millis(2));
    }
    thread::sleep(Duration::from_millis(8));
    assert_eq!(cache.get(&2), None);
}
