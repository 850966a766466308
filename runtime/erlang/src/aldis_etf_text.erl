%% @doc Whether bytes are UTF-8.
-module(aldis_etf_text).

-export([valid/1]).

%% Beyond this size, the VM's own conversion is faster than matching characters, in spite of its copy.
-define(SHORT, 64).

%% @doc Whether a binary is UTF-8 as RFC 3629 has it: no surrogates, no overlong forms, nothing beyond U+10FFFF.
%% ASCII takes no memory, other text as much as its size, for a moment.
-spec valid(binary()) -> boolean().
valid(Bin) when byte_size(Bin) =< ?SHORT -> short(Bin);
valid(Bin) -> long(Bin).

short(<<Word:32, Rest/binary>>) when Word band 16#80808080 =:= 0 -> short(Rest);
short(<<_/utf8, Rest/binary>>) -> short(Rest);
short(<<>>) -> true;
short(_) -> false.

long(<<A:32, B:32, C:32, D:32, Rest/binary>>) when (A bor B bor C bor D) band 16#80808080 =:= 0 -> long(Rest);
long(<<Rest/binary>>) when byte_size(Rest) > ?SHORT -> is_binary(unicode:characters_to_binary(Rest));
long(<<Rest/binary>>) -> short(Rest).
