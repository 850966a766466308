%% @doc Pointers on the way out: what generated writers call for what lies behind them. (Cap'n Proto encoding
%% specification, "Pointers", "Lists".)
%%
%% A writer is told in which word of the segment its pointer lies and in which the next object would. It gives the two
%% halves of the pointer, the object with all that belongs to it, and the word after that; null is two zeros and nothing.
-module(aldis_words).

-export([text/4, bytes/4, numbers/6, bits/4, voids/4, records/7, pointers/5, late/3, tag/2]).
-export_type([placed/0, later/0, word/0]).

-define(WORD, 8).
%% Counts have 29 bits.
-define(MOST, 16#1FFFFFFF).

-type path() :: aldis_fault:path().
-type word() :: non_neg_integer().
-type placed() :: {Low :: integer(), High :: non_neg_integer(), iodata(), word()}.
-type later() :: none | fun((word(), word()) -> placed()).
%% A writer that waits until it is known where its pointer and its object lie.

%% @doc UTF-8 text with a zero byte behind it.
-spec text(term(), word(), word(), path()) -> placed().
text(undefined, _, Next, _) -> {0, 0, [], Next};
text(Text, Place, Next, Path) ->
    Bytes = aldis_text:encode(Text, utf8, Path),
    padded(2, byte_size(Bytes) + 1, Bytes, Place, Next, Path).

%% @doc Bytes.
-spec bytes(term(), word(), word(), path()) -> placed().
bytes(undefined, _, Next, _) -> {0, 0, [], Next};
bytes(Io, Place, Next, Path) ->
    Bytes = aldis_text:bytes(Io, Path),
    padded(2, byte_size(Bytes), Bytes, Place, Next, Path).

%% A list of `Count' elements of the size `Code', in `Bytes', with zeros to a whole word.
padded(Code, Count, Bytes, Place, Next, Path) ->
    Given = byte_size(Bytes),
    %% Text counts a zero byte that is not given.
    Wanted = case Code of
        2 -> Count;
        _ -> Given
    end,
    Words = (Wanted + ?WORD - 1) div ?WORD,
    Padding = Words * ?WORD - Given,
    {list(Place, Next), high(Code, Count, Path), [Bytes, <<0:Padding/unit:8>>], Next + Words}.

list(Place, Next) -> ((Next - Place - 1) bsl 2) bor 1.

high(Code, Count, _) when Count =< ?MOST -> Code bor (Count bsl 3);
high(_, _, Path) -> aldis_fault:raise(out_of_range, none, Path).

%% @doc Numbers side by side, each of `Width' bytes.
-spec numbers(binary(), pos_integer(), 2..5, word(), word(), path()) -> placed().
numbers(Table, Width, Code, Place, Next, Path) ->
    padded(Code, byte_size(Table) div Width, Table, Place, Next, Path).

%% @doc Booleans.
-spec bits(term(), word(), word(), path()) -> placed().
bits(List, Place, Next, Path) ->
    Bits = << <<(aldis_check:bool(Value, Path)):1>> || Value <- aldis_check:list(List, Path) >>,
    Count = bit_size(Bits),
    Padding = (8 - Count rem 8) rem 8,
    %% The first of eight is the lowest of its byte.
    Bytes = << <<H:1, G:1, F:1, E:1, D:1, C:1, B:1, A:1>>
        || <<A:1, B:1, C:1, D:1, E:1, F:1, G:1, H:1>> <= <<Bits/bitstring, 0:Padding>> >>,
    padded(1, Count, Bytes, Place, Next, Path).

%% @doc Nothing, many times.
-spec voids(term(), word(), word(), path()) -> placed().
voids(List, Place, Next, Path) ->
    Values = aldis_check:list(List, Path),
    lists:foreach(fun(Value) -> aldis_check:constant(Value, undefined, Path) end, Values),
    padded(0, length(Values), <<>>, Place, Next, Path).

%% @doc Records side by side, each of so many words of data and pointers. `Write' is given a record, where it lies, where
%% its first object would, and its path; it gives its words, its objects, and the word after them.
-spec records(fun((term(), word(), word(), path()) -> {iodata(), iodata(), word()}), term(), non_neg_integer(),
    non_neg_integer(), word(), word(), path()) -> placed().
records(Write, List, Data, Pointers, Place, Next, Path) ->
    Values = aldis_check:list(List, Path),
    Count = length(Values),
    Words = Count * (Data + Pointers),
    High = high(7, Words, Path),
    Count =< ?MOST orelse aldis_fault:raise(out_of_range, none, Path),
    First = Next + 1,
    {Bodies, Objects, End} = each(Write, Values, 0, Data + Pointers, First, First + Words, Path, [], []),
    Tag = <<(Count bsl 2):32/little, Data:16/little, Pointers:16/little>>,
    {list(Place, Next), High, [Tag, Bodies | Objects], End}.

each(Write, [Value | Values], Index, Stride, At, Next, Path, Bodies, Objects) ->
    {Body, Io, Next1} = Write(Value, At, Next, [Index | Path]),
    each(Write, Values, Index + 1, Stride, At + Stride, Next1, Path, [Body | Bodies], [Io | Objects]);
each(_, [], _, _, _, Next, _, Bodies, Objects) -> {lists:reverse(Bodies), lists:reverse(Objects), Next}.

%% @doc Pointers side by side. `Write' is given what one leads to, where the pointer lies, where the object would, and
%% the path.
-spec pointers(fun((term(), word(), word(), path()) -> placed()), term(), word(), word(), path()) -> placed().
pointers(Write, List, Place, Next, Path) ->
    Values = aldis_check:list(List, Path),
    Count = length(Values),
    High = high(6, Count, Path),
    Placed = fun(Value, At, After, ItemPath) ->
        {Low, Upper, Io, End} = Write(Value, At, After, ItemPath),
        {<<Low:32/little, Upper:32/little>>, Io, End}
    end,
    {Words, Objects, End} = each(Placed, Values, 0, 1, Next, Next + Count, Path, [], []),
    {list(Place, Next), High, [Words | Objects], End}.

%% @doc The result of a writer that waited.
-spec late(later(), word(), word()) -> placed().
late(none, _, Next) -> {0, 0, [], Next};
late(Write, Place, Next) -> Write(Place, Next).

%% @doc A union's tag that the schema does not know.
-spec tag(term(), path()) -> 0..65535.
tag(Tag, Path) -> aldis_check:int(Tag, 0, 16#FFFF, Path).
