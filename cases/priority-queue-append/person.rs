use priority_queue::PriorityQueue;

#[test]
fn patients_of_two_rooms_are_seen_in_order() {
    let mut east: PriorityQueue<_, _> = [("ann", 1), ("bob", 1), ("cy", 1)].into_iter().collect();
    let mut west = PriorityQueue::new();
    west.push("flo", 2);
    east.append(&mut west);
    assert_eq!(east.pop(), Some(("flo", 2)));
}
