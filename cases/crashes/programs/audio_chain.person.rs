trait Stage {
    type Input;
}

impl Stage for () {
    type Input = i8;
}

fn then(_: impl Stage<Input = u8>) {}

fn telephone() {
    then(());
}
