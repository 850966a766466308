%% @doc Messages that are segments of 8-byte words: the table in front of them, and the sections of records in them.
%% (Cap'n Proto encoding specification, "Serialization Over a Stream", "Structs".)
%%
%% Offsets are bytes from the first byte of their segment; a fault's place is a byte of the message, and of a packed one there
%% is none once it is unpacked.
-module(aldis_segments).

-export([open/1, open_packed/2, open_flat/1, count/1, words/1]).
-export([raise/5, charge/6, sections/7]).
-export([framed/2, packed/2, flat/2, canonical/2]).
-export_type([message/0]).

-define(WORD, 8).
%% More segments are refused, as the reference's stream reader does.
-define(MOST_SEGMENTS, 511).
%% Counts of words have 29 bits.
-define(MOST_WORDS, 16#1FFFFFFF).

-type path() :: aldis_fault:path().
-type message() :: {Segments :: tuple(), Starts :: tuple() | none}.
%% The segments in their order, and at which byte of the message each of them begins. Unpacked ones begin at none.
-type opened() :: {First :: binary(), message(), Rest :: binary()}.

%%% Reading

%% @doc The segments behind a table, and what follows them.
-spec open(binary()) -> opened().
open(<<0:32, Words:32/little, Body/binary>>) when Words > 0, Words =< byte_size(Body) div ?WORD ->
    <<Segment:Words/binary-unit:64, Rest/binary>> = Body,
    {Segment, {{Segment}, {?WORD}}, Rest};
open(<<LessOne:32/little, _/binary>>) when LessOne >= ?MOST_SEGMENTS ->
    aldis_fault:raise(bad_count, {at, 0}, []);
open(<<LessOne:32/little, Sizes:(LessOne + 1)/binary-unit:32, Rest/binary>> = Bin)
        when byte_size(Bin) >= (LessOne + 1) div 2 * ?WORD + ?WORD ->
    Padding = 4 * (LessOne band 1),
    <<_:Padding/binary, Body/binary>> = Rest,
    Start = byte_size(Bin) - byte_size(Body),
    in_order(cut(Sizes, 4, Start, Body, [], []));
open(Bin) when is_binary(Bin) -> aldis_fault:raise(truncated, {at, byte_size(Bin)}, []);
open(_) -> aldis_fault:raise(bad_value, none, []).

cut(<<Words:32/little, Sizes/binary>>, At, Start, Body, Segments, Starts) ->
    case Body of
        <<Segment:Words/binary-unit:64, Rest/binary>> ->
            cut(Sizes, At + 4, Start + byte_size(Segment), Rest, [Segment | Segments], [Start | Starts]);
        _ -> aldis_fault:raise(truncated, {at, At}, [])
    end;
cut(<<>>, _, _, Rest, Segments, Starts) -> {lists:reverse(Segments), lists:reverse(Starts), Rest}.

in_order({[First | _] = Segments, Starts, Rest}) when byte_size(First) >= ?WORD ->
    {First, {list_to_tuple(Segments), list_to_tuple(Starts)}, Rest};
in_order({_, [Start | _], _}) -> aldis_fault:raise(truncated, {at, Start}, []).

%% @doc As {@link open/1}, for packed bytes that are at most `Most' bytes unpacked.
-spec open_packed(binary(), Most :: non_neg_integer()) -> opened().
open_packed(Bin, Most) when is_binary(Bin) ->
    {Words, Rest} = aldis_packing:unpack(Bin, Most),
    try open(Words) of
        {First, {Segments, _}, <<>>} -> {First, {Segments, none}, Rest}
    catch
        throw:{aldis_fault, Code, _, Path} -> aldis_fault:raise(Code, none, Path)
    end;
open_packed(_, _) -> aldis_fault:raise(bad_value, none, []).

%% @doc One segment without a table; what follows are bytes that make no word.
-spec open_flat(binary()) -> opened().
open_flat(Bin) when is_binary(Bin), byte_size(Bin) >= ?WORD ->
    Words = byte_size(Bin) div ?WORD,
    <<Segment:Words/binary-unit:64, Rest/binary>> = Bin,
    {Segment, {{Segment}, {0}}, Rest};
open_flat(Bin) when is_binary(Bin) -> aldis_fault:raise(truncated, {at, 0}, []);
open_flat(_) -> aldis_fault:raise(bad_value, none, []).

%% @doc How many segments the table's first number tells of.
-spec count(<<_:32>>) -> pos_integer().
count(<<LessOne:32/little>>) when LessOne < ?MOST_SEGMENTS -> LessOne + 1;
count(_) -> aldis_fault:raise(bad_count, {at, 0}, []).

%% @doc The words of a table of so many segments.
-spec words(pos_integer()) -> pos_integer().
words(Count) -> Count div 2 + 1.

%% @doc Throws a fault for what is seen at `At' of a segment.
-spec raise(aldis:code(), integer(), binary(), message(), path()) -> no_return().
raise(Code, _, _, {_, none}, Path) -> aldis_fault:raise(Code, none, Path);
raise(Code, At, Segment, {Segments, Starts}, Path) ->
    aldis_fault:raise(Code, {at, max(0, At) + start(Segment, 1, Segments, Starts)}, Path).

%% Segments with equal bytes are taken for the first of them.
start(Segment, Index, Segments, Starts) when Index =< tuple_size(Segments) ->
    case element(Index, Segments) of
        Segment -> element(Index, Starts);
        _ -> start(Segment, Index + 1, Segments, Starts)
    end;
start(_, _, _, _) -> 0.

%% @doc The rest of a budget after visiting `Bytes' bytes that `At' asks for.
-spec charge(aldis_wire:budget(), non_neg_integer(), integer(), binary(), message(), path()) -> aldis_wire:budget().
charge(Budget, Bytes, _, _, _, _) when Bytes =< Budget -> Budget - Bytes;
charge(Budget, Bytes, At, Segment, Message, Path) ->
    case aldis_wire:left(Budget, Bytes) of
        none -> raise(too_large, At, Segment, Message, Path);
        Left -> Left
    end.

%% @doc The sections of a record as long as its schema has them: what is too long is cut, what is missing is zero.
%% The record is at `At', with `Size' bytes of data and `Count' pointers; the schema has `Data' bytes and `Pointers'.
%% `First' has place and width of the values within the first word: elements of a list of numbers may end within it,
%% and what is there in part is not there.
-spec sections(binary(), non_neg_integer(), non_neg_integer(), non_neg_integer(), non_neg_integer(), non_neg_integer(),
    [{non_neg_integer(), pos_integer()}]) -> binary().
sections(Bin, At, Size, Count, Data, Pointers, First) ->
    Taken = min(Size, Data),
    Numbers = case Taken rem ?WORD of
        0 -> binary:part(Bin, At, Taken);
        _ -> binary:part(Bin, At, whole(Taken, First))
    end,
    Given = ?WORD * min(Count, Pointers),
    Words = binary:part(Bin, At + Size, Given),
    NoNumbers = Data - byte_size(Numbers),
    NoPointers = ?WORD * Pointers - Given,
    <<Numbers/binary, 0:NoNumbers/unit:8, Words/binary, 0:NoPointers/unit:8>>.

whole(Taken, First) ->
    lists:min([Taken | [At || {At, Width} <- First, At < Taken, At + Width > Taken]]).

%%% Writing

%% @doc A message of one segment of so many words.
-spec framed(iodata(), pos_integer()) -> iodata().
framed(Segment, Words) -> [<<0:32, (checked(Words)):32/little>> | Segment].

%% @doc The same, packed: the table and the segment by themselves, since readers refuse a run that crosses from one to
%% the other.
-spec packed(iodata(), pos_integer()) -> iodata().
packed(Segment, Words) ->
    Table = aldis_packing:pack(<<0:32, (checked(Words)):32/little>>),
    [Table, aldis_packing:pack(iolist_to_binary(Segment))].

%% @doc A segment by itself.
-spec flat(iodata(), pos_integer()) -> iodata().
flat(Segment, Words) ->
    _ = checked(Words),
    Segment.

%% @doc A segment in canonical form ("Canonicalization").
-spec canonical(iodata(), pos_integer()) -> iodata().
canonical(Segment, Words) -> aldis_object:canonical(iolist_to_binary(flat(Segment, Words))).

checked(Words) when Words =< ?MOST_WORDS -> Words;
checked(_) -> aldis_fault:raise(out_of_range, none, []).
