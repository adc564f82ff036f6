use indextree::Arena;

#[test]
fn the_words_of_each_chapter_are_counted() {
    let mut arena = Arena::new();
    let root = arena.new_node(0);
    let water = root.append_value(4, &mut arena);
    root.append_value(13, &mut arena);
    let words: i32 = water.descendants(&arena).map(|id| *arena[id].get()).sum();
    assert_eq!(words, 4);
}
