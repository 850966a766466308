%% The client, the server and the log together.
-module(aldis_client_server_tests).

-include_lib("eunit/include/eunit.hrl").
-include_lib("public_key/include/public_key.hrl").

-compile([export_all, nowarn_export_all]).

-define(LISTENER, client_server).
-define(LOG, client_server_log).

all_test_() ->
    {timeout, 1800, [{atom_to_list(Name), {timeout, 300, fun() -> in_folder(fun(Folder) -> ?MODULE:Name(Folder) end) end}}
        || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix("_case", atom_to_list(Name))]}.

in_folder(Test) ->
    process_flag(trap_exit, true),
    Folder = string:trim(os:cmd("mktemp -d")),
    testing:quietly(fun() ->
        try Test(Folder)
        after
            [exit(Client, kill) || {client, Client} <- get_keys(true)],
            aldis_server:stop_listener(?LISTENER),
            unheard(),
            file:del_dir_r(Folder)
        end
    end).

%% Messages that a test did not wait for are kept from the next one.
unheard() ->
    receive {handled, _, _} -> unheard()
    after 0 -> ok
    end.

%% A handler that tells the test what it gets, and echoes requests.
init(_, Test) -> {ok, Test}.
handle_batch(Batch, Test) ->
    Test ! {handled, aldis_batch:first(Batch), aldis_batch:entries(Batch)},
    {ok, Test}.
handle_request(Bytes, Test) -> {reply, [<<"re: ">>, Bytes], Test}.

