struct Order {
  price @0 :Int32;
}
