%% @doc The functions that generated writers call: checks of values, each giving what goes on the wire.
%%
%% All throw `bad_value' for a value of another type and `out_of_range' for one that its type cannot hold, with the path
%% and without a place.
-module(aldis_check).

-export([wrong/1, int/4, bool/2, uuid/2, constant/3, list/2, array/3, series/3, map/2, count/4, depth/2, frame/1]).
-export([frame_length/3]).

-define(DEPTH, 64).

-type path() :: aldis_fault:path().

%% @doc The value is not of the field's type.
-spec wrong(path()) -> no_return().
wrong(Path) -> aldis_fault:raise(bad_value, none, Path).

%% @doc An integer within its bounds.
-spec int(term(), integer(), integer(), path()) -> integer().
int(Value, Min, Max, _) when is_integer(Value), Value >= Min, Value =< Max -> Value;
int(Value, _, _, Path) when is_integer(Value) -> out_of_range(Path);
int(_, _, _, Path) -> wrong(Path).

%% @doc A boolean as 0 or 1.
-spec bool(term(), path()) -> 0 | 1.
bool(true, _) -> 1;
bool(false, _) -> 0;
bool(_, Path) -> wrong(Path).

%% @doc A uuid: 16 octets.
-spec uuid(term(), path()) -> aldis:uuid().
uuid(<<_:16/binary>> = Uuid, _) -> Uuid;
uuid(_, Path) -> wrong(Path).

%% @doc A value that the schema fixes.
-spec constant(term(), term(), path()) -> ok.
constant(Value, Value, _) -> ok;
constant(_, _, Path) -> wrong(Path).

%% @doc A proper list.
-spec list(term(), path()) -> list().
list(Value, Path) ->
    try length(Value) of
        _ -> Value
    catch
        error:badarg -> wrong(Path)
    end.

%% @doc A list of exactly `Count' elements; another count is `out_of_range'.
-spec array(term(), non_neg_integer(), path()) -> list().
array(Value, Count, Path) ->
    case length(list(Value, Path)) of
        Count -> Value;
        _ -> out_of_range(Path)
    end.

%% @doc As {@link array/3}, for elements that have no fixed size; another count is `bad_value'.
-spec series(term(), non_neg_integer(), path()) -> list().
series(Value, Count, Path) ->
    case length(list(Value, Path)) of
        Count -> Value;
        _ -> wrong(Path)
    end.

%% @doc The pairs of a map.
-spec map(term(), path()) -> [{term(), term()}].
map(Value, _) when is_map(Value) -> maps:to_list(Value);
map(_, Path) -> wrong(Path).

%% @doc A count or length within its bounds.
-spec count(non_neg_integer(), non_neg_integer(), non_neg_integer(), path()) -> non_neg_integer().
count(Count, Min, Max, _) when Count >= Min, Count =< Max -> Count;
count(_, _, _, Path) -> out_of_range(Path).

%% @doc Checks how deep records nest; the root is at depth 1.
-spec depth(pos_integer(), path()) -> ok.
depth(Depth, _) when Depth =< ?DEPTH -> ok;
depth(_, Path) -> aldis_fault:raise(too_deep, none, Path).

%% @doc The size of a whole message, less than 4 GiB.
-spec frame(non_neg_integer()) -> non_neg_integer().
frame(Size) when Size =< 16#FFFFFFFF -> Size;
frame(_) -> out_of_range([]).

%% @doc The length of the frame of a message of `Size' bytes: at most `Most'.
-spec frame_length(non_neg_integer(), integer(), non_neg_integer()) -> non_neg_integer().
frame_length(Size, Plus, Most) when Size + Plus =< Most -> Size + Plus;
frame_length(_, _, _) -> out_of_range([]).

-spec out_of_range(path()) -> no_return().
out_of_range(Path) -> aldis_fault:raise(out_of_range, none, Path).