listen(Port, Options) ->
    {ok, _} = aldis_server:start_listener(?LISTENER, maps:merge(#{port => Port, handler => {?MODULE, self()}}, Options)),
    maps:get(port, aldis_server:info(?LISTENER)).

with_log(Folder) -> #{handler => none, sink => {aldis_log, #{name => ?LOG, folder => Folder}}}.

client(Port, Options) ->
    {ok, Client} = aldis_client:start_link(maps:merge(#{host => "localhost", port => Port, notify => self(),
        backoff_ms => {5, 50}}, Options)),
    put({client, Client}, true),
    Client.

%% A producer with a name goes on whatever its clock says: the server counts its epochs.
clocks_do_not_matter_case(Folder) ->
    [begin
        Port = listen(0, Sink),
        Producer = <<"named producer 1">>,
        Late = erlang:system_time(second) + 100,
        First = client(Port, #{producer => Producer, epoch => Late, durability => Level}),
        {ok, 1} = aldis_client:send(First, <<"before">>),
        ok = aldis_client:drain(First, 5000),
        [begin
            Next = client(Port, #{producer => Producer, durability => Level}),
            {ok, 1} = aldis_client:send(Next, <<"after">>),
            ok = aldis_client:flush(Next, 5000),
            ?assertMatch(#{epoch := Epoch}, aldis_client:info(Next)),
            ok = aldis_client:drain(Next, 5000)
        end || Epoch <- [Late + 1, Late + 2]],
        aldis_server:stop_listener(?LISTENER)
    end || {Sink, Level} <- [{#{}, handled}, {with_log(Folder), durable}]].

%% Bob may come, but not as Alice's producer, and Alice does not notice.
producers_belong_to_identities_case(Folder) ->
    [begin
        Port = listen(0, Sink#{auth => aldis_auth:token(#{alice => <<"a">>, bob => <<"b">>})}),
        Options = #{producer => <<"alice's producer">>, durability => Level},
        Alice = client(Port, Options#{auth => {<<"token">>, <<"a">>}}),
        {ok, 1} = aldis_client:send(Alice, <<"mine">>),
        ok = aldis_client:flush(Alice, 5000),
        Bob = client(Port, Options#{auth => {<<"token">>, <<"b">>}, epoch => 16#FFFFFFFF}),
        receive {'EXIT', Bob, {shutdown, {closed, unauthorized, Text}}} -> ?assertNotEqual(nomatch, string:find(Text, "another identity"))
        after 5000 -> error(timeout)
        end,
        {ok, 2} = aldis_client:send(Alice, <<"still">>),
        ok = aldis_client:flush(Alice, 5000),
        ?assertMatch(#{connections := 1}, aldis_client:info(Alice)),
        ok = aldis_client:drain(Alice, 5000),
        aldis_server:stop_listener(?LISTENER)
    end || {Sink, Level} <- [{#{}, handled}, {with_log(Folder), durable}]].

numbers(From, To) -> [integer_to_binary(N) || N <- lists:seq(From, To)].

handled(0) -> [];
handled(Left) ->
    receive {handled, First, Messages} -> lists:zip(lists:seq(First, First + length(Messages) - 1), Messages) ++ handled(Left - length(Messages))
    after 5000 -> timeout
    end.

logged(From) ->
    {ok, All} = aldis_log:fold(?LOG, From, fun(#{first := First, count := Count, entries := Entries}, Acc) ->
        {ok, Acc ++ lists:zip(lists:seq(First, First + Count - 1), aldis_scan:to_list(Entries, 0, Count))}
    end, []),
    All.

expected(To) -> [{N, integer_to_binary(N)} || N <- lists:seq(1, To)].

handled_case(_) ->
    Client = client(listen(0, #{}), #{}),
    {ok, 2500} = aldis_client:send_many(Client, numbers(1, 2500)),
    ?assertEqual(ok, aldis_client:flush(Client, 5000)),
    ?assertEqual(expected(2500), handled(2500)),
    ?assertEqual({ok, <<"re: you there?">>}, aldis_client:request(Client, <<"you there?">>, 5000)),
    ?assertEqual(ok, aldis_client:drain(Client, 5000)).

durable_case(Folder) ->
    Client = client(listen(0, with_log(Folder)), #{durability => durable}),
    Senders = [spawn_monitor(fun() -> [{ok, _} = aldis_client:send(Client, <<I>>) || _ <- lists:seq(1, 300)] end) || I <- [1, 2, 3]],
    [receive {'DOWN', Ref, process, _, Reason} -> normal = Reason after 60000 -> error(timeout) end || {_, Ref} <- Senders],
    ?assertEqual(ok, aldis_client:flush(Client, 5000)),
    All = logged(1),
    ?assertEqual(lists:seq(1, 900), [N || {N, _} <- All]),
    ?assertEqual([300, 300, 300], [length([x || {_, <<J>>} <- All, J =:= I]) || I <- [1, 2, 3]]).

%% Stops and starts of the server while a client sends: all of it, once, in order.
server_comes_and_goes_case(Folder) ->
    Port = listen(0, with_log(Folder)),
    Client = client(Port, #{durability => durable, notify => none}),
    Self = self(),
    spawn_link(fun() ->
        [begin
            {ok, _} = aldis_client:send_many(Client, numbers(N * 10 - 9, N * 10)),
            timer:sleep(1)
        end || N <- lists:seq(1, 300)],
        Self ! {flushed, aldis_client:flush(Client, 20000)}
    end),
    [begin
        timer:sleep(100),
        ok = aldis_server:stop_listener(?LISTENER),
        Port = listen(Port, with_log(Folder))
    end || _ <- lists:seq(1, 5)],
    ?assertEqual(ok, receive {flushed, Result} -> Result after 25000 -> timeout end),
    ?assertMatch(#{connections := N} when N > 1, aldis_client:info(Client)),
    ?assertEqual(expected(3000), logged(1)).

%% Handled is forgotten with the server: what was not acked goes under a new epoch.
forgetful_server_case(_) ->
    Port = listen(0, #{}),
    Client = client(Port, #{}),
    {ok, 100} = aldis_client:send_many(Client, numbers(1, 100)),
    ok = aldis_client:flush(Client, 5000),
    ?assertEqual(expected(100), handled(100)),
    ok = aldis_server:stop_listener(?LISTENER),
    {ok, 101} = aldis_client:send(Client, <<"101">>),
    Port = listen(Port, #{}),
    ok = aldis_client:flush(Client, 5000),
    ?assertEqual([{1, <<"101">>}], handled(1)),
    ?assertMatch(#{acked := 101, epoch := 1}, aldis_client:info(Client)).

draining_server_case(Folder) ->
    Port = listen(0, with_log(Folder)),
    Client = client(Port, #{durability => durable}),
    {ok, 50} = aldis_client:send_many(Client, numbers(1, 50)),
    ok = aldis_client:flush(Client, 5000),
    Begin = erlang:monotonic_time(millisecond),
    ?assertEqual({ok, 0}, aldis_server:drain(?LISTENER, 5000)),
    ?assert(erlang:monotonic_time(millisecond) - Begin < 3000),
    {ok, 51} = aldis_client:send(Client, <<"51">>),
    ok = aldis_server:stop_listener(?LISTENER),
    Port = listen(Port, with_log(Folder)),
    ok = aldis_client:flush(Client, 5000),
    ?assertEqual(expected(51), logged(1)).

%% The topic `log', from its beginning, over a lost connection and with little credit.
log_topic_case(Folder) ->
    Port = listen(0, with_log(Folder)),
    Producer = client(Port, #{durability => durable, notify => none}),
    {ok, 200} = aldis_client:send_many(Producer, numbers(1, 200)),
    ok = aldis_client:flush(Producer, 5000),
    Reader = client(Port, #{notify => none}),
    {ok, Id} = aldis_client:subscribe(Reader, "log", 1, 16),
    Before = pushed(Reader, Id, 0, 100),
    Seen = length(Before),
    [#{pid := Pid} | _] = [C || #{pid := _, messages := 0} = C <- aldis_server:connections(?LISTENER)],
    exit(Pid, kill),
    ?assertEqual(expected(200), Before ++ pushed(Reader, Id, Seen, 200)),
    {ok, 201} = aldis_client:send(Producer, <<"201">>),
    ?assertEqual([{201, <<"201">>}], pushed(Reader, Id, 200, 201)).

pushed(_, _, Last, To) when Last >= To -> [];
pushed(Reader, Id, Last, To) ->
    receive
        {aldis_client, Reader, {pushed, Id, First, Messages}} ->
            End = First + length(Messages) - 1,
            aldis_client:consumed(Reader, Id, End, 16),
            lists:zip(lists:seq(First, End), Messages) ++ pushed(Reader, Id, End, To)
    after 5000 -> {timeout, Last}
    end.

tls_case(Folder) ->
    {ok, _} = application:ensure_all_started(ssl),
    logger:set_application_level(ssl, none),
    Key = [{key, {namedCurve, secp256r1}}, {digest, sha256}],
    Chain = #{root => Key, intermediates => [], peer => Key},
    Name = {'Extension', ?'id-ce-subjectAltName', false, [{dNSName, "localhost"}]},
    #{server_config := Server, client_config := Known} = public_key:pkix_test_data(#{
        server_chain => Chain#{peer => [{extensions, [Name]} | Key]}, client_chain => Chain}),
    Port = listen(0, (with_log(Folder))#{tls => Server}),
    Client = client(Port, #{durability => durable, tls => Known}),
    {ok, 1000} = aldis_client:send_many(Client, numbers(1, 1000)),
    ok = aldis_client:flush(Client, 30000),
    ?assertEqual(expected(1000), logged(1)),
    %% The system's certificates know nothing of this server.
    Stranger = client(Port, #{tls => []}),
    ?assertEqual(none, receive {aldis_client, Stranger, Event} -> Event after 500 -> none end).
