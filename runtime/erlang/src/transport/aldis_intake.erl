%% @doc The work of a session on batches: it checks them, drops what it has seen, gives the rest to the handler and the
%% log, and keeps the watermarks that are acknowledged.
%%
%% `last' is what the handler has taken, in a row; `durable' what the log has. Memory: what the log has not written yet is
%% bounded by the credit ({@link behind/1}) and by the listener's memory ({@link aldis_budget}), all else is gone when a batch is handled.
-module(aldis_intake).

-include("aldis_frame.hrl").

-export([new/1, batch/4, durable/2, log_gone/1, behind/1, settled/1, ack/2, abandon/1]).
-export_type([intake/0, result/0]).

-record(intake, {
    features :: non_neg_integer(),
    granted :: aldis_frame:durability(),
    %% Whether the sink's word is told as the watermark `durable': a level that nobody granted stands at 0.
    tells_durable :: boolean(),
    producer :: aldis_sink:producer(),
    epoch :: aldis_sink:epoch(),
    sink :: aldis_sink:sink() | none,
    tag :: reference(),
    %% Outlives the connection: see aldis_producers.
    kept :: atomics:atomics_ref(),
    metrics :: aldis_metrics:ref(),
    counted :: counters:counters_ref(),
    budget :: aldis_budget:budget(),
    credit_messages :: pos_integer(),
    credit_bytes :: pos_integer(),
    last :: aldis_frame:u64(),
    %% The handler has taken these before, on a connection whose log failed.
    before :: aldis_frame:u64(),
    durable :: aldis_frame:u64(),
    duplicates = 0 :: aldis_frame:u64(),
    %% After a NACK, until a batch begins at or before the next sequence.
    nacked = false :: boolean(),
    %% The log has not confirmed these yet: last sequence, messages, bytes, arrival in native time; and the bytes of all.
    pending = queue:new() :: queue:queue({aldis_frame:u64(), pos_integer(), non_neg_integer(), integer()}),
    pending_bytes = 0 :: non_neg_integer(),
    pending_batches = 0 :: non_neg_integer(),
    %% The last ACK (the watermark of the granted durability, and duplicates), and whether anything is new since.
    acked :: aldis_frame:u64(),
    fresh = false :: boolean(),
    %% Bytes taken since then.
    since_ack = 0 :: non_neg_integer()
}).

%% Batches that the log may have to write before no more is received: small ones take more memory than their bytes.
-define(PENDING, 4096).
%% Bytes that a batch takes beside its own.
-define(BATCH, 512).

