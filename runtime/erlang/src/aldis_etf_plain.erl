%% @doc Terms made plain before they leave the server: what is data stays as it is, structs are converted, all else is
%% refused with the way to it.
%%
%% Most terms are plain already, so a check that builds nothing comes first; only when it finds a struct or something
%% forbidden is the term walked again with the path in hand.
-module(aldis_etf_plain).

-export([begins_with_struct/1, convert/2, converted/3, is_plain/1]).

%% @doc The term itself when it is plain, else a plain one. Raises `{badarg, Path, Why}'.
-spec convert(term(), aldis_etf:options()) -> term().
convert(Term, Options) ->
    Utf8 = maps:get(utf8, Options, true),
    case plain(Term, Utf8) of
        true -> Term;
        false -> converted(Term, Utf8, Options)
    end.

%% @doc As {@link convert/2} for a term that is not plain for all that is known; text is checked only where `Utf8' says so.
-spec converted(term(), boolean(), aldis_etf:options()) -> term().
converted(Term, Utf8, Options) -> walk(Term, [], Utf8, maps:get(struct, Options, none)).

%% @doc Whether the term is plain; text may be any bytes.
-spec is_plain(term()) -> boolean().
is_plain(Term) -> plain(Term, false).

%% @doc Whether a struct is met soon: in the first elements of lists and the values of small maps, a few levels down. A guess
%% that costs little; where structs are many, they stand in lists, whose first element tells.
-spec begins_with_struct(term()) -> boolean().
begins_with_struct(Term) -> begins_with_struct(Term, 4).

begins_with_struct(_, 0) -> false;
begins_with_struct(#{'__struct__' := _}, _) -> true;
%% A message of Phoenix.
begins_with_struct([_, _, _, _, Payload], Depth) -> begins_with_struct(Payload, Depth);
begins_with_struct([First | _], Depth) -> begins_with_struct(First, Depth - 1);
begins_with_struct(Map, Depth) when is_map(Map), map_size(Map) < 8 -> any_struct(maps:values(Map), Depth - 1);
begins_with_struct(_, _) -> false.

any_struct([Value | Values], Depth) when is_map(Value); is_list(Value) ->
    begins_with_struct(Value, Depth) orelse any_struct(Values, Depth);
any_struct([_ | Values], Depth) -> any_struct(Values, Depth);
any_struct([], _) -> false.

plain(Bin, Utf8) when is_binary(Bin) -> not Utf8 orelse aldis_etf_text:valid(Bin);
plain(Value, _) when is_number(Value); is_atom(Value) -> true;
plain(List, Utf8) when is_list(List) -> plain_list(List, Utf8);
%% Two lists are made faster than an iterator is read.
plain(Map, Utf8) when is_map(Map) -> plain_keys(maps:keys(Map), Utf8) andalso plain_list(maps:values(Map), Utf8);
plain({bytes, Bytes}, _) -> is_binary(Bytes);
plain(_, _) -> false.

plain_list([Item | Items], Utf8) when is_number(Item); is_atom(Item); is_binary(Item), not Utf8 ->
    plain_list(Items, Utf8);
plain_list([Item | Items], Utf8) -> plain(Item, Utf8) andalso plain_list(Items, Utf8);
plain_list([], _) -> true;
plain_list(_, _) -> false.

plain_keys(['__struct__' | _], _) -> false;
plain_keys([Key | Keys], Utf8) when is_atom(Key); is_integer(Key); is_binary(Key), not Utf8 -> plain_keys(Keys, Utf8);
plain_keys([Key | Keys], Utf8) when is_binary(Key) -> aldis_etf_text:valid(Key) andalso plain_keys(Keys, Utf8);
plain_keys([], _) -> true;
plain_keys(_, _) -> false.

%% `Path' is in reverse.
walk(Bin, _, false, _) when is_binary(Bin) -> Bin;
walk(Bin, Path, true, _) when is_binary(Bin) ->
    case aldis_etf_text:valid(Bin) of
        true -> Bin;
        false -> refuse(Path, bad_utf8)
    end;
walk(Value, _, _, _) when is_number(Value); is_atom(Value) -> Value;
walk(List, Path, Utf8, Convert) when is_list(List) -> walk_list(List, 0, Path, Utf8, Convert);
walk(#{'__struct__' := _} = Struct, Path, Utf8, Convert) -> walk(struct(Struct, Path, Convert), Path, Utf8, Convert);
walk(Map, Path, Utf8, Convert) when is_map(Map) -> walk_map(maps:to_list(Map), Map, Path, Utf8, Convert);
walk({bytes, Bytes} = Marked, _, _, _) when is_binary(Bytes) -> Marked;
walk(Other, Path, _, _) -> refuse(Path, kind(Other)).

walk_list([Item | Items], At, Path, Utf8, Convert) ->
    [walk(Item, [At | Path], Utf8, Convert) | walk_list(Items, At + 1, Path, Utf8, Convert)];
walk_list([], _, _, _, _) -> [];
walk_list(_, _, Path, _, _) -> refuse(Path, improper_list).

%% Most values are data already, so that a map in which the few others are put is made in less time than a new one.
walk_map([{Key, Value} | Pairs], Map, Path, Utf8, Convert) when is_atom(Key); is_integer(Key) ->
    walk_map(Pairs, walk_value(Key, Value, Map, Path, Utf8, Convert), Path, Utf8, Convert);
walk_map([{Key, Value} | Pairs], Map, Path, Utf8, Convert) when is_binary(Key) ->
    _ = walk(Key, Path, Utf8, Convert),
    walk_map(Pairs, walk_value(Key, Value, Map, Path, Utf8, Convert), Path, Utf8, Convert);
%% As JSON libraries write such keys.
walk_map([{Key, Value} | Pairs], Map, Path, Utf8, Convert) when is_float(Key) ->
    Name = float_to_binary(Key, [short]),
    Named = (maps:remove(Key, Map))#{Name => walk(Value, [Name | Path], Utf8, Convert)},
    walk_map(Pairs, Named, Path, Utf8, Convert);
walk_map([], Map, _, _, _) -> Map;
walk_map([{Key, _} | _], _, Path, _, _) -> refuse(Path, {key, kind(Key)}).

walk_value(_, Value, Map, _, _, _) when is_number(Value); is_atom(Value) -> Map;
walk_value(_, Value, Map, _, false, _) when is_binary(Value) -> Map;
walk_value(Key, Value, Map, Path, Utf8, Convert) -> Map#{Key := walk(Value, [Key | Path], Utf8, Convert)}.

%% A conversion that gives a struct of the same type again would never end.
struct(#{'__struct__' := Name}, Path, none) -> refuse(Path, {struct, Name});
struct(#{'__struct__' := Name} = Struct, Path, Convert) ->
    case Convert(Struct) of
        #{'__struct__' := Name} -> refuse(Path, {struct, Name});
        Converted -> Converted
    end.

-spec refuse([term()], term()) -> no_return().
refuse(Path, Why) -> error({badarg, lists:reverse(Path), Why}).

kind(Term) when is_tuple(Term) -> tuple;
kind(Term) when is_pid(Term) -> pid;
kind(Term) when is_reference(Term) -> reference;
kind(Term) when is_function(Term) -> function;
kind(Term) when is_port(Term) -> port;
kind(Term) when is_bitstring(Term) -> bitstring;
kind(Term) when is_float(Term) -> float;
kind(Term) when is_list(Term) -> list;
kind(Term) when is_map(Term) -> map.
