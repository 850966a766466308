%% @doc A session of aldis/1 (docs/protocol.md), on the server's side.
%%
%% Frames are dealt with in the order in which they come; what they are answered with leaves in one send for each receive.
%% The parts have modules of their own: {@link aldis_welcome} (who may come in), {@link aldis_intake} (batches),
%% {@link aldis_requests}, {@link aldis_pushes}, {@link aldis_unread}.
-module(aldis_session).
-behaviour(aldis_connection).

-include("aldis_frame.hrl").

-export([open/4, data/2, ready/1, starved/2, message/2, finish/2, deadline/1, tick/2, close/3]).

%% The state that a session has from WELCOME on.
-record(open, {
    producer :: aldis_sink:producer(),
    handler :: aldis_handler:handler(),
    intake :: aldis_intake:intake(),
    requests :: aldis_requests:requests(),
    pushes :: aldis_pushes:pushes(),
    %% The tag of our messages to ourselves and of those from the log.
    tag :: reference(),
    %% The monitor of the log.
    watch :: reference() | none,
    features :: non_neg_integer(),
    queued :: atomics:atomics_ref()
}).
-record(session, {
    socket :: aldis_socket:t(),
    context :: aldis_connection:context(),
    about :: aldis_handler:connection(),
    counted :: counters:counters_ref(),
    open = none :: none | #open{},
    %% Why the session ends when all is acked; by whom it was drained, and until when, in monotonic milliseconds.
    ending = none :: none | {aldis_frame:code(), binary()},
    until :: integer() | infinity,
    %% Until when the listener is drained, in monotonic milliseconds.
    drained = infinity :: integer() | infinity,
    %% When a frame came last, and when the client was asked for one since.
    heard :: integer(),
    asked = none :: none | integer(),
    %% Whether nothing is received for want of memory.
    starved = false :: boolean(),
    %% Frames to be sent at the end of this receive, last first, and their bytes.
    out = [] :: [iodata()],
    out_bytes = 0 :: non_neg_integer(),
    %% Bytes that were sent and are not read; and whether a request was put off, as there is too much of that.
    unread :: aldis_unread:unread(),
    put_off = false :: boolean()
}).

-define(HELLO_BYTES, 4096).
%% Bytes that may wait for the end of a receive: many small requests may have large answers.
-define(OUT_BYTES, 65536).
%% The bytes that the kind and head of REQUEST and REPLY take.
-define(ASKING, 13).
%% Milliseconds that the log gets for what it was given when the session has to end.
-define(LAST_WRITES, 4000).

