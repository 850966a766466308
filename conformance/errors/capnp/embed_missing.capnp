@0xa1c0ffee000000aa;

const logo :Data = embed "logo.png";