-opaque intake() :: #intake{}.
-type result() ::
    {ok, aldis_handler:handler(), intake()}
    | {nack, #nack{}, aldis_handler:handler(), intake()}
    | {stop, aldis_frame:code(), binary(), aldis_handler:handler(), intake()}.

%% @doc The intake of a session that begins after `last'.
-spec new(map()) -> intake().
new(#{features := Features, granted := Granted, tells_durable := Tells, producer := Producer, epoch := Epoch, sink := Sink, kept := Kept,
      metrics := Metrics, counted := Counted, budget := Budget, credit := {Messages, Bytes}, last := Last, tag := Tag}) ->
    Durable = case Sink of
        none -> 0;
        _ -> Last
    end,
    #intake{features = Features, granted = Granted, tells_durable = Tells, producer = Producer, epoch = Epoch, sink = Sink, kept = Kept,
            metrics = Metrics, counted = Counted, budget = Budget, credit_messages = Messages, credit_bytes = Bytes, last = Last,
            before = atomics:get(Kept, 1),
            durable = Durable, acked = Last, tag = Tag}.

%% @doc Takes a batch that arrived at `Arrived', in native time.
-spec batch(#batch{}, integer(), aldis_handler:handler(), intake()) -> result().
batch(#batch{first = First}, _, Handler, #intake{nacked = true, last = Last} = Intake) when First > Last + 1 ->
    {ok, Handler, Intake};
batch(#batch{first = First, count = Count, crc = Crc, rest = Rest} = Batch, Arrived, Handler, Intake) ->
    case Intake#intake.features band ?NO_CHECKSUM =/= 0 orelse aldis_frame:checksum(First, Count, Rest) =:= Crc of
        true -> entries(Batch, Arrived, Handler, Intake);
        false -> nack(bad_checksum, <<"the checksum of the batch is another">>, Handler, Intake)
    end.

entries(#batch{first = First, count = Count, rest = Rest}, Arrived, Handler, #intake{features = Features} = Intake) ->
    case split(Features band ?SCHEMA, Rest) of
        error -> {stop, protocol, <<"the batch is too short for its schema">>, Handler, Intake};
        _ when First =:= 0 -> {stop, protocol, <<"sequences begin at 1">>, Handler, Intake};
        {Schema, Entries} ->
            case aldis_scan:entries(Entries, 0, Count) of
                {ok, _} -> unseen(aldis_batch:native(First, Count, Schema, Entries), Arrived, Handler, Intake);
                {error, bad_count} -> nack(bad_count, <<"the entries are not as many as said">>, Handler, Intake)
            end
    end.

split(0, Entries) -> {none, Entries};
split(_, Rest) -> aldis_frame:schema(Rest).

unseen(Batch, Arrived, Handler, #intake{last = Last, duplicates = Duplicates} = Intake) ->
    Count = aldis_batch:count(Batch),
    case Last + 1 - aldis_batch:first(Batch) of
        Missing when Missing < 0 -> nack(gap, <<"messages before these are missing">>, Handler, Intake);
        0 -> within_credit(Batch, Arrived, Handler, Intake#intake{nacked = false});
        Seen ->
            Dropped = min(Seen, Count),
            aldis_metrics:add(Intake#intake.metrics, duplicates, Dropped),
            Known = Intake#intake{duplicates = Duplicates + Dropped, fresh = true, nacked = false},
            case Dropped of
                Count -> {ok, Handler, Known};
                _ -> within_credit(aldis_batch:drop(Dropped, Batch), Arrived, Handler, Known)
            end
    end.

%% The client knows of no later ACK than the last one sent, so it may have this much outstanding and no more.
within_credit(Batch, Arrived, Handler, #intake{acked = Acked, last = Last} = Intake) ->
    Messages = aldis_batch:last(Batch) - Acked,
    Bytes = outstanding(Intake) + aldis_batch:size(Batch),
    Alone = Last =:= Acked andalso aldis_batch:count(Batch) =:= 1,
    case Messages =< Intake#intake.credit_messages andalso Bytes =< Intake#intake.credit_bytes orelse Alone of
        true -> handle(Batch, Arrived, Handler, Intake);
        false ->
            Text = io_lib:format("~b messages and ~b bytes are outstanding, more than the credit", [Messages, Bytes]),
            {stop, credit, iolist_to_binary(Text), Handler, Intake}
    end.

outstanding(#intake{granted = durable, pending_bytes = Bytes}) -> Bytes;
outstanding(#intake{since_ack = Bytes}) -> Bytes.

handle(Batch, Arrived, Handler, #intake{before = Before} = Intake) ->
    case {Before + 1 - aldis_batch:first(Batch), aldis_batch:count(Batch)} of
        {Known, _} when Known =< 0 -> handle_new(Batch, Arrived, Handler, Intake);
        {Known, Count} when Known >= Count -> {ok, Handler, handled(Batch, Arrived, Intake)};
        {Known, _} ->
            Next = handled(aldis_batch:head(Known, Batch), Arrived, Intake),
            handle_new(aldis_batch:drop(Known, Batch), Arrived, Handler, Next)
    end.

handle_new(Batch, Arrived, Handler, #intake{metrics = Metrics} = Intake) ->
    Begin = erlang:monotonic_time(),
    Result = aldis_handler:batch(Batch, Handler),
    observe(Metrics, handler_time, erlang:monotonic_time() - Begin),
    case Result of
        {ok, Next} -> {ok, Next, handled(Batch, Arrived, Intake)};
        {refuse, Refused, Text, Next} ->
            nack(refused, Text, Next, handled_before(Refused, Batch, Arrived, Intake));
        {stop, Left, Text, Next} -> {stop, handler, Text, Next, handled_before(Left, Batch, Arrived, Intake)};
        {failed, Left} ->
            {stop, handler, <<"the handler failed">>, Handler, handled_before(Left, Batch, Arrived, Intake)}
    end.

handled_before(Refused, Batch, Arrived, Intake) ->
    case Refused - aldis_batch:first(Batch) of
        0 -> Intake;
        Count -> handled(aldis_batch:head(Count, Batch), Arrived, Intake)
    end.

handled(Batch, Arrived, #intake{metrics = Metrics, counted = Counted, kept = Kept, since_ack = Since} = Intake) ->
    Count = aldis_batch:count(Batch),
    Bytes = aldis_batch:size(Batch),
    Last = aldis_batch:last(Batch),
    atomics:put(Kept, 1, max(Last, Intake#intake.before)),
    aldis_metrics:add(Metrics, messages, Count),
    aldis_metrics:add(Metrics, bytes, Bytes),
    aldis_metrics:add(Metrics, batches, 1),
    aldis_connections:counted(Counted, Count, Bytes),
    logged(Batch, Arrived, Intake#intake{last = Last, since_ack = Since + Bytes}).

logged(_, _, #intake{sink = none} = Intake) -> Intake#intake{fresh = true};
logged(Batch, Arrived, #intake{sink = Sink, producer = Producer, epoch = Epoch, tag = Tag} = Intake) ->
    #intake{pending = Pending, pending_bytes = PendingBytes, pending_batches = Batches, fresh = Fresh, granted = Granted} = Intake,
    Bytes = aldis_batch:size(Batch),
    Count = aldis_batch:count(Batch),
    ok = aldis_sink:append(Sink, Producer, Epoch, aldis_batch:first(Batch), Count, aldis_batch:schema(Batch),
                           aldis_batch:wire(Batch), Tag),
    queued(Count, Intake),
    aldis_budget:take(Intake#intake.budget, Intake#intake.counted, memory(Bytes)),
    Intake#intake{pending = queue:in({aldis_batch:last(Batch), Count, Bytes, Arrived}, Pending),
                  pending_bytes = PendingBytes + Bytes, pending_batches = Batches + 1,
                  fresh = Fresh orelse Granted =/= durable}.

%% The memory of a batch until it is written: the received bytes that it is a part of, and the terms around it.
memory(Bytes) -> 2 * Bytes + ?BATCH.

nack(Code, Text, Handler, #intake{last = Last, metrics = Metrics} = Intake) ->
    aldis_metrics:add(Metrics, nacks, 1),
    {nack, #nack{expected = Last + 1, code = Code, text = Text}, Handler, Intake#intake{nacked = true}}.

%% @doc The log's answer to a batch that it was given.
-spec durable(aldis_sink:outcome(), intake()) -> {ok, intake()} | {stop, aldis_frame:code(), binary(), intake()}.
durable({durable, Last}, #intake{durable = Before, granted = Granted, fresh = Fresh} = Intake) ->
    {ok, written(Intake#intake{durable = max(Before, Last), fresh = Fresh orelse Granted =:= durable})};
durable({error, {stale_epoch, _}}, Intake) ->
    {stop, stale_epoch, <<"a newer epoch of this producer is known">>, Intake};
durable({error, {too_large, Most}}, Intake) ->
    ok = log_gone(Intake),
    Text = io_lib:format("a message is larger than the log takes, which is ~b bytes with its size in front", [Most]),
    {stop, frame_too_large, iolist_to_binary(Text), Intake};
durable({error, _}, Intake) ->
    ok = log_gone(Intake),
    {stop, unavailable, <<"the log cannot write; connect again and resend">>, Intake}.

%% @doc The log has failed: what it was given and has not confirmed is not known to be there. Clients that asked for less than
%% `durable' have its acknowledgement, or get it before CLOSE, and send it no second time; that is counted.
-spec log_gone(intake()) -> ok.
log_gone(#intake{granted = durable}) -> ok;
log_gone(#intake{metrics = Metrics} = Intake) -> aldis_metrics:add(Metrics, unlogged, waiting(Intake)).

%% Messages that the log has not confirmed.
waiting(#intake{pending = Pending}) -> lists:sum([Count || {_, Count, _, _} <- queue:to_list(Pending)]).

%% In the gauge, and beside it for the case that this process is killed.
queued(Count, #intake{metrics = Metrics, counted = Counted}) ->
    aldis_metrics:add(Metrics, queue, Count),
    aldis_connections:queued(Counted, Count).

written(#intake{pending = Pending, durable = Durable, metrics = Metrics} = Intake) ->
    case queue:peek(Pending) of
        {value, {Last, Count, Bytes, Arrived}} when Last =< Durable ->
            queued(-Count, Intake),
            aldis_budget:take(Intake#intake.budget, Intake#intake.counted, -memory(Bytes)),
            Intake#intake.granted =:= durable andalso
                observe(Metrics, ack_latency, erlang:monotonic_time() - Arrived),
            written(Intake#intake{pending = queue:drop(Pending), pending_bytes = Intake#intake.pending_bytes - Bytes,
                                  pending_batches = Intake#intake.pending_batches - 1});
        _ -> Intake
    end.

%% @doc Whether the log has so much to write that nothing more should be taken. Where less than `durable' is granted acks
%% do not wait for the log, so credit alone would not bound what waits for it.
-spec behind(intake()) -> boolean().
behind(#intake{pending_bytes = Bytes, pending_batches = Batches, credit_bytes = Credit}) ->
    Batches >= ?PENDING orelse Bytes > Credit.

%% @doc Whether nothing is waited for.
-spec settled(intake()) -> boolean().
settled(#intake{pending = Pending}) -> queue:is_empty(Pending).

%% @doc The ACK, if there is something new to say, of what arrived at `Arrived'.
-spec ack(integer(), intake()) -> {none | #ack{}, intake()}.
ack(_, #intake{fresh = false} = Intake) -> {none, Intake};
ack(Arrived, #intake{metrics = Metrics, last = Last, durable = Durable, granted = Granted} = Intake) ->
    aldis_metrics:add(Metrics, acks, 1),
    Granted =/= durable andalso observe(Metrics, ack_latency, erlang:monotonic_time() - Arrived),
    Acked = case Granted of
        durable -> Durable;
        _ -> Last
    end,
    Told = case Intake#intake.tells_durable of
        true -> Durable;
        false -> 0
    end,
    {#ack{received = Last, handled = Last, durable = Told, duplicates = Intake#intake.duplicates,
          credit_messages = Intake#intake.credit_messages, credit_bytes = Intake#intake.credit_bytes},
     Intake#intake{acked = Acked, fresh = false, since_ack = 0}}.

%% @doc The session ends; what the log has yet to write it writes without us.
-spec abandon(intake()) -> ok.
abandon(Intake) -> queued(-waiting(Intake), Intake).

observe(Metrics, Name, Native) ->
    aldis_metrics:observe(Metrics, Name, erlang:convert_time_unit(Native, native, nanosecond)).
