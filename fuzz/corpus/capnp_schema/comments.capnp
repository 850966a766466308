# before the id
@0xa1c0ffee00000093; # behind the id
# and below it

# not this

struct A { # on the brace's line
  # below the brace
  #indented less
  #   indented more
  #
  # after an empty one
  #

  a @0 :Int8; # on its line
  b @1 :Int8;
  # below

  # not this
  c @2 :Int8;

  # not this: a blank line
  u :union { # of u
    # more of u
    d @3 :Int8;
    # of d
    e @4 :Int8;
  }
  g :group { f @5 :Int8; } # of g
  h @6 :Int8; i @7 :Int8; # of i
  union {
    # of the union
    j @8 :Int8;
    k @9 :Int8;
    # of k
  }
}
# of A, if the brace had none

struct B { a @0 :Int8; }
# of B

enum E { x @0; # of x
  y @1;
  # of y
}
# of E

interface I { # of I
  m @0 (a :Int8, # of nothing
        b :Int8) -> (c :Int8);
  # of m
  n @1 ();
}

const c :Int8 = 1; # of c
annotation t (*) :Void; # of t
using X = A; # of X

struct C {} # of C
