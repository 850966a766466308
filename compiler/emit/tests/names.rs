//! Case styles and scopes.

use aldis_emit::names::{camel, capital, pascal, snake, upper_snake, words, Scope};
use std::sync::Arc;

#[test]
fn words_are_found_in_every_style() {
    for name in ["maxOrderId", "MaxOrderId", "max_order_id", "MAX_ORDER_ID", "max-order id", "MaxORDERId"] {
        assert_eq!(words(name), ["max", "order", "id"], "{name}");
    }
    assert_eq!(words("side2Bid"), ["side2", "bid"]);
    assert_eq!(words("_"), [""; 0]);
}

#[test]
fn styles() {
    assert_eq!(pascal("max_order_id"), "MaxOrderId");
    assert_eq!(camel("MaxOrderID"), "maxOrderId");
    assert_eq!(snake("HTTPServer"), "http_server");
    assert_eq!(upper_snake("tradeId"), "TRADE_ID");
    assert_eq!(capital("éa_b"), "Éa_b");
}

#[test]
fn a_name_has_one_owner() {
    let mut scope = Scope::new(["end"], "keyword");
    assert_eq!(scope.claim("A_b", "A.b"), Ok(()));
    assert_eq!(scope.claim("A_b", "A_b"), Err("A.b"));
    assert_eq!(scope.claim("end", "end"), Err("keyword"));
    assert_eq!(scope.owner("A_b"), Some(&"A.b"));
}

#[test]
fn fresh_names_are_numbered_in_order() {
    let mut scope = Scope::new(["x"], ());
    assert_eq!(scope.fresh("x", ()), "x_2");
    assert_eq!(scope.fresh("x", ()), "x_3");
    assert_eq!(scope.fresh("y", ()), "y");
}

#[test]
fn names_of_an_outer_scope_are_taken_within_it() {
    let mut outer = Scope::new(["x"], "outer");
    outer.fresh("x", "outer");
    let mut inner = Scope::within(&Arc::new(outer));
    assert_eq!(inner.fresh("x", "inner"), "x_3");
    assert_eq!(inner.claim("x_2", "inner"), Err("outer"));
    assert_eq!(inner.owner("x_3"), Some(&"inner"));
}
