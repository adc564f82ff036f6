fn roll_call(members: Vec<u8>) {
    for member in members {}
    members.len();
}
