mod common;
use common::{build, plans};

#[test]
fn builds() {
    for name in ["edge", "layout", "evolve"] {
        let schema = format!("conformance/vectors/capnp/cgr/{name}.cgr");
        build(&schema, &plans(&schema));
    }
}
