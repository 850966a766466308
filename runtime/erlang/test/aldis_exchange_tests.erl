%% The work of a session beside taking batches: the log, requests both ways, subscriptions.
-module(aldis_exchange_tests).

-include_lib("eunit/include/eunit.hrl").
-include("aldis_frame.hrl").

-import(transport_peer, [connect/1, hello/2, send/2, frame/1, frame/2, closed/1, until_close/1, batch/2, drop_ack/2,
                         messages/1, with_listener/2]).
-import(testing, [eventually/1, quietly/1]).

-define(PRODUCER, <<"producer-0123456">>).
sink() -> #{sink => {transport_sink, #{name => kept}}}.

exchange_test_() ->
    {timeout, 600, [{timeout, 120, {Name, Test}} || {Name, Test} <- [
        {"durable messages are acked when the log has them", fun durable/0},
        {"all of them go to a log that can write, whatever is asked for", fun handled_and_logged/0},
        {"a level that the log does not grant stands at 0", fun not_granted/0},
        {"a message that the log never takes ends its producer", fun too_large/0},
        {"a log that is behind is not given more, whatever is asked for", fun behind/0},
        {"the log's word is where a producer goes on", fun resumed/0},
        {"a log that fails closes, and nothing false is acked", fun unavailable/0},
        {"what was handled when the log failed is written, not handled again", fun handled_once/0},
        {"what was acked as handled and the log did not take is counted", fun unlogged/0},
        {"what a killed connection had in the log's queue is queued no more", fun killed_queue/0},
        {"a log that goes away closes", fun log_gone/0},
        {"credit counts what the log has not written", fun credit/0},
        {"drained: what is written until then is acked", fun drained/0},
        {"superseded: the log has the first one's messages", fun superseded/0},
        {"the log's epochs are fenced", fun stale/0},
        {"a listener may have no handler but its log", fun no_handler/0},
        {"requests of the client", fun requests/0},
        {"many small requests with large answers in one receive", fun many_large/0},
        {"requests that the handler fails", fun failing_request/0},
        {"a late answer is not sent", fun late_answer/0},
        {"requests of the server", fun asked/0},
        {"requests and answers that no frame can hold or that are no bytes", fun wrong_bytes/0},
        {"pushes keep to the credit", fun pushes/0},
        {"a client that takes nothing is slow", fun slow/0},
        {"a client that does not read is closed, and told if it reads again", fun not_reading/0},
        {"topics that there are not", fun no_topic/0},
        {"the topic log", fun log_topic/0},
        {"who may read the topic log", fun log_topic_allowed/0},
        {"the topic log from now on, with credit that comes later", fun log_topic_without_credit/0},
        {"a client that reads a log slowly does not get it into memory", fun slow_reader/0},
        {"a handler's linked process that fails", fun linked/0}
    ]]}.

hello(Durability) -> #hello{producer = ?PRODUCER, durability = Durability, features = ?PUSH}.
numbers(From, To) -> [<<Number:32>> || Number <- lists:seq(From, To)].

