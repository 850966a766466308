@0xd4f12b9e6a7c3581;

struct Parcel {
  weight​ @0 :Float64;
}
