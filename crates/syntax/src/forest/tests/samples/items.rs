//! A program with modules in modules, items in functions, and syntax that syn takes for tokens.

mod outer {
    #![allow(missing_docs)]

    pub mod inner {
        pub(super) struct Pair<A, B>(pub A, pub B);

        impl<A: Copy, B> Pair<A, B> {
            pub const fn new(a: A, b: B) -> Self { Pair(a, b) }
            fn first(self) -> A { self.0 }
        }
    }

    pub use inner::Pair;

    extern "C" {
        fn puts(text: *const u8, ...) -> i32;
        static ENVIRONMENT: u8;
    }
}

pub async fn fetch<const N: usize, T>(from: [T; N]) -> impl Iterator<Item = T> + Send
where
    T: Send + 'static,
{
    struct Local { at: usize }
    fn advance(local: &mut Local) { local.at += 1; }
    let mut local = Local { at: 0 };
    {
        advance(&mut local);
        { advance(&mut local); local.at = 3 };
    }
    loop {
        if local.at > N { break; }
        advance(&mut local);
    }
    from.into_iter().map(move |one| (one)).filter(|_| true)
}

macro_rules! count {
    () => { 0 };
    ($first:tt $($rest:tt)*) => { 1 + count!($($rest)*) };
}

thread_local! {
    static LOCAL: std::cell::Cell<u8> = std::cell::Cell::new(count!(a b c));
}

union Bits { int: u32, float: f32 }

fn main() {
    let n = outer::Pair::new(1, "two").first();
    let limit = const { 1 + 2 };
    assert_eq!(n, 1, "not {}", n);
    match n { 1 | 2 => {} 3..=4 if n != 3 => return, other @ 5.. => drop(other), _ => unreachable!() }
}
