%% The memory of a listener has a bound, and who comes beyond it waits and is not cut.
-module(aldis_budget_tests).

-include_lib("eunit/include/eunit.hrl").
-include("../include/aldis_frame.hrl").

-compile([export_all, nowarn_export_all]).

-define(MB, 1048576).

budget_test_() ->
    [{"frames that are not whole", {timeout, 300, fun unfinished/0}}, {"a disk that stalls", {timeout, 300, fun stalled/0}},
     {"longer than silence may last", {timeout, 120, fun starved/0}},
     {"answers that nobody reads", {timeout, 300, fun unread/0}},
     {"answers that are never read", {timeout, 120, fun never_read/0}},
     {"subscribers that read nothing", {timeout, 180, fun subscribed/0}},
     {"a claim is given back", {timeout, 120, fun claim_given_back/0}}, {"what the system has", fun system/0}].

system() ->
    ?assert(aldis_budget:default() > 1000000),
    Budget = aldis_budget:new(100),
    Counted = counters:new(5, []),
    ?assert(aldis_budget:claim(Budget, Counted, 100)),
    ?assertNot(aldis_budget:claim(Budget, Counted, 1)),
    ?assert(aldis_budget:full(Budget)),
    aldis_budget:given_back(Budget, Counted),
    ?assertNot(aldis_budget:full(Budget)),
    %% An answer may begin below half of the memory, and what a killed connection left unread comes back.
    Killed = counters:new(5, []),
    ?assert(aldis_budget:answer(Budget, Killed, 49)),
    ?assert(aldis_budget:answer(Budget, Killed, 30)),
    ?assertNot(aldis_budget:answer(Budget, Killed, 1)),
    ?assertNot(aldis_budget:claim(Budget, counters:new(5, []), 22)),
    aldis_budget:given_back(Budget, Killed),
    ?assert(aldis_budget:may_answer(Budget)),
    ?assert(aldis_budget:claim(Budget, counters:new(5, []), 100)).

with_listener(Options, Test) ->
    {ok, _} = application:ensure_all_started(aldis),
    {ok, _} = aldis_server:start_listener(budget, maps:merge(#{port => 0, ip => {127, 0, 0, 1}}, Options)),
    #{port := Port} = aldis_server:info(budget),
    try Test(Port) after aldis_server:stop_listener(budget) end.

init(_, State) -> {ok, State}.
handle_batch(_, State) -> {ok, State}.
handle_request(<<Size:32>>, _, State) -> {reply, binary:copy(<<"x">>, Size), State}.

hello(Number, Durability) ->
    aldis_frame:encode(#hello{producer = <<Number:128>>, epoch = 1, durability = Durability}).

%% The next frame that is no PING.
answer(Socket) ->
    case transport_peer:frame(Socket, 60000) of
        #ping{} -> answer(Socket);
        Frame -> Frame
    end.

%% Each says a HELLO, then most of a frame of a megabyte, as far as the server takes it.
unfinished() ->
    with_listener(#{handler => ?MODULE, memory => 32 * ?MB}, fun(Port) ->
        Before = erlang:memory(binary),
        Frame = iolist_to_binary(aldis_frame:encode(aldis_frame:batch(1, none, [binary:copy(<<"x">>, 1000000)], 0))),
        Part = binary:part(Frame, 0, 900000),
        Rest = binary:part(Frame, 900000, byte_size(Frame) - 900000),
        Test = self(),
        Pids = [spawn_link(fun() ->
            {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}, {sndbuf, 65536}, {send_timeout, 200000}]),
            ok = gen_tcp:send(Socket, hello(N, handled)),
            #welcome{} = answer(Socket),
            ok = gen_tcp:send(Socket, Part),
            receive go -> ok end,
            ok = gen_tcp:send(Socket, Rest),
            #ack{received = 1} = answer(Socket),
            gen_tcp:close(Socket),
            Test ! acked
        end) || N <- lists:seq(1, 1000)],
        %% Time enough to take more than the bound, were there none: no event tells that a server takes nothing.
        timer:sleep(3000),
        ?assert(erlang:memory(binary) - Before < 64 * ?MB),
        %% Those that wait are served when the others are done.
        [Pid ! go || Pid <- Pids],
        [receive acked -> ok after 120000 -> error(timeout) end || _ <- Pids]
    end).

%% 200 clients ask for eight answers of 900 kB each and read none for a while: the answers that wait have a bound, messages of others are
%% taken, and all answers come when they are read.
unread() ->
    with_listener(#{handler => ?MODULE, memory => 32 * ?MB, send_timeout => 250000}, fun(Port) ->
        Before = erlang:memory(binary),
        Test = self(),
        Pids = [spawn_link(fun() ->
            Socket = asked(N, Port, 8),
            Test ! asked,
            receive go -> ok end,
            [900000 = replied(Socket) || _ <- lists:seq(1, 8)],
            gen_tcp:close(Socket),
            Test ! answered
        end) || N <- lists:seq(1, 200)],
        [receive asked -> ok after 60000 -> error(timeout) end || _ <- Pids],
        Budget = aldis_connections:budget(aldis_connections:handle(budget)),
        testing:eventually(fun() -> not aldis_budget:may_answer(Budget) end),
        Other = transport_peer:connect(Port),
        transport_peer:send(Other, hello(1000, handled)),
        #welcome{} = answer(Other),
        %% Bytes that were made for an answer are garbage at once.
        testing:eventually(fun() -> erlang:memory(binary) - Before < 24 * ?MB end),
        Most = lists:max([begin
            transport_peer:send(Other, aldis_frame:batch(N, none, [<<"x">>], 0)),
            ?assertMatch(#ack{received = N}, acked(Other)),
            timer:sleep(20),
            erlang:memory(binary)
        end || N <- lists:seq(1, 100)]),
        ?assertMatch({_, true}, {Most - Before, Most - Before < 24 * ?MB}),
        ?assertNot(aldis_budget:may_answer(Budget)),
        [Pid ! go || Pid <- Pids],
        [receive answered -> ok after 120000 -> error(timeout) end || _ <- Pids],
        testing:eventually(fun() -> aldis_budget:claim(Budget, counters:new(5, []), 32 * ?MB) end)
    end).

%% A client that says HELLO and asks for so many answers of 900 kB.
asked(N, Port, Count) ->
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}, {recbuf, 4096}]),
    ok = gen_tcp:send(Socket, hello(N, handled)),
    #welcome{} = answer(Socket),
    ok = gen_tcp:send(Socket, [request(C) || C <- lists:seq(1, Count)]),
    Socket.

