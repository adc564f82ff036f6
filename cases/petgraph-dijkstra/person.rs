use petgraph::algo::dijkstra;
use petgraph::Graph;

#[test]
fn dijk() {
    let mut g = Graph::new_undirected();
    let a = g.add_node(());
    let c = g.add_node(());
    let d = g.add_node(());
    g.add_edge(c, a, 9);
    g.add_edge(a, d, 14);
    g.add_edge(d, c, 2);
    assert_eq!(dijkstra(&g, a, None, |e| *e.weight())[&d], 11);
}
