@0xa1c0ffee000000aa;

const bytes :Data = 0x"00 f";
