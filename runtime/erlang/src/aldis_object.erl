%% @doc Copies of objects without their schema, as they are or in canonical form. (Cap'n Proto encoding specification,
%% "Canonicalization".)
%%
%% Copies stand in pre-order: an object's own words, then the objects that its pointers lead to, left to right. Writers are
%% told in which word the pointer lies and in which the next object would, and give the pointer's halves, the objects
%% and the word after them.
-module(aldis_object).

-export([copy/8, canonical/1, put/5]).

-define(WORD, 8).
-define(STRUCT, 0).
-define(CAPABILITY, 3).
-define(LIST_OF_POINTERS, 6).
-define(LIST_OF_RECORDS, 7).
%% As good as no budget: more than any bytes can ask for.
-define(ENOUGH, 1 bsl 56).

-type mode() :: whole | canonical.
-type source() :: {Low :: integer(), High :: non_neg_integer(), binary(), non_neg_integer()}.
%% A pointer: its halves, its segment, its offset in it.
-type word() :: non_neg_integer().
-type copied() :: {Low :: integer(), High :: non_neg_integer(), iodata(), word(), aldis_wire:budget()}.

%% @doc The canonical form of a flat message. A capability in it is `bad_value'.
-spec canonical(binary()) -> iodata().
canonical(Flat) ->
    {Low, High, Io, _} = copy_root(canonical, Flat, 0, 1, 0, []),
    [<<Low:32/little, High:32/little>> | Io].

%% @doc The words that a writer makes of the root of a flat message.
-spec put(term(), word(), word(), non_neg_integer(), aldis_fault:path()) -> {integer(), non_neg_integer(), iodata(), word()}.
put(undefined, _, Next, _, _) -> {0, 0, [], Next};
put({any_pointer, <<_:64, _/binary>> = Flat}, Place, Next, Depth, Path) ->
    copy_root(whole, Flat, Place, Next, Depth, Path);
put(_, _, _, _, Path) -> aldis_check:wrong(Path).

%% Writers' faults have no place.
copy_root(Mode, <<Low:32/signed-little, High:32/little, _/binary>> = Flat, Place, Next, Depth, Path) ->
    try copy(Mode, {Low, High, Flat, 0}, {{Flat}, {0}}, Place, Next, Depth, ?ENOUGH, Path) of
        {Low1, High1, Io, End, _} -> {Low1, High1, Io, End}
    catch
        throw:{aldis_fault, Code, _, Where} -> aldis_fault:raise(Code, none, Where)
    end.

%% @doc Copies what a pointer leads to, to word `Next', for a pointer in word `Place'.
-spec copy(mode(), source(), aldis_segments:message(), word(), word(), non_neg_integer(), non_neg_integer(),
    aldis_fault:path()) -> copied().
copy(_, {0, 0, _, _}, _, _, Next, _, Budget, _) -> {0, 0, [], Next, Budget};
copy(Mode, {Low, High, Bin, At}, Message, Place, Next, Depth, Budget, Path) ->
    From = {Bin, At, Message},
    {Kind, Upper, Segment, Start, Budget1} = aldis_pointer:target(Low, High, Bin, At, Message, Budget, Path),
    case Kind of
        ?CAPABILITY when Mode =:= canonical -> aldis_segments:raise(bad_value, At, Bin, Message, Path);
        ?CAPABILITY -> {3, Upper, [], Next, Budget1};
        ?STRUCT ->
            aldis_pointer:at_depth(Depth, At, Bin, Message, Path, ok),
            record(Mode, Upper, Segment, Start, From, {Place, Next}, Depth + 1, Budget1, Path);
        _ ->
            aldis_pointer:at_depth(Depth, At, Bin, Message, Path, ok),
            list(Mode, Upper band 7, Upper bsr 3, Segment, Start, From, {Place, Next}, Depth + 1, Budget1, Path)
    end.

charge(Budget, Words, {Bin, At, Message}, Path) ->
    aldis_segments:charge(Budget, Words * ?WORD, At, Bin, Message, Path).

low(Kind, Place, Next) -> ((Next - Place - 1) bsl 2) bor Kind.

