%% @doc The five patterns of acknowledged TCP that came before aldis/1, byte for byte.
%%
%% Messages are an id of 8 bytes, a size of 32 bits and the payload. An ack names the last id and, but for `request_reply',
%% how many messages before it were not acked one by one. Messages are acked when the handler has taken them.
%%
%% | mode            | size          | ack                                             |
%% |-----------------|---------------|-------------------------------------------------|
%% | `request_reply' | big-endian    | the id, for each message                        |
%% | `throttled_ack' | little-endian | id and skipped (u32, little), every 5 ms        |
%% | `head_rest'     | little-endian | the same                                        |
%% | `sync_ack'      | little-endian | the same, for all whole messages of a receive   |
%% | `async_ack'     | little-endian | the same, after 22 receives or 5 ms             |
-module(aldis_legacy).
-behaviour(aldis_connection).

-export([open/4, data/2, message/2, ready/1, starved/2, finish/2, deadline/1, tick/2, close/3]).

-record(legacy, {
    socket :: aldis_socket:t(),
    handler :: aldis_handler:handler(),
    metrics :: aldis_metrics:ref(),
    counted :: counters:counters_ref(),
    max :: pos_integer(),
    idle :: timeout(),
    endian :: big | little,
    %% Receives, and milliseconds, that an ack may wait; `each': all ids are answered, nothing waits.
    receives :: pos_integer() | each | infinity,
    interval :: timeout(),
    %% The number of the next message on this connection.
    next = 1 :: pos_integer(),
    %% Messages that wait for an ack, the id of the last one, and in how many receives they came.
    waiting = 0 :: non_neg_integer(),
    last :: <<_:64>> | none,
    came = 0 :: non_neg_integer(),
    %% Monotonic milliseconds: when whole messages came last, when waiting acks are due, until when to drain.
    heard :: integer(),
    %% Whether nothing is received for want of memory.
    starved = false :: boolean(),
    due = infinity :: integer() | infinity,
    drained = infinity :: integer() | infinity
}).

-define(HEAD, 12).
-define(ASYNC_RECEIVES, 22).
%% Milliseconds without a message after which a draining connection is done.
-define(DRAINED, 100).

%% @private
-spec open(aldis_socket:t(), map(), aldis_handler:connection(), counters:counters_ref()) ->
    aldis_connection:outcome(#legacy{} | none).
open(Socket, #{mode := Mode, handler := Spec} = Context, Connection, Counted) ->
    case aldis_handler:open(Context, Spec, Connection) of
        {ok, Handler} ->
            #{metrics := Metrics, max_frame := Max, idle_timeout := Idle, ack_interval := Interval} = Context,
            {Endian, Receives} = pattern(Mode),
            {ok, #legacy{socket = Socket, handler = Handler, metrics = Metrics, counted = Counted, max = Max, idle = Idle,
                         endian = Endian, receives = Receives, interval = Interval, last = none, heard = now_ms()}};
        _ -> {stop, refused, <<>>, none}
    end.

pattern(request_reply) -> {big, each};
pattern(sync_ack) -> {little, 1};
pattern(async_ack) -> {little, ?ASYNC_RECEIVES};
pattern(throttled_ack) -> {little, infinity};
pattern(head_rest) -> {little, infinity}.

%% @private
-spec data(binary(), #legacy{}) ->
    {ok, non_neg_integer(), pos_integer(), #legacy{}} | {stop, aldis_frame:code() | closed, binary(), #legacy{}}.
data(Bytes, #legacy{endian = Endian, max = Max} = State) ->
    {Count, Last, Next, Need} = aldis_scan:legacy(Bytes, 0, Endian, Max),
    case {take(Count, Last, binary:part(Bytes, 0, Next), State), Need} of
        {{ok, Taken}, {error, {too_large, _}}} -> {stop, frame_too_large, <<>>, Taken};
        {{ok, Taken}, 0} -> {ok, Next, ?HEAD, Taken};
        {{ok, Taken}, _} -> {ok, Next, byte_size(Bytes) - Next + Need, Taken};
        {Stop, _} -> Stop
    end.

take(0, _, _, State) -> {ok, State};
take(Count, Last, Bytes, #legacy{handler = Handler, next = First, endian = Endian} = State) ->
    Batch = aldis_batch:legacy(First, Count, Endian, Bytes),
    Begin = erlang:monotonic_time(),
    Result = aldis_handler:batch(Batch, Handler),
    End = erlang:monotonic_time(),
    aldis_metrics:observe(State#legacy.metrics, handler_time, erlang:convert_time_unit(End - Begin, native, nanosecond)),
    Now = erlang:convert_time_unit(End, native, millisecond),
    case Result of
        {ok, Next} -> taken(Batch, Last, State#legacy{handler = Next, heard = Now});
        {refuse, Left, Text, Next} -> taken_before(Left, Batch, refused, Text, State#legacy{handler = Next, heard = Now});
        {stop, Left, Text, Next} -> taken_before(Left, Batch, normal, Text, State#legacy{handler = Next, heard = Now});
        {failed, Left} -> taken_before(Left, Batch, handler, <<>>, State#legacy{heard = Now})
    end.

%% These clients cannot be told which message was not taken; those before it are acked.
taken_before(First, _, Code, Text, #legacy{next = First} = State) -> {stop, Code, Text, State};
taken_before(Left, Batch, Code, Text, #legacy{next = First} = State) ->
    Kept = aldis_batch:head(Left - First, Batch),
    case taken(Kept, lists:last(aldis_batch:ids(Kept)), State) of
        {ok, Taken} -> {stop, Code, Text, Taken};
        Stop -> Stop
    end.

taken(Batch, Last, #legacy{metrics = Metrics, counted = Counted, next = Next} = State) ->
    Count = aldis_batch:count(Batch),
    Bytes = aldis_batch:size(Batch),
    aldis_metrics:add(Metrics, messages, Count),
    aldis_metrics:add(Metrics, bytes, Bytes),
    aldis_metrics:add(Metrics, batches, 1),
    aldis_connections:counted(Counted, Count, Bytes),
    acked(Batch, Last, State#legacy{next = Next + Count}).

acked(Batch, _, #legacy{receives = each} = State) -> send(aldis_batch:ids(Batch), State);
acked(Batch, Last, #legacy{waiting = Waiting, came = Came, receives = Receives} = State) ->
    Later = State#legacy{waiting = Waiting + aldis_batch:count(Batch), last = Last, came = Came + 1},
    case Later of
        #legacy{came = Receives} -> flush(Later);
        #legacy{due = infinity, heard = Now, interval = Interval} -> {ok, Later#legacy{due = Now + Interval}};
        #legacy{due = Due, heard = Now} when Now >= Due -> flush(Later);
        _ -> {ok, Later}
    end.

%% The client checks: the last acked id, what was skipped and this one make an id.
flush(#legacy{waiting = 0} = State) -> {ok, State};
flush(#legacy{waiting = Waiting, last = Last} = State) ->
    send(<<Last/binary, (Waiting - 1):32/little>>, State#legacy{waiting = 0, last = none, came = 0, due = infinity}).

send(Bytes, #legacy{socket = Socket, metrics = Metrics} = State) ->
    case aldis_socket:send(Socket, Bytes) of
        ok ->
            aldis_metrics:add(Metrics, acks, 1),
            {ok, State};
        {error, _} -> {stop, closed, <<>>, State}
    end.

%% @private
-spec ready(#legacy{}) -> true.
ready(_) -> true.

%% @private
-spec starved(boolean(), #legacy{}) -> #legacy{}.
starved(Starved, State) -> State#legacy{starved = Starved, heard = now_ms()}.

%% @private
-spec message(term(), #legacy{}) -> aldis_connection:outcome(#legacy{}).
message({aldis_close, Code, Text}, State) -> {stop, Code, Text, State};
message({aldis_drain, Ms}, State) -> {ok, State#legacy{drained = now_ms() + Ms}};
message(Message, #legacy{handler = Handler} = State) ->
    case aldis_handler:info(Message, Handler) of
        {ok, Next} -> {ok, State#legacy{handler = Next}};
        {stop, Text, Next} -> {stop, normal, Text, State#legacy{handler = Next}};
        failed -> {stop, handler, <<>>, State}
    end.

%% @private
-spec finish(peer_done | shutdown, #legacy{}) -> aldis_connection:outcome(#legacy{}).
finish(_, State) -> {stop, normal, <<>>, State}.

%% @private
-spec deadline(#legacy{}) -> integer() | infinity.
deadline(#legacy{due = Due} = State) -> min(Due, min(silent(State), drained(State))).

%% Atoms are greater than numbers: infinity is beyond all times.
silent(#legacy{idle = infinity}) -> infinity;
silent(#legacy{starved = true}) -> infinity;
silent(#legacy{heard = Heard, idle = Idle}) -> Heard + Idle.

drained(#legacy{drained = infinity}) -> infinity;
drained(#legacy{drained = Drained, heard = Heard}) -> min(Drained, Heard + ?DRAINED).

%% @private
-spec tick(integer(), #legacy{}) -> aldis_connection:outcome(#legacy{}).
tick(Now, #legacy{due = Due} = State) ->
    case {Now >= drained(State), Now >= silent(State)} of
        {true, _} -> {stop, normal, <<>>, State};
        {_, true} -> {stop, idle, <<>>, State};
        _ when Now >= Due -> flush(State);
        _ -> {ok, State}
    end.

%% @private Acks that wait are sent, whatever the reason to close.
-spec close(aldis_frame:code() | closed, binary(), #legacy{} | none) -> ok.
close(_, _, none) -> ok;
close(closed, _, #legacy{handler = Handler}) -> aldis_handler:close(closed, Handler);
close(Code, _, #legacy{handler = Handler} = State) ->
    _ = flush(State),
    aldis_handler:close(Code, Handler).

now_ms() -> erlang:monotonic_time(millisecond).
