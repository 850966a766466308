@0xa1c0ffee000000aa;

annotation unit (field, field) :Text;
