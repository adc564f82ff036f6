use hashlink::LruCache;

#[test]
fn a_low_battery_leaves_only_the_tiles_on_screen() {
    let mut cache = LruCache::new(12);
    for tile in ["5/3/9", "5/4/9", "5/5/9", "5/5/10", "6/6/20", "6/7/20", "5/3/10", "5/4/10"] {
        cache.insert(tile, ());
    }
    cache.set_capacity(2);
    let kept: Vec<_> = cache.iter().map(|(tile, _)| *tile).collect();
    assert_eq!(kept, ["5/3/10", "5/4/10"]);
}
