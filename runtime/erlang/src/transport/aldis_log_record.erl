%% @doc A record of the durable log: one batch of one producer, as it lies in a segment.
%%
%% All numbers are little-endian.
%%
%% ```
%% salt u32 | crc u32 | length u32 | offset u64 | synced u64 | time u64 | producer 16 bytes | epoch u32 | first u64 |
%% count u32 | flags u32 | schema u32 | template u32 | count entries: size u32 + bytes
%% '''
%%
%% `salt' is the segment's, a random number that no client knows, and `crc' is CRC-32 of all behind itself, begun with it: bytes
%% that a client sends, or that were on the disk before, do not pass for a record, and do not even look like the begin of one.
%% `length' counts what follows it. `offset' is the log's own number of the first
%% message. `synced' is how many bytes of the segment were known to be on the disk when the record was written: damage
%% before that is no torn tail.
%%
%% A record of no messages announces an epoch; with the flag 2 its only entry is 16 bytes without a size, the identity to which
%% the producer belongs. With the flag 4 it says that messages are lost: as many as `first', from `offset' on, were in the bytes
%% that it now fills.
-module(aldis_log_record).

-export([encode/2, sum/1, decode/3, head/2, lost/5, skip/2, drop/2, with_origin/1, header_size/0]).
-export_type([batch/0, salt/0, sum/0]).

-type salt() :: 0..16#FFFFFFFF.
-type batch() :: #{
    offset := aldis_sink:sequence(),
    synced := non_neg_integer(),
    time := non_neg_integer(),
    producer := aldis_sink:producer(),
    epoch := aldis_sink:epoch(),
    first := aldis_sink:sequence(),
    count := non_neg_integer(),
    schema := aldis_sink:schema(),
    entries := aldis_sink:entries(),
    %% Where the entries are to be written and it is known already.
    sum => sum(),
    %% These two are in records without messages only.
    identity => <<_:128>>,
    lost => non_neg_integer()
}.
%% `time' is the system's in milliseconds since 1970, when the batch was written.

-type sum() :: none | 0..16#FFFFFFFF.

-define(HEADER, 80).
%% The bytes of the header that `length' counts.
-define(COUNTED, (?HEADER - 12)).
-define(HAS_SCHEMA, 1).
-define(HAS_IDENTITY, 2).
-define(LOST, 4).

%% Entries of fewer bytes are summed up sooner than two sums are joined.
-define(WORTH_A_SUM, 4096).

%% @doc How many bytes there are before the entries.
-spec header_size() -> pos_integer().
header_size() -> ?HEADER.

%% @doc The bytes of a record.
-spec encode(batch(), salt()) -> iodata().
encode(#{schema := Schema, entries := Entries} = Batch, Salt) ->
    {Flags, Id, Template} = case Schema of
        none -> {0, 0, 0};
        {S, T} -> {?HAS_SCHEMA, S, T}
    end,
    case Batch of
        #{identity := <<Identity:16/binary>>, count := 0} -> sealed(Batch, ?HAS_IDENTITY, 0, 0, Identity, Salt);
        #{} -> sealed(Batch, Flags, Id, Template, Entries, Salt)
    end.

%% @doc CRC-32 of entries, which whoever appends works out: the one process that writes only joins it with its header's.
-spec sum(aldis_sink:entries()) -> sum().
sum(Entries) when byte_size(Entries) < ?WORTH_A_SUM -> none;
sum(Entries) -> aldis_scan:crc32(0, Entries).

sealed(#{offset := Offset, synced := Synced, time := Time, producer := Producer, epoch := Epoch, first := First,
        count := Count} = Batch, Flags, Id, Template, Entries, Salt) ->
    Length = ?COUNTED + byte_size(Entries),
    Counted = <<Length:32/little, Offset:64/little, Synced:64/little, Time:64/little, Producer:16/binary, Epoch:32/little,
        First:64/little, Count:32/little, Flags:32/little, Id:32/little, Template:32/little>>,
    Before = erlang:crc32(Salt, Counted),
    Crc = case Batch of
        #{sum := Sum} when Sum =/= none -> erlang:crc32_combine(Before, Sum, byte_size(Entries));
        #{} -> aldis_scan:crc32(Before, Entries)
    end,
    [<<Salt:32/little, Crc:32/little>>, Counted, Entries].

%% @doc A record in place of `Size' damaged bytes (a header's at least): `Count' messages from `Offset' on are lost.
-spec lost(aldis_sink:sequence(), Count :: non_neg_integer(), Synced :: non_neg_integer(), Size :: pos_integer(), salt()) ->
    iodata().
