%% @doc Terms made plain before they leave the server: what is data stays as it is, structs are converted, all else is
%% refused with the way to it.
%%
%% Most terms are plain already, so a check that builds nothing comes first; only when it finds a struct or something
%% forbidden is the term walked again with the path in hand.
-module(aldis_etf_plain).

-export([convert/2, is_plain/1]).

-define(KEY(K), is_binary(K) orelse is_atom(K) orelse is_integer(K)).

%% @doc The term itself when it is plain, else a plain one. Raises `{badarg, Path, Why}'.
-spec convert(term(), aldis_etf:options()) -> term().
convert(Term, Options) ->
    Utf8 = maps:get(utf8, Options, false),
    case plain(Term, Utf8) of
        true -> Term;
        false -> walk(Term, [], Options#{utf8 => Utf8})
    end.

%% @doc Whether the term is plain; text may be any bytes.
-spec is_plain(term()) -> boolean().
is_plain(Term) -> plain(Term, false).

plain(Bin, Utf8) when is_binary(Bin) -> not Utf8 orelse aldis_etf_text:valid(Bin);
plain(Value, _) when is_number(Value); is_atom(Value) -> true;
plain(List, Utf8) when is_list(List) -> plain_list(List, Utf8);
%% Two lists are made faster than an iterator is read.
plain(Map, Utf8) when is_map(Map) -> plain_keys(maps:keys(Map), Utf8) andalso plain_list(maps:values(Map), Utf8);
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
walk(Bin, Path, #{utf8 := Utf8}) when is_binary(Bin) ->
    case plain(Bin, Utf8) of
        true -> Bin;
        false -> refuse(Path, bad_utf8)
    end;
walk(Value, _, _) when is_number(Value); is_atom(Value) -> Value;
walk(List, Path, Options) when is_list(List) -> walk_list(List, 0, Path, Options);
walk(#{'__struct__' := _} = Struct, Path, Options) -> walk(struct(Struct, Path, Options), Path, Options);
walk(Map, Path, Options) when is_map(Map) ->
    maps:from_list([pair(Pair, Path, Options) || Pair <- maps:to_list(Map)]);
walk(Other, Path, _) -> refuse(Path, kind(Other)).

walk_list([Item | Items], At, Path, Options) ->
    [walk(Item, [At | Path], Options) | walk_list(Items, At + 1, Path, Options)];
walk_list([], _, _, _) -> [];
walk_list(_, _, Path, _) -> refuse(Path, improper_list).

pair({Key, Value}, Path, Options) when ?KEY(Key) ->
    {walk(Key, Path, Options), walk(Value, [Key | Path], Options)};
pair({Key, _}, Path, _) -> refuse(Path, {key, kind(Key)}).

%% A conversion that gives a struct of the same type again would never end.
struct(#{'__struct__' := Name} = Struct, Path, #{struct := Convert}) ->
    case Convert(Struct) of
        #{'__struct__' := Name} -> refuse(Path, {struct, Name});
        Converted -> Converted
    end;
struct(#{'__struct__' := Name}, Path, _) -> refuse(Path, {struct, Name}).

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
