trait Serialize {
    fn serialize(&self) {}
}

struct Etagged;

fn digest() {
    Serialize::serialize(&Etagged);
}