record(Mode, Upper, Segment, Where, {_, _, Message} = From, {Place, Next}, Depth, Budget, Path) ->
    Words = (Upper band 16#FFFF) + (Upper bsr 16),
    Start = aldis_pointer:body(Segment, Where, Words * ?WORD, bad_pointer, From, Path),
    Budget1 = charge(Budget, Words, From, Path),
    {Data, Pointers} = trimmed(Mode, Segment, Start, Upper band 16#FFFF, Upper bsr 16),
    PointersAt = Start + ?WORD * (Upper band 16#FFFF),
    Low = case Data + Pointers of
        0 -> -4;
        _ -> low(?STRUCT, Place, Next)
    end,
    {Copies, Io, End, Budget2} =
        each(Mode, Segment, PointersAt, Pointers, Message, Next + Data, Next + Data + Pointers, Depth, Budget1, Path),
    {Low, Data bor (Pointers bsl 16), [binary:part(Segment, Start, ?WORD * Data), Copies | Io], End, Budget2}.

%% Words of data and pointers that are copied.
trimmed(whole, _, _, Data, Pointers) -> {Data, Pointers};
trimmed(canonical, Segment, Start, Data, Pointers) ->
    {without_zeros(Segment, Start, Data), without_zeros(Segment, Start + ?WORD * Data, Pointers)}.

without_zeros(_, _, 0) -> 0;
without_zeros(Segment, Start, Words) ->
    Last = Start + ?WORD * (Words - 1),
    case Segment of
        <<_:Last/binary, 0:64, _/binary>> -> without_zeros(Segment, Start, Words - 1);
        _ -> Words
    end.

%% The copies of `Count' pointers that lie side by side at `At', for where they will lie from word `Place' on, and what they
%% lead to.
each(Mode, Segment, At, Count, Message, Place, Next, Depth, Budget, Path) ->
    each(Mode, Segment, At, At + ?WORD * Count, Message, Place, Next, Depth, Budget, Path, <<>>, []).

each(_, _, End, End, _, _, Next, _, Budget, _, Words, Objects) ->
    {Words, lists:reverse(Objects), Next, Budget};
each(Mode, Segment, At, End, Message, Place, Next, Depth, Budget, Path, Words, Objects) ->
    case Segment of
        <<_:At/binary, 0:64, _/binary>> ->
            each(Mode, Segment, At + ?WORD, End, Message, Place + 1, Next, Depth, Budget, Path,
                <<Words/binary, 0:64>>, Objects);
        <<_:At/binary, Low:32/signed-little, High:32/little, _/binary>> ->
            {Low1, High1, Io, Next1, Budget1} =
                copy(Mode, {Low, High, Segment, At}, Message, Place, Next, Depth, Budget, Path),
            each(Mode, Segment, At + ?WORD, End, Message, Place + 1, Next1, Depth, Budget1, Path,
                <<Words/binary, Low1:32/little, High1:32/little>>, [Io | Objects])
    end.

list(Mode, ?LIST_OF_RECORDS, Words, Segment, Where, {_, _, Message} = From, {Place, Next}, Depth, Budget, Path) ->
    Start = aldis_pointer:body(Segment, Where, (Words + 1) * ?WORD, bad_count, From, Path),
    Budget1 = charge(Budget, Words + 1, From, Path),
    {Count, Data, Pointers} = aldis_pointer:elements(Segment, Start, Words, Message, Path),
    Stride = Data + Pointers,
    Empty = case Stride of
        0 -> Count;
        _ -> 0
    end,
    Budget2 = charge(Budget1, Empty, From, Path),
    Bodies = [Start + ?WORD + ?WORD * Stride * Index || Stride > 0, Index <- lists:seq(0, Count - 1)],
    {Data1, Pointers1} = common(Mode, Segment, Bodies, Data, Pointers),
    Own = Count * (Data1 + Pointers1),
    Sections = {Data1, Pointers1, ?WORD * Data},
    {Elements, Io, End, Budget3} =
        elements(Mode, Bodies, Segment, Sections, Message, Next + 1, Next + 1 + Own, Depth, Budget2, Path, [], []),
    Tag = <<(Count bsl 2):32/little, Data1:16/little, Pointers1:16/little>>,
    {low(1, Place, Next), ?LIST_OF_RECORDS bor (Own bsl 3), [Tag, Elements | Io], End, Budget3};
list(Mode, ?LIST_OF_POINTERS, Count, Segment, Where, {_, _, Message} = From, {Place, Next}, Depth, Budget, Path) ->
    Start = aldis_pointer:body(Segment, Where, Count * ?WORD, bad_count, From, Path),
    Budget1 = charge(Budget, Count, From, Path),
    {Words, Io, End, Budget2} =
        each(Mode, Segment, Start, Count, Message, Next, Next + Count, Depth, Budget1, Path),
    {low(1, Place, Next), ?LIST_OF_POINTERS bor (Count bsl 3), [Words | Io], End, Budget2};
list(_, Code, Count, Segment, Where, From, {Place, Next}, _, Budget, Path) ->
    Bits = Count * element(Code + 1, {0, 1, 8, 16, 32, 64}),
    Words = (Bits + 63) div 64,
    Start = aldis_pointer:body(Segment, Where, Words * ?WORD, bad_count, From, Path),
    Charged = case Code of
        0 -> Count;
        _ -> Words
    end,
    Budget1 = charge(Budget, Charged, From, Path),
    {low(1, Place, Next), Code bor (Count bsl 3), scalars(Segment, Start, Bits, Words), Next + Words, Budget1}.

%% The bytes beyond the last element are zero.
scalars(Segment, Start, Bits, Words) ->
    Whole = Bits div 8,
    Padding = 64 * Words - 8 * Whole,
    case Bits rem 8 of
        0 -> [binary:part(Segment, Start, Whole), <<0:Padding>>];
        Left ->
            <<_:Start/binary, Bytes:Whole/binary, Last, _/binary>> = Segment,
            Kept = Last band ((1 bsl Left) - 1),
            [Bytes, Kept, <<0:(Padding - 8)>>]
    end.

%% Sections that all elements fit into.
common(whole, _, _, Data, Pointers) -> {Data, Pointers};
common(canonical, Segment, Bodies, Data, Pointers) ->
    lists:foldl(fun(Start, {MostData, MostPointers}) ->
        {D, P} = trimmed(canonical, Segment, Start, Data, Pointers),
        {max(D, MostData), max(P, MostPointers)}
    end, {0, 0}, Bodies).

elements(Mode, [Start | Bodies], Segment, {Data, Pointers, DataSize} = Sections, Message, Place, Next, Depth, Budget,
        Path, Elements, Objects) ->
    Numbers = binary:part(Segment, Start, ?WORD * Data),
    {Words, Io, Next1, Budget1} =
        each(Mode, Segment, Start + DataSize, Pointers, Message, Place + Data, Next, Depth, Budget, Path),
    elements(Mode, Bodies, Segment, Sections, Message, Place + Data + Pointers, Next1, Depth, Budget1, Path,
        [[Numbers, Words] | Elements], [Io | Objects]);
elements(_, [], _, _, _, _, Next, _, Budget, _, Elements, Objects) ->
    {lists:reverse(Elements), lists:reverse(Objects), Next, Budget}.
