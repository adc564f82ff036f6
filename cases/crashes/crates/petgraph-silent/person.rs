#![feature(min_specialization)]

trait Load {
    fn load();
}

impl<'n, T: ?Sized> Load for T {
    default fn load() {}
}

impl<'n, N: ?Sized> Load for &'n N {
    fn load() {}
}
