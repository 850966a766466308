-module(aldis_server_tests).

-include_lib("eunit/include/eunit.hrl").
-include_lib("public_key/include/public_key.hrl").
-include("aldis_frame.hrl").
-include("properties.hrl").

-import(transport_peer, [connect/1, connect/2, hello/2, send/2, frame/1, closed/1, until_close/1, batch/2, drop_ack/2, messages/1,
                         with_listener/2, with_listener/3]).
-import(testing, [eventually/1, quietly/1]).

-export([init/1, log/2]).

-define(PRODUCER, <<"producer-0123456">>).

hello() -> #hello{producer = ?PRODUCER}.

server_test_() ->
    {timeout, 900, [{timeout, 120, {Name, Test}} || {Name, Test} <- [
        {"listeners start, tell and stop", fun life/0},
        {"a name has one process, and none that has ended", fun names/0},
        {"a port in use is an error", fun port_in_use/0},
        {"options that are wrong", fun options/0},
        {"a listener in a supervisor of one's own", fun own_supervisor/0},
        {"a listener without an address says who reaches it", fun default_address/0},
        {"too many connections are told so", fun too_many/0},
        {"a connection that gets no process takes no place", fun no_process/0},
        {"an acceptor that ends between gives its place back", fun leaked_place/0},
        {"one connection is closed by the operator", fun close_one/0},
        {"connections are told of as they come and go", fun events/0},
        {"200 half-open clients harm nobody", fun half_open/0},
        {"clients that send a byte at a time harm nobody", fun trickling/0},
        {"a connection's process answers system messages", fun system_messages/0},
        {"what fails is restarted, and the port is the same", fun restarts/0},
        {"TLS, and a certificate of the client", fun tls/0},
        {"clients that come while the listener is drained are told", fun drained_newcomers/0},
        {"a TLS listener is not harmed by plain clients", fun not_tls/0},
        {"tokens", fun tokens/0},
        {"an auth that fails lets nobody in", fun failing_auth/0},
        {"a generated codec's records", fun codec/0},
        {"memory of an idle connection", fun idle_memory/0},
        {"memory of a busy connection", fun busy_memory/0}
    ]]}.

