%% The rules of messages.py in Erlang: the content of a message follows from its producer, epoch and sequence.
-module(torture_messages).

-export([message/3, pattern/0]).

-spec pattern() -> binary().
pattern() -> <<<<(131 * I + 17 * (I bsr 8))>> || I <- lists:seq(0, 65536 + 255)>>.

%% The bytes of a message of a producer that is given with the pattern.
-spec message({Producer :: <<_:128>>, Pattern :: binary()}, non_neg_integer(), pos_integer()) -> binary().
message({Producer, Pattern}, Epoch, Sequence) ->
    Filling = binary:part(Pattern, Sequence band 16#FF, filling(Epoch, Sequence)),
    <<Producer/binary, Epoch:32/little, Sequence:64/little, Filling/binary>>.

filling(Epoch, Sequence) ->
    Mixed = (Sequence + 7919 * Epoch) * 2654435761 band 16#FFFFFFFF,
    case Mixed bsr 24 of
        Kind when Kind < 4 -> Mixed band 16#FFFF;
        Kind when Kind < 128 -> Mixed band 16#3F;
        _ -> Mixed band 16#3FF
    end.
