use std::collections::BTreeMap;

struct Tz;

fn announce(mut by_zone: BTreeMap<Tz, ()>) {
    by_zone.entry(Tz);
}
