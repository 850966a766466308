%% @doc Uuids: 16 octets in the order of their text.
-module(aldis_uuid).

-export([to_text/1, from_text/1, v1/0, v4/0]).

-type uuid() :: aldis:uuid().

%% 100-nanosecond steps from 1582-10-15, where uuid time begins, to 1970-01-01.
-define(EPOCH, 122192928000000000).

%% @doc The 36 characters of a uuid, lower case.
-spec to_text(uuid()) -> binary().
to_text(<<A:32, B:16, C:16, D:16, E:48>>) ->
    iolist_to_binary([hex(A, 8), $-, hex(B, 4), $-, hex(C, 4), $-, hex(D, 4), $-, hex(E, 12)]).

hex(Number, Digits) ->
    string:to_lower(string:right(integer_to_list(Number, 16), Digits, $0)).

%% @doc The octets of a uuid's text, in either case.
-spec from_text(binary()) -> {ok, uuid()} | error.
from_text(<<A:8/binary, $-, B:4/binary, $-, C:4/binary, $-, D:4/binary, $-, E:12/binary>>) ->
    octets(<<A/binary, B/binary, C/binary, D/binary, E/binary>>);
from_text(_) -> error.

octets(Hex) ->
    case [Digit || <<Digit>> <= Hex, not is_hex(Digit)] of
        [] -> {ok, <<(binary_to_integer(Hex, 16)):128>>};
        _ -> error
    end.

is_hex(C) -> (C >= $0 andalso C =< $9) orelse (C >= $a andalso C =< $f) orelse (C >= $A andalso C =< $F).

%% @doc A random uuid.
-spec v4() -> uuid().
v4() ->
    <<A:48, _:4, B:12, _:2, C:62>> = rand:bytes(16),
    <<A:48, 4:4, B:12, 2:2, C:62>>.

%% @doc A uuid of the present time and a random node.
-spec v1() -> uuid().
v1() ->
    Time = erlang:system_time(nanosecond) div 100 + ?EPOCH,
    <<High:12, Mid:16, Low:32>> = <<Time:60>>,
    <<Sequence:14, Node:40, _:10>> = rand:bytes(8),
    %% The lowest bit of the first octet says that the node is no network address.
    <<Low:32, Mid:16, 1:4, High:12, 2:2, Sequence:14, 1:8, Node:40>>.
