@0xd1a94dbf0c3be2c7;
# Records that take much more memory than they need bytes.

struct Wide {
  text0 @0 :Text;
  text1 @1 :Text;
  text2 @2 :Text;
  text3 @3 :Text;
  text4 @4 :Text;
  text5 @5 :Text;
  text6 @6 :Text;
  text7 @7 :Text;
  text8 @8 :Text;
  text9 @9 :Text;
  text10 @10 :Text;
  text11 @11 :Text;
  text12 @12 :Text;
  text13 @13 :Text;
  text14 @14 :Text;
  text15 @15 :Text;
  inner @16 :Wide;
}

struct Lists {
  records @0 :List(Wide);
  many @1 :List(List(Wide));
}
