%% The client against a server that a test scripts, frame by frame.
-module(aldis_client_tests).

-include_lib("eunit/include/eunit.hrl").
-include("../include/aldis_frame.hrl").

-compile([export_all, nowarn_export_all]).

client_test_() ->
    {timeout, 1800, [{atom_to_list(Name), {timeout, 300, fun() -> with_server(fun(Listen) -> ?MODULE:Name(Listen) end) end}}
        || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix("_case", atom_to_list(Name))]}.

with_server(Test) ->
    process_flag(trap_exit, true),
    {ok, Listen} = gen_tcp:listen(0, [binary, {active, false}, {packet, raw}, {ip, {127, 0, 0, 1}}]),
    testing:quietly(fun() ->
        try Test(Listen)
        after
            gen_tcp:close(Listen),
            [exit(Client, kill) || {client, Client} <- get_keys(true)]
        end
    end).

start(Listen) -> start(Listen, #{}).
start(Listen, Options) ->
    {ok, Port} = inet:port(Listen),
    {ok, Client} = aldis_client:start_link(maps:merge(#{host => "127.0.0.1", port => Port, notify => self(),
        backoff_ms => {5, 20}}, Options)),
    put({client, Client}, true),
    Client.

%% The server's end.

accept(Listen) -> accept(Listen, #welcome{session = 1, last = 0, credit_messages = 1000, credit_bytes = 100000,
    max_frame = 1048576, durability = handled}).