%% @private
-spec open(aldis_socket:t(), map(), aldis_handler:connection(), counters:counters_ref()) ->
    aldis_connection:outcome(#session{}).
open(Socket, #{handshake_timeout := Timeout, budget := Budget, send_timeout := Send} = Context, About, Counted) ->
    Now = now_ms(),
    {ok, #session{socket = Socket, context = Context, about = About, counted = Counted, heard = Now,
                  until = later(Now, Timeout), unread = aldis_unread:new(Socket, Budget, Counted, Send)}}.

later(_, infinity) -> infinity;
later(Now, Ms) -> Now + Ms.

%% @private
-spec data(binary(), #session{}) ->
    {ok, non_neg_integer(), pos_integer(), #session{}} | {stop, aldis_frame:code() | closed, binary(), #session{}}.
data(Bytes, #session{put_off = true} = Session) -> data(Bytes, Session#session{put_off = false});
data(Bytes, Session) ->
    Arrived = erlang:monotonic_time(),
    case frames(Bytes, 0, Arrived, Session) of
        {ok, 0, Need, Next} -> {ok, 0, Need, Next};
        {ok, Used, Need, Next} ->
            Heard = Next#session{heard = erlang:convert_time_unit(Arrived, native, millisecond), asked = none},
            case flush(Arrived, Heard) of
                {ok, Flushed} -> ended(Used, Need, Flushed);
                Stop -> Stop
            end;
        Stop -> Stop
    end.

ended(Used, Need, Session) ->
    case settled({ok, Session}) of
        {ok, Next} -> {ok, Used, Need, Next};
        Stop -> Stop
    end.

frames(Bytes, Offset, Arrived, #session{open = Open, context = #{max_frame := MaxFrame}} = Session) ->
    Max = case Open of
        none -> ?HELLO_BYTES;
        _ -> MaxFrame
    end,
    case aldis_frame:next(Bytes, Offset, Max) of
        {frame, Kind, Body, Next} ->
            case not_too_much(frame(aldis_frame:decode(Kind, Body), Arrived, Session)) of
                {put_off, NewSession} -> {ok, Offset, 1, NewSession#session{put_off = true}};
                {ok, NewSession} -> frames(Bytes, Next, Arrived, NewSession);
                Stop -> Stop
            end;
        {need, Need} -> {ok, Offset, Need, Session};
        {error, frame_too_large} ->
            {stop, frame_too_large, iolist_to_binary(io_lib:format("a frame has at most ~b bytes here", [Max])), Session};
        {error, protocol} -> {stop, protocol, <<"a frame has a kind, so its length is at least 1">>, Session}
    end.

not_too_much({ok, #session{out_bytes = Bytes} = Session}) when Bytes > ?OUT_BYTES -> transmit(Session);
not_too_much(Other) -> Other.

frame({error, protocol}, _, Session) -> {stop, protocol, <<"a frame cannot be understood">>, Session};
frame({ok, skip}, _, #session{open = #open{}} = Session) -> {ok, Session};
frame({ok, #close{}}, _, Session) -> {stop, closed, <<>>, Session};
%% Ending already: nothing more is taken.
frame({ok, _}, _, #session{ending = {_, _}, open = #open{}} = Session) -> {ok, Session};
frame({ok, #hello{} = Hello}, _, #session{open = none} = Session) -> hello(Hello, Session);
frame({ok, _}, _, #session{open = none} = Session) -> {stop, protocol, <<"the first frame is HELLO">>, Session};
frame({ok, Frame}, Arrived, #session{open = Open} = Session) -> in_session(Frame, Arrived, Open, Session).

hello(#hello{producer = Producer} = Given, #session{context = Context, about = About, counted = Counted} = Session) ->
    Tag = make_ref(),
    %% The lists of producers outlive the session; a part of what was received would keep all of that.
    Hello = Given#hello{producer = binary:copy(Producer)},
    case aldis_welcome:welcome(Hello, Tag, Context, About, Counted) of
        {ok, Welcome, Handler, Intake} ->
            #{max_requests := Requests, sink := Sink} = Context,
            Queued = aldis_pushes:queued(),
            Open = #open{producer = Hello#hello.producer, handler = Handler, intake = Intake, tag = Tag,
                         watch = watch(Sink), features = Welcome#welcome.features,
                         requests = aldis_requests:new(Requests), queued = Queued,
                         pushes = aldis_pushes:new(Context, Queued, Counted)},
            {ok, draining(out(Welcome, Session#session{open = Open, until = infinity}))};
        {refuse, Code, Text} ->
            aldis_metrics:add(maps:get(metrics, Context), rejected, 1),
            {stop, Code, Text, Session}
    end.

%% The client answers with DRAIN when it has sent its last batch; until then there may be more.
draining(#session{drained = infinity} = Session) -> Session;
draining(#session{drained = Drained} = Session) ->
    out(#drain{ms = max(0, Drained - now_ms())}, Session#session{until = Drained}).

%% When a log goes away, the fate of its messages is undecided: the client has to ask again.
watch(none) -> none;
watch(Sink) -> aldis_sink:monitor(Sink).

with_handler(Handler, #session{open = Open} = Session) -> Session#session{open = Open#open{handler = Handler}}.
with_requests(Requests, #session{open = Open} = Session) -> Session#session{open = Open#open{requests = Requests}}.
with_pushes(Pushes, #session{open = Open} = Session) -> Session#session{open = Open#open{pushes = Pushes}}.

%% An open session's frames.
in_session(#batch{} = Batch, Arrived, #open{handler = Handler, intake = Intake} = Open, Session) ->
    case aldis_intake:batch(Batch, Arrived, Handler, Intake) of
        {ok, Next, Taken} -> {ok, Session#session{open = Open#open{handler = Next, intake = Taken}}};
        {nack, Nack, Next, Taken} -> {ok, out(Nack, Session#session{open = Open#open{handler = Next, intake = Taken}})};
        {stop, Code, Text, Next, Taken} ->
            {stop, Code, Text, Session#session{open = Open#open{handler = Next, intake = Taken}}}
    end;
%% A request, and all behind it, waits until there is memory for its answer.
in_session(#request{} = Request, _, Open, #session{unread = Unread} = Session) ->
    case aldis_unread:asked(Unread) of
        {ok, Asked} -> request(Request, Open, Session#session{unread = Asked});
        no_room -> {put_off, Session}
    end;
in_session(#reply{} = Reply, _, #open{requests = Requests}, Session) ->
    {ok, with_requests(aldis_requests:reply(Reply, Requests), Session)};
in_session(#ping{opaque = Opaque}, _, _, Session) -> {ok, out(#pong{opaque = Opaque}, Session)};
in_session(#pong{}, _, _, Session) -> {ok, Session};
in_session(#drain{ms = Ms}, _, _, Session) ->
    {ok, ending(normal, <<"drained">>, Ms, Session)};
in_session(#subscribe{} = Subscribe, _, Open, Session) -> subscribe(Subscribe, Open, Session);
in_session(#unsubscribe{subscription = Id}, _, #open{pushes = Pushes}, Session) ->
    case aldis_pushes:unsubscribe(Id, Pushes) of
        {handler, Left} -> info({aldis_unsubscribed, Id}, with_pushes(Left, Session));
        {done, Left} -> {ok, with_pushes(Left, Session)}
    end;
in_session(#credit{} = Credit, _, #open{pushes = Pushes}, Session) ->
    pushed(aldis_pushes:credit(Credit, Pushes), Session);
in_session(_, _, _, Session) -> {stop, protocol, <<"this kind of frame is not for servers">>, Session}.

request(#request{correlation = Correlation, bytes = Bytes} = Request, #open{handler = Handler} = Open, Session) ->
    case aldis_handler:takes_requests(Handler) of
        false -> {ok, out(no(Correlation, unsupported, <<"this listener answers no requests">>), Session)};
        true ->
            From = {self(), Open#open.tag, Correlation},
            case aldis_handler:request(Bytes, From, Handler) of
                {reply, Answer, Next} ->
                    {ok, answer(#reply{correlation = Correlation, bytes = Answer}, with_handler(Next, Session))};
                {error, Text, Next} -> {ok, answer(no(Correlation, refused, Text), with_handler(Next, Session))};
                {noreply, Next} -> remember(Request, with_handler(Next, Session));
                {stop, Text, Next} -> {stop, handler, Text, with_handler(Next, Session)};
                failed -> {stop, handler, <<"the handler failed">>, Session}
            end
    end.

no(Correlation, Code, Text) -> #reply{correlation = Correlation, code = Code, bytes = Text}.

answer(#reply{correlation = Correlation, bytes = Bytes} = Reply, #session{context = #{max_frame := Max}} = Session) ->
    case iolist_size(Bytes) + ?ASKING > Max of
        true -> out(no(Correlation, frame_too_large, <<"the answer is too large for a frame">>), Session);
        false -> out(Reply, Session)
    end;
answer(none, Session) -> Session.

remember(#request{correlation = Correlation} = Request, #session{open = #open{requests = Requests}} = Session) ->
    case aldis_requests:asked(Request, now_ms(), Requests) of
        {ok, Kept} -> {ok, with_requests(Kept, Session)};
        {error, protocol} -> {stop, protocol, <<"two open requests have one correlation">>, Session};
        {error, Code} -> {ok, out(no(Correlation, Code, <<"too many requests are open">>), Session)}
    end.

subscribe(#subscribe{subscription = Id}, #open{features = Features}, Session) when Features band ?PUSH =:= 0 ->
    {ok, out(unsubscribed(Id, unsupported, <<"HELLO did not ask for the feature PUSH">>), Session)};
subscribe(#subscribe{subscription = Id} = Frame, #open{pushes = Pushes, handler = Handler} = Open, Session) ->
    case aldis_pushes:subscribe(Frame, ask, Pushes) of
        handler ->
            case aldis_handler:takes_subscriptions(Handler) of
                true -> ask_handler(Frame, Open, Session);
                false -> {ok, out(unsubscribed(Id, refused, <<"there is no such topic">>), Session)}
            end;
        Decided -> subscribed(Id, Decided, Session)
    end.

subscribed(_, {ok, Subscribed}, Session) -> {ok, with_pushes(Subscribed, Session)};
subscribed(_, {error, protocol}, Session) -> {stop, protocol, <<"two subscriptions have one number">>, Session};
subscribed(Id, {refuse, Code, Text}, Session) -> {ok, out(unsubscribed(Id, Code, Text), Session)}.

unsubscribed(Id, Code, Text) -> #unsubscribe{subscription = Id, code = Code, text = Text}.

ask_handler(#subscribe{subscription = Id, from = From, topic = Topic} = Frame, Open, Session) ->
    #open{handler = Handler, pushes = Pushes, queued = Queued} = Open,
    #session{context = #{push_queue := Limit, max_frame := Max}} = Session,
    Subscription = #{id => Id, from => From, pid => self(), queue => {Queued, Limit}, max => Max - 21},
    case aldis_handler:subscribe(Topic, Subscription, Handler) of
        {ok, Next} -> subscribed(Id, aldis_pushes:subscribe(Frame, handler, Pushes), with_handler(Next, Session));
        {refuse, Text, Next} ->
            {ok, out(unsubscribed(Id, refused, Text), with_handler(Next, Session))};
        {stop, Text, Next} -> {stop, handler, Text, with_handler(Next, Session)};
        failed -> {stop, handler, <<"the handler failed">>, Session}
    end.

pushed({Frames, Pushes}, Session) ->
    {ok, lists:foldl(fun out/2, with_pushes(Pushes, Session), Frames)}.

%% @private A log that is behind makes the client wait, and so do answers that are not read.
-spec ready(#session{}) -> boolean().
ready(#session{put_off = true, unread = Unread} = Session) -> aldis_unread:room(Unread) andalso ready(Session#session{put_off = false});
ready(#session{open = #open{intake = Intake}}) -> not aldis_intake:behind(Intake);
ready(_) -> true.

%% @private The times that a client has begin anew when it is listened to again.
-spec starved(boolean(), #session{}) -> #session{}.
starved(Starved, #session{open = none, drained = Drained, context = #{handshake_timeout := Timeout}} = Session) ->
    Until = case Starved of
        true -> Drained;
        false -> min(Drained, later(now_ms(), Timeout))
    end,
    Session#session{starved = Starved, until = Until};
starved(Starved, Session) -> Session#session{starved = Starved, heard = now_ms(), asked = none}.

%% @private
-spec message(term(), #session{}) -> aldis_connection:outcome(#session{}).
message({aldis_close, Code, Text}, Session) -> {stop, Code, Text, Session};
message({aldis_drain, Ms}, #session{open = none, until = Until} = Session) ->
    Drained = now_ms() + Ms,
    {ok, Session#session{until = min(Until, Drained), drained = Drained}};
message({aldis_drain, Ms}, Session) -> sent(draining(Session#session{drained = now_ms() + Ms}));
message(_, #session{open = none} = Session) -> {ok, Session};
message(Message, #session{open = Open} = Session) -> sent(told(Message, Open, Session)).

told(aldis_superseded, _, Session) ->
    {ok, ending(superseded, <<"the producer connected again">>, ?LAST_WRITES, Session)};
told({aldis_sink, Tag, Outcome}, #open{tag = Tag, intake = Intake} = Open, Session) ->
    case aldis_intake:durable(Outcome, Intake) of
        {ok, Next} -> {ok, listened(aldis_intake:behind(Intake), Session#session{open = Open#open{intake = Next}})};
        {stop, Code, Text, Next} -> {stop, Code, Text, Session#session{open = Open#open{intake = Next}}}
    end;
told({'DOWN', Watch, process, _, _}, #open{watch = Watch, intake = Intake}, Session) ->
    ok = aldis_intake:log_gone(Intake),
    {stop, unavailable, <<"the log went away; connect again and resend">>, Session};
told({'DOWN', Watch, process, _, _} = Message, #open{pushes = Pushes}, Session) ->
    case aldis_pushes:gone(Watch, Pushes) of
        not_ours -> info(Message, Session);
        Told -> pushed(Told, Session)
    end;
told({aldis_sink, Source, Said}, #open{pushes = Pushes}, Session) ->
    pushed(aldis_pushes:from_log(Source, Said, Pushes), Session);
told({aldis_push, Id, Messages}, #open{pushes = Pushes}, Session) ->
    pushed(aldis_pushes:push(Id, Messages, Pushes), Session);
told({aldis_ask, Asker, Bytes, _}, _, #session{context = #{max_frame := Max}} = Session) when byte_size(Bytes) + ?ASKING > Max ->
    ok = aldis_requests:tell(Asker, {error, too_large}),
    {ok, Session};
told({aldis_ask, Asker, Bytes, Ms}, #open{requests = Requests}, Session) ->
    {Frame, Next} = aldis_requests:ask(Bytes, Ms, Asker, now_ms(), Requests),
    {ok, out(Frame, with_requests(Next, Session))};
told({aldis_reply, Tag, Correlation, Answer}, #open{tag = Tag, requests = Requests}, Session) ->
    {Frame, Next} = aldis_requests:answered(Correlation, Answer, now_ms(), Requests),
    {ok, answer(Frame, with_requests(Next, Session))};
told(Message, _, Session) -> info(Message, Session).

%% While the log was behind nothing was received, and what the client may have said waits in the socket.
listened(true, Session) -> Session#session{heard = now_ms(), asked = none};
listened(false, Session) -> Session.

info(Message, #session{open = #open{handler = Handler}} = Session) ->
    case aldis_handler:info(Message, Handler) of
        {ok, Next} -> {ok, with_handler(Next, Session)};
        {stop, Text, Next} -> {stop, handler, Text, with_handler(Next, Session)};
        failed -> {stop, handler, <<"the handler failed">>, Session}
    end.

%% @private
-spec finish(peer_done | shutdown, #session{}) -> aldis_connection:outcome(#session{}).
finish(_, #session{open = none} = Session) -> {stop, closed, <<>>, Session};
finish(peer_done, Session) -> settled({ok, ending(normal, <<"the client closed its end">>, ?LAST_WRITES, Session)});
finish(shutdown, Session) -> settled({ok, ending(normal, <<"the listener stops">>, ?LAST_WRITES, Session)}).

ending(Code, Text, Ms, #session{ending = none, until = Until} = Session) ->
    Session#session{ending = {Code, Text}, until = min(Until, now_ms() + Ms)};
ending(_, _, _, Session) -> Session.

%% A session that is to end does when everything it has taken is acked.
settled({ok, #session{ending = {Code, Text}, open = #open{intake = Intake}} = Session}) ->
    case aldis_intake:settled(Intake) of
        true -> {stop, Code, Text, Session};
        false -> {ok, Session}
    end;
settled(Other) -> Other.

%% @private
-spec deadline(#session{}) -> integer() | infinity.
deadline(#session{open = none, until = Until}) -> Until;
deadline(#session{open = #open{requests = Requests}, until = Until, unread = Unread} = Session) ->
    min(min(Until, aldis_unread:deadline(Unread)), min(aldis_requests:deadline(Requests), silent(Session))).

%% Half of the idle time is the client's to speak on its own, the other half to answer a PING.
silent(#session{context = #{idle_timeout := infinity}}) -> infinity;
silent(#session{context = #{idle_timeout := Idle}, heard = Heard, asked = none}) -> Heard + Idle div 2;
%% Also where the PING was sent late: all of that half is for the answer.
silent(#session{context = #{idle_timeout := Idle}, asked = Asked}) -> Asked + Idle div 2.

%% @private
-spec tick(integer(), #session{}) -> aldis_connection:outcome(#session{}).
tick(Now, #session{until = Until, open = Open, ending = Ending} = Session) when Now >= Until ->
    case {Open, Ending} of
        {none, _} -> {stop, idle, <<"no HELLO came in time">>, Session};
        {_, {Code, Text}} -> {stop, Code, Text, Session};
        {_, none} -> {stop, normal, <<"drained">>, Session}
    end;
tick(_, #session{open = none} = Session) -> {ok, Session};
tick(Now, #session{open = #open{requests = Requests} = Open, unread = Unread} = Session) ->
    Looked = aldis_unread:look(Now, Unread),
    Next = Session#session{unread = Looked, open = Open#open{requests = aldis_requests:expire(Now, Requests)}},
    case {aldis_unread:is_stuck(Now, Looked), Now >= silent(Session)} of
        {true, _} -> slow(Next);
        {false, true} -> silence(Now, Next);
        {false, false} -> {ok, Next}
    end.

silence(Now, #session{starved = Starved, open = #open{intake = Intake}, asked = Asked} = Session) ->
    case Starved orelse aldis_intake:behind(Intake) of
        %% A client whose bytes are not read is not silent, but hears that the server lives.
        true -> sent(out(#ping{}, Session#session{heard = Now, asked = none}));
        false when Asked =:= none -> sent(out(#ping{}, Session#session{asked = Now}));
        false -> {stop, idle, <<"nothing came in time, and no PONG">>, Session}
    end.

sent({ok, Session}) -> settled(flush(erlang:monotonic_time(), Session));
sent({stop, _, _, _} = Stop) -> Stop;
sent(Session) -> sent({ok, Session}).

out(none, Session) -> Session;
out(Frame, #session{out = Out, out_bytes = Bytes} = Session) ->
    Encoded = aldis_frame:encode(Frame),
    Session#session{out = [Encoded | Out], out_bytes = Bytes + iolist_size(Encoded)}.

%% One send for all that a receive was answered with; the ACK last, as it covers everything before.
flush(Arrived, Session) -> transmit(acked(Arrived, Session)).

acked(Arrived, #session{open = #open{intake = Intake} = Open} = Session) ->
    {Ack, Next} = aldis_intake:ack(Arrived, Intake),
    out(Ack, Session#session{open = Open#open{intake = Next}});
acked(_, Session) -> Session.

transmit(#session{out = [], unread = Unread} = Session) -> {ok, Session#session{unread = aldis_unread:sending(0, Unread)}};
transmit(#session{out = Out, out_bytes = Bytes, socket = Socket, unread = Unread} = Session) ->
    Sending = aldis_unread:sending(Bytes, Unread),
    Sent = Session#session{out = [], out_bytes = 0, unread = Sending},
    case aldis_socket:send(Socket, lists:reverse(Out)) of
        ok -> {ok, Sent#session{unread = aldis_unread:look(now_ms(), Sending)}};
        {error, timeout} -> slow(Sent);
        {error, _} -> {stop, closed, <<>>, Sent}
    end.

slow(Session) -> {stop, slow, <<"what was sent is not read in time">>, Session}.

%% @private
-spec close(aldis_frame:code() | closed, binary(), #session{}) -> ok.
close(Code, Text, #session{socket = Socket, open = Open, context = #{listener := Listener}} = Session) ->
    last_words(Code, Text, Socket, Session),
    case Open of
        none -> ok;
        #open{handler = Handler, intake = Intake, requests = Requests, pushes = Pushes, producer = Producer} ->
            aldis_producers:release(Listener, Producer),
            aldis_handler:close(Code, Handler),
            aldis_requests:close(Requests),
            aldis_pushes:close(Pushes),
            aldis_intake:abandon(Intake)
    end.

last_words(closed, _, _, _) -> ok;
last_words(slow, Text, Socket, _) ->
    aldis_socket:force(Socket, aldis_frame:encode(#close{code = slow, text = Text}));
last_words(Code, Text, _, Session) ->
    %% Messages that were taken are acked before the close, for any reason to close.
    _ = transmit(out(#close{code = Code, text = Text}, acked(erlang:monotonic_time(), Session))),
    ok.

now_ms() -> erlang:monotonic_time(millisecond).
