@0xa1c0ffee000000aa;

interface Desk extends(Market) {}

interface Market extends(Desk) {}
