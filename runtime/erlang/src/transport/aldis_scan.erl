%% @doc The begins and ends of messages in a buffer of received bytes, without a binary for each: offsets and counts only.
%%
%% Two layouts: those of the legacy modes (an id of 8 bytes, a size of 32 bits, the payload) and entries of `aldis/1'
%% batches (a size of 32 bits, little-endian, the bytes; docs/protocol.md). Large buffers go to {@link aldis_scan_nif} where it is built,
%% unless the application's environment says `{native, false}'; the answers are the same.
-module(aldis_scan).

-export([crc32/2, entries/3, fold/5, legacy/4, legacy_fold/6, native/0, skip/3, to_list/3]).
-export([pure_entries/3, pure_legacy/4]).
-export_type([endian/0, legacy/0]).

-type endian() :: big | little.
-type legacy() :: {
    Count :: non_neg_integer(),
    LastId :: <<_:64>> | none,
    NextOffset :: non_neg_integer(),
    Need :: non_neg_integer() | {error, {too_large, Size :: non_neg_integer()}}
}.
%% The findings of a walk over legacy messages: the number of whole ones, the start of the last, the start of the next.
-type walk() :: {non_neg_integer(), non_neg_integer() | none, non_neg_integer()}.

%% An id and a size.
-define(HEAD, 12).
%% Buffers of fewer bytes are scanned before a call of the native scanner has begun.
-define(WORTH_A_CALL, 1024).
%% The number of bytes whose native checksum is asked for in one call.
-define(CHECKED_AT_ONCE, 1000000).

%% @doc Checks that from `Offset' to the end there are exactly `Count' entries, one at least. `Bytes' is what they take,
%% sizes included, as credit counts it.
-spec entries(binary(), non_neg_integer(), non_neg_integer()) -> {ok, Bytes :: non_neg_integer()} | {error, bad_count}.
entries(Bin, Offset, Count) ->
    case native(Bin, Offset) andalso Count < 1 bsl 32 of
        true -> counted(aldis_scan_nif:entries(Bin, Offset, Count), Bin, Offset);
        false -> pure_entries(Bin, Offset, Count)
    end.

%% @doc As {@link entries/3}, in Erlang.
-spec pure_entries(binary(), non_neg_integer(), non_neg_integer()) -> {ok, non_neg_integer()} | {error, bad_count}.
pure_entries(Bin, Offset, Count) ->
    <<_:Offset/binary, Entries/binary>> = Bin,
    counted(Count > 0 andalso are_entries(Entries, Count), Bin, Offset).

counted(true, Bin, Offset) -> {ok, byte_size(Bin) - Offset};
counted(false, _, _) -> {error, bad_count}.

%% Whether there are exactly Count entries. Four a step: each clause's match is one run of checks without a call.
are_entries(<<A:32/little, _:A/binary, B:32/little, _:B/binary, C:32/little, _:C/binary, D:32/little, _:D/binary, Rest/binary>>, Count) when
    Count >= 4
->
    case A =:= B andalso A =:= C andalso A =:= D of
        true -> are_alike(Rest, Count - 4, raw(D), D);
        false -> are_entries(Rest, Count - 4)
    end;
are_entries(<<Size:32/little, _:Size/binary, Rest/binary>>, Count) when Count > 0 -> are_entries(Rest, Count - 1);
are_entries(Rest, Count) ->
    Rest =:= <<>> andalso Count =:= 0.

%% Entries of the same size as those before: its bytes are compared instead of read.
are_alike(Entries, Count, Raw, Size) ->
    case Entries of
        <<Raw:32, _:Size/binary, Raw:32, _:Size/binary, Raw:32, _:Size/binary, Raw:32, _:Size/binary, Rest/binary>> when Count >= 4 ->
            are_alike(Rest, Count - 4, Raw, Size);
        _ ->
            are_entries(Entries, Count)
    end.

%% The big-endian number that has the bytes of a little-endian one.
raw(Size) ->
    <<Raw:32>> = <<Size:32/little>>,
    Raw.

