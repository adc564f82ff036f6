#![feature(generic_const_exprs)]

trait Rank {
    const RANK: usize;
}

trait Explain {
    fn explain(self);
}

impl<P: Rank> Explain for P
where
    [(); P::RANK]: Sized,
{
    fn explain(self) {}
}

struct Choice;

impl Explain for Choice {
    fn explain(self) {
        Box::new(self).explain();
    }
}
