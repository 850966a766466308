%% @doc The subscriptions of a session: what may be pushed, and what waits until the client takes more.
%%
%% Messages of the handler's topics wait here, and are counted from when they are given until they are sent
%% (`queued', which the giver sees): beyond the listener's `push_queue' the client is too slow and is closed. Of the topic
%% `log' nothing waits here: the log is asked for a little more than what was sent, however much the client's credit is, and for no more
%% bytes than the listener's memory lends.
-module(aldis_pushes).

-include("aldis_frame.hrl").

-export([new/3, subscribe/3, unsubscribe/2, credit/2, push/3, from_log/3, gone/2, close/1, queued/0, give/2]).
-export_type([pushes/0, subscription/0]).

%% The amount that is asked of the log ahead: so many messages at first, and then about so many bytes.
-define(LEAST_AHEAD, 16).
-define(AHEAD_BYTES, 1048576).
%% A subscription's bytes may be in so many places: where the log is read, on the way here, on the way to the socket, and in its queue.
-define(PLACES, 4).
%% Bytes for those who come when nothing is left to lend: what a connection takes anyway.
-define(LEAST_BYTES, 16384).
%% The size of the head of a message with its origin. A message that filled its BATCH makes a PUSH that is so much longer than a frame.
-define(ORIGIN, 28).

-record(subscription, {
    source :: handler | {log, aldis_sink:subscription()} | {shared, aldis_consumer:source(), Watch :: reference()},
    %% The sequence of the next message, and up to where the client takes them. In the topic `log', `next' is 0 while it
    %% is not known where "from now on" is, and `limit' counts from there.
    next :: aldis_frame:u64(),
    limit :: aldis_frame:u64(),
    %% How many messages the log may be ahead of what was sent.
    ahead = ?LEAST_AHEAD :: pos_integer(),
    %% Bytes that a PUSH of a single message may be longer than a frame.
    over = 0 :: 0 | ?ORIGIN,
    %% Bytes of the listener's memory.
    lent = 0 :: non_neg_integer(),
    waiting = queue:new() :: queue:queue(binary())
}).
-record(pushes, {
    sink :: aldis_sink:sink() | none,
    log_topic :: boolean() | ask,
    context :: aldis_connection:context(),
    max_frame :: pos_integer(),
    queued :: atomics:atomics_ref(),
    %% The counters by which the connection's memory is given back.
    counted :: counters:counters_ref(),
    open = #{} :: #{0..16#FFFFFFFF => #subscription{}}
}).

-opaque pushes() :: #pushes{}.
-type subscription() :: 0..16#FFFFFFFF.

-define(MAX_SUBSCRIPTIONS, 64).
%% The head of a PUSH: kind, subscription, first, count.
-define(HEAD, 17).

%% @doc None yet. `Queued' counts the bytes that wait.
-spec new(aldis_connection:context(), atomics:atomics_ref(), counters:counters_ref()) -> pushes().
new(#{sink := Sink, log_topic := LogTopic, max_frame := MaxFrame} = Context, Queued, Counted) ->
    #pushes{sink = Sink, log_topic = LogTopic, context = Context, max_frame = MaxFrame, queued = Queued, counted = Counted}.

%% @doc The counter of the bytes that wait.
-spec queued() -> atomics:atomics_ref().
queued() -> atomics:new(1, [{signed, true}]).

%% @doc Counts messages before they are sent to the session's process; false when there would be more than `Limit' bytes.
-spec give([binary()], {atomics:atomics_ref(), Limit :: pos_integer()}) -> boolean().
give(Messages, {Queued, Limit}) ->
    Size = sizes(Messages),
    case atomics:add_get(Queued, 1, Size) of
        Sum when Sum > Limit, Sum > Size -> false;
        _ -> true
    end.

sizes(Messages) -> lists:sum([byte_size(Message) + 4 || Message <- Messages]).

%% @doc The client subscribes. `handler': the handler is to be asked, and this called again when it says ok.
-spec subscribe(#subscribe{}, ask | handler, pushes()) ->
    {ok, pushes()} | handler | {refuse, aldis_frame:code(), binary()} | {error, protocol}.
subscribe(#subscribe{subscription = Id}, ask, #pushes{open = Open}) when is_map_key(Id, Open) -> {error, protocol};
subscribe(_, ask, #pushes{open = Open}) when map_size(Open) >= ?MAX_SUBSCRIPTIONS ->
    {refuse, refused, <<"this connection has as many subscriptions as it may">>};
subscribe(#subscribe{topic = Topic} = Frame, Asked, #pushes{sink = Sink} = Pushes)
        when Sink =/= none, Topic =:= <<"log">> orelse Topic =:= <<"log+origin">> ->
    allowed(Asked, fun() -> open_log(Frame, Topic =/= <<"log">>, Pushes) end, Pushes);
subscribe(#subscribe{topic = <<"log/", Name/binary>>} = Frame, Asked, #pushes{sink = Sink, context = #{consumers := Folder}} = Pushes)
        when Sink =/= none, Folder =/= none ->
    allowed(Asked, fun() -> join(Name, Frame, Pushes) end, Pushes);
subscribe(_, ask, _) -> handler;
subscribe(Frame, handler, Pushes) -> {ok, opened(Frame, handler, false, 0, Pushes)}.

allowed(Asked, Open, #pushes{log_topic = LogTopic}) ->
    case {LogTopic, Asked} of
        {false, _} -> {refuse, refused, <<"this listener does not give its log to clients">>};
        {ask, ask} -> handler;
        _ -> Open()
    end.

join(Asked, #subscribe{from = From, credit = Credit} = Frame, #pushes{context = Context} = Pushes) ->
    {Name, Origin} = case binary:split(Asked, <<"+origin">>) of
        [Before, <<>>] -> {Before, true};
        _ -> {Asked, false}
    end,
    lent(Pushes, fun(Lent, Bytes) ->
        case aldis_consumer:join(Context, Name, From, Credit, #{origin => Origin, bytes => Bytes}) of
            {ok, {consumer, Pid, _} = Source} -> {ok, opened(Frame, {shared, Source, monitor(process, Pid)}, Origin, Lent, Pushes)};
            {error, Why} -> not_joined(Why)
        end
    end).

not_joined(Why) ->
    case Why of
        too_many -> {refuse, refused, <<"this listener has as many named consumers as it may (max_consumers)">>};
        bad_name -> {refuse, refused, <<"a consumer's name has 1 to 64 letters, digits, dots, - and _, no dot first">>};
        other_origin -> {refuse, refused, <<"other members have the messages without, or with, +origin">>};
        unsupported -> {refuse, unsupported, <<"this log cannot be read">>};
        unavailable -> {refuse, unavailable, <<"the log cannot be read">>}
    end.

open_log(#subscribe{from = From, credit = Credit} = Frame, Origin, #pushes{sink = Sink} = Pushes) ->
    lent(Pushes, fun(Lent, Bytes) ->
        case aldis_sink:subscribe(Sink, From, min(Credit, ?LEAST_AHEAD), #{origin => Origin, bytes => Bytes}) of
            {ok, Source} -> {ok, opened(Frame, {log, Source}, Origin, Lent, Pushes)};
            {error, unsupported} -> {refuse, unsupported, <<"this log cannot be read">>};
            {error, _} -> {refuse, unavailable, <<"the log cannot be read">>}
        end
    end).

%% Memory is lent to what opens, as bytes that may be in each place.
lent(#pushes{context = #{budget := Budget}, counted = Counted} = Pushes, Open) ->
    Lent = aldis_budget:lend(Budget, Counted, ?PLACES * ?AHEAD_BYTES),
    case Open(Lent, max(?LEAST_BYTES, Lent div ?PLACES)) of
        {ok, _} = Opened -> Opened;
        Refused ->
            given_back(Lent, Pushes),
            Refused
    end.

given_back(Lent, #pushes{context = #{budget := Budget}, counted = Counted}) -> aldis_budget:take(Budget, Counted, -Lent).

opened(#subscribe{subscription = Id, from = From, credit = Credit}, Source, Origin, Lent, #pushes{open = Open} = Pushes) ->
    First = case Source of
        {log, _} -> From;
        _ -> max(From, 1)
    end,
    Over = case Origin of true -> ?ORIGIN; false -> 0 end,
    Subscription = #subscription{source = Source, next = First, limit = max(First - 1, 0) + Credit, over = Over, lent = Lent},
    Pushes#pushes{open = Open#{Id => Subscription}}.

%% @doc The client has had enough; `handler': the handler is to be told.
-spec unsubscribe(subscription(), pushes()) -> {handler | done, pushes()}.
unsubscribe(Id, #pushes{open = Open} = Pushes) ->
    case maps:take(Id, Open) of
        {Subscription, Left} ->
            ok = ended(Subscription, Pushes),
            {who(Subscription), Pushes#pushes{open = Left}};
        error -> {done, Pushes}
    end.

who(#subscription{source = handler}) -> handler;
who(_) -> done.

ended(#subscription{source = handler, waiting = Waiting}, #pushes{queued = Queued}) ->
    atomics:sub(Queued, 1, sizes(queue:to_list(Waiting)));
ended(#subscription{source = {log, Source}, lent = Lent}, #pushes{sink = Sink} = Pushes) ->
    given_back(Lent, Pushes),
    aldis_sink:unsubscribe(Sink, Source);
ended(#subscription{source = {shared, Source, Watch}, lent = Lent}, Pushes) ->
    given_back(Lent, Pushes),
    demonitor(Watch, [flush]),
    aldis_consumer:leave(Source).

%% @doc The client takes more.
-spec credit(#credit{}, pushes()) -> {[aldis_frame:frame()], pushes()}.
credit(#credit{subscription = Id, consumed = Consumed, credit = Credit}, #pushes{open = Open, sink = Sink} = Pushes) ->
    case Open of
        #{Id := #subscription{source = {log, _}, limit = Limit} = Subscription} ->
            Wider = Subscription#subscription{limit = max(Limit, Consumed + Credit)},
            ok = more(Wider, Sink),
            {[], Pushes#pushes{open = Open#{Id := Wider}}};
        #{Id := #subscription{source = {shared, Source, _}}} ->
            aldis_consumer:consumed(Source, Consumed, Credit),
            {[], Pushes};
        #{Id := Subscription} ->
            sent(Id, Subscription#subscription{limit = Consumed + Credit}, Pushes);
        #{} -> {[], Pushes}
    end.

%% Nothing is consumed before the first messages of "from now on", and where they are is known to the log alone.
more(#subscription{source = {log, Source}, next = 0, limit = Limit, ahead = Ahead}, Sink) ->
    aldis_sink:consumed(Sink, Source, 0, min(Ahead, Limit));
more(#subscription{source = {log, Source}, next = Next, limit = Limit, ahead = Ahead}, Sink) ->
    aldis_sink:consumed(Sink, Source, Next - 1, min(Ahead, max(0, Limit - Next + 1))).

%% @doc Messages of the handler's; they have been counted by {@link give/2}.
-spec push(subscription(), [binary()], pushes()) -> {[aldis_frame:frame()], pushes()}.
push(Id, Messages, #pushes{open = Open, queued = Queued} = Pushes) ->
    case Open of
        #{Id := #subscription{source = handler, waiting = Waiting} = Subscription} ->
            All = lists:foldl(fun queue:in/2, Waiting, Messages),
            sent(Id, Subscription#subscription{waiting = All}, Pushes);
        #{} ->
            atomics:sub(Queued, 1, sizes(Messages)),
            {[], Pushes}
    end.

sent(Id, #subscription{waiting = Waiting, next = Next, limit = Limit} = Subscription, Pushes) ->
    #pushes{open = Open, max_frame = Max, queued = Queued} = Pushes,
    {Frames, Last, Left} = frames(Id, Next, Limit, Max - ?HEAD, Waiting, []),
    atomics:sub(Queued, 1, lists:sum([iolist_size(Entries) || #push{entries = Entries} <- Frames])),
    {Frames, Pushes#pushes{open = Open#{Id => Subscription#subscription{waiting = Left, next = Last}}}}.

frames(Id, Next, Limit, Max, Waiting, Frames) ->
    case filled(Next, Limit, Max, Waiting, []) of
        {Next, [], _} -> {lists:reverse(Frames), Next, Waiting};
        {After, Entries, Left} ->
            Frame = #push{subscription = Id, first = Next, count = After - Next, entries = lists:reverse(Entries)},
            frames(Id, After, Limit, Max, Left, [Frame | Frames])
    end.

%% The entries of one frame: as many as the credit and the frame's size allow.
filled(Next, Limit, Room, Waiting, Entries) ->
    case queue:peek(Waiting) of
        {value, Message} when Next =< Limit, byte_size(Message) + 4 =< Room ->
            Size = byte_size(Message),
            filled(Next + 1, Limit, Room - Size - 4, queue:drop(Waiting), [[<<Size:32/little>>, Message] | Entries]);
        _ -> {Next, Entries, Waiting}
    end.

%% @doc Take the messages that the log has sent to a subscription of it.
-spec from_log(aldis_sink:subscription(), {entries, aldis_frame:u64(), pos_integer(), binary()} | {closed, term()},
    pushes()) -> {[aldis_frame:frame()], pushes()}.
from_log(Source, Said, #pushes{open = Open, max_frame = Max} = Pushes) ->
    case [{Id, element(1, Its), Over} || {Id, #subscription{source = Its, over = Over}} <- maps:to_list(Open), Its =/= handler,
            element(2, Its) =:= Source] of
        [] -> {[], Pushes};
        [{Id, Kind, Over}] ->
            case Said of
                {entries, First, Count, Entries} ->
                    Known = case Kind of
                        log -> came(Id, First, Count, Entries, Pushes);
                        shared -> Pushes
                    end,
                    until_end(Id, cut(Id, First, Count, Entries, Max - ?HEAD, Over), Known);
                {closed, _} ->
                    {_, Left} = unsubscribe(Id, Pushes),
                    {[#unsubscribe{subscription = Id, code = unavailable, text = <<"the log ended the subscription">>}], Left}
            end
    end.

%% @doc A process is gone: of whom it may have been, and what the client is told.
-spec gone(reference(), pushes()) -> {[aldis_frame:frame()], pushes()} | not_ours.
gone(Watch, #pushes{open = Open} = Pushes) ->
    case [Source || #subscription{source = {shared, Source, Its}} <- maps:values(Open), Its =:= Watch] of
        [Source] -> from_log(Source, {closed, gone}, Pushes);
        [] -> not_ours
    end.

%% Messages that came leave before the next one is looked at, so the log may go on.
came(Id, First, Count, Entries, #pushes{open = Open, sink = Sink} = Pushes) ->
    #{Id := #subscription{next = Next, limit = Limit} = Subscription} = Open,
    %% "From now on" is here, or what retention has removed lies between, which uses no credit.
    Known = First - max(Next, 1) + Limit,
    Ahead = max(?LEAST_AHEAD, ?AHEAD_BYTES * Count div byte_size(Entries)),
    Moved = Subscription#subscription{next = First + Count, limit = Known, ahead = Ahead},
    ok = more(Moved, Sink),
    Pushes#pushes{open = Open#{Id := Moved}}.

%% A message that fits in no frame, as the listener's frames were larger once, ends the subscription.
until_end(Id, Frames, Pushes) ->
    case lists:splitwith(fun(Frame) -> is_record(Frame, push) end, Frames) of
        {All, []} -> {All, Pushes};
        {Before, [End | _]} ->
            {done, Left} = unsubscribe(Id, Pushes),
            {Before ++ [End], Left}
    end.

%% Frames that are not too large.
cut(Id, First, Count, Entries, Max, Over) when byte_size(Entries) =< Max; Count =:= 1, byte_size(Entries) =< Max + Over ->
    [#push{subscription = Id, first = First, count = Count, entries = Entries}];
cut(Id, _, 1, _, _, _) ->
    [#unsubscribe{subscription = Id, code = frame_too_large, text = <<"the next message is larger than the listener's max_frame">>}];
cut(Id, First, Count, Entries, Max, Over) ->
    Half = Count div 2,
    At = aldis_scan:skip(Entries, 0, Half),
    <<Before:At/binary, After/binary>> = Entries,
    cut(Id, First, Half, Before, Max, Over) ++ cut(Id, First + Half, Count - Half, After, Max, Over).

%% @doc The session ends.
-spec close(pushes()) -> ok.
close(#pushes{open = Open} = Pushes) ->
    lists:foreach(fun(Subscription) -> ended(Subscription, Pushes) end, maps:values(Open)).