accept(Listen, Welcome) ->
    {Socket, Hello} = hello(Listen),
    say(Socket, Welcome#welcome{features = Hello#hello.features}),
    {Socket, Hello}.

hello(Listen) ->
    {ok, Socket} = gen_tcp:accept(Listen, 5000),
    #hello{version = 1} = Hello = hear(Socket),
    {Socket, Hello}.

say(Socket, Frame) -> ok = gen_tcp:send(Socket, aldis_frame:encode(Frame)).

hear(Socket) ->
    case gen_tcp:recv(Socket, 4, 5000) of
        {ok, <<Length:32/little>>} ->
            {ok, <<Kind, Body/binary>>} = gen_tcp:recv(Socket, Length, 5000),
            {ok, Frame} = aldis_frame:decode(Kind, Body),
            Frame;
        {error, Reason} -> Reason
    end.

%% The next messages, checked: {First, Messages}.
batch(Socket) ->
    #batch{first = First, count = Count, crc = Crc, rest = Rest} = hear(Socket),
    Crc = aldis_frame:checksum(First, Count, Rest),
    {ok, _} = aldis_scan:entries(Rest, 0, Count),
    {First, aldis_scan:to_list(Rest, 0, Count)}.

batches(_, 0) -> [];
batches(Socket, Count) ->
    {First, Messages} = batch(Socket),
    lists:zip(lists:seq(First, First + length(Messages) - 1), Messages) ++ batches(Socket, Count - length(Messages)).

ack(Last) -> ack(Last, 1000).
ack(Last, Credit) -> #ack{received = Last, handled = Last, credit_messages = Credit, credit_bytes = 100000}.

event(Client) -> receive {aldis_client, Client, Event} -> Event after 60000 -> timeout end.
quiet(Socket) -> ?assertEqual({error, timeout}, gen_tcp:recv(Socket, 0, 50)).

number(N) -> {N, integer_to_binary(N)}.
send_numbers(Client, From, To) ->
    {ok, To} = aldis_client:send_many(Client, [integer_to_binary(N) || N <- lists:seq(From, To)]).

%% Cases.

another_server_case(Listen) ->
    {ok, Gone} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(Gone),
    gen_tcp:close(Gone),
    {ok, First} = inet:port(Listen),
    {ok, Other} = gen_tcp:listen(0, [binary, {active, false}, {packet, raw}, {ip, {127, 0, 0, 1}}]),
    {ok, Second} = inet:port(Other),
    Client = start(Listen, #{port => Port, others => [{"127.0.0.1", First}, {{127, 0, 0, 1}, Second}]}),
    {Socket, _} = accept(Listen),
    {ok, 1} = aldis_client:send(Client, <<"a">>),
    ?assertEqual({1, [<<"a">>]}, batch(Socket)),
    gen_tcp:close(Socket),
    {Again, _} = accept(Other),
    ?assertEqual({1, [<<"a">>]}, batch(Again)),
    gen_tcp:close(Other).

messages_are_sent_and_acked_case(Listen) ->
    Client = start(Listen, #{producer => <<7:128>>, epoch => 3, durability => received}),
    {Socket, #hello{producer = <<7:128>>, epoch = 3, durability = received, features = ?PUSH}} = accept(Listen),
    ?assertMatch({connected, #{session := 1, last := 0}}, event(Client)),
    ?assertEqual({ok, 1}, aldis_client:send(Client, [<<"he">>, "llo"])),
    ?assertEqual({1, [<<"hello">>]}, batch(Socket)),
    ?assertEqual({error, {timeout, <<"1 messages are not acknowledged: the server has not said yet that the 1 of them that are sent are received">>}},
        aldis_client:flush(Client, 10)),
    say(Socket, ack(1)),
    ?assertEqual({acked, 1}, event(Client)),
    ?assertEqual(ok, aldis_client:flush(Client, 10)),
    ?assertMatch(#{state := ready, acked := 1, next := 2, held_messages := 0, held_bytes := 0, connections := 1}, aldis_client:info(Client)).

%% While one batch is out others gather, until they are old or many enough.
batches_gather_case(Listen) ->
    Client = start(Listen, #{linger_ms => 300, batch_messages => 5}),
    {Socket, _} = accept(Listen),
    connected(Client),
    {ok, 1} = aldis_client:send(Client, <<"1">>),
    ?assertEqual([number(1)], batches(Socket, 1)),
    [{ok, N} = aldis_client:send(Client, integer_to_binary(N)) || N <- [2, 3, 4]],
    quiet(Socket),
    ?assertEqual({2, [<<"2">>, <<"3">>, <<"4">>]}, batch(Socket)),
    [{ok, N} = aldis_client:send(Client, integer_to_binary(N)) || N <- lists:seq(5, 10)],
    {5, Full} = batch(Socket),
    ?assert(length(Full) >= 4).

connected(Client) -> {connected, _} = event(Client).

%% Messages that were sent before there is a server go out when there is one.
messages_wait_for_a_connection_case(Listen) ->
    Client = start(Listen, #{auth => fun() -> {<<"token">>, <<"now">>} end}),
    send_numbers(Client, 1, 3),
    {Socket, #hello{auth_data = <<"now">>}} = accept(Listen),
    ?assertEqual([number(N) || N <- [1, 2, 3]], batches(Socket, 3)).

credit_is_honoured_case(Listen) ->
    Client = start(Listen),
    {Socket, _} = accept(Listen, #welcome{session = 1, credit_messages = 4, credit_bytes = 1000, max_frame = 1000, durability = handled}),
    send_numbers(Client, 1, 20),
    ?assertEqual([number(N) || N <- [1, 2, 3, 4]], batches(Socket, 4)),
    quiet(Socket),
    say(Socket, ack(3, 8)),
    ?assertEqual([number(N) || N <- lists:seq(5, 11)], batches(Socket, 7)),
    quiet(Socket),
    say(Socket, ack(11, 1000)),
    ?assertEqual([number(N) || N <- lists:seq(12, 20)], batches(Socket, 9)).

%% No credit at all, and still one message may go when nothing is out.
one_message_without_credit_case(Listen) ->
    Client = start(Listen),
    {Socket, _} = accept(Listen, #welcome{session = 1, credit_messages = 0, credit_bytes = 0, max_frame = 1000, durability = handled}),
    send_numbers(Client, 1, 2),
    ?assertEqual({1, [<<"1">>]}, batch(Socket)),
    quiet(Socket),
    say(Socket, ack(1, 0)),
    ?assertEqual({2, [<<"2">>]}, batch(Socket)).

frames_are_not_too_large_case(Listen) ->
    Client = start(Listen),
    {Socket, _} = accept(Listen, #welcome{session = 1, credit_messages = 1000, credit_bytes = 100000, max_frame = 100, durability = handled}),
    connected(Client),
    ?assertEqual({error, too_large}, aldis_client:send(Client, binary:copy(<<"x">>, 72))),
    {ok, 1} = aldis_client:send(Client, binary:copy(<<"x">>, 71)),
    {1, [_]} = batch(Socket),
    {ok, 21} = aldis_client:send_many(Client, [<<"0123456789">> || _ <- lists:seq(1, 20)]),
    aldis_client:flush(Client, 0),
    {2, Messages} = batch(Socket),
    ?assertEqual(5, length(Messages)).

reconnect_resends_case(Listen) ->
    Client = start(Listen),
    {Socket, _} = accept(Listen),
    send_numbers(Client, 1, 10),
    [_ | _] = batches(Socket, 10),
    say(Socket, ack(4)),
    ?assertMatch([{connected, _}, {acked, 4}], [event(Client), event(Client)]),
    gen_tcp:close(Socket),
    ?assertEqual({disconnected, closed}, event(Client)),
    %% 5 and 6 had arrived, their ack had not.
    {Again, #hello{epoch = 0}} = accept(Listen, welcome(6)),
    ?assertMatch([{connected, _}, {acked, 6}], [event(Client), event(Client)]),
    ?assertEqual([number(N) || N <- [7, 8, 9, 10]], batches(Again, 4)),
    say(Again, ack(10)),
    ?assertEqual(ok, aldis_client:flush(Client, 1000)).

welcome(Last) -> #welcome{session = 2, last = Last, credit_messages = 1000, credit_bytes = 100000, max_frame = 1048576, durability = handled}.

%% A producer that goes on after a restart: its numbers begin at 1 again, its sequence does not.
resumed_producer_case(Listen) ->
    Client = start(Listen, #{producer => <<7:128>>, epoch => 3}),
    send_numbers(Client, 1, 2),
    {Socket, _} = accept(Listen, welcome(500)),
    ?assertEqual([{501, <<"1">>}, {502, <<"2">>}], batches(Socket, 2)),
    say(Socket, ack(502)),
    ?assertMatch([{connected, _}, {acked, 2}], [event(Client), event(Client)]).

forgetful_server_case(Listen) ->
    Client = start(Listen, #{epoch => 8}),
    {Socket, _} = accept(Listen),
    send_numbers(Client, 1, 5),
    [_ | _] = batches(Socket, 5),
    say(Socket, ack(3)),
    ?assertMatch([{connected, _}, {acked, 3}], [event(Client), event(Client)]),
    gen_tcp:close(Socket),
    {Forgotten, #hello{epoch = 8}} = accept(Listen, welcome(0)),
    ?assertMatch([{disconnected, closed}, {new_epoch, 9}, {disconnected, forgotten}], [event(Client) || _ <- [1, 2, 3]]),
    gen_tcp:close(Forgotten),
    {New, #hello{epoch = 9}} = accept(Listen, welcome(0)),
    ?assertEqual([{1, <<"4">>}, {2, <<"5">>}], batches(New, 2)),
    say(New, ack(2)),
    ?assertMatch([{connected, _}, {acked, 5}], [event(Client), event(Client)]).

nack_case(Listen) ->
    Client = start(Listen),
    {Socket, _} = accept(Listen),
    connected(Client),
    send_numbers(Client, 1, 6),
    [_ | _] = batches(Socket, 6),
    say(Socket, #nack{expected = 3, code = refused, text = <<"not now">>}),
    ?assertEqual({refused, 3, <<"not now">>}, event(Client)),
    ?assertEqual([number(N) || N <- [3, 4, 5, 6]], batches(Socket, 4)),
    %% The messages before the refused one are still under way.
    say(Socket, ack(2)),
    ?assertEqual({acked, 2}, event(Client)),
    say(Socket, #nack{expected = 5, code = bad_checksum, text = <<>>}),
    ?assertEqual([number(5), number(6)], batches(Socket, 2)),
    say(Socket, ack(6)),
    ?assertEqual({acked, 6}, event(Client)).

queue_is_bounded_case(Listen) ->
    Client = start(Listen, #{queue_messages => 10}),
    {Socket, _} = accept(Listen),
    connected(Client),
    send_numbers(Client, 1, 8),
    ?assertEqual({error, timeout}, aldis_client:send_many(Client, [<<"a">>, <<"b">>, <<"c">>], 20)),
    Self = self(),
    spawn_link(fun() -> Self ! {sent, aldis_client:send_many(Client, [<<"9">>, <<"10">>, <<"11">>], 5000)} end),
    timer:sleep(150),
    %% Nobody passes who came first.
    spawn_link(fun() -> Self ! {sent, aldis_client:send(Client, <<"12">>, 5000)} end),
    timer:sleep(20),
    receive {sent, _} = Early -> error(Early) after 0 -> ok end,
    [_ | _] = batches(Socket, 8),
    say(Socket, ack(8)),
    ?assertEqual({sent, {ok, 11}}, receive S1 when element(1, S1) =:= sent -> S1 after 60000 -> error(timeout) end),
    ?assertEqual({sent, {ok, 12}}, receive S2 when element(1, S2) =:= sent -> S2 after 60000 -> error(timeout) end),
    aldis_client:flush(Client, 0),
    ?assertEqual([number(N) || N <- [9, 10, 11, 12]], batches(Socket, 4)),
    %% Larger than the queue, when it is empty.
    say(Socket, ack(12)),
    ?assertEqual({ok, 112}, aldis_client:send_many(Client, [<<>> || _ <- lists:seq(1, 100)], 5000)).

requests_case(Listen) ->
    Client = start(Listen, #{on_request => fun
        (<<"fail">>) -> error(oops);
        (<<"no">>) -> {error, "never"};
        (Bytes) -> {reply, [<<"re: ">>, Bytes]}
    end}),
    ?assertEqual({error, disconnected}, aldis_client:request(Client, <<"x">>, 100)),
    {Socket, _} = accept(Listen),
    connected(Client),
    Self = self(),
    Ask = fun(Bytes, Deadline) -> spawn_link(fun() -> Self ! {Bytes, aldis_client:request(Client, Bytes, Deadline)} end) end,
    Ask(<<"one">>, 1000),
    #request{correlation = One, deadline = 1000, bytes = <<"one">>} = hear(Socket),
    Ask(<<"two">>, 1000),
    #request{correlation = Two} = hear(Socket),
    say(Socket, #reply{correlation = Two, code = refused, bytes = <<"no">>}),
    say(Socket, #reply{correlation = One, bytes = <<"uno">>}),
    ?assertEqual({ok, <<"uno">>}, receive {<<"one">>, R1} -> R1 after 60000 -> error(timeout) end),
    ?assertEqual({error, {refused, <<"no">>}}, receive {<<"two">>, R2} -> R2 after 60000 -> error(timeout) end),
    ?assertEqual({error, deadline}, aldis_client:request(Client, <<"late">>, 10)),
    #request{correlation = Late} = hear(Socket),
    %% An answer that comes too late is nobody's.
    say(Socket, #reply{correlation = Late, bytes = <<>>}),
    [say(Socket, #request{correlation = N, bytes = B}) || {N, B} <- [{1, <<"hi">>}, {2, <<"no">>}, {3, <<"fail">>}]],
    Replies = lists:sort([hear(Socket) || _ <- [1, 2, 3]]),
    ?assertMatch([#reply{correlation = 1, code = normal, bytes = <<"re: hi">>},
        #reply{correlation = 2, code = refused, bytes = <<"never">>}, #reply{correlation = 3, code = handler}], Replies),
    Ask(<<"lost">>, 5000),
    #request{} = hear(Socket),
    gen_tcp:close(Socket),
    ?assertEqual({error, disconnected}, receive {<<"lost">>, R3} -> R3 after 60000 -> error(timeout) end).

%% An answer that no frame holds, or that is none, is the asker's bad luck: neither the client nor its queue pays for it.
bad_answers_case(Listen) ->
    Client = start(Listen, #{on_request => fun
        (<<"bytes", Size:32>>) -> {reply, binary:copy(<<0>>, Size)};
        (<<"text", Size:32>>) -> {error, binary:copy(<<"x">>, Size)};
        (<<"latin1">>) -> {error, <<255, 254>>};
        (<<"term">>) -> {reply, not_bytes};
        (<<"other">>) -> ok
    end}),
    {Socket, _} = accept(Listen, (welcome(0))#welcome{max_frame = 1000}),
    {ok, 1} = aldis_client:send(Client, <<"kept">>),
    {1, [_]} = batch(Socket),
    [begin
        say(Socket, #request{correlation = 9, bytes = Request}),
        #reply{correlation = 9, code = Code, bytes = Answer} = hear(Socket),
        ?assertMatch({Request, {Wanted, true}}, {Request, {Code, byte_size(Answer) =< 987}})
    end || {Request, Wanted} <- [{<<"bytes", 987:32>>, normal}, {<<"bytes", 988:32>>, frame_too_large},
        {<<"text", 987:32>>, refused}, {<<"text", 988:32>>, frame_too_large}, {<<"latin1">>, handler},
        {<<"term">>, handler}, {<<"other">>, handler}]],
    say(Socket, ack(1)),
    ?assertEqual(ok, aldis_client:flush(Client, 5000)).

subscriptions_case(Listen) ->
    Client = start(Listen, #{notify => none}),
    {ok, Id} = aldis_client:subscribe(Client, <<"log">>, 5, 10),
    {Socket, _} = accept(Listen),
    ?assertMatch(#subscribe{subscription = Id, from = 5, credit = 10, topic = <<"log">>}, hear(Socket)),
    say(Socket, #push{subscription = Id, first = 5, count = 2, entries = <<1:32/little, "a", 0:32>>}),
    ?assertEqual({pushed, Id, 5, [<<"a">>, <<>>]}, event(Client)),
    aldis_client:consumed(Client, Id, 5, 10),
    ?assertMatch(#credit{subscription = Id, consumed = 5, credit = 10}, hear(Socket)),
    gen_tcp:close(Socket),
    {Again, _} = accept(Listen, welcome(0)),
    ?assertMatch(#subscribe{subscription = Id, from = 7, credit = 9}, hear(Again)),
    say(Again, #unsubscribe{subscription = Id, code = refused, text = <<"gone">>}),
    ?assertEqual({unsubscribed, Id, refused, <<"gone">>}, event(Client)),
    %% A subscriber that dies unsubscribes.
    spawn(fun() -> aldis_client:subscribe(Client, "x", 0, 1) end),
    #subscribe{subscription = Next, from = 0, credit = 1, topic = <<"x">>} = hear(Again),
    ?assertMatch(#unsubscribe{subscription = Next}, hear(Again)),
    say(Again, #push{subscription = Next, first = 1, count = 1, entries = <<0:32>>}),
    say(Again, #ping{opaque = 77}),
    ?assertEqual(#pong{opaque = 77}, hear(Again)).

topics_are_not_cut_case(Listen) ->
    Client = start(Listen),
    {Socket, _} = accept(Listen),
    [?assertEqual({error, bad_topic}, aldis_client:subscribe(Client, Topic, 0, 1))
        || Topic <- [binary:copy(<<"x">>, 1025), lists:duplicate(513, $\x{e4}), <<255>>]],
    {ok, Id} = aldis_client:subscribe(Client, lists:duplicate(512, $\x{e4}), 0, 1),
    #subscribe{subscription = Id, topic = Topic} = hear(Socket),
    ?assertEqual(1024, byte_size(Topic)).

%% Credentials that a HELLO has no room for are not sent; a fun may have something better the next time.
credentials_case(Listen) ->
    Self = self(),
    Client = start(Listen, #{auth => fun() ->
        Self ! {asks, self()},
        receive {credentials, Auth} -> Auth after 60000 -> error(timeout) end
    end}),
    Give = fun(Auth) -> receive {asks, Who} -> Who ! {credentials, Auth} after 60000 -> error(not_asked) end end,
    [begin
        Give(Bad),
        ?assertEqual({disconnected, no_credentials}, event(Client))
    end || Bad <- [{<<"m">>, binary:copy(<<0>>, 4053)}, {binary:copy(<<"m">>, 256), <<>>}, token]],
    Give({<<"m">>, binary:copy(<<0>>, 4052)}),
    %% The connections that were given up.
    [{error, closed} = gen_tcp:recv(element(2, gen_tcp:accept(Listen, 5000)), 0, 5000) || _ <- [1, 2, 3]],
    {Socket, _} = hello(Listen),
    say(Socket, #close{code = normal}).

silent_server_case(Listen) ->
    Client = start(Listen, #{ping_ms => 200}),
    {Socket, _} = accept(Listen),
    connected(Client),
    #ping{opaque = Opaque} = hear(Socket),
    say(Socket, #pong{opaque = Opaque}),
    #ping{} = hear(Socket),
    ?assertEqual({disconnected, idle}, event(Client)).

drain_case(Listen) ->
    Client = start(Listen),
    {Socket, _} = accept(Listen),
    send_numbers(Client, 1, 3),
    Self = self(),
    spawn_link(fun() -> Self ! {drained, aldis_client:drain(Client, 5000)} end),
    [_ | _] = batches(Socket, 3),
    Last = until_closing(Client, 3),
    ?assertEqual(Last - 3, length(batches(Socket, Last - 3))),
    quiet(Socket),
    say(Socket, ack(Last)),
    #drain{} = hear(Socket),
    say(Socket, #close{code = normal}),
    ?assertEqual({drained, ok}, receive {drained, _} = D -> D after 60000 -> timeout end),
    ?assertEqual(normal, receive {'EXIT', Client, Reason} -> Reason after 60000 -> timeout end).

%% The last message that gets in: those that are faster than the request to drain do.
until_closing(Client, Last) ->
    case aldis_client:send(Client, <<"late">>) of
        {ok, Next} when Next =:= Last + 1 -> until_closing(Client, Next);
        {error, closing} -> Last
    end.

drain_without_server_case(Listen) ->
    Client = start(Listen),
    {ok, 1} = aldis_client:send(Client, <<"x">>),
    ?assertEqual({error, timeout}, aldis_client:drain(Client, 50)).

server_drains_case(Listen) ->
    Client = start(Listen),
    {Socket, _} = accept(Listen),
    connected(Client),
    send_numbers(Client, 1, 2),
    [_ | _] = batches(Socket, 2),
    say(Socket, #drain{ms = 1000}),
    #drain{} = hear(Socket),
    {ok, 3} = aldis_client:send(Client, <<"3">>),
    quiet(Socket),
    say(Socket, ack(2)),
    ?assertEqual({acked, 2}, event(Client)),
    say(Socket, #close{code = normal}),
    ?assertEqual({disconnected, {closed, normal, <<>>}}, event(Client)),
    {Again, _} = accept(Listen, welcome(2)),
    ?assertEqual([number(3)], batches(Again, 1)).

%% However the connection ends once the server was told that nothing follows: the client is drained.
drain_behind_the_last_word_case(Listen) ->
    [begin
        Client = start(Listen),
        {Socket, _} = accept(Listen),
        connected(Client),
        Self = self(),
        spawn_link(fun() -> Self ! {drained, aldis_client:drain(Client, 5000)} end),
        #drain{} = hear(Socket),
        End(Socket),
        ?assertEqual({drained, ok}, receive {drained, _} = D -> D after 60000 -> timeout end),
        ?assertEqual(normal, stopped(Client))
    end || End <- [fun gen_tcp:close/1, fun(Socket) -> say(Socket, #close{code = idle}) end,
        fun(Socket) -> say(Socket, #close{code = superseded}) end, fun(Socket) -> say(Socket, #hello{producer = <<0:128>>}) end]].

stopped(Client) -> receive {'EXIT', Client, Reason} -> Reason after 60000 -> timeout end.

%% The rules of docs/protocol.md for codes: after the first ones, a new connection is made; after the second, none is.
closes() ->
    {ok, Page} = file:read_file(filename:join([testing:root(), "docs", "protocol.md"])),
    Row = fun(Start) ->
        {match, [Names]} = re:run(Page, ["\n\\| CLOSE ([^|]*) \\| ", Start], [{capture, all_but_first, binary}]),
        [binary_to_atom(binary:replace(Name, <<"-">>, <<"_">>, [global])) || Name <- re:split(Names, ",? ")]
    end,
    {Row("connects again"), Row("is over")}.

closes_case(Listen) ->
    {Again, Over} = closes(),
    ?assertEqual(lists:sort([aldis_frame:code(N) || N <- lists:seq(0, 19)]), lists:sort(Again ++ Over)),
    [begin
        Client = start(Listen),
        {Socket, _} = hello(Listen),
        say(Socket, #close{code = Code, text = <<"why">>}),
        ?assertEqual({shutdown, {closed, Code, <<"why">>}}, stopped(Client))
    end || Code <- Over],
    Client = start(Listen),
    {ok, 1} = aldis_client:send(Client, <<"kept">>),
    [begin
        {Socket, _} = accept(Listen),
        say(Socket, #close{code = Code}),
        connected(Client),
        ?assertEqual({disconnected, {closed, Code, <<>>}}, event(Client))
    end || Code <- [99 | Again]],
    {Socket, _} = accept(Listen),
    ?assertEqual({1, [<<"kept">>]}, batch(Socket)).

%% Garbage ends the connection, not the client; frames of a later version are skipped; frames may come byte by byte.
odd_servers_case(Listen) ->
    Client = start(Listen, #{notify => none}),
    {ok, 1} = aldis_client:send(Client, <<"x">>),
    [begin
        {Socket, _} = accept(Listen),
        {1, [<<"x">>]} = batch(Socket),
        ok = gen_tcp:send(Socket, Garbage),
        ?assertMatch({Garbage, #close{code = Code}}, {Garbage, hear(Socket)})
    end || {Code, Garbage} <- [{protocol, <<0:32>>}, {frame_too_large, <<16#FFFFFFFF:32>>}, {protocol, <<1:32/little, 16#70>>},
        {protocol, <<3:32/little, 4, 0, 0>>}, {protocol, aldis_frame:encode(ack(99))},
        {protocol, aldis_frame:encode(#nack{expected = 0, code = gap})},
        {protocol, aldis_frame:encode(#nack{expected = 3, code = refused})},
        {bad_count, aldis_frame:encode(#push{subscription = 1, first = 1, count = 2, entries = <<0:32>>})},
        {protocol, aldis_frame:encode(welcome(0))}, {protocol, aldis_frame:encode(#hello{producer = <<0:128>>})}]],
    {Late, _} = hello(Listen),
    say(Late, #ping{}),
    ?assertMatch(#close{code = protocol}, hear(Late)),
    {Small, _} = accept(Listen, (welcome(0))#welcome{max_frame = 63}),
    ?assertMatch(#close{code = protocol}, hear(Small)),
    {Socket, _} = accept(Listen),
    {1, [<<"x">>]} = batch(Socket),
    [begin ok = gen_tcp:send(Socket, [Byte]), timer:sleep(1) end
        || <<Byte>> <= iolist_to_binary([<<3:32/little, 16#99, 1, 2>>, aldis_frame:encode(ack(1))])],
    ?assertEqual(ok, aldis_client:flush(Client, 5000)).

%% A WELCOME that is less than what was asked for, or knows more than was said, is the end.
welcomes_that_end_the_client_case(Listen) ->
    [begin
        Client = start(Listen, Options),
        {Socket, _} = hello(Listen),
        say(Socket, Welcome),
        ?assertMatch(#close{code = Code}, hear(Socket)),
        ?assertMatch({Code, {shutdown, {closed, Code, _}}}, {Code, stopped(Client)})
    end || {Code, Options, Welcome} <- [{version, #{}, (welcome(0))#welcome{version = 2}},
        {unsupported, #{durability => durable}, welcome(0)}, {unsupported, #{checksum => false}, welcome(0)},
        {unsupported, #{schema => {1, 2}}, welcome(0)}]],
    Client = start(Listen),
    {Socket, _} = accept(Listen),
    connected(Client),
    gen_tcp:close(Socket),
    {Again, _} = accept(Listen, welcome(7)),
    ?assertMatch(#close{code = superseded}, hear(Again)),
    ?assertMatch({shutdown, {closed, superseded, _}}, stopped(Client)),
    Kept = start(Listen),
    {First, _} = accept(Listen),
    {ok, 1} = aldis_client:send(Kept, binary:copy(<<"x">>, 1000)),
    {1, [_]} = batch(First),
    gen_tcp:close(First),
    {Narrow, _} = accept(Listen, (welcome(0))#welcome{max_frame = 1000}),
    ?assertMatch(#close{code = frame_too_large}, hear(Narrow)),
    ?assertMatch({shutdown, {closed, frame_too_large, _}}, stopped(Kept)).

%% Damage is sent again at once, eight times; what the handler refuses only when that is wanted.
nacks_without_end_case(Listen) ->
    Client = start(Listen),
    {ok, 1} = aldis_client:send(Client, <<"x">>),
    {Socket, _} = accept(Listen),
    connected(Client),
    [begin
        ?assertMatch({N, {1, _}}, {N, batch(Socket)}),
        say(Socket, #nack{expected = 1, code = bad_checksum})
    end || N <- lists:seq(1, 9)],
    ?assertMatch(#close{code = bad_checksum}, hear(Socket)),
    ?assertEqual({disconnected, {nack, bad_checksum}}, event(Client)),
    {Again, _} = accept(Listen),
    ?assertEqual({1, [<<"x">>]}, batch(Again)),
    Strict = start(Listen, #{retry_refused => false}),
    {ok, 2} = aldis_client:send_many(Strict, [<<"a">>, <<"b">>]),
    {Refusing, _} = accept(Listen),
    {1, [_ | _]} = batch(Refusing),
    say(Refusing, #nack{expected = 1, code = refused, text = <<"not today">>}),
    ?assertEqual({shutdown, {closed, refused, <<"message 1: not today">>}}, stopped(Strict)).

features_case(Listen) ->
    Client = start(Listen, #{checksum => false, schema => {3, 4}, auth => {<<"token">>, <<"secret">>}}),
    {Socket, #hello{features = Features, auth_method = <<"token">>, auth_data = <<"secret">>}} = accept(Listen),
    ?assertEqual(?NO_CHECKSUM bor ?SCHEMA bor ?PUSH, Features),
    {ok, 1} = aldis_client:send(Client, <<"x">>),
    ?assertMatch(#batch{first = 1, count = 1, crc = 0, rest = <<3:32/little, 4:32/little, 1:32/little, "x">>}, hear(Socket)),
    ?assertEqual(nomatch, string:find(io_lib:format("~p", [sys:get_status(Client)]), "secret")).

options_test() ->
    [begin
        {error, {bad_option, Text}} = aldis_client:start_link(Options),
        ?assertMatch({Options, true}, {Options, string:find(Text, Words) =/= nomatch})
    end || {Options, Words} <- [{#{port => 1}, "host is missing"}, {#{host => "x"}, "port is missing"}, {x, "are a map"},
        {#{host => "x", port => 0}, "1 to 65535"}, {#{host => "x", port => 1, linger => 1}, "no such option"},
        {#{host => "x", port => 1, producer => <<1>>}, "16 bytes"},
        {#{host => "x", port => 1, auth => {<<"m">>, binary:copy(<<0>>, 4053)}}, "4,053 together"}]].

%% The epoch of a server that counts none is the one that HELLO offered, however long the WELCOME takes.
slow_welcome_case(Listen) ->
    Client = start(Listen, #{producer => <<1:128>>, epoch => next}),
    {Socket, #hello{epoch = Epoch, features = Features}} = hello(Listen),
    ?assertNotEqual(0, Features band ?NEXT_EPOCH),
    timer:sleep(1100),
    say(Socket, #welcome{session = 1, last = 0, credit_messages = 10, credit_bytes = 1000, max_frame = 1048576, durability = handled}),
    {connected, _} = event(Client),
    ?assertMatch(#{epoch := Epoch}, aldis_client:info(Client)),
    gen_tcp:close(Socket),
    {_, #hello{epoch = Again, features = Fewer}} = hello(Listen),
    ?assertEqual({Epoch, 0}, {Again, Fewer band ?NEXT_EPOCH}).