life() ->
    ?assertEqual({error, not_found}, aldis_server:info(listener)),
    with_listener(#{}, fun(Port) ->
        ?assertMatch(#{name := listener, mode := aldis, tls := false, port := Port, connections := 0, draining := false},
                     aldis_server:info(listener)),
        with_listener(another, #{mode => sync_ack}, fun(_) ->
            ?assertEqual([another, listener], lists:sort(maps:keys(aldis_server:info())))
        end),
        ?assertMatch({error, {already_started, _}}, aldis_server:start_listener(listener, #{port => 0, handler => transport_peer})),
        {_, _} = hello(Port, hello()),
        ?assertMatch(#{connections := 1, metrics := #{connections := 1, accepted := 1}}, aldis_server:info(listener)),
        ?assertMatch([#{peer := {{127, 0, 0, 1}, _}, producer := ?PRODUCER}], aldis_server:connections(listener))
    end),
    ?assertEqual({error, not_found}, aldis_server:connections(listener)),
    ?assertEqual({error, not_found}, aldis_server:stop_listener(listener)),
    ?assertEqual({error, not_found}, aldis_server:drain(listener, 10)).

%% Several that find the name of a process that has ended: one gets it, and keeps it.
names() ->
    {ok, _} = application:ensure_all_started(aldis),
    [begin
        Name = {tests, Round},
        {Gone, Monitor} = spawn_monitor(fun() -> yes = aldis_names:register_name(Name, self()) end),
        receive {'DOWN', Monitor, process, Gone, _} -> ok after 60000 -> error(timeout) end,
        ?assertEqual(undefined, aldis_names:whereis_name(Name)),
        Test = self(),
        Pids = [spawn_link(fun() ->
            receive go -> ok end,
            Test ! {self(), aldis_names:register_name(Name, self())},
            receive stop -> ok end
        end) || _ <- lists:seq(1, 4)],
        [Pid ! go || Pid <- Pids],
        [Owner] = [Pid || Pid <- Pids, receive {Pid, Answer} -> Answer =:= yes after 60000 -> error(timeout) end],
        ?assertEqual(Owner, aldis_names:whereis_name(Name)),
        aldis_names:unregister_name(Name),
        [Pid ! stop || Pid <- Pids]
    end || Round <- lists:seq(1, 300)].

port_in_use() ->
    quietly(fun() ->
        with_listener(#{}, fun(Port) ->
            Options = #{port => Port, ip => {127, 0, 0, 1}, handler => transport_peer},
            ?assertMatch({error, {listen, Port, eaddrinuse, _}}, aldis_server:start_listener(another, Options))
        end)
    end).

options() ->
    [begin
        {error, {options, Text}} = aldis_server:start_listener(wrong, Options),
        ?assertMatch({match, _}, re:run(Text, Said))
    end || {Said, Options} <- [
        {"are a map", not_a_map},
        {"ip => any lets anybody in .*say open => true", #{port => 0, handler => transport_peer, ip => any}},
        {"ip => \\{10,0,0,1\\} lets", #{port => 0, handler => transport_peer, ip => {10, 0, 0, 1}, tls => [{verify, verify_none}]}},
        {"memory has to be at least 8 times", #{port => 0, handler => transport_peer, memory => 1000000}},
        {"would wait for ever$", #{port => 0, handler => transport_peer, memory => 1000000}},
        {"port is missing", #{handler => transport_peer}},
        {"handler is missing", #{port => 0}},
        {"port has to be a port from 0.*and is 70000", #{port => 70000, handler => transport_peer}},
        {"no option max_conections; did you mean max_connections\\?", #{port => 0, handler => transport_peer, max_conections => 1}},
        {"no option \"port\"; did you mean port\\?", #{"port" => 0, port => 0, handler => transport_peer}},
        {"no option colour; there are port, mode", #{colour => 0, port => 0, handler => transport_peer}},
        {"handler has to be .*exports init/2", #{port => 0, handler => lists}},
        {"mode has to be one of", #{port => 0, handler => transport_peer, mode => quick}},
        {"credit has to be", #{port => 0, handler => transport_peer, credit => 5}},
        {"sink goes with mode aldis only", #{port => 0, handler => transport_peer, mode => sync_ack, sink => {transport_sink, kept}}},
        {"auth goes with mode aldis only", #{port => 0, handler => transport_peer, mode => sync_ack, auth => fun(_) -> ok end}},
        {"codec has to be", #{port => 0, handler => transport_peer, codec => lists}},
        {"codec goes with handle_message/2", #{port => 0, handler => transport_peer, codec => transport_codec}},
        {"sink has to be", #{port => 0, sink => {lists, kept}}}
    ]],
    %% A user who gave no memory is told the number, where this machine has too little for the largest frame.
    Largest = 16#7FFFFFFF,
    Memory = aldis_budget:default(),
    case aldis_listener_options:complete(#{port => 0, handler => transport_peer, max_frame => Largest}) of
        {ok, _} -> ?assert(Memory >= 8 * Largest);
        {error, Why} ->
            ?assert(Memory < 8 * Largest),
            ?assertMatch({match, _}, re:run(Why, "not given.* a quarter of .*: [0-9]+ bytes. Give memory, or a max_frame of at most"))
    end.

own_supervisor() ->
    {ok, _} = application:ensure_all_started(aldis),
    Spec = aldis_server:child_spec({mine, #{port => 0, handler => {transport_peer, self()}}}),
    {ok, Supervisor} = one_for_one(Spec),
    #{port := Port} = aldis_server:info(mine),
    {_, _} = hello(Port, hello()),
    unlink(Supervisor),
    Monitor = erlang:monitor(process, Supervisor),
    exit(Supervisor, shutdown),
    receive {'DOWN', Monitor, process, _, _} -> ok after 60000 -> error(timeout) end,
    ?assertEqual({error, not_found}, aldis_server:info(mine)),
    ?assertNot(is_map_key({listener, mine}, aldis_metrics:all())).

default_address() ->
    Options = #{port => 0, handler => transport_peer},
    {ok, _} = application:ensure_all_started(aldis),
    ok = logger:add_handler(address, ?MODULE, #{config => self(), level => notice}),
    try
        {ok, _} = aldis_server:start_listener(mine, Options),
        ok = aldis_server:stop_listener(mine),
        Said = <<"listener mine listens on 127.0.0.1, the default, so this machine alone reaches it; for others give ip => any, or "
                 "an address, with auth, tls that verifies clients, or open => true">>,
        ?assertEqual([Said], addresses_logged()),
        {ok, Supervisor} = one_for_one(aldis_server:child_spec({mine, Options})),
        ok = gen_server:stop(Supervisor),
        ?assertEqual([Said], addresses_logged()),
        {ok, _} = aldis_server:start_listener(mine, Options#{ip => {127, 0, 0, 1}}),
        ok = aldis_server:stop_listener(mine),
        {error, {options, _}} = aldis_server:start_listener(mine, #{port => 0}),
        ?assertEqual([], addresses_logged())
    after
        logger:remove_handler(address)
    end.

addresses_logged() ->
    receive
        {logged, #{level := notice, msg := {"listener " ++ _ = Format, Arguments}}} ->
            [unicode:characters_to_binary(io_lib:format(Format, Arguments)) | addresses_logged()]
    after 0 -> []
    end.

one_for_one(Spec) ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, []),
    {ok, _} = supervisor:start_child(Supervisor, Spec),
    {ok, Supervisor}.

init([]) -> {ok, {#{}, []}}.

too_many() ->
    with_listener(#{max_connections => 2}, fun(Port) ->
        {First, _} = hello(Port, hello()),
        {_, _} = hello(Port, (hello())#hello{producer = <<2:128>>}),
        Third = connect(Port),
        send(Third, hello()),
        ?assertMatch(#close{code = too_many_connections}, closed(Third)),
        gen_tcp:close(First),
        gen_tcp:close(Third),
        eventually(fun() -> #{connections := 1} = aldis_server:info(listener) end),
        {_, _} = hello(Port, (hello())#hello{producer = <<3:128>>}),
        #{metrics := #{rejected := 1}} = aldis_server:info(listener)
    end).

no_process() ->
    quietly(fun() ->
        with_listener(#{max_connections => 1}, fun(Port) ->
            [Listener] = [Pid || {{aldis_server, listener}, Pid, supervisor, _} <- supervisor:which_children(aldis_sup)],
            ok = supervisor:terminate_child(Listener, connections),
            Socket = connect(Port),
            ?assertMatch({error, _}, gen_tcp:recv(Socket, 0, 2000)),
            {ok, _} = supervisor:restart_child(Listener, connections),
            eventually(fun() -> #{connections := 0} = aldis_server:info(listener) end),
            {_, _} = hello(Port, hello())
        end)
    end).

leaked_place() ->
    with_listener(#{max_connections => 1}, fun(Port) ->
        Handle = aldis_connections:handle(listener),
        [begin
            {Acceptor, Monitor} = spawn_monitor(fun() -> exit(aldis_connections:admit(Handle)) end),
            receive {'DOWN', Monitor, process, Acceptor, Role} -> ?assertEqual(serve, Role) after 60000 -> error(timeout) end,
            eventually(fun() -> #{connections := 0} = aldis_server:info(listener) end)
        end || _ <- [1, 2]],
        {_, _} = hello(Port, hello()),
        ?assertMatch(#{connections := 1, metrics := #{connections := 1, accepted := 1}}, aldis_server:info(listener))
    end).

close_one() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        [#{pid := Pid}] = aldis_server:connections(listener),
        ?assertEqual({error, not_found}, aldis_server:close_connection(listener, self())),
        ok = aldis_server:close_connection(listener, Pid),
        ?assertMatch(#close{code = normal}, closed(Socket))
    end).

events() ->
    Test = self(),
    Tell = fun(Event, Measured, About, _) -> Test ! {Event, Measured, About} end,
    [ok = aldis_telemetry:attach(Last, [aldis, connection, Last], Tell, none) || Last <- [opened, closed]],
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        receive
            {[_, _, opened], #{}, Opened} -> ?assertMatch(#{listener := listener, peer := {_, _}, mode := aldis}, Opened)
        after 60000 -> error(timeout)
        end,
        send(Socket, batch(1, [<<"a">>])),
        drop_ack(Socket, 1),
        send(Socket, <<0:32>>),
        ?assertMatch(#close{code = protocol}, closed(Socket)),
        receive {[_, _, closed], Measured, Closed} ->
            ?assertEqual(#{messages => 1, bytes => 5}, Measured),
            ?assertMatch(#{listener := listener, reason := protocol}, Closed)
        end
    end),
    [ok = aldis_telemetry:detach(Last) || Last <- [opened, closed]].

half_open() ->
    with_listener(#{}, fun(Port) ->
        Halves = [begin
            Socket = connect(Port),
            send(Socket, binary:part(iolist_to_binary(aldis_frame:encode(hello())), 0, Index rem 45)),
            Socket
        end || Index <- lists:seq(1, 200)],
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, [<<"a">>])),
        drop_ack(Socket, 1),
        lists:foreach(fun gen_tcp:close/1, Halves),
        eventually(fun() -> #{connections := 1} = aldis_server:info(listener) end)
    end).

%% A megabyte that comes a byte at a time holds about as much memory as it has bytes.
trickling() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, <<1000000:32/little, 3>>),
        [send(Socket, <<0>>) || _ <- lists:seq(1, 20000)],
        [#{pid := Pid}] = aldis_server:connections(listener),
        eventually(fun() -> {message_queue_len, 0} = process_info(Pid, message_queue_len) end),
        ?assert(held(Pid) < 400000)
    end).

%% Bytes of the process and of the binaries that it refers to.
held(Pid) ->
    [{memory, Memory}, {binary, Binaries}] = process_info(Pid, [memory, binary]),
    Memory + lists:sum([Size || {_, Size, _} <- lists:usort(Binaries)]).

system_messages() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        [#{pid := Pid}] = aldis_server:connections(listener),
        ok = sys:suspend(Pid),
        ok = sys:change_code(Pid, aldis_connection, "0.1.0", []),
        ok = sys:resume(Pid),
        session = hd(tuple_to_list(sys:get_state(Pid))),
        send(Socket, batch(1, [<<"a">>])),
        drop_ack(Socket, 1),
        Pid ! {anything, 'else'},
        receive {info, Info} -> ?assertEqual({anything, 'else'}, Info) after 60000 -> error(timeout) end,
        Pid ! {stop, "enough"},
        ?assertMatch(#close{code = handler, text = <<"enough">>}, closed(Socket))
    end).

restarts() ->
    quietly(fun restarting/0).

restarting() ->
    {ok, Free} = gen_tcp:listen(0, []),
    {ok, Fixed} = inet:port(Free),
    gen_tcp:close(Free),
    with_listener(#{port => Fixed}, fun(Port) ->
        [begin
            {Socket, _} = hello(Port, hello()),
            exit(aldis_names:whereis_name({listener, Role}), kill),
            closed = closed_after(Socket, Role),
            gen_tcp:close(Socket),
            eventually(fun() -> #{port := Port} = aldis_server:info(listener) end),
            eventually(fun() ->
                {Again, _} = hello(Port, hello()),
                gen_tcp:close(Again)
            end)
        end || Role <- [acceptors, listener, registry, producers]]
    end).

%% Connections outlive the socket that brought them.
closed_after(_, Role) when Role =:= acceptors; Role =:= listener -> closed;
closed_after(Socket, _) ->
    _ = until_close(Socket),
    closed.

tls() ->
    #{server_config := Server, client_config := Client} = certificates(),
    Mutual = [{verify, verify_peer}, {fail_if_no_peer_cert, true} | Server],
    [with_listener(#{tls => Mutual}, fun(Port) ->
        {ok, Socket} = ssl:connect("localhost", Port, [binary, {active, false}, {versions, [Version]}, {server_name_indication, disable},
                                                       {verify, verify_peer} | Client], 5000),
        ok = ssl:send(Socket, aldis_frame:encode(hello())),
        #welcome{} = secure_frame(Socket),
        Certificate = receive {opened, #{tls := true, certificate := Der}} -> Der after 60000 -> error(timeout) end,
        ?assertEqual(proplists:get_value(cert, Client), Certificate),
        %% Several records, and a frame that is in two of them.
        Messages = [binary:copy(<<Number>>, 3000) || Number <- lists:seq(1, 100)],
        ok = ssl:send(Socket, aldis_frame:encode(batch(1, Messages))),
        #ack{handled = 100} = secure_frame(Socket),
        ?assertEqual(Messages, messages(100)),
        ok = ssl:send(Socket, aldis_frame:encode(#drain{ms = 100})),
        #close{code = normal} = secure_frame(Socket),
        ssl:close(Socket),
        ?assertMatch({error, _}, without_certificate(Port, Version, Client))
    end) || Version <- ['tlsv1.2', 'tlsv1.3']].

without_certificate(Port, Version, Client) ->
    Options = [{cacerts, proplists:get_value(cacerts, Client)}, {versions, [Version]}, {server_name_indication, disable},
               {verify, verify_peer}, {active, false}, {log_level, none}],
    case ssl:connect("localhost", Port, Options, 5000) of
        %% With TLS 1.3 the client learns of it with the first bytes.
        {ok, Socket} -> ssl:recv(Socket, 1, 5000);
        Error -> Error
    end.

secure_frame(Socket) ->
    {ok, <<Length:32/little>>} = ssl:recv(Socket, 4, 5000),
    {ok, <<Kind, Body/binary>>} = ssl:recv(Socket, Length, 5000),
    {ok, Frame} = aldis_frame:decode(Kind, Body),
    Frame.

certificates() ->
    {ok, _} = application:ensure_all_started(ssl),
    logger:set_application_level(ssl, none),
    %% Releases from OTP 27.3 on refuse certificates by SHA-1, which are what is made by default.
    Key = [{key, {namedCurve, secp256r1}}, {digest, sha256}],
    Name = {extensions, [#'Extension'{extnID = ?'id-ce-subjectAltName', extnValue = [{dNSName, "localhost"}], critical = false}]},
    public_key:pkix_test_data(#{
        server_chain => #{root => Key, intermediates => [], peer => [Name | Key]},
        client_chain => #{root => Key, intermediates => [], peer => Key}
    }).

%% Connected before the drain, and until then without a TLS handshake, or without a HELLO.
drained_newcomers() ->
    #{server_config := Server, client_config := Client} = certificates(),
    with_listener(#{tls => Server}, fun(Port) ->
        Early = connect(Port),
        Test = self(),
        eventually(fun() -> #{connections := 1} = aldis_server:info(listener) end),
        spawn_link(fun() -> Test ! {drained, aldis_server:drain(listener, 20000)} end),
        eventually(fun() -> #{draining := true} = aldis_server:info(listener) end),
        {ok, Socket} = ssl:connect(Early, [{server_name_indication, disable}, {verify, verify_peer} | Client], 5000),
        ok = ssl:send(Socket, aldis_frame:encode(hello())),
        #welcome{} = secure_frame(Socket),
        ?assertMatch(#drain{ms = Ms} when Ms > 0, secure_frame(Socket)),
        ok = ssl:send(Socket, [aldis_frame:encode(batch(1, [<<"last">>])), aldis_frame:encode(#drain{})]),
        ?assertMatch(#ack{handled = 1}, secure_frame(Socket)),
        ?assertMatch(#close{code = normal}, secure_frame(Socket)),
        ssl:close(Socket),
        ?assertEqual({ok, 0}, receive {drained, Left} -> Left after 60000 -> none end)
    end),
    with_listener(#{}, fun(Port) ->
        Socket = connect(Port),
        Test = self(),
        eventually(fun() -> [_] = aldis_server:connections(listener) end),
        spawn_link(fun() -> Test ! {drained, aldis_server:drain(listener, 20000)} end),
        eventually(fun() -> #{draining := true} = aldis_server:info(listener) end),
        send(Socket, hello()),
        #welcome{} = frame(Socket),
        #drain{} = frame(Socket),
        send(Socket, #drain{}),
        ?assertMatch(#close{code = normal}, closed(Socket)),
        gen_tcp:close(Socket),
        ?assertEqual({ok, 0}, receive {drained, Left} -> Left after 60000 -> none end)
    end).

not_tls() ->
    #{server_config := Server} = certificates(),
    with_listener(#{tls => Server, handshake_timeout => 300}, fun(Port) ->
        Plain = connect(Port),
        send(Plain, hello()),
        _ = gen_tcp:recv(Plain, 0, 2000),
        Silent = connect(Port),
        ?assertMatch({error, _}, gen_tcp:recv(Silent, 0, 2000)),
        eventually(fun() -> #{connections := 0} = aldis_server:info(listener) end)
    end).

tokens() ->
    Auth = aldis_auth:token(#{feed => <<"secret">>, backup => <<"another">>}),
    with_listener(#{auth => Auth}, fun(Port) ->
        {_, _} = hello(Port, (hello())#hello{auth_method = <<"token">>, auth_data = <<"another">>}),
        receive {opened, About} -> ?assertMatch(#{identity := backup}, About) after 60000 -> error(timeout) end,
        [begin
            Socket = connect(Port),
            send(Socket, (hello())#hello{auth_method = Method, auth_data = Data}),
            ?assertMatch(#close{code = unauthorized, text = <<"not authorized">>}, closed(Socket))
        end || {Method, Data} <- [{<<"token">>, <<"secre">>}, {<<"token">>, <<>>}, {<<>>, <<"secret">>}, {<<"basic">>, <<"secret">>}]]
    end),
    ?assert(aldis_auth:equal(<<"a">>, <<"a">>)),
    ?assertNot(aldis_auth:equal(<<"a">>, <<"ab">>)).

failing_auth() ->
    quietly(fun() -> lists:foreach(fun nobody_gets_in/1, [fun(_) -> error(no_database) end, fun(_) -> yes end]) end).

nobody_gets_in(Auth) ->
    with_listener(#{auth => Auth}, fun(Port) ->
        Socket = connect(Port),
        send(Socket, hello()),
        ?assertMatch(#close{code = unauthorized}, closed(Socket))
    end).

codec() ->
    with_listener(#{handler => {transport_codec, self()}, codec => transport_codec}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, [<<7:32>>, <<8:32>>, <<"bad">>, <<9:32>>])),
        ?assertMatch(#nack{expected = 3, code = refused}, frame(Socket)),
        ?assertMatch(#ack{handled = 2}, frame(Socket)),
        [receive {record, Record} -> ?assertEqual({order, Number}, Record) after 60000 -> error(timeout) end || Number <- [7, 8]],
        send(Socket, batch(3, [<<9:32, "more">>])),
        ?assertMatch(#nack{expected = 3, code = refused, text = <<"4 bytes are left over behind the message">>}, frame(Socket)),
        Batch = aldis_batch:native(5, 3, none, transport_peer:entries([<<1:32>>, <<2:32>>, <<"x">>])),
        ?assertEqual({error, 7, too_short}, aldis_batch:decode(transport_codec, Batch)),
        ?assertEqual({ok, [{order, 1}, {order, 2}]}, aldis_batch:decode(transport_codec, aldis_batch:head(2, Batch)))
    end).

%% The README's figure of memory, in bytes of the process, of the binaries it refers to, and of the driver.
idle_memory() ->
    with_listener(#{idle_timeout => infinity}, fun(Port) ->
        Before = erlang:memory(total),
        Silent = [connect(Port) || _ <- lists:seq(1, 100)],
        Sockets = [element(1, hello(Port, (hello())#hello{producer = <<Number:128>>})) || Number <- lists:seq(1, 100)],
        [begin
            send(Socket, batch(1, [<<"a">>])),
            drop_ack(Socket, 1)
        end || Socket <- Sockets],
        Pids = [Pid || #{pid := Pid} <- aldis_server:connections(listener)],
        eventually(fun() ->
            [{current_function, {erlang, hibernate, 3}} = process_info(Pid, current_function) || Pid <- Pids]
        end),
        ?assert(lists:max([held(Pid) || Pid <- Pids]) < 8000),
        %% Clients and servers, ports and tables: all that the 200 take together.
        ?assert((erlang:memory(total) - Before) div 200 < 20000),
        %% They are still there.
        [begin
            send(Socket, batch(2, [<<"b">>])),
            drop_ack(Socket, 2)
        end || Socket <- Sockets],
        lists:foreach(fun gen_tcp:close/1, Silent)
    end).

busy_memory() ->
    with_listener(#{handler => {transport_codec, self()}}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        [#{pid := Pid}] = aldis_server:connections(listener),
        Sender = spawn_link(fun() -> busy(Socket, 1) end),
        Held = [begin
            timer:sleep(10),
            held(Pid)
        end || _ <- lists:seq(1, 100)],
        ?assertMatch([#{pid := Pid}], aldis_server:connections(listener)),
        unlink(Sender),
        exit(Sender, kill),
        ?assert(lists:max(Held) < 1048576)
    end).

%% Sends batches and reads acks as they come.
busy(Socket, First) ->
    send(Socket, batch(First, lists:duplicate(2000, <<0:32>>))),
    _ = gen_tcp:recv(Socket, 0, 0),
    busy(Socket, First + 2000).

%% Any bytes after or instead of a handshake end with a CLOSE that says why, or are waited for; nothing crashes.
hostile_test_() ->
    {timeout, 120, ?_assert(proper:quickcheck(hostile(), [{numtests, 300}, {to_file, user}, quiet]))}.

hostile() ->
    ?FORALL({Kind, Body, Cut, Hello}, {range(0, 255), binary(), range(0, 60), range(0, 3)}, begin
        with_hostile(fun(Port) ->
            Socket = connect(Port),
            Whole = iolist_to_binary(aldis_frame:encode((hello())#hello{producer = crypto:strong_rand_bytes(16)})),
            Begin = case Hello of
                0 -> binary:part(Whole, 0, min(Cut, byte_size(Whole)));
                _ -> Whole
            end,
            ok = gen_tcp:send(Socket, [Begin, <<(byte_size(Body) + 1):32/little, Kind>>, Body]),
            ok = gen_tcp:shutdown(Socket, write),
            %% It ends, in order: until_close/1 fails on what is no frame.
            End = until_close(Socket),
            gen_tcp:close(Socket),
            End =:= closed orelse is_record(End, close)
        end)
    end).

with_hostile(Test) ->
    Collect = self(),
    ok = logger:add_handler(hostile, ?MODULE, #{config => Collect, level => error}),
    try
        with_listener(#{handler => {transport_codec, self()}}, Test) andalso
            receive {logged, Event} -> error({logged, Event}) after 0 -> true end
    after
        logger:remove_handler(hostile)
    end.

log(Event, #{config := Collect}) -> Collect ! {logged, Event}.
