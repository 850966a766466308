%% @doc Faults: thrown where they are found, errors by the time users see them.
%%
%% Inside codecs a fault is thrown as `{aldis_fault, Code, Place, Path}'. `Place' is how many bytes were left where it
%% was found (readers know what is before them, not what is behind), `{at, Offset}', or `none'. `Path' is the way to the
%% field from the inside out: field names, and indices from 0.
-module(aldis_fault).

-export([raise/3, error/2, path/1]).
-export_type([path/0, place/0, fault/0]).

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
name(Name) -> Name.
