%% @doc The order of keys in sets and maps: terms whose own order it is.
%%
%% Values of a wrong type get some order; writers refuse them when they come to them.
-module(aldis_order).

-export([values/1, pairs/2, float/1, float32/1, decimal/1, text/1, bytes/1, number/2, signed/3, elements/1, entries/1]).

-compile({no_auto_import, [float/1]}).

-define(MAX_SCALE, 28).

%% @doc The values of `{Key, Value}' pairs in key order; of equal keys the first counts.
-spec values([{term(), Value}]) -> [Value].
values(Keyed) -> [Value || {_, Value} <- lists:ukeysort(1, Keyed)].

%% @doc The pairs of a map, each given behind its key's order, in that order. Equal keys are `bad_value': one of them would
%% be lost.
-spec pairs([{term(), Pair}], aldis_fault:path()) -> [Pair].
pairs(Keyed, Path) ->
    Pairs = values(Keyed),
    length(Pairs) =:= length(Keyed) orelse aldis_check:wrong(Path),
    Pairs.

%% @doc By value; negative zero equals zero, and NaN comes last.
-spec float(term()) -> term().
%% All of one size: smaller tuples come first.
float('-infinity') -> {0, 0.0};
float(infinity) -> {2, 0.0};
float(nan) -> {3, 0.0};
float(Float) -> {1, Float}.

%% @doc As {@link float/1}, of what is left of a number in 32 bits: `0.1' is the float next to it there.
-spec float32(term()) -> term().
float32(Number) when is_number(Number) ->
    case aldis_float:narrow(Number) of
        {ok, Narrow} -> float(Narrow);
        error -> float(Number)
    end;
float32(Other) -> float(Other).

%% @doc By value: 1.10 equals 1.1.
-spec decimal(term()) -> term().
decimal({decimal, Sign, Coefficient, Scale})
        when is_integer(Sign), is_integer(Coefficient), is_integer(Scale), Scale >= 0, Scale =< ?MAX_SCALE ->
    Sign * Coefficient * pow10(?MAX_SCALE - Scale);
decimal(Other) -> Other.

pow10(0) -> 1;
pow10(N) -> 10 * pow10(N - 1).

%% @doc Text bytewise, whatever chardata it is given as.
-spec text(term()) -> term().
text(Bytes) when is_binary(Bytes) -> Bytes;
text(Text) ->
    try unicode:characters_to_binary(Text) of
        Bytes when is_binary(Bytes) -> Bytes;
        _ -> Text
    catch
        error:badarg -> Text
    end.

%% @doc Bytes bytewise, whatever iodata they are given as.
-spec bytes(term()) -> term().
bytes(Bytes) when is_binary(Bytes) -> Bytes;
bytes(Io) ->
    try
        iolist_to_binary(Io)
    catch
        error:badarg -> Io
    end.

%% @doc The number of an enum's or flags type's value, by the function that writes it.
-spec number(fun((term(), aldis_fault:path()) -> integer()), term()) -> term().
number(Writer, Value) ->
    try
        Writer(Value, [])
    catch
        throw:{aldis_fault, _, _, _} -> Value
    end.

%% @doc As {@link number/2}, for flags that are numbers of two's complement.
-spec signed(fun((term(), aldis_fault:path()) -> integer()), pos_integer(), term()) -> term().
signed(Writer, Bits, Value) ->
    case number(Writer, Value) of
        Number when is_integer(Number) -> aldis_flags:signed(Number, Bits);
        Other -> Other
    end.

%% @doc The elements of a list.
-spec elements(term()) -> list().
elements(List) ->
    try length(List) of
        _ -> List
    catch
        error:badarg -> []
    end.

%% @doc The entries of a map.
-spec entries(term()) -> [{term(), term()}].
entries(Map) when is_map(Map) -> maps:to_list(Map);
entries(_) -> [].