lost(Offset, Count, Synced, Size, Salt) when Size >= ?HEADER ->
    Batch = #{offset => Offset, synced => Synced, time => erlang:system_time(millisecond), producer => <<0:128>>, epoch => 0,
        first => Count, count => 0},
    sealed(Batch, ?LOST, 0, 0, <<0:(Size - ?HEADER)/unit:8>>, Salt).

%% @doc The record at `At'. `{more, Size}': it needs `Size' bytes in all. `damaged': there is no whole record here.
-spec decode(binary(), At :: non_neg_integer(), salt()) ->
    {ok, batch(), Next :: pos_integer()} | {more, Size :: pos_integer()} | damaged.
decode(Bytes, At, Salt) ->
    case Bytes of
        <<_:At/binary, Salt:32/little, Crc:32/little, Length:32/little, _/binary>> when Length >= ?COUNTED ->
            Checked = Length + 4,
            case Bytes of
                <<_:At/binary, _:8/binary, Body:Checked/binary, _/binary>> -> checked(Body, Crc, Salt, At + 8 + Checked);
                _ -> {more, 8 + Checked}
            end;
        <<_:At/binary, _:12/binary, _/binary>> -> damaged;
        _ -> {more, ?HEADER}
    end.

%% @doc The contents of a record's first bytes: the batch without its entries, the record's size, and its checksum, which may be wrong.
-spec head(binary(), salt()) -> {ok, batch(), Size :: pos_integer(), Crc :: 0..16#FFFFFFFF} | damaged.
head(<<Salt:32/little, Crc:32/little, Length:32/little, Counted:(?COUNTED)/binary, _/binary>>, Salt) when Length >= ?COUNTED ->
    {ok, batch(<<Length:32/little, Counted/binary>>), Length + 12, Crc};
head(_, _) -> damaged.

checked(Body, Crc, Salt, Next) ->
    case aldis_scan:crc32(Salt, Body) of
        Crc -> {ok, batch(Body), Next};
        _ -> damaged
    end.

batch(<<_:32, Offset:64/little, Synced:64/little, Time:64/little, Producer:16/binary, Epoch:32/little, First:64/little,
        Count:32/little, Flags:32/little, Id:32/little, Template:32/little, Entries/binary>>) ->
    Batch = #{offset => Offset, synced => Synced, time => Time, producer => Producer, epoch => Epoch, first => First,
        count => Count, schema => none, entries => Entries},
    if
        Count > 0, Flags band ?HAS_SCHEMA =/= 0 -> Batch#{schema := {Id, Template}};
        Count > 0 -> Batch;
        Flags band ?LOST =/= 0 -> Batch#{lost => First, entries := <<>>};
        Flags band ?HAS_IDENTITY =/= 0, byte_size(Entries) =:= 16 -> Batch#{identity => binary:copy(Entries), entries := <<>>};
        true -> Batch
    end.

%% @doc The begin of the entry after the first `Count'.
-spec skip(aldis_sink:entries(), Count :: non_neg_integer()) -> {ok, At :: non_neg_integer()} | {error, bad_count}.
skip(Entries, Count) -> skip(Entries, 0, Count).

skip(_, At, 0) -> {ok, At};
skip(Entries, At, Count) ->
    case Entries of
        <<_:At/binary, Size:32/little, _:Size/binary, _/binary>> -> skip(Entries, At + 4 + Size, Count - 1);
        _ -> {error, bad_count}
    end.

%% @doc A batch without its first `Count' messages, which it has.
-spec drop(batch(), Count :: non_neg_integer()) -> {ok, batch()} | {error, bad_count}.
drop(Batch, 0) -> {ok, Batch};
drop(#{offset := Offset, first := First, count := Count, entries := Entries} = Batch, Less) ->
    case skip(Entries, Less) of
        {ok, At} ->
            <<_:At/binary, Rest/binary>> = Entries,
            Others = maps:remove(sum, Batch),
            {ok, Others#{offset := Offset + Less, first := First + Less, count := Count - Less, entries := Rest}};
        {error, bad_count} -> {error, bad_count}
    end.

%% @doc The entries of a batch, each with who sent it in front of its bytes: producer (16 bytes), epoch u32, sequence u64.
-spec with_origin(batch()) -> aldis_sink:entries().
with_origin(#{producer := Producer, epoch := Epoch, first := First, entries := Entries}) -> with_origin(Entries, Producer, Epoch, First, <<>>).

with_origin(<<Size:32/little, Message:Size/binary, Entries/binary>>, Producer, Epoch, Sequence, Done) ->
    with_origin(Entries, Producer, Epoch, Sequence + 1,
        <<Done/binary, (Size + 28):32/little, Producer/binary, Epoch:32/little, Sequence:64/little, Message/binary>>);
with_origin(<<>>, _, _, _, Done) -> Done.
