%% @doc JSON whose objects leave out nulls, whose unions are whichever of their members is there, and whose integers of
%% 64 bits are strings; keys that mean nothing are passed over. The terms are those of {@link aldis_json}.
%%
%% An object may hold members of several records and unions. Those are read from one map of its members, each with a
%% prefix that its members' names begin with.
-module(aldis_json_sparse).

-export([object/1, unknown/2, byte_array/2, hex/2]).
-export([fields/4, members/3, deeper/1, given/3, told/5]).
-export([to_integer/4, to_float32/2, to_float64/2, to_byte_array/2, to_hex/2]).

-define(DEPTH, 64).

-type path() :: aldis_fault:path().
-type json() :: aldis_json:json().

%%% Values to text

%% @doc An object of members that are text by now; those that are left out are `[]'.
-spec object([iodata()]) -> iodata().
object(Members) -> [${, lists:join($,, [Member || Member <- Members, Member =/= []]), $}].

%% @doc An arm that the schema does not know has no member.
-spec unknown(term(), path()) -> [].
unknown(Tag, Path) ->
    _ = aldis_words:tag(Tag, Path),
    [].

%% @doc Bytes as an array of numbers.
-spec byte_array(term(), path()) -> iodata().
byte_array(Value, Path) ->
    [$[, lists:join($,, [integer_to_binary(Byte) || <<Byte>> <= aldis_text:bytes(Value, Path)]), $]].

%% @doc Bytes as a string of digits, two each.
-spec hex(term(), path()) -> iodata().
hex(Value, Path) -> [$", [[digit(Byte bsr 4), digit(Byte band 15)] || <<Byte>> <= aldis_text:bytes(Value, Path)], $"].

digit(D) when D < 10 -> $0 + D;
digit(D) -> $a + D - 10.

%%% Terms to values

%% @doc The members of an object in the order of `Keys', `missing' where there is none. In place of a key there may be a
%% list of keys of which one may be there; it comes with its member. Other members are passed over, if they do not nest
%% too deep.
-spec fields(json(), [binary() | [binary()]], pos_integer(), path()) -> [json() | missing | {binary(), json()}].
fields({Members}, Keys, Depth, Path) ->
    aldis_json:take(length(Keys), Path),
    Map = maps:from_list(Members),
    Known = lists:flatten(Keys),
    maps:foreach(fun(Key, Value) -> skip(Value, ?DEPTH - Depth, [Key | Path]) end, maps:without(Known, Map)),
    [member(Key, Map, Path) || Key <- Keys];
fields(_, _, _, Path) -> aldis_json:bad_json(Path).

member(Key, Map, _) when is_binary(Key) -> maps:get(Key, Map, missing);
member(Keys, Map, Path) ->
    case [{Key, maps:get(Key, Map)} || Key <- Keys, is_map_key(Key, Map)] of
        [] -> missing;
        [Member] -> Member;
        [_, {Second, _} | _] -> aldis_json:bad_json([Second | Path])
    end.

%% @doc All members of an object, none of which may nest too deep.
-spec members(json(), non_neg_integer(), path()) -> #{binary() => json()}.
members({Members}, Depth, Path) ->
    lists:foreach(fun({Key, Value}) -> skip(Value, ?DEPTH - Depth, [Key | Path]) end, Members),
    maps:from_list(Members);
members(_, _, Path) -> aldis_json:bad_json(Path).

%% @doc Whether what is in a record of this depth may hold another.
-spec deeper(pos_integer()) -> boolean().
deeper(Depth) -> Depth < ?DEPTH.

%% @doc The value that `Read' makes of the one name that is given; `missing' where none is.
-spec given([{binary(), boolean()}], fun((binary()) -> Arm), path()) -> Arm | missing.
given(Names, Read, Path) ->
    case [Name || {Name, true} <- Names] of
        [] -> missing;
        [Name] -> Read(Name);
        % A fault in the members themselves is told first.
        [First, Second | _] ->
            _ = Read(First),
            _ = Read(Second),
            aldis_json:bad_json([Second | Path])
    end.

%% @doc The value that `ReadTold' makes of the name that the object tells; as {@link given/3} where it tells none.
-spec told(json() | missing, fun((binary()) -> Arm), [{binary(), boolean()}], fun((binary()) -> Arm), path()) ->
    Arm | missing.
told(missing, _, Names, Read, Path) -> given(Names, Read, Path);
told(Name, ReadTold, Names, _, Path) ->
    case lists:keymember(Name, 1, Names) of
        true -> ReadTold(Name);
        false -> aldis_json:bad_json(Path)
    end.

skip({_}, 0, Path) -> too_deep(Path);
skip(List, 0, Path) when is_list(List) -> too_deep(Path);
skip({number, _}, _, _) -> ok;
skip({Members}, Depth, Path) -> lists:foreach(fun({_, Value}) -> skip(Value, Depth - 1, Path) end, Members);
skip(List, Depth, Path) when is_list(List) -> lists:foreach(fun(Value) -> skip(Value, Depth - 1, Path) end, List);
skip(_, _, _) -> ok.

-spec too_deep(path()) -> no_return().
too_deep(Path) -> aldis_fault:raise(too_deep, none, Path).

%% @doc An integer, or a string of its digits.
-spec to_integer(json(), integer(), integer(), path()) -> integer().
to_integer(<<First, _/binary>> = Text, Min, Max, Path) when First =:= $-; First >= $0, First =< $9 ->
    try aldis_json:decode(Text) of
        % Space behind a number is JSON's, not the string's.
        Number -> binary:last(Text) =< $  andalso aldis_json:bad_json(Path), aldis_json:to_integer(Number, Min, Max, Path)
    catch
        throw:{aldis_fault, bad_json, _, _} -> aldis_json:bad_json(Path)
    end;
to_integer(Text, _, _, Path) when is_binary(Text) -> aldis_json:bad_json(Path);
to_integer(Json, Min, Max, Path) -> aldis_json:to_integer(Json, Min, Max, Path).

%% @doc A float of 32 bits, NaN and infinities as strings, null as NaN.
-spec to_float32(json(), path()) -> aldis:real().
to_float32(null, _) -> nan;
to_float32(Json, Path) -> aldis_json:to_any_float32(Json, Path).

%% @doc A float of 64 bits, NaN and infinities as strings, null as NaN.
-spec to_float64(json(), path()) -> aldis:real().
to_float64(null, _) -> nan;
to_float64(Json, Path) -> aldis_json:to_any_float64(Json, Path).

%% @doc Bytes from an array of numbers.
-spec to_byte_array(json(), path()) -> binary().
to_byte_array(Json, Path) ->
    list_to_binary(aldis_json:to_list(Json, Path, fun(Byte, At) -> to_integer(Byte, 0, 255, At) end)).

%% @doc Bytes from a string of digits, two each.
-spec to_hex(json(), path()) -> binary().
to_hex(Text, Path) when is_binary(Text), byte_size(Text) rem 2 =:= 0 ->
    << <<(value(High, Path) bsl 4 bor value(Low, Path))>> || <<High, Low>> <= Text >>;
to_hex(_, Path) -> aldis_json:bad_json(Path).

value(D, _) when D >= $0, D =< $9 -> D - $0;
value(D, _) when D >= $a, D =< $f -> D - $a + 10;
value(D, _) when D >= $A, D =< $F -> D - $A + 10;
value(_, Path) -> aldis_json:bad_json(Path).