request(Correlation) -> aldis_frame:encode(#request{correlation = Correlation, bytes = <<900000:32>>}).

replied(Socket) ->
    #reply{code = normal, bytes = Bytes} = answer(Socket),
    byte_size(Bytes).

%% A client that asks for no more, and leaves unread what it asked for, does not hold memory for longer than a send may take.
never_read() ->
    Test = self(),
    ok = aldis_telemetry:attach(?MODULE, [aldis, connection, closed], fun(_, _, #{reason := R}, _) -> Test ! {over, R} end, none),
    with_listener(#{handler => ?MODULE, memory => 32 * ?MB, send_timeout => 1000, idle_timeout => infinity}, fun(Port) ->
        Socket = asked(1, Port, 0),
        Budget = aldis_connections:budget(aldis_connections:handle(budget)),
        ?assertEqual(slow, until_over(Socket, Budget)),
        testing:eventually(fun() -> aldis_budget:claim(Budget, counters:new(5, []), 32 * ?MB) end),
        gen_tcp:close(Socket)
    end),
    ok = aldis_telemetry:detach(?MODULE).

%% Asks once more when nothing that was sent is in the listener's memory, as the system has taken it: why the server closed.
until_over(Socket, Budget) ->
    Free = counters:new(5, []),
    receive
        {over, Reason} -> Reason
    after 200 ->
        case aldis_budget:claim(Budget, Free, 32 * ?MB) of
            true ->
                ok = aldis_budget:take(Budget, Free, -32 * ?MB),
                ok = gen_tcp:send(Socket, request(1));
            false -> waits
        end,
        until_over(Socket, Budget)
    end.

%% 400 honest producers that send as much as their credit lets them, and a log that does not write for eight seconds.
stalled() ->
    Folder = string:trim(os:cmd("mktemp -d")),
    Sink = {aldis_log, #{name => budget_log, folder => Folder, files => aldis_failing_files, scrub_bytes => 0}},
    with_listener(#{sink => Sink, memory => 32 * ?MB}, fun(Port) ->
        Test = self(),
        %% The frames are everybody's, so the clients' memory is none of the listener's.
        Frames = [iolist_to_binary(aldis_frame:encode(aldis_frame:batch(N, none, [binary:copy(<<"y">>, 50000)], 0))) || N <- lists:seq(1, 40)],
        Pids = [spawn_link(fun() -> produced(N, Port, Frames, Test) end) || N <- lists:seq(1, 400)],
        [receive {welcome, Pid} -> ok after 120000 -> error(timeout) end || Pid <- Pids],
        Before = erlang:memory(binary),
        aldis_failing_files:fail(stall, 8000),
        [Pid ! go || Pid <- Pids],
        %% As above, watched: the largest amount counts.
        Most = lists:max([begin timer:sleep(50), erlang:memory(binary) end || _ <- lists:seq(1, 160)]),
        aldis_failing_files:heal(),
        ?assertMatch({_, true}, {Most - Before, Most - Before < 64 * ?MB}),
        [receive {acked, Pid, 40} -> ok after 120000 -> error(timeout) end || Pid <- Pids]
    end),
    aldis_failing_files:heal(),
    file:del_dir_r(Folder).

%% A producer within its credit, which is two megabytes at most where so many share the memory.
produced(N, Port, Frames, Test) ->
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}, {sndbuf, 65536}, {send_timeout, 120000}]),
    ok = gen_tcp:send(Socket, hello(N, durable)),
    #welcome{credit_bytes = Credit} = answer(Socket),
    Test ! {welcome, self()},
    receive go -> ok end,
    Test ! {acked, self(), sent(Socket, Frames, 0, 0, Credit)}.

sent(_, [], Sent, Sent, _) -> Sent;
sent(Socket, [Frame | Frames], Sent, Acked, Credit) when (Sent - Acked + 1) * 50004 =< Credit; Sent =:= Acked ->
    ok = gen_tcp:send(Socket, Frame),
    sent(Socket, Frames, Sent + 1, Acked, Credit);
sent(Socket, Frames, Sent, _, Credit) ->
    #ack{durable = Durable} = acked(Socket),
    sent(Socket, Frames, Sent, Durable, Credit).

%% Subscribers with all credit that read nothing, of a log whose first messages are small: how many of them come says nothing of their bytes.
subscribed() ->
    Folder = string:trim(os:cmd("mktemp -d")),
    Sink = {aldis_log, #{name => budget_log, folder => filename:join(Folder, "log"), scrub_bytes => 0}},
    with_listener(#{sink => Sink, consumers => filename:join(Folder, "consumers"), memory => 32 * ?MB}, fun(Port) ->
        {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => Port, durability => durable}),
        {ok, 2000} = aldis_client:send_many(Client, lists:duplicate(2000, <<0:256>>)),
        Large = [<<N:32, (binary:copy(<<"z">>, 100000))/binary>> || N <- lists:seq(1, 300)],
        {ok, 2300} = aldis_client:send_many(Client, Large, 60000),
        ok = aldis_client:flush(Client, 60000),
        Budget = aldis_connections:budget(aldis_connections:handle(budget)),
        Before = settled(held(), 25),
        Sockets = [begin
            {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}, {recbuf, 4096}]),
            ok = gen_tcp:send(Socket, aldis_frame:encode(#hello{producer = <<N:128>>, durability = handled, features = ?PUSH})),
            #welcome{} = answer(Socket),
            [ok = gen_tcp:send(Socket, aldis_frame:encode(#subscribe{subscription = Id, topic = Topic, from = 1, credit = 1 bsl 31}))
                || {Id, Topic} <- lists:zip(lists:seq(1, 4), ["log", "log", "log+origin", ["log/", integer_to_list(N)]])],
            Socket
        end || N <- lists:seq(1, 15)],
        %% As above, watched: the largest amount counts, without what is garbage already, of which a busy machine has more.
        Most = lists:max([begin timer:sleep(20), held() end || _ <- lists:seq(1, 100)]),
        %% Half of the memory, and beyond it a message for each subscription, in each of four places.
        ?assertMatch({_, true}, {Most - Before, Most - Before < 16 * ?MB + 15 * 4 * 4 * 100000}),
        ?assertNot(aldis_budget:full(Budget)),
        %% Bytes that were lent come back, and a client that reads gets all messages.
        [ok = gen_tcp:close(Socket) || Socket <- Sockets],
        testing:eventually(fun() -> aldis_budget:claim(Budget, counters:new(5, []), 24 * ?MB) end),
        {ok, Id} = aldis_client:subscribe(Client, <<"log">>, 2001, 1 bsl 31),
        ?assertEqual(Large, read(Client, Id, 300)),
        ok = aldis_client:stop(Client)
    end),
    file:del_dir_r(Folder).

%% Bytes of binaries that something still refers to.
held() ->
    lists:foreach(fun erlang:garbage_collect/1, erlang:processes()),
    erlang:memory(binary).

%% As above, when it has not become less for so many looks.
settled(Least, 0) -> Least;
settled(Least, Looks) ->
    timer:sleep(20),
    case held() of
        Less when Less < Least -> settled(Less, 25);
        _ -> settled(Least, Looks - 1)
    end.

read(_, _, 0) -> [];
read(Client, Id, Left) ->
    receive
        {aldis_client, Client, {pushed, Id, _, Messages}} -> Messages ++ read(Client, Id, Left - length(Messages))
    after 60000 -> error(timeout)
    end.

%% A client that waits for memory for longer than HELLO, and silence, may last is not cut, and hears from the server meanwhile.
starved() ->
    with_listener(#{handler => ?MODULE, memory => 32 * ?MB, idle_timeout => 600, handshake_timeout => 600}, fun(Port) ->
        Budget = aldis_connections:budget(aldis_connections:handle(budget)),
        Counted = counters:new(5, []),
        Known = transport_peer:connect(Port),
        transport_peer:send(Known, hello(1, handled)),
        #welcome{} = answer(Known),
        ok = aldis_budget:take(Budget, Counted, 32 * ?MB),
        New = transport_peer:connect(Port),
        %% Some of the receives that were asked for before still come: two, and the server sees that it has to wait.
        [begin
            transport_peer:send(Known, #ping{opaque = N}),
            #pong{opaque = N} = answer(Known)
        end || N <- [1, 2]],
        %% Three PINGs, which nobody answers, are more than an idle client gets.
        [?assertMatch(#ping{}, transport_peer:frame(Known, 60000)) || _ <- [1, 2, 3]],
        ok = aldis_budget:take(Budget, Counted, -32 * ?MB),
        transport_peer:send(New, hello(2, handled)),
        #welcome{} = answer(New),
        transport_peer:send(Known, aldis_frame:batch(1, none, [<<"x">>], 0)),
        ?assertMatch(#ack{received = 1}, acked(Known)),
        %% Then silence counts again.
        ?assertMatch(#close{code = idle}, answer(New))
    end).

%% Connections that keep a part of what they want, and get no more, would wait for each other.
claim_given_back() ->
    with_listener(#{handler => ?MODULE, memory => 32 * ?MB}, fun(Port) ->
        Budget = aldis_connections:budget(aldis_connections:handle(budget)),
        Counted = counters:new(5, []),
        Socket = transport_peer:connect(Port),
        transport_peer:send(Socket, hello(1, handled)),
        #welcome{} = answer(Socket),
        [First, Second] = [iolist_to_binary(aldis_frame:encode(aldis_frame:batch(N, none, [binary:copy(<<"x">>, Size)], 0)))
            || {N, Size} <- [{1, 300000}, {2, 900000}]],
        transport_peer:send(Socket, binary:part(First, 0, 200000)),
        timer:sleep(300),
        ok = aldis_budget:take(Budget, Counted, 32 * ?MB - 600000),
        ?assert(aldis_budget:full(Budget)),
        transport_peer:send(Socket, [binary:part(First, 200000, byte_size(First) - 200000), binary:part(Second, 0, 1000)]),
        ?assertMatch(#ack{received = 1}, answer(Socket)),
        %% Memory is asked for again when the receives that were asked for have come.
        [transport_peer:send(Socket, binary:part(Second, 1000 * N, 1000)) || N <- [1, 2, 3, 4], ok =:= timer:sleep(100)],
        timer:sleep(300),
        testing:eventually(fun() -> aldis_budget:claim(Budget, Counted, 500000) end),
        ok = aldis_budget:take(Budget, Counted, 100000 - 32 * ?MB),
        transport_peer:send(Socket, binary:part(Second, 5000, byte_size(Second) - 5000)),
        ?assertMatch(#ack{received = 2}, answer(Socket))
    end).

acked(Socket) ->
    case answer(Socket) of
        #pong{} -> acked(Socket);
        Frame -> Frame
    end.