%% @doc The offset behind `Count' entries from `Offset' on, which have been checked to be there.
-spec skip(binary(), non_neg_integer(), non_neg_integer()) -> non_neg_integer().
skip(Bin, Offset, Count) ->
    <<_:Offset/binary, Entries/binary>> = Bin,
    byte_size(Bin) - left(Entries, Count).

left(<<Size:32/little, _:Size/binary, Rest/binary>>, Count) when Count > 0 -> left(Rest, Count - 1);
left(Rest, 0) -> byte_size(Rest).

%% @doc Folds over the bytes of `Count' checked entries, in their order; each is a part of `Bin', not a copy.
-spec fold(fun((Entry :: binary(), Acc) -> Acc), Acc, binary(), non_neg_integer(), non_neg_integer()) -> Acc.
fold(Fun, Acc, Bin, Offset, Count) ->
    <<_:Offset/binary, Entries/binary>> = Bin,
    fold_entries(Fun, Acc, Entries, Count).

fold_entries(Fun, Acc, <<Size:32/little, Entry:Size/binary, Rest/binary>>, Count) when Count > 0 ->
    fold_entries(Fun, Fun(Entry, Acc), Rest, Count - 1);
fold_entries(_, Acc, _, 0) ->
    Acc.

%% @doc The bytes of `Count' checked entries, as parts of `Bin'.
-spec to_list(binary(), non_neg_integer(), non_neg_integer()) -> [binary()].
to_list(Bin, Offset, Count) ->
    <<_:Offset/binary, Entries/binary>> = Bin,
    list(Entries, Count).

list(<<Size:32/little, Entry:Size/binary, Rest/binary>>, Count) when Count > 0 -> [Entry | list(Rest, Count - 1)];
list(_, 0) -> [].

