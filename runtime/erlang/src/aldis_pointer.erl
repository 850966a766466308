%% @doc Pointers on the way in: where they lead, checked and charged at every step. (Cap'n Proto encoding specification,
%% "Pointers", "Lists", "Inter-Segment Pointers".)
%%
%% A pointer is its two halves (the lower one signed), the segment that it lies in, and where in it. Depth is how many
%% records and lists were entered on the way to the object that the pointer lies in; the root is at depth 1.
-module(aldis_pointer).

-export([record/8, record/9, records/11, numbers/9, bits/8, voids/8, pointers/8, text/8, utf8/8, bytes/8, opaque/8, at_depth/6]).
-export([target/7, body/6, elements/5]).
-export_type([kind/0]).

-define(DEPTH, 64).
-define(WORD, 8).
-define(EMPTY_ELEMENT, 8).
-define(LEAST_CELL, 8).
-define(EIGHT_BITS, 7).
%% The charge for each pointer in an element, beside its word.
-define(LINK, 24).
%% In a list of fewer elements not many are equal.
-define(MANY, 1024).

-define(STRUCT, 0).
-define(LIST, 1).
-define(FAR, 2).
-define(CAPABILITY, 3).
-define(LIST_OF_BYTES, 2).
-define(LIST_OF_POINTERS, 6).
-define(LIST_OF_RECORDS, 7).

-type path() :: aldis_fault:path().
-type half() :: integer().
-type budget() :: aldis_wire:budget().
-type place() :: non_neg_integer().
-type message() :: aldis_segments:message().
-type kind() :: 0..3.
-type lacks() :: {Data :: aldis_wire:lacks(), Pointers :: aldis_wire:lacks()}.
%% The charge for a record whose sections end before its fields; ends count from each section's first byte.

%% @doc The record behind a pointer: its segment, where it is, bytes of data, number of pointers.
-spec record(half(), half(), binary(), place(), message(), integer(), budget(), path()) ->
    {binary(), place(), non_neg_integer(), non_neg_integer(), budget()}.
