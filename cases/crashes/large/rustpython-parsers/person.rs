struct TopParser;

#[derive(Debug)]
struct Parsers(TopParser);
