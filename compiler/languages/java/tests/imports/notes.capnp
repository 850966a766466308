# A record that has pointers and nothing else.
@0xf0c1a9be32d74a04;

struct Note {
  text @0 :Text;
}
