@0xa1c0ffee000000aa;

annotation unit (feild) :Text;