record(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    case target(Low, High, Bin, At, Message, Budget, Path) of
        {?STRUCT, Upper, Segment, Place, Budget1} ->
            at_depth(Depth, At, Bin, Message, Path, ok),
            Size = ?WORD * (Upper band 16#FFFF),
            Count = Upper bsr 16,
            Bytes = Size + ?WORD * Count,
            Start = body(Segment, Place, Bytes, bad_pointer, {Bin, At, Message}, Path),
            {Segment, Start, Size, Count, aldis_segments:charge(Budget1, Bytes, At, Bin, Message, Path)};
        _ -> wrong(Bin, At, Message, Path)
    end.

%% @doc The same, and what its sections lack is charged.
-spec record(half(), half(), binary(), place(), message(), integer(), budget(), path(), lacks()) ->
    {binary(), place(), non_neg_integer(), non_neg_integer(), budget()}.
record(Low, High, Bin, At, Message, Depth, Budget, Path, Lacks) ->
    {Segment, Start, Size, Count, Budget1} = record(Low, High, Bin, At, Message, Depth, Budget, Path),
    {Segment, Start, Size, Count, aldis_segments:charge(Budget1, lack(Lacks, Size, Count), At, Bin, Message, Path)}.

lack({Data, Pointers}, Size, Count) -> aldis_wire:lack(Data, Size) + aldis_wire:lack(Pointers, ?WORD * Count).

%% @doc `Result', unless there are too many levels.
-spec at_depth(integer(), place(), binary(), message(), path(), Result) -> Result.
at_depth(Depth, _, _, _, _, Result) when Depth < ?DEPTH -> Result;
at_depth(_, At, Bin, Message, Path, _) -> aldis_segments:raise(too_deep, At, Bin, Message, Path).

%% Charges what bytes take in memory beside themselves, where limits ask for surcharges.
surcharge(Budget, Bytes, At, Bin, Message, Path) ->
    aldis_segments:charge(Budget, aldis_wire:surcharged(Budget, Bytes), At, Bin, Message, Path).

-spec wrong(binary(), place(), message(), path()) -> no_return().
wrong(Bin, At, Message, Path) -> aldis_segments:raise(bad_value, At, Bin, Message, Path).

%% @doc A list of records, in whatever encoding. `Words' is how many words of the heap each takes with its cell in the
%% list. Words that their sections lack are charged with their count.
-spec records(aldis_message:reader(Value), pos_integer(), lacks(), half(), half(), binary(), place(), message(),
    integer(), budget(), path()) -> {[Value], budget()}.
records(Read, Words, Lacks, Low, High, Bin, At, Message, Depth, Budget, Path) ->
    case list(Low, High, Bin, At, Message, Depth, Budget, Path) of
        {1, _, _, _, _, _, _} -> wrong(Bin, At, Message, Path);
        {_, _, _, 0, _, _, Budget1} -> {[], Budget1};
        {_, Segment, Start, Length, Bits, Count, Budget1} ->
            Size = Bits div 8,
            Budget2 = aldis_segments:charge(Budget1, Length * lack(Lacks, Size, Count), At, Bin, Message, Path),
            at_depth(Depth + 1, Start, Segment, Message, [0 | Path], ok),
            each(Read, Words, Length, Segment, Start, Size, Count, Message, Depth + 2, Budget2, Path)
    end.

%% Many records of a byte, or of no bytes, are equal. They hold nothing that could be at fault, and equal ones are read once.
each(Read, _, Length, Bin, At, Size, 0, Message, Depth, Budget, Path) when Size =< 1, Length >= ?MANY ->
    aldis_heap:reserve(Length, 2 * Length),
    Bytes = binary:part(Bin, At, Size * Length),
    Value = fun(Byte) -> element(1, Read(<<Byte>>, 0, Size, 0, Message, Depth, Budget, Path)) end,
    Values = maps:from_list([{Byte, Value(Byte)} || Byte <- distinct(Bytes)]),
    {of_bytes(Bytes, Length, Values), Budget};
each(Read, Words, Length, Bin, At, Size, Count, Message, Depth, Budget, Path) ->
    aldis_heap:reserve(Length * (Size + ?WORD * Count), Length * Words),
    each_one(Read, 0, Length, Bin, At, Size, Count, Message, Depth, Budget, Path, []).

distinct(<<>>) -> [0];
distinct(Bytes) -> [Byte || Byte <- lists:seq(0, 255), binary:match(Bytes, <<Byte>>) =/= nomatch].

of_bytes(<<>>, Length, #{0 := Value}) -> lists:duplicate(Length, Value);
of_bytes(Bytes, _, Values) -> [map_get(Byte, Values) || <<Byte>> <= Bytes].

each_one(_, Length, Length, _, _, _, _, _, _, Budget, _, Acc) -> {lists:reverse(Acc), Budget};
each_one(Read, Index, Length, Bin, At, Size, Count, Message, Depth, Budget, Path, Acc) ->
    {Value, Budget1} = Read(Bin, At, Size, Count, Message, Depth, Budget, [Index | Path]),
    Next = At + Size + ?WORD * Count,
    each_one(Read, Index + 1, Length, Bin, Next, Size, Count, Message, Depth, Budget1, Path, [Value | Acc]).

%% @doc A list of numbers of `Width' bytes, side by side.
-spec numbers(pos_integer(), half(), half(), binary(), place(), message(), integer(), budget(), path()) ->
    {binary(), budget()}.
numbers(Width, Low, High, Bin, At, Message, Depth, Budget, Path) ->
    case list(Low, High, Bin, At, Message, Depth, Budget, Path) of
        {_, Segment, Start, Count, Bits, Pointers, Budget1} when Bits >= Width * 8 ->
            Short = Count * max(0, ?LEAST_CELL - Width),
            Budget2 = surcharge(Budget1, Short, At, Bin, Message, Path),
            aldis_heap:reserve(Count * Width, Count * words(Width)),
            {table(Segment, Start, Count, Width, Bits div 8 + ?WORD * Pointers), Budget2};
        _ -> wrong(Bin, At, Message, Path)
    end.

%% Words of an element in a list: its cell, and what is no small integer.
words(8) -> 4;
words(4) -> 4;
words(_) -> 2.

table(Segment, Start, Count, Width, Width) -> binary:part(Segment, Start, Count * Width);
table(Segment, Start, Count, Width, Stride) ->
    Skip = Stride - Width,
    << <<Number:Width/binary>>
        || <<Number:Width/binary, _:Skip/binary>> <= binary:part(Segment, Start, Count * Stride) >>.

%% @doc A list of booleans. Bits lie side by side whatever the list says of its elements: of wider ones the reference reads
%% the first bits of the list, one an element.
-spec bits(half(), half(), binary(), place(), message(), integer(), budget(), path()) -> {[boolean()], budget()}.
bits(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    case list(Low, High, Bin, At, Message, Depth, Budget, Path) of
        {Code, Segment, Start, Count, Bits, _, Budget1} when Bits > 0, Code =/= ?LIST_OF_RECORDS ->
            Budget2 = surcharge(Budget1, (Count + 7) div 8 * ?EIGHT_BITS, At, Bin, Message, Path),
            aldis_heap:reserve(Count, 2 * Count),
            {booleans(binary:part(Segment, Start, (Count + 7) div 8), Count), Budget2};
        _ -> wrong(Bin, At, Message, Path)
    end.

booleans(<<H:1, G:1, F:1, E:1, D:1, C:1, B:1, A:1, Rest/binary>>, Count) when Count >= 8 ->
    [A =:= 1, B =:= 1, C =:= 1, D =:= 1, E =:= 1, F =:= 1, G =:= 1, H =:= 1 | booleans(Rest, Count - 8)];
booleans(<<Last>>, Count) -> [(Last bsr Bit) band 1 =:= 1 || Bit <- lists:seq(0, Count - 1)];
booleans(<<>>, 0) -> [].

%% @doc A list of nothing.
-spec voids(half(), half(), binary(), place(), message(), integer(), budget(), path()) ->
    {[undefined], budget()}.
voids(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    {_, _, _, Count, Bits, Pointers, Budget1} = list(Low, High, Bin, At, Message, Depth, Budget, Path),
    Short = case Bits + Pointers of
        0 -> 0;
        _ -> Count * max(0, ?EMPTY_ELEMENT - Bits div 8 - ?WORD * Pointers)
    end,
    Budget2 = surcharge(Budget1, Short, At, Bin, Message, Path),
    aldis_heap:reserve(Count, 2 * Count),
    {lists:duplicate(Count, undefined), Budget2}.

%% @doc A list of pointers: segment, where the first is, how many, bytes from one to the next.
-spec pointers(half(), half(), binary(), place(), message(), integer(), budget(), path()) ->
    {binary(), place(), non_neg_integer(), pos_integer(), budget()}.
pointers(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    case list(Low, High, Bin, At, Message, Depth, Budget, Path) of
        {_, Segment, Start, Count, Bits, Pointers, Budget1} when Pointers > 0 ->
            aldis_heap:reserve(Count * ?WORD, 4 * Count),
            {Segment, Start + Bits div 8, Count, Bits div 8 + ?WORD * Pointers, Budget1};
        _ -> wrong(Bin, At, Message, Path)
    end.

%% Any list: the code of its elements' size, its segment, where the first element is, how many there are, bits of data
%% and pointers in each.
list(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    case target(Low, High, Bin, At, Message, Budget, Path) of
        {?LIST, Upper, Segment, Place, Budget1} ->
            at_depth(Depth, At, Bin, Message, Path, ok),
            found(Upper band 7, Upper bsr 3, Segment, Place, Budget1, {Bin, At, Message}, Path);
        _ -> wrong(Bin, At, Message, Path)
    end.

found(?LIST_OF_RECORDS, Words, Segment, Place, Budget, {Bin, At, Message} = From, Path) ->
    Bytes = ?WORD * (Words + 1),
    Start = body(Segment, Place, Bytes, bad_count, From, Path),
    Budget1 = aldis_segments:charge(Budget, Bytes, At, Bin, Message, Path),
    {Count, Data, Pointers} = elements(Segment, Start, Words, Message, Path),
    Beside = case Data + Pointers of
        0 -> Count * ?EMPTY_ELEMENT;
        _ -> aldis_wire:surcharged(Budget1, Count * Pointers * ?LINK)
    end,
    Budget2 = aldis_segments:charge(Budget1, Beside, At, Bin, Message, Path),
    {?LIST_OF_RECORDS, Segment, Start + ?WORD, Count, 64 * Data, Pointers, Budget2};
found(Code, Count, Segment, Place, Budget, {Bin, At, Message} = From, Path) ->
    {Bits, Pointers} = element_size(Code),
    Bytes = (Count * (Bits + 64 * Pointers) + 63) div 64 * ?WORD,
    Start = body(Segment, Place, Bytes, bad_count, From, Path),
    Charged = case Code of
        0 -> Count * ?EMPTY_ELEMENT;
        _ -> Bytes + aldis_wire:surcharged(Budget, Count * Pointers * ?LINK)
    end,
    {Code, Segment, Start, Count, Bits, Pointers, aldis_segments:charge(Budget, Charged, At, Bin, Message, Path)}.

%% Bits of data and pointers in an element.
element_size(?LIST_OF_POINTERS) -> {0, 1};
element_size(Code) -> {element(Code + 1, {0, 1, 8, 16, 32, 64}), 0}.

%% @doc The numbers in the tag at `Start' of a list of records: how many, words of data, pointers in each. `Words' words after
%% the tag are known to be there.
-spec elements(binary(), place(), non_neg_integer(), message(), path()) ->
    {non_neg_integer(), non_neg_integer(), non_neg_integer()}.
elements(Segment, Start, Words, Message, Path) ->
    <<_:Start/binary, Low:32/little, Data:16/little, Pointers:16/little, _/binary>> = Segment,
    %% As in the reference the topmost of the offset's 30 bits does not count.
    Count = (Low bsr 2) band 16#1FFFFFFF,
    case Low band 3 of
        ?STRUCT when Count * (Data + Pointers) =< Words -> {Count, Data, Pointers};
        ?STRUCT -> aldis_segments:raise(bad_count, Start, Segment, Message, Path);
        _ -> aldis_segments:raise(bad_value, Start, Segment, Message, Path)
    end.

%% @doc Text, without the zero byte at its end; null is `undefined'.
-spec text(half(), half(), binary(), place(), message(), integer(), budget(), path()) ->
    {binary() | undefined, budget()}.
text(0, 0, _, _, _, _, Budget, _) -> {undefined, Budget};
text(Low, High, Bin, At, Message, _, Budget, Path) ->
    {Segment, Start, Count, Budget1} = blob(Low, High, Bin, At, Message, Budget, Path),
    Length = Count - 1,
    case Segment of
        <<_:Start/binary, Text:Length/binary, 0, _/binary>> when Count > 0 -> {Text, Budget1};
        _ -> wrong(Bin, At, Message, Path)
    end.

%% @doc The same, and the text must be UTF-8.
-spec utf8(half(), half(), binary(), place(), message(), integer(), budget(), path()) ->
    {binary() | undefined, budget()}.
utf8(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    {Text, _} = Found = text(Low, High, Bin, At, Message, Depth, Budget, Path),
    case Text =:= undefined orelse aldis_text:is_utf8(Text) of
        true -> Found;
        false ->
            {Segment, Start, _, _} = blob(Low, High, Bin, At, Message, Budget, Path),
            aldis_segments:raise(bad_text, Start, Segment, Message, Path)
    end.

%% @doc Bytes; null is `undefined'.
-spec bytes(half(), half(), binary(), place(), message(), integer(), budget(), path()) ->
    {binary() | undefined, budget()}.
bytes(0, 0, _, _, _, _, Budget, _) -> {undefined, Budget};
bytes(Low, High, Bin, At, Message, _, Budget, Path) ->
    {Segment, Start, Count, Budget1} = blob(Low, High, Bin, At, Message, Budget, Path),
    {binary:part(Segment, Start, Count), Budget1}.

blob(Low, High, Bin, At, Message, Budget, Path) ->
    case target(Low, High, Bin, At, Message, Budget, Path) of
        {?LIST, Upper, Segment, Place, Budget1} when Upper band 7 =:= ?LIST_OF_BYTES ->
            Count = Upper bsr 3,
            Bytes = (Count + 7) div ?WORD * ?WORD,
            Start = body(Segment, Place, Bytes, bad_count, {Bin, At, Message}, Path),
            {Segment, Start, Count, aldis_segments:charge(Budget1, Bytes, At, Bin, Message, Path)};
        _ -> wrong(Bin, At, Message, Path)
    end.

%% @doc The object that a pointer leads to, copied to a flat message of its own; null is `undefined'.
-spec opaque(half(), half(), binary(), place(), message(), integer(), budget(), path()) ->
    {aldis:any_pointer() | undefined, budget()}.
opaque(0, 0, _, _, _, _, Budget, _) -> {undefined, Budget};
opaque(Low, High, Bin, At, Message, Depth, Budget, Path) ->
    {Low1, High1, Io, _, Budget1} =
        aldis_object:copy(whole, {Low, High, Bin, At}, Message, 0, 1, Depth, Budget, Path),
    {{any_pointer, iolist_to_binary([<<Low1:32/little, High1:32/little>> | Io])}, Budget1}.

%% @doc The target of a pointer that is not null: its kind, the upper half that describes the object, segment and offset
%% of the object's body, which may be outside. Landing pads on the way are charged.
-spec target(half(), half(), binary(), place(), message(), budget(), path()) ->
    {kind(), half(), binary(), integer(), budget()}.
target(Low, High, Bin, At, Message, Budget, Path) ->
    case Low band 3 of
        Kind when Kind =< ?LIST -> {Kind, High, Bin, At + ?WORD + ?WORD * (Low bsr 2), Budget};
        ?FAR -> far(Low, High, Bin, At, Message, Budget, Path);
        ?CAPABILITY when Low =:= 3 -> {?CAPABILITY, High, Bin, At, Budget};
        _ -> wrong(Bin, At, Message, Path)
    end.

%% Behind a far pointer a word of zeros is a struct of no words, as in the reference: only a pointer that is zero itself is
%% null.
far(Low, High, Bin, At, Message, Budget, Path) when Low band 4 =:= 0 ->
    {Segment, Pad} = landing(Low, High, 1, Bin, At, Message, Path),
    <<_:Pad/binary, Low1:32/signed-little, High1:32/little, _/binary>> = Segment,
    Low1 band 3 =/= ?FAR orelse wrong(Segment, Pad, Message, Path),
    {Kind, Upper, Where, Place, Budget1} = target(Low1, High1, Segment, Pad, Message, Budget, Path),
    {Kind, Upper, Where, Place, aldis_segments:charge(Budget1, ?WORD, At, Bin, Message, Path)};
far(Low, High, Bin, At, Message, Budget, Path) ->
    {Segment, Pad} = landing(Low, High, 2, Bin, At, Message, Path),
    <<_:Pad/binary, Low1:32/signed-little, High1:32/little, Tag:32/signed-little, Upper:32/little, _/binary>> = Segment,
    %% A far pointer that is not double in turn.
    Low1 band 7 =:= ?FAR orelse wrong(Segment, Pad, Message, Path),
    {Where, Place} = landing(Low1, High1, 0, Segment, Pad, Message, Path),
    Tag band 3 =/= ?FAR orelse wrong(Segment, Pad + ?WORD, Message, Path),
    %% The tag's own offset says nothing.
    {Kind, Upper, _, _, Budget1} = target(Tag, Upper, Segment, Pad + ?WORD, Message, Budget, Path),
    {Kind, Upper, Where, Place, aldis_segments:charge(Budget1, 2 * ?WORD, At, Bin, Message, Path)}.

%% The segment and offset that a far pointer gives, with `Words' words there.
landing(Low, Number, Words, Bin, At, {Segments, _} = Message, Path) ->
    Number < tuple_size(Segments) orelse aldis_segments:raise(bad_pointer, At, Bin, Message, Path),
    Segment = element(Number + 1, Segments),
    Pad = ?WORD * ((Low bsr 3) band 16#1FFFFFFF),
    Pad + ?WORD * Words =< byte_size(Segment) orelse aldis_segments:raise(bad_pointer, At, Bin, Message, Path),
    {Segment, Pad}.

%% @doc Checks that a body of so many bytes lies in its segment, and gives its first. Nothing can be read from an empty
%% body, so that it may be anywhere. `Code' is the fault for one that begins in its segment and ends beyond it.
-spec body(binary(), integer(), non_neg_integer(), aldis:code(), {binary(), place(), message()}, path()) -> place().
body(_, _, 0, _, _, _) -> 0;
body(Segment, Place, Bytes, _, _, _) when Place >= 0, Place + Bytes =< byte_size(Segment) -> Place;
body(Segment, Place, _, Code, {Bin, At, Message}, Path) when Place >= 0, Place =< byte_size(Segment) ->
    aldis_segments:raise(Code, At, Bin, Message, Path);
body(_, _, _, _, {Bin, At, Message}, Path) ->
    aldis_segments:raise(bad_pointer, At, Bin, Message, Path).
