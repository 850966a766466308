%% @doc Faults: thrown where they are found, errors by the time users see them.
%%
%% Inside codecs a fault is thrown as `{aldis_fault, Code, Place, Path}'. `Place' is how many bytes were left where it
%% was found (readers know what is before them, not what is behind), `{at, Offset}', or `none'. `Path' is the way to the
%% field from the inside out: field names, and indices from 0.
-module(aldis_fault).

-export([raise/3, error/2, written/3, path/1]).
-export_type([path/0, place/0, fault/0]).

%% Bytes of a name that are kept at each of its ends where it is long: a key of JSON can have any length.
-define(KEPT, 200).

-type path() :: [atom() | non_neg_integer() | binary()].
-type place() :: non_neg_integer() | {at, non_neg_integer()} | none.
-type fault() :: {aldis_fault, aldis:code(), place(), path()}.

%% @doc Throws a fault.
-spec raise(aldis:code(), place() | binary(), path()) -> no_return().
raise(Code, Bin, Path) when is_bitstring(Bin) -> throw({aldis_fault, Code, byte_size(Bin), Path});
raise(Code, Place, Path) -> throw({aldis_fault, Code, Place, Path}).

%% @doc The error that a thrown fault is; `Size' is that of the bytes which were read, or `none'.
-spec error(fault(), non_neg_integer() | none) -> {error, aldis:reason()}.
error({aldis_fault, Code, Place, Path}, Size) -> {error, {Code, offset(Place, Size), path(Path)}}.

%% @doc A message: a head and what `Write' gives of a value, or the error that its fault is.
-spec written(binary(), fun((term(), path()) -> iodata()), term()) -> {ok, iodata()} | {error, aldis:reason()}.
written(Head, Write, Value) ->
    try
        {ok, [Head, Write(Value, [])]}
    catch
        throw:{aldis_fault, _, _, _} = Fault -> ?MODULE:error(Fault, none)
    end.

offset(none, _) -> '-';
offset({at, Offset}, _) -> Offset;
offset(_, none) -> '-';
offset(Left, Size) -> max(0, Size - Left).

%% @doc A path as text: `orders[2].price'.
-spec path(path()) -> binary().
path(Path) -> iolist_to_binary(text(lists:reverse(Path), [])).

text([], _) -> [];
text([Index | Rest], _) when is_integer(Index) -> [$[, integer_to_list(Index), $] | text(Rest, $.)];
text([Name | Rest], Dot) -> [Dot, name(Name) | text(Rest, $.)].

name(Name) when is_atom(Name) -> atom_to_binary(Name, utf8);
name(Name) when byte_size(Name) =< 3 * ?KEPT -> Name;
name(Name) ->
    Start = character(Name, ?KEPT, -1),
    End = character(Name, byte_size(Name) - ?KEPT, 1),
    <<First:Start/binary, Left:(End - Start)/binary, Last/binary>> = Name,
    [First, <<"… ("/utf8>>, integer_to_binary(byte_size(Left)), <<" more bytes) …"/utf8>>, Last].

%% The place where a character begins that is the nearest to `At' in one direction.
character(Name, At, Step) ->
    case Name of
        <<_:At/binary, 2#10:2, _/bitstring>> -> character(Name, At + Step, Step);
        _ -> At
    end.
