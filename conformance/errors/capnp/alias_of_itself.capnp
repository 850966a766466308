@0xa1c0ffee000000aa;

using Money = Cash;
using Cash = Money;
