%% @doc Whether bytes are UTF-8.
-module(aldis_etf_text).

-export([valid/1]).

%% Up to this size, matching is faster than a call of the VM's own loops.
-define(SHORT, 64).
%% Long text goes to the VM's check for ASCII in pieces: it never stops early, nor lets other processes run.
-define(PIECE, 4096).

%% @doc Whether a binary is UTF-8 as RFC 3629 has it: no surrogates, no overlong forms, nothing beyond U+10FFFF.
%% ASCII takes no memory, other text as much as its size, for a moment.
-spec valid(binary()) -> boolean().
valid(Bin) when byte_size(Bin) =< ?SHORT -> short(Bin);
valid(Bin) when byte_size(Bin) =< ?PIECE -> unicode:bin_is_7bit(Bin) orelse other(Bin);
valid(Bin) -> long(Bin).

short(<<Word:32, Rest/binary>>) when Word band 16#80808080 =:= 0 -> short(Rest);
short(<<_/utf8, Rest/binary>>) -> short(Rest);
short(<<>>) -> true;
short(_) -> false.

long(<<Piece:?PIECE/binary, Rest/binary>> = Bin) ->
    case unicode:bin_is_7bit(Piece) of
        true -> long(Rest);
        false -> other(Bin)
    end;
long(Bin) -> unicode:bin_is_7bit(Bin) orelse other(Bin).

%% The VM has no check of UTF-8 that makes nothing; this one is quicker than matching characters, in spite of its copy.
other(Bin) -> is_binary(unicode:characters_to_binary(Bin)).
