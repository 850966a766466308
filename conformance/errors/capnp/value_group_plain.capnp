@0xa1c0ffee000000aa;

struct Order {
  price :group {
    value @0 :Text;
  }
}

const order :Order = (price = 5);
