trait Priority {}

struct Heap<P>(P);

impl<P: Priority> Heap<P> {
    fn push(&self) {}
}

fn hottest(heap: Heap<u8>) {
    heap.push();
}
