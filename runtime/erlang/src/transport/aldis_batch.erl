%% @doc A batch of whole messages, as a handler gets it.
%%
%% It is a window on the bytes that came: nothing is copied, and nothing is made for a message before it is asked for.
%% Messages that {@link fold/3} and {@link entries/1} give are parts of those bytes and keep them alive; what is kept
%% longer than the batch should be a copy (`binary:copy/1').
-module(aldis_batch).

-export([count/1, first/1, last/1, schema/1, size/1, entries/1, fold/3, ids/1, decode/2]).
%% For the connection.
-export([native/4, legacy/4, wire/1, drop/2, head/2, each/3]).
-export_type([t/0]).

-record(batch, {
    first :: aldis_frame:u64(),
    count :: non_neg_integer(),
    schema = none :: aldis_frame:schema(),
    layout :: entries | big | little,
    %% The messages and nothing else: entries as in a BATCH, or id, size (in this order of bytes) and payload.
    bytes :: binary()
}).

-opaque t() :: #batch{}.

%% @private
-spec native(aldis_frame:u64(), non_neg_integer(), aldis_frame:schema(), binary()) -> t().
native(First, Count, Schema, Entries) ->
    #batch{first = First, count = Count, schema = Schema, layout = entries, bytes = Entries}.

%% @private Messages of a legacy mode: `Bytes' has been walked and holds exactly `Count' of them.
-spec legacy(aldis_frame:u64(), non_neg_integer(), big | little, binary()) -> t().
legacy(First, Count, Endian, Bytes) ->
    #batch{first = First, count = Count, layout = Endian, bytes = Bytes}.

%% @doc How many messages there are; at least one.
-spec count(t()) -> pos_integer().
count(#batch{count = Count}) -> Count.

%% @doc The sequence number of the first message: the producer's own, or, in the legacy modes, the connection's from 1.
-spec first(t()) -> pos_integer().
first(#batch{first = First}) -> First.

%% @doc The sequence number of the last message.
-spec last(t()) -> pos_integer().
last(#batch{first = First, count = Count}) -> First + Count - 1.

%% @doc The schema and template that the producer names for its messages, if it does.
-spec schema(t()) -> aldis_frame:schema().
schema(#batch{schema = Schema}) -> Schema.

%% @doc Bytes on the wire, sizes and ids included.
-spec size(t()) -> non_neg_integer().
size(#batch{bytes = Bytes}) -> byte_size(Bytes).

%% @private
-spec wire(t()) -> binary().
wire(#batch{bytes = Bytes}) -> Bytes.

%% @doc The messages, in order.
-spec entries(t()) -> [binary()].
entries(#batch{layout = entries, count = Count, bytes = Bytes}) -> aldis_scan:to_list(Bytes, 0, Count);
entries(Batch) -> lists:reverse(fold(fun(Message, Messages) -> [Message | Messages] end, [], Batch)).

%% @doc The ids of the messages of a legacy mode, 8 bytes each; none in aldis/1, where messages have sequence numbers.
-spec ids(t()) -> [<<_:64>>].
ids(#batch{layout = entries}) -> [];
ids(#batch{layout = little, bytes = Bytes}) -> [Id || <<Id:8/binary, Size:32/little, _:Size/binary>> <= Bytes];
ids(#batch{layout = big, bytes = Bytes}) -> [Id || <<Id:8/binary, Size:32/big, _:Size/binary>> <= Bytes].

%% @doc Folds over the messages, in order.
-spec fold(fun((Message :: binary(), Acc) -> Acc), Acc, t()) -> Acc.
fold(Fun, Acc, #batch{layout = entries, count = Count, bytes = Bytes}) -> aldis_scan:fold(Fun, Acc, Bytes, 0, Count);
fold(Fun, Acc, #batch{layout = Endian, count = Count, bytes = Bytes}) ->
    aldis_scan:legacy_fold(fun(_, Message, Sum) -> Fun(Message, Sum) end, Acc, Bytes, 0, Endian, Count).

%% @doc The messages as records, by a module that Aldis generated; or the sequence number of the first one that is no
%% message of that schema, and why.
-spec decode(Codec :: module(), t()) -> {ok, [tuple()]} | {error, Sequence :: pos_integer(), Reason :: term()}.
decode(Codec, #batch{first = First} = Batch) -> decode(entries(Batch), Codec, First, []).

decode([], _, _, Records) -> {ok, lists:reverse(Records)};
decode([Message | Messages], Codec, Sequence, Records) ->
    case Codec:decode(Message) of
        {ok, Record, <<>>} -> decode(Messages, Codec, Sequence + 1, [Record | Records]);
        {ok, _, Rest} -> {error, Sequence, {bytes_left_over, byte_size(Rest)}};
        {error, Reason} -> {error, Sequence, Reason}
    end.

%% @private Without the first `Drop' messages, of which there are more.
-spec drop(non_neg_integer(), t()) -> t().
drop(0, Batch) -> Batch;
drop(Drop, #batch{first = First, count = Count, layout = entries, bytes = Bytes} = Batch) ->
    At = aldis_scan:skip(Bytes, 0, Drop),
    <<_:At/binary, Rest/binary>> = Bytes,
    Batch#batch{first = First + Drop, count = Count - Drop, bytes = Rest}.

%% @private The first `Count' messages, at least one.
-spec head(pos_integer(), t()) -> t().
head(Count, #batch{layout = entries, bytes = Bytes} = Batch) ->
    Batch#batch{count = Count, bytes = binary:part(Bytes, 0, aldis_scan:skip(Bytes, 0, Count))};
head(Count, #batch{layout = Endian, bytes = Bytes} = Batch) ->
    Size = aldis_scan:legacy_fold(fun(_, Message, Sum) -> Sum + 12 + byte_size(Message) end, 0, Bytes, 0, Endian, Count),
    Batch#batch{count = Count, bytes = binary:part(Bytes, 0, Size)}.

%% @private Calls `Fun' with each message until it says something else than `{ok, State}', or raises: that, and the sequence
%% number of the message, so that those before it count as taken.
-spec each(fun((binary(), State) -> {ok, State} | Other), State, t()) ->
    {ok, State} | {stopped, pos_integer(), Other} | {raised, pos_integer(), {error | exit | throw, term(), list()}}.
each(Fun, State, #batch{layout = entries, bytes = Bytes, first = First}) -> each_entry(Bytes, Fun, State, First);
each(Fun, State, #batch{first = First} = Batch) -> each_message(entries(Batch), Fun, State, First).

%% The same as the other, but makes no list.
each_entry(<<Size:32/little, Message:Size/binary, Rest/binary>>, Fun, State, Sequence) ->
    try Fun(Message, State) of
        {ok, Next} -> each_entry(Rest, Fun, Next, Sequence + 1);
        Other -> {stopped, Sequence, Other}
    catch
        Class:Reason:Stack -> {raised, Sequence, {Class, Reason, Stack}}
    end;
each_entry(<<>>, _, State, _) -> {ok, State}.

each_message([Message | Messages], Fun, State, Sequence) ->
    try Fun(Message, State) of
        {ok, Next} -> each_message(Messages, Fun, Next, Sequence + 1);
        Other -> {stopped, Sequence, Other}
    catch
        Class:Reason:Stack -> {raised, Sequence, {Class, Reason, Stack}}
    end;
each_message([], _, State, _) -> {ok, State}.