durable() ->
    with_listener(sink(), fun(Port) ->
        {Socket, #welcome{durability = durable}} = hello(Port, hello(durable)),
        transport_sink:hold(kept),
        send(Socket, batch(1, numbers(1, 3))),
        send(Socket, batch(4, numbers(4, 5))),
        ?assertEqual(numbers(1, 5), messages(5)),
        ?assertEqual(timeout, frame(Socket, 100)),
        #{metrics := #{queue := 5}} = aldis_server:info(listener),
        transport_sink:go(kept),
        ?assertMatch(#ack{durable = 5, handled = 5, received = 5}, durable_ack(Socket, 5)),
        ?assertEqual({0, numbers(1, 5)}, transport_sink:kept(kept, ?PRODUCER)),
        #{metrics := #{queue := 0}} = aldis_server:info(listener)
    end).

%% The ACK of all, and until then whatever else a server says that hears nothing.
answered(Socket, Handled) ->
    case frame(Socket) of
        #ack{handled = Handled} = Ack -> Ack;
        #ack{} -> answered(Socket, Handled);
        #ping{opaque = Opaque} ->
            send(Socket, #pong{opaque = Opaque}),
            answered(Socket, Handled)
    end.

durable_ack(Socket, Durable) ->
    case frame(Socket) of
        #ack{durable = Durable} = Ack -> Ack;
        #ack{} -> durable_ack(Socket, Durable)
    end.

handled_and_logged() ->
    with_listener(sink(), fun(Port) ->
        {Socket, #welcome{durability = handled}} = hello(Port, hello(handled)),
        transport_sink:hold(kept),
        send(Socket, batch(1, numbers(1, 3))),
        ?assertMatch(#ack{handled = 3, durable = 0}, frame(Socket)),
        transport_sink:go(kept),
        send(Socket, batch(4, numbers(4, 4))),
        ?assertMatch(#ack{handled = 4, durable = 3}, frame(Socket)),
        ?assertEqual({0, numbers(1, 4)}, transport_sink:kept(kept, ?PRODUCER))
    end).

not_granted() ->
    with_listener(#{sink => {transport_sink, #{name => kept, grants => [replicated]}}}, fun(Port) ->
        {Handled, _} = hello(Port, hello(handled)),
        [begin
            send(Handled, batch(N, numbers(N, N))),
            ?assertMatch(#ack{handled = N, durable = 0}, frame(Handled))
        end || N <- [1, 2, 3]],
        {Replicated, _} = hello(Port, (hello(replicated))#hello{producer = <<2:128>>}),
        send(Replicated, batch(1, numbers(1, 2))),
        ?assertMatch(#ack{durable = 2}, durable_ack(Replicated, 2)),
        Durable = connect(Port),
        send(Durable, (hello(durable))#hello{producer = <<3:128>>}),
        ?assertMatch(#close{code = unsupported}, closed(Durable))
    end).

too_large() ->
    with_listener(#{sink => {transport_sink, #{name => kept, most => 20}}}, fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        send(Socket, batch(1, [<<0:160>>])),
        ?assertMatch(#close{code = frame_too_large, text = <<"a message is larger than the log takes, which is 20 bytes", _/binary>>},
            closed(Socket))
    end).

%% The socket is asked for four receives, and again when two are left, so the sixth batch is the first that must wait. A
%% client that is not listened to for longer than idle_timeout is not told that it is silent, and hears that the server lives.
behind() ->
    with_listener((sink())#{credit => {10, 1000}, idle_timeout => 400}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        transport_sink:hold(kept),
        Large = binary:copy(<<"x">>, 600),
        lists:foreach(fun(Number) ->
            send(Socket, batch(Number, [Large])),
            drop_ack(Socket, Number)
        end, [1, 2, 3, 4, 5]),
        send(Socket, batch(6, [Large])),
        [?assertMatch(#ping{}, frame(Socket)) || _ <- [1, 2, 3, 4]],
        transport_sink:go(kept),
        #ack{} = answered(Socket, 6),
        ?assertEqual({0, lists:duplicate(6, Large)}, transport_sink:kept(kept, ?PRODUCER))
    end).

%% The listener forgets, the log does not.
resumed() ->
    {ok, Sink} = transport_sink:start_link(#{name => outside}),
    Options = #{sink => {transport_sink, outside}},
    with_listener(Options, fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        send(Socket, batch(1, numbers(1, 3))),
        durable_ack(Socket, 3)
    end),
    with_listener(Options, fun(Port) ->
        {_, Welcome} = hello(Port, hello(durable)),
        ?assertMatch(#welcome{last = 3}, Welcome)
    end),
    gen_server:stop(Sink).

unavailable() ->
    with_listener(sink(), fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        send(Socket, batch(1, numbers(1, 3))),
        durable_ack(Socket, 3),
        transport_sink:fail(kept),
        send(Socket, batch(4, numbers(4, 5))),
        ?assertMatch(#close{code = unavailable}, closed(Socket)),
        transport_sink:go(kept),
        {_, Welcome} = hello(Port, hello(durable)),
        ?assertMatch(#welcome{last = 3}, Welcome)
    end).

handled_once() ->
    with_listener(sink(), fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        send(Socket, batch(1, numbers(1, 3))),
        durable_ack(Socket, 3),
        transport_sink:fail(kept),
        send(Socket, batch(4, numbers(4, 6))),
        ?assertMatch(#close{code = unavailable}, until_close(Socket)),
        ?assertEqual(numbers(1, 6), messages(6)),
        transport_sink:go(kept),
        {Again, #welcome{last = 3}} = hello(Port, hello(durable)),
        send(Again, batch(4, numbers(4, 5))),
        durable_ack(Again, 5),
        %% Killed between: the atomic does not go back.
        [Pid] = [Pid || #{pid := Pid, messages := 2} <- aldis_server:connections(listener)],
        quietly(fun() ->
            exit(Pid, kill),
            closed = frame(Again)
        end),
        {Third, #welcome{last = 5}} = hello(Port, hello(durable)),
        send(Third, batch(5, numbers(5, 8))),
        durable_ack(Third, 8),
        ?assertEqual(numbers(7, 8), messages(2)),
        ?assertEqual({0, numbers(1, 8)}, transport_sink:kept(kept, ?PRODUCER))
    end).

%% Message 3 is acked as handled before the log says no, so its client does not send it again, and begins a new epoch.
unlogged() ->
    with_listener(sink(), fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        send(Socket, batch(1, numbers(1, 2))),
        drop_ack(Socket, 2),
        eventually(fun() -> #{metrics := #{queue := 0}} = aldis_server:info(listener) end),
        transport_sink:fail(kept),
        send(Socket, batch(3, numbers(3, 3))),
        drop_ack(Socket, 3),
        ?assertMatch(#close{code = unavailable}, until_close(Socket)),
        eventually(fun() -> #{metrics := #{unlogged := 1, queue := 0}} = aldis_server:info(listener) end),
        {Durable, #welcome{last = 2}} = hello(Port, hello(durable)),
        send(Durable, batch(3, numbers(3, 3))),
        ?assertMatch(#close{code = unavailable}, until_close(Durable)),
        #{metrics := #{unlogged := 1}} = aldis_server:info(listener)
    end).

killed_queue() ->
    with_listener(sink(), fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        transport_sink:hold(kept),
        send(Socket, batch(1, numbers(1, 3))),
        eventually(fun() -> #{metrics := #{queue := 3}} = aldis_server:info(listener) end),
        [#{pid := Pid}] = aldis_server:connections(listener),
        quietly(fun() ->
            exit(Pid, kill),
            closed = frame(Socket)
        end),
        eventually(fun() -> #{metrics := #{queue := 0}} = aldis_server:info(listener) end)
    end).

log_gone() ->
    {ok, Sink} = transport_sink:start_link(#{name => outside}),
    with_listener(#{sink => {transport_sink, outside}}, fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        transport_sink:hold(outside),
        send(Socket, batch(1, numbers(1, 3))),
        _ = messages(3),
        gen_server:stop(Sink),
        ?assertMatch(#close{code = unavailable}, closed(Socket)),
        Again = connect(Port),
        send(Again, hello(durable)),
        ?assertMatch(#close{code = unavailable}, closed(Again))
    end).

credit() ->
    with_listener((sink())#{credit => {10, 1000}}, fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        transport_sink:hold(kept),
        send(Socket, batch(1, numbers(1, 10))),
        [] = numbers(1, 10) -- messages(10),
        send(Socket, batch(11, numbers(11, 11))),
        ?assertMatch(#close{code = credit}, until_close(Socket))
    end).

drained() ->
    with_listener(sink(), fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        transport_sink:hold(kept),
        send(Socket, batch(1, numbers(1, 3))),
        send(Socket, #drain{ms = 2000}),
        _ = messages(3),
        ?assertEqual(timeout, frame(Socket, 100)),
        transport_sink:go(kept),
        ?assertMatch(#ack{durable = 3}, frame(Socket)),
        ?assertMatch(#close{code = normal}, closed(Socket))
    end).

superseded() ->
    with_listener(sink(), fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        transport_sink:hold(kept),
        send(Socket, batch(1, numbers(1, 3))),
        _ = messages(3),
        spawn_link(fun() ->
            timer:sleep(200),
            transport_sink:go(kept)
        end),
        {_, Welcome} = hello(Port, hello(durable)),
        ?assertMatch(#welcome{last = 3}, Welcome),
        ?assertMatch(#ack{durable = 3}, frame(Socket)),
        ?assertMatch(#close{code = superseded}, closed(Socket))
    end).

stale() ->
    {ok, Sink} = transport_sink:start_link(#{name => outside}),
    {ok, 0} = transport_sink:producer(outside, ?PRODUCER, 5),
    with_listener(#{sink => {transport_sink, outside}}, fun(Port) ->
        Socket = connect(Port),
        send(Socket, (hello(durable))#hello{epoch = 4}),
        ?assertMatch(#close{code = stale_epoch}, closed(Socket))
    end),
    gen_server:stop(Sink).

no_handler() ->
    with_listener((sink())#{handler => none}, fun(Port) ->
        {Socket, _} = hello(Port, hello(durable)),
        send(Socket, batch(1, numbers(1, 3))),
        durable_ack(Socket, 3)
    end).

requests() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        Ask = fun(Correlation, Bytes) -> send(Socket, #request{correlation = Correlation, bytes = Bytes}) end,
        Ask(7, <<"hello">>),
        ?assertEqual(#reply{correlation = 7, code = normal, bytes = <<"you said hello">>}, frame(Socket)),
        Ask(8, <<"no">>),
        ?assertEqual(#reply{correlation = 8, code = refused, bytes = <<"I will not">>}, frame(Socket)),
        Ask(9, <<"later">>),
        Ask(10, <<"hello">>),
        ?assertMatch(#reply{correlation = 10}, frame(Socket)),
        ?assertEqual(#reply{correlation = 9, code = normal, bytes = <<"was later">>}, frame(Socket)),
        Ask(11, <<"bytes", 2000000:32>>),
        ?assertMatch(#reply{correlation = 11, code = frame_too_large}, frame(Socket)),
        Ask(12, <<"never">>),
        Ask(12, <<"never">>),
        ?assertMatch(#close{code = protocol}, closed(Socket))
    end).

%% 4,000 times 100 kB: they cannot all be held.
many_large() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        [#{pid := Pid}] = aldis_server:connections(listener),
        send(Socket, [aldis_frame:encode(#request{correlation = N, bytes = <<"bytes", 100000:32>>}) || N <- lists:seq(1, 4000)]),
        timer:sleep(200),
        [{memory, Memory}, {binary, Binaries}] = process_info(Pid, [memory, binary]),
        ?assert(Memory + lists:sum([Size || {_, Size, _} <- Binaries]) < 4000000),
        [?assertMatch(#reply{correlation = N}, frame(Socket)) || N <- lists:seq(1, 50)]
    end).

failing_request() ->
    quietly(fun() ->
        with_listener(#{max_requests => 2}, fun(Port) ->
            {Socket, _} = hello(Port, hello(handled)),
            [send(Socket, #request{correlation = Correlation, bytes = "never"}) || Correlation <- [1, 2, 3]],
            ?assertMatch(#reply{correlation = 3, code = unavailable}, frame(Socket)),
            send(Socket, #request{correlation = 4, bytes = "crash"}),
            ?assertMatch(#close{code = handler}, closed(Socket))
        end)
    end).

late_answer() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        send(Socket, #request{correlation = 1, deadline = 5, bytes = "later"}),
        ?assertEqual(timeout, frame(Socket, 100))
    end).

asked() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        [#{pid := Pid}] = aldis_server:connections(listener),
        Asking = fun(Bytes, Ms) ->
            Test = self(),
            spawn_link(fun() -> Test ! {answer, aldis_server:request(Pid, Bytes, Ms)} end)
        end,
        Asking("what", 3000),
        #request{correlation = Correlation, bytes = <<"what">>, deadline = 3000} = frame(Socket),
        send(Socket, #reply{correlation = Correlation, bytes = "that"}),
        ?assertEqual({ok, <<"that">>}, receive {answer, A} -> A after 60000 -> error(timeout) end),
        Asking("again", 3000),
        #request{correlation = Next} = frame(Socket),
        send(Socket, #reply{correlation = Next, code = refused, bytes = "no"}),
        ?assertEqual({error, {refused, <<"no">>}}, receive {answer, B} -> B after 60000 -> error(timeout) end),
        send(Socket, #reply{correlation = 999, bytes = "nobody asked"}),
        Asking("slow", 50),
        ?assertMatch({error, {deadline, _}}, receive {answer, C} -> C after 60000 -> error(timeout) end),
        Asking("gone", 3000),
        #request{} = frame(Socket),
        #request{} = frame(Socket),
        gen_tcp:close(Socket),
        ?assertMatch({error, {closed, _}}, receive {answer, D} -> D after 60000 -> error(timeout) end)
    end).

%% They harm who gives them, and not the connection; but for a handler's own answer, which is the handler's failure.
wrong_bytes() ->
    with_listener(#{max_frame => 1000}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        [#{pid := Pid}] = aldis_server:connections(listener),
        ?assertEqual({error, too_large}, aldis_server:request(Pid, binary:copy(<<0>>, 988), 3000)),
        ?assertError(badarg, aldis_server:request(Pid, {no, iodata}, 3000)),
        Test = self(),
        spawn_link(fun() -> Test ! {answer, aldis_server:request(Pid, binary:copy(<<0>>, 987), 3000)} end),
        #request{correlation = Correlation} = frame(Socket),
        send(Socket, #reply{correlation = Correlation, bytes = "it fits"}),
        ?assertEqual({ok, <<"it fits">>}, receive {answer, Answer} -> Answer after 60000 -> error(timeout) end),
        Ask = fun(Number, Term) -> send(Socket, #request{correlation = Number, bytes = ["term", term_to_binary(Term, [compressed])]}) end,
        Ask(1, {error, binary:copy(<<"x">>, 988)}),
        ?assertMatch(#reply{correlation = 1, code = frame_too_large}, frame(Socket)),
        Ask(2, {error, <<255, 254>>}),
        ?assertEqual(#reply{correlation = 2, code = refused, bytes = <<"?">>}, frame(Socket)),
        Ask(3, {error, no_text}),
        ?assertEqual(#reply{correlation = 3, code = refused, bytes = <<"?">>}, frame(Socket)),
        send(Socket, #request{correlation = 4, bytes = "from"}),
        From = receive {from, Its} -> Its after 60000 -> error(timeout) end,
        ?assertError(badarg, aldis_server:reply(From, {ok, {no, iodata}})),
        ok = aldis_server:reply(From, {error, [$a | 255]}),
        ?assertEqual(#reply{correlation = 4, code = refused, bytes = <<"?">>}, frame(Socket)),
        quietly(fun() ->
            Ask(5, {reply, [no_iodata]}),
            ?assertMatch(#close{code = handler}, closed(Socket))
        end)
    end).

pushes() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        Subscription = subscribed(Socket, #subscribe{subscription = 5, topic = "news", credit = 3}),
        ok = aldis_server:push(Subscription, numbers(1, 5)),
        ?assertEqual(pushed(5, 1, 3), frame(Socket)),
        ?assertEqual(timeout, frame(Socket, 50)),
        send(Socket, #credit{subscription = 5, consumed = 2, credit = 2}),
        ?assertEqual(pushed(5, 4, 4), frame(Socket)),
        send(Socket, #credit{subscription = 5, consumed = 4, credit = 10}),
        ?assertEqual(pushed(5, 5, 5), frame(Socket)),
        ok = aldis_server:push(Subscription, numbers(6, 6)),
        ?assertEqual(pushed(5, 6, 6), frame(Socket)),
        ?assertEqual({error, too_large}, aldis_server:push(Subscription, [binary:copy(<<0>>, 1048576)])),
        send(Socket, #unsubscribe{subscription = 5}),
        receive {aldis_unsubscribed, 5} -> ok after 60000 -> error(timeout) end,
        ok = aldis_server:push(Subscription, numbers(7, 7)),
        ?assertEqual(timeout, frame(Socket, 50))
    end).

subscribed(Socket, Subscribe) ->
    send(Socket, Subscribe),
    receive {subscribed, Subscription} -> Subscription after 60000 -> error(timeout) end.

pushed(Subscription, First, Last) ->
    #push{subscription = Subscription, first = First, count = Last - First + 1,
          entries = transport_peer:entries(numbers(First, Last))}.

slow() ->
    with_listener(#{push_queue => 10000}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        Subscription = subscribed(Socket, #subscribe{subscription = 5, topic = "news", credit = 0}),
        ok = aldis_server:push(Subscription, [binary:copy(<<0>>, 6000)]),
        ?assertEqual({error, slow}, aldis_server:push(Subscription, [binary:copy(<<0>>, 6000)])),
        ?assertMatch(#close{code = slow}, closed(Socket))
    end).

%% It has a second to read on, which a busy machine may not give it at once.
not_reading() -> not_reading(5).

not_reading(Times) ->
    Test = self(),
    ok = aldis_telemetry:attach(?MODULE, [aldis, connection, closed], fun(_, _, #{reason := R}, _) -> Test ! {over, R} end, none),
    End = with_listener(#{send_timeout => 300}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        [#{pid := Pid}] = aldis_server:connections(listener),
        Monitor = erlang:monitor(process, Pid),
        [send(Socket, #request{correlation = N, bytes = <<"bytes", 900000:32>>}) || N <- lists:seq(1, 20)],
        receive {over, Over} -> ?assertEqual(slow, Over) after 60000 -> error(timeout) end,
        %% The first answer is still there, and so is the reason, behind all others.
        ?assertMatch(#reply{correlation = 1}, frame(Socket)),
        Last = until_close(Socket),
        receive {'DOWN', Monitor, process, Pid, Reason} -> ?assertEqual(normal, Reason) after 60000 -> error(still_there) end,
        Last
    end),
    ok = aldis_telemetry:detach(?MODULE),
    case End of
        #close{code = Code} -> ?assertEqual(slow, Code);
        closed when Times > 1 -> not_reading(Times - 1)
    end.

no_topic() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        [begin
            send(Socket, #subscribe{subscription = 1, topic = Topic, credit = 1}),
            ?assertMatch(#unsubscribe{subscription = 1, code = refused}, frame(Socket))
        end || Topic <- ["other", "log", ""]],
        [subscribed(Socket, #subscribe{subscription = Id, topic = "news", credit = 1}) || Id <- lists:seq(1, 64)],
        send(Socket, #subscribe{subscription = 65, topic = "news", credit = 1}),
        ?assertMatch(#unsubscribe{subscription = 65, code = refused}, frame(Socket)),
        send(Socket, #credit{subscription = 99, consumed = 1, credit = 1}),
        send(Socket, #unsubscribe{subscription = 99}),
        send(Socket, #unsubscribe{subscription = 1}),
        send(Socket, #subscribe{subscription = 2, topic = "news", credit = 1}),
        ?assertMatch(#close{code = protocol}, closed(Socket))
    end).

log_topic_without_credit() ->
    with_listener(sink(), fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        send(Socket, #subscribe{subscription = 1, from = 0, topic = "log", credit = 0}),
        ?assertEqual(timeout, frame(Socket, 100)),
        send(Socket, #credit{subscription = 1, consumed = 0, credit = 3}),
        ?assertMatch(#push{subscription = 1, first = 1, count = 3}, frame(Socket))
    end).

log_topic() ->
    with_listener((sink())#{max_frame => 256}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        send(Socket, #subscribe{subscription = 1, from = 3, topic = "log", credit = 4}),
        Entries = << <<2:32/little, Offset:16>> || Offset <- lists:seq(3, 6) >>,
        ?assertEqual(#push{subscription = 1, first = 3, count = 4, entries = Entries}, frame(Socket)),
        send(Socket, #credit{subscription = 1, consumed = 6, credit = 2}),
        ?assertMatch(#push{subscription = 1, first = 7, count = 2}, frame(Socket)),
        send(Socket, #unsubscribe{subscription = 1}),
        send(Socket, #ping{opaque = 3}),
        ?assertMatch(#pong{}, frame(Socket))
    end).

log_topic_allowed() ->
    Anybody = fun(_) -> ok end,
    [with_listener(maps:merge(sink(), Options), fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        send(Socket, #subscribe{subscription = 1, from = 3, topic = "log", credit = 1}),
        case Allowed of
            true -> ?assertMatch(#push{subscription = 1, first = 3}, frame(Socket));
            false -> ?assertMatch(#unsubscribe{subscription = 1, code = refused}, frame(Socket))
        end
    end) || {Options, Allowed} <- [
        {#{auth => Anybody}, false}, {#{auth => Anybody, log_topic => true}, true}, {#{log_topic => false}, false},
        {#{log_topic => ask}, false}, {#{log_topic => ask, handler => {transport_peer, {readers, self()}}}, true},
        {#{log_topic => ask, handler => {transport_codec, self()}}, false}
    ]].

%% 16 MB of log for a client that takes all of it, and reads nothing for a while.
slow_reader() ->
    Folder = string:trim(os:cmd("mktemp -d")),
    with_listener(#{sink => {aldis_log, #{name => slow_log, folder => Folder}}}, fun(Port) ->
        {ok, 0} = aldis_log:producer(slow_log, ?PRODUCER, 1),
        Entries = transport_peer:entries(lists:duplicate(20, binary:copy(<<"x">>, 1000))),
        Appended = lists:seq(0, 799),
        [ok = aldis_log:append(slow_log, ?PRODUCER, 1, 20 * N + 1, 20, none, Entries, N) || N <- Appended],
        [receive {aldis_sink, N, Outcome} -> ?assertEqual({durable, 20 * N + 20}, Outcome) after 60000 -> error(timeout) end || N <- Appended],
        {Socket, _} = transport_peer:hello(Port, (hello(handled))#hello{producer = <<7:128>>}, [{recbuf, 8192}]),
        send(Socket, #subscribe{subscription = 1, from = 1, topic = "log", credit = 1000000}),
        [#{pid := Pid}] = aldis_server:connections(listener),
        Waiting = eventually(fun() -> stuck(Pid) end),
        %% 1 MiB in pieces of 16 messages, and a few; it would be more than 200 of 64 KiB.
        ?assertMatch(Few when Few < 100, Waiting),
        ?assertEqual(16001, all_pushed(Socket, 1))
    end),
    file:del_dir_r(Folder).

%% How many messages wait for a process that has not gone on for a while.
stuck(Pid) ->
    Before = process_info(Pid, [reductions, message_queue_len]),
    timer:sleep(50),
    ?assertEqual(Before, process_info(Pid, [reductions, message_queue_len])),
    [_, {message_queue_len, Waiting}] = Before,
    ?assert(Waiting > 0),
    Waiting.

all_pushed(_, 16001) -> 16001;
all_pushed(Socket, Next) ->
    #push{first = Next, count = Count} = frame(Socket),
    all_pushed(Socket, Next + Count).

%% A handler without handle_info/2.
linked() ->
    with_listener(#{handler => {transport_codec, self()}}, fun(Port) ->
        {Socket, _} = hello(Port, hello(handled)),
        [#{pid := Pid}] = aldis_server:connections(listener),
        Pid ! {'EXIT', self(), normal},
        Pid ! anything,
        send(Socket, #ping{opaque = 1}),
        ?assertMatch(#pong{}, frame(Socket)),
        Pid ! {'EXIT', self(), broken},
        ?assertMatch(#close{code = handler}, closed(Socket))
    end).