%% @doc Walks the whole messages of a legacy mode from `Offset' on: how many, the id of the last one, and where the next one begins.
%% `Need' is how many more bytes that one wants, 0 while its size is unknown. A size beyond `Max' ends the walk
%% with an error, behind the messages before it.
-spec legacy(binary(), non_neg_integer(), endian(), non_neg_integer()) -> legacy().
legacy(Bin, Offset, Endian, Max) ->
    case native(Bin, Offset) of
        true -> found(aldis_scan_nif:legacy(Bin, Offset, Endian, min(Max, 16#FFFFFFFF)), Bin, Endian, Max);
        false -> pure_legacy(Bin, Offset, Endian, Max)
    end.

%% @doc As {@link legacy/4}, in Erlang.
-spec pure_legacy(binary(), non_neg_integer(), endian(), non_neg_integer()) -> legacy().
pure_legacy(Bin, Offset, Endian, Max) ->
    <<_:Offset/binary, Messages/binary>> = Bin,
    {Count, LastSize, Left} = walk(Messages, Endian, Max),
    Next = byte_size(Bin) - Left,
    found({Count, last(Count, LastSize, Next), Next}, Bin, Endian, Max).

walk(Messages, little, Max) -> little(Messages, 0, 0, Max);
walk(Messages, big, Max) -> big(Messages, 0, 0, Max).

last(0, _, _) -> none;
last(_, Size, Next) -> Next - Size - ?HEAD.

%% Each skip of a payload takes the next message's id with it.
little(
    <<_:64, A:32/little, _:(A + 8)/binary, B:32/little, _:(B + 8)/binary, C:32/little, _:(C + 8)/binary, D:32/little, _:D/binary, Rest/binary>>,
    Count, _, Max
) when A =< Max, B =< Max, C =< Max, D =< Max ->
    case A =:= B andalso A =:= C andalso A =:= D of
        true -> alike(Rest, Count + 4, D, Max, raw(D), D + 8);
        false -> little(Rest, Count + 4, D, Max)
    end;
little(<<_:64, Size:32/little, _:Size/binary, Rest/binary>>, Count, _, Max) when Size =< Max -> little(Rest, Count + 1, Size, Max);
little(Rest, Count, Last, _) ->
    {Count, Last, byte_size(Rest)}.

%% Messages of the same size as those before: its bytes are compared instead of read.
alike(Messages, Count, Size, Max, Raw, Step) ->
    case Messages of
        <<_:64, Raw:32, _:Step/binary, Raw:32, _:Step/binary, Raw:32, _:Step/binary, Raw:32, _:Size/binary, Rest/binary>> ->
            alike(Rest, Count + 4, Size, Max, Raw, Step);
        _ ->
            little(Messages, Count, Size, Max)
    end.

big(<<_:64, Size:32, _:Size/binary, Rest/binary>>, Count, _, Max) when Size =< Max -> big(Rest, Count + 1, Size, Max);
big(Rest, Count, Last, _) -> {Count, Last, byte_size(Rest)}.

%% The place where a walk ended; the id is a copy, which keeps no buffer alive.
-spec found(walk(), binary(), endian(), non_neg_integer()) -> legacy().
found({Count, LastAt, Next}, Bin, Endian, Max) ->
    {Count, id(Bin, LastAt), Next, need(Bin, Next, Endian, Max)}.

id(_, none) ->
    none;
id(Bin, At) ->
    <<_:At/binary, Id:64, _/binary>> = Bin,
    <<Id:64>>.

need(Bin, Next, Endian, Max) when byte_size(Bin) - Next >= ?HEAD ->
    case size(Bin, Next + 8, Endian) of
        Size when Size > Max -> {error, {too_large, Size}};
        Size -> Next + ?HEAD + Size - byte_size(Bin)
    end;
need(_, _, _, _) ->
    0.

size(Bin, At, little) ->
    <<_:At/binary, Size:32/little, _/binary>> = Bin,
    Size;
size(Bin, At, big) ->
    <<_:At/binary, Size:32, _/binary>> = Bin,
    Size.

%% @doc Folds over `Count' whole messages of a legacy mode from `Offset' on; ids and payloads are parts of `Bin'.
-spec legacy_fold(fun((Id :: <<_:64>>, Payload :: binary(), Acc) -> Acc), Acc, binary(), non_neg_integer(), endian(), non_neg_integer()) ->
    Acc.
legacy_fold(Fun, Acc, Bin, Offset, Endian, Count) ->
    <<_:Offset/binary, Messages/binary>> = Bin,
    case Endian of
        little -> fold_little(Fun, Acc, Messages, Count);
        big -> fold_big(Fun, Acc, Messages, Count)
    end.

fold_little(Fun, Acc, <<Id:8/binary, Size:32/little, Payload:Size/binary, Rest/binary>>, Count) when Count > 0 ->
    fold_little(Fun, Fun(Id, Payload, Acc), Rest, Count - 1);
fold_little(_, Acc, _, 0) ->
    Acc.

fold_big(Fun, Acc, <<Id:8/binary, Size:32, Payload:Size/binary, Rest/binary>>, Count) when Count > 0 ->
    fold_big(Fun, Fun(Id, Payload, Acc), Rest, Count - 1);
fold_big(_, Acc, _, 0) ->
    Acc.

%% @doc As `erlang:crc32/2': the CRC-32 of all bytes so far, when `Before' is that of the bytes in front of these.
-spec crc32(0..16#FFFFFFFF, iodata()) -> 0..16#FFFFFFFF.
crc32(Before, <<Some:?CHECKED_AT_ONCE/binary, Rest/binary>>) -> crc32(checked(Before, Some), Rest);
crc32(Before, Bytes) when is_binary(Bytes), byte_size(Bytes) >= ?WORTH_A_CALL -> checked(Before, Bytes);
crc32(Before, Bytes) -> erlang:crc32(Before, Bytes).

checked(Before, Bytes) ->
    case native() andalso aldis_scan_nif:crc32(Before, Bytes) of
        false -> erlang:crc32(Before, Bytes);
        Crc -> Crc
    end.

%% @doc Whether large buffers go to the native scanner.
-spec native() -> boolean().
native() -> application:get_env(aldis, native, true) =:= true andalso aldis_scan_nif:loaded().

native(Bin, Offset) -> byte_size(Bin) - Offset >= ?WORTH_A_CALL andalso native().
