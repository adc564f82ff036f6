trait Lending {
    type Rest<'a>;
}

impl Lending for () {
    type Rest<'a> = ();
}

trait Attempt {
    fn attempt(&self) {}
}

impl<L: Lending> Attempt for fn(L, L::Rest<'_>) {}

fn has_chance<L: Lending>(guess: fn(L, L::Rest<'_>)) {
    &guess as &dyn Attempt;
}

pub fn zeros() {
    has_chance(|(), ()| {});
}
