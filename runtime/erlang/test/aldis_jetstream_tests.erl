%% The sink in JetStream, against real servers (see nats_servers), and the judgement of its producers against a model of them.
-module(aldis_jetstream_tests).

-include_lib("eunit/include/eunit.hrl").
-include_lib("public_key/include/public_key.hrl").
-include("../include/aldis_frame.hrl").

-compile([export_all, nowarn_export_all]).
-import(testing, [eventually/1]).

-define(P, <<"producer------01">>).
-define(Q, <<"producer------02">>).
-define(NOBODY, <<0:128>>).
%% Milliseconds: of sinks towards servers that are there, and of tests. A machine that does other things makes everything slow.
-define(PATIENCE, 25000).
-define(DEADLINE, 60000).

server_test_() ->
    case nats_servers:there() of
        true ->
            {timeout, 3600, [
                {"one server: " ++ atom_to_list(Name), {timeout, 300, fun() -> run(1, Name) end}}
                    || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix("_case", atom_to_list(Name))
            ] ++ [
                {"three servers: " ++ atom_to_list(Name), {timeout, 900, fun() -> run(3, Name) end}}
                    || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix("_cluster", atom_to_list(Name))
            ]};
        false ->
            io:format(user, "~n  skipped: JetStream with a real server (ALDIS_NATS_SERVER is not set)~n", []),
            []
    end.

run(Count, Name) ->
    {ok, _} = application:ensure_all_started(aldis),
    testing:quietly(fun() -> nats_servers:with(Count, fun(Cluster) ->
        try ?MODULE:Name(Cluster)
        after [gen_server:stop(Sink) || Sink <- [a, b], whereis(Sink) =/= undefined]
        end
    end) end).

%% A sink is a node of its own to JetStream, wherever it runs.
sink(Name, Cluster) -> sink(Name, Cluster, #{}).
sink(Name, #{ports := Ports} = Cluster, More) ->
    {ok, Pid} = aldis_sink_jetstream:start_link(maps:merge(#{name => Name, servers => nats_servers:servers(Cluster), stream => "TESTS",
        replicas => length(Ports), sync_always => true, monitor => nats_servers:monitors(Cluster), patience_ms => ?PATIENCE}, More)),
    eventually(fun() -> {ok, _, _} = aldis_sink_jetstream:claim(Name, <<"is it ready?----">>, 1, ?NOBODY) end),
    Pid.

append(Sink, Producer, Epoch, First, Messages) ->
    Tag = make_ref(),
    ok = aldis_sink_jetstream:append(Sink, Producer, Epoch, First, length(Messages), none, transport_peer:entries(Messages), Tag),
    outcome(Tag).

outcome(Tag) -> receive {aldis_sink, Tag, Outcome} -> Outcome after ?DEADLINE -> timeout end.

%% A sink whose server was killed has no connection for a moment.
content(Sink) ->
    eventually(fun() ->
        {ok, All} = aldis_sink_jetstream:fold(Sink, 1, fun(Batch, Acc) -> {ok, Acc ++ messages(Batch)} end, []),
        All
    end).

messages(#{producer := Producer, epoch := Epoch, first := First, count := Count, entries := Entries}) ->
    [{Producer, Epoch, First + I, M} || {I, M} <- lists:zip(lists:seq(0, Count - 1), aldis_scan:to_list(Entries, 0, Count))].

kept_once_case(Cluster) ->
    sink(a, Cluster),
    ?assertEqual({ok, 0}, aldis_sink_jetstream:producer(a, ?P, 1)),
    ?assertEqual({durable, 2}, append(a, ?P, 1, 1, [<<"a">>, <<>>])),
    ?assertEqual({durable, 2}, append(a, ?P, 1, 1, [<<"a">>, <<>>])),
    ?assertEqual({durable, 3}, append(a, ?P, 1, 2, [<<>>, <<"c">>])),
    ?assertEqual({error, {gap, 4}}, append(a, ?P, 1, 5, [<<"e">>])),
    ?assertEqual({durable, 1}, append(a, ?Q, 7, 1, [<<"q">>])),
    All = [{?P, 1, 1, <<"a">>}, {?P, 1, 2, <<>>}, {?P, 1, 3, <<"c">>}, {?Q, 7, 1, <<"q">>}],
    ?assertEqual(All, content(a)),
    ?assertEqual([durable], aldis_sink_jetstream:grants(a)),
    %% Another node, which knows nothing.
    sink(b, Cluster),
    ?assertEqual({ok, 3}, aldis_sink_jetstream:producer(b, ?P, 1)),
    ?assertEqual({error, {stale_epoch, 7}}, aldis_sink_jetstream:producer(b, ?Q, 6)),
    ?assertEqual({ok, 8, 0}, aldis_sink_jetstream:claim(b, ?Q, next, ?NOBODY)),
    ?assertEqual({error, {stale_epoch, 8}}, append(a, ?Q, 7, 2, [<<"late">>])),
    ?assertEqual(All, content(b)).

identities_case(Cluster) ->
    sink(a, Cluster),
    Alice = <<1:128>>,
    ?assertEqual({ok, 1, 0}, aldis_sink_jetstream:claim(a, ?P, 1, Alice)),
    ?assertEqual({durable, 1}, append(a, ?P, 1, 1, [<<"a">>])),
    sink(b, Cluster),
    ?assertEqual({error, not_owner}, aldis_sink_jetstream:claim(b, ?P, 2, <<2:128>>)),
    ?assertEqual({ok, 1, 1}, aldis_sink_jetstream:claim(b, ?P, 1, Alice)).

%% Both write for one producer, which is where it moves to and fro: each message is there once.
two_nodes_case(Cluster) ->
    sink(a, Cluster),
    sink(b, Cluster),
    [begin
        Messages = [<<N:32>> || N <- lists:seq(First, First + 2)],
        Tags = [begin
            Tag = make_ref(),
            ok = aldis_sink_jetstream:append(Sink, ?P, 1, First, 3, {1, 2}, transport_peer:entries(Messages), Tag),
            Tag
        end || Sink <- [a, b, a]],
        [?assertEqual({durable, First + 2}, outcome(Tag)) || Tag <- Tags]
    end || First <- lists:seq(1, 300, 3)],
    ?assertEqual([{?P, 1, N, <<N:32>>} || N <- lists:seq(1, 300)], content(b)).

%% A producer was claimed at another node, as by its next life: what the one before has on its way is not written any more, as the
%% claim's answer said what there is.
claimed_again_case(Cluster) ->
    sink(a, Cluster),
    sink(b, Cluster),
    ?assertEqual({ok, 0}, aldis_sink_jetstream:producer(a, ?P, 1)),
    ?assertEqual({durable, 1}, append(a, ?P, 1, 1, [<<"a">>])),
    ?assertEqual({ok, 1}, aldis_sink_jetstream:producer(b, ?P, 1)),
    ?assertEqual({error, unavailable}, append(a, ?P, 1, 2, [<<"late">>])),
    ?assertEqual({durable, 2}, append(b, ?P, 1, 2, [<<"b">>])),
    ?assertEqual({ok, 2}, aldis_sink_jetstream:producer(a, ?P, 1)),
    ?assertEqual({error, unavailable}, append(b, ?P, 1, 3, [<<"late">>])),
    ?assertEqual({durable, 3}, append(a, ?P, 1, 3, [<<"c">>])),
    ?assertEqual([<<"a">>, <<"b">>, <<"c">>], [M || {_, _, _, M} <- content(b)]).

large_batches_case(Cluster) ->
    sink(a, Cluster),
    Messages = [crypto:strong_rand_bytes(100000) || _ <- lists:seq(1, 30)],
    ?assertEqual({durable, 30}, append(a, ?P, 1, 1, Messages)),
    ?assertMatch({error, {too_large, _}}, append(a, ?P, 1, 31, [<<0:(9 * 1048576)>>])),
    ?assertEqual(Messages, [M || {_, _, _, M} <- content(a)]).

subscriptions_case(Cluster) ->
    sink(a, Cluster),
    {durable, 5} = append(a, ?P, 1, 1, [<<N>> || N <- lists:seq(1, 5)]),
    {ok, S} = aldis_sink_jetstream:subscribe(a, 1, 3),
    {First, 3, Three} = entries(S),
    ?assertEqual([<<1>>, <<2>>, <<3>>], aldis_scan:to_list(Three, 0, 3)),
    ?assertEqual(none, entries(S, 300)),
    aldis_sink_jetstream:consumed(a, S, First + 2, 4),
    ?assertMatch({_, 2, _}, entries(S)),
    {durable, 9} = append(a, ?P, 1, 6, [<<N>> || N <- lists:seq(6, 9)]),
    {Second, 2, _} = entries(S),
    aldis_sink_jetstream:consumed(a, S, Second + 1, 10),
    {_, 2, Last} = entries(S),
    ?assertEqual([<<8>>, <<9>>], aldis_scan:to_list(Last, 0, 2)),
    {ok, Now} = aldis_sink_jetstream:subscribe(a, 0, 10),
    from_now_on(Now, 10),
    {ok, Behind} = aldis_sink_jetstream:subscribe(a, Second + 1, 10),
    ?assertMatch({_, 3, <<1:32/little, 7, _/binary>>}, entries(Behind)),
    {ok, Origins} = aldis_sink_jetstream:subscribe(a, 1, 2, #{origin => true}),
    {_, 2, Two} = entries(Origins),
    [Epoch] = lists:usort([E || {_, E, _, _} <- content(a)]),
    ?assertEqual([<<?P/binary, Epoch:32/little, N:64/little, N>> || N <- [1, 2]], aldis_scan:to_list(Two, 0, 2)),
    aldis_sink_jetstream:unsubscribe(a, S),
    eventually(fun() -> not is_process_alive(S) end).

%% Where the stream ends is asked in the background: some message from number N on is the first that comes.
from_now_on(S, N) ->
    {durable, N} = append(a, ?P, 1, N, [<<N>>]),
    case entries(S, 200) of
        none -> from_now_on(S, N + 1);
        {_, 1, <<1:32/little, First>>} -> ?assert(First >= 10)
    end.

%% However much the credit is, so many bytes are sent ahead, and a message that is larger alone.
bounded_bytes_case(Cluster) ->
    sink(a, Cluster),
    Sizes = [100, 100, 300, 2000, 100, 100, 600, 500],
    {durable, 4} = append(a, ?P, 1, 1, [binary:copy(<<"x">>, Size) || Size <- lists:sublist(Sizes, 4)]),
    {durable, 8} = append(a, ?P, 1, 5, [binary:copy(<<"x">>, Size) || Size <- lists:nthtail(4, Sizes)]),
    {ok, S} = aldis_sink_jetstream:subscribe(a, 1, 1 bsl 40, #{bytes => 1000}),
    Parts = [begin
        {First, Count, Entries} = entries(S),
        ?assertEqual(none, entries(S, 100)),
        aldis_sink_jetstream:consumed(a, S, First + Count - 1, 1 bsl 40),
        [byte_size(M) || M <- aldis_scan:to_list(Entries, 0, Count)]
    end || _ <- lists:seq(1, 4)],
    ?assertEqual([[100, 100, 300], [2000], [100, 100, 600], [500]], Parts).

%% A named consumer begins where its first member came, also when nothing came while it was there.
consumer_case(Cluster) ->
    sink(a, Cluster),
    {durable, 1} = append(a, ?P, 1, 1, [<<1>>]),
    Folder = string:trim(os:cmd("mktemp -d")),
    Context = #{listener => nobody, consumers => Folder, max_consumers => 1, sink => {aldis_sink_jetstream, a},
        metrics => aldis_metrics:new(listener, nobody), budget => aldis_budget:new(1 bsl 30)},
    {ok, First} = aldis_consumer:start_link(nobody, <<"work">>, Context),
    {ok, Source} = joined(Context),
    ok = aldis_consumer:leave(Source),
    ok = gen_server:stop(First),
    {durable, 2} = append(a, ?P, 1, 2, [<<2>>]),
    {ok, Second} = aldis_consumer:start_link(nobody, <<"work">>, Context),
    {ok, Again} = joined(Context),
    ?assertEqual({1, 1, <<1:32/little, 2>>}, entries(Again)),
    ok = gen_server:stop(Second),
    ok = file:del_dir_r(Folder).

%% Where the stream ends is asked once.
joined(Context) -> eventually(fun() -> {ok, _} = aldis_consumer:join(Context, <<"work">>, 0, 10, #{}) end).

entries(S) -> entries(S, ?DEADLINE).
entries(S, Timeout) -> receive {aldis_sink, S, {entries, First, Count, Entries}} -> {First, Count, Entries} after Timeout -> none end.

%% Through a listener, as clients see it.
listener_case(Cluster) ->
    sink(a, Cluster),
    transport_peer:with_listener(#{sink => {aldis_sink_jetstream, a}, log_topic => true}, fun(Port) ->
        {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => Port, producer => ?P, durability => durable,
            notify => self()}),
        {ok, 1000} = aldis_client:send_many(Client, [<<N:32>> || N <- lists:seq(1, 1000)]),
        ok = aldis_client:flush(Client, ?DEADLINE),
        ?assertEqual([{?P, 1, N, <<N:32>>} || N <- lists:seq(1, 1000)], content(a)),
        {ok, _} = aldis_client:subscribe(Client, <<"log">>, 1, 2000),
        ?assertEqual([<<N:32>> || N <- lists:seq(1, 1000)], pushed(Client, 1000)),
        Hello = #hello{version = 1, producer = ?Q, epoch = 1, durability = replicated},
        Socket = transport_peer:connect(Port),
        transport_peer:send(Socket, Hello),
        ?assertMatch(#close{code = unsupported}, transport_peer:frame(Socket))
    end).

pushed(_, Count) when Count =< 0 -> [];
pushed(Client, Count) ->
    receive
        {aldis_client, Client, {pushed, _, _, Messages}} -> Messages ++ pushed(Client, Count - length(Messages))
    after ?DEADLINE -> [timeout]
    end.

%% A producer of what NATS never takes is told so and stops.
too_large_case(Cluster) ->
    sink(a, Cluster),
    transport_peer:with_listener(#{sink => {aldis_sink_jetstream, a}, max_frame => 4 * 1048576}, fun(Port) ->
        {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => Port, durability => durable}),
        %% It learns from WELCOME that a frame may be so large.
        eventually(fun() -> #{state := ready} = aldis_client:info(Client) end),
        {ok, 1} = aldis_client:send(Client, binary:copy(<<"x">>, 2 * 1048576)),
        receive
            {'EXIT', Client, Reason} -> ?assertMatch({shutdown, {closed, frame_too_large, <<"a message is larger", _/binary>>}}, Reason)
        after ?DEADLINE -> error(timeout)
        end
    end).

%% Nobody may ask for `durable', so the watermark of that name stands still.
not_durable_case(Cluster) ->
    sink(a, Cluster, #{sync_always => false, monitor => []}),
    transport_peer:with_listener(#{sink => {aldis_sink_jetstream, a}}, fun(Port) ->
        {Socket, _} = transport_peer:hello(Port, #hello{version = 1, producer = ?P, epoch = 1, durability = handled}),
        transport_peer:send(Socket, transport_peer:batch(1, [<<"a">>])),
        #ack{durable = 0} = transport_peer:drop_ack(Socket, 1),
        eventually(fun() -> [{?P, 1, 1, <<"a">>}] = content(a) end),
        transport_peer:send(Socket, transport_peer:batch(2, [<<"b">>])),
        ?assertMatch(#ack{durable = 0}, transport_peer:drop_ack(Socket, 2))
    end).

%% A server that comes back with another policy, and a stream that loses its replicas, are seen though the connection goes on.
policy_changes_cluster(#{table := Table} = Cluster) ->
    #{ports := [Mine | _]} = Cluster,
    sink(a, Cluster, #{servers => [{"127.0.0.1", element(1, Mine)}], check_ms => 200, patience_ms => 3000}),
    {durable, 10} = persistent(a, 1),
    nats_servers:kill(3, Cluster),
    ets:insert(Table, {policy, "\"2m\""}),
    nats_servers:start(3, Cluster),
    eventually(fun() -> {error, unavailable} = aldis_sink_jetstream:producer(a, ?P, 1) end),
    nats_servers:kill(3, Cluster),
    ets:delete(Table, policy),
    nats_servers:start(3, Cluster),
    {durable, 20} = persistent(a, 11),
    {Nats, Stream, Subject} = aldis_sink_jetstream:source(a),
    Fewer = aldis_jetstream_api:stream(#{stream => Stream, subject => Subject, replicas => 1}),
    %% A cluster that elects a leader does not answer, or says that it cannot do it now.
    eventually(fun() ->
        aldis_nats:request(Nats, update, [<<"$JS.API.STREAM.UPDATE.">>, Stream], [], Fewer, 5000),
        {ok, 0, _, Json} = receive {aldis_nats, update, Answer} -> Answer after ?DEADLINE -> error(timeout) end,
        [1] = aldis_jetstream_api:fields([[<<"config">>, <<"num_replicas">>]], Json)
    end),
    eventually(fun() -> {error, unavailable} = aldis_sink_jetstream:producer(a, ?P, 1) end).

%% The servers speak TLS both ways, and want a name and a password, or a token.
secured_test_() ->
    [{timeout, 300, fun() -> secured(Auth, Wanted) end} || nats_servers:there(), {Auth, Wanted} <- [
        {{user, "alice", "pa55 \"word\""}, "authorization { user: alice, password: 'pa55 \"word\"' }"},
        {{token, <<"t0ken">>}, "authorization { token: t0ken }"}]].

secured(Auth, Wanted) ->
    {ok, _} = application:ensure_all_started(aldis),
    Made = [{digest, sha256}, {key, {namedCurve, secp256r1}}],
    Chain = #{root => Made, intermediates => [], peer => Made ++ [{extensions, [#'Extension'{extnID = ?'id-ce-subjectAltName',
        extnValue = [{dNSName, "localhost"}], critical = false}]}]},
    #{server_config := Server, client_config := Client} = public_key:pkix_test_data(#{server_chain => Chain, client_chain => Chain}),
    Folder = string:trim(os:cmd("mktemp -d")),
    try testing:quietly(fun() ->
        Files = pem_files(Folder, Server),
        Tls = io_lib:format("tls { cert_file: \"~s\", key_file: \"~s\", ca_file: \"~s\", verify: true }~n", Files),
        nats_servers:with(1, [Tls, Wanted], fun(#{ports := [{Port, _, _}]} = Cluster) ->
            Secured = #{servers => [{"localhost", Port}], tls => [{verify, verify_peer} | Client]},
            refused_by(Cluster, Secured),
            refused_by(Cluster, #{servers => [{"localhost", Port}], auth => Auth}),
            refused_by(Cluster, Secured#{auth => {token, "another"}}),
            sink(a, Cluster, Secured#{auth => Auth}),
            {durable, 1} = append(a, ?P, 1, 1, [<<"secret">>]),
            ?assertEqual([<<"secret">>], [M || {_, _, _, M} <- content(a)]),
            gen_server:stop(a)
        end)
    end)
    after file:del_dir_r(Folder)
    end.

refused_by(Cluster, Options) ->
    {ok, _} = aldis_sink_jetstream:start_link(Options#{name => b, stream => "TESTS", patience_ms => 1000}),
    ?assertEqual({error, unavailable}, aldis_sink_jetstream:producer(b, ?P, 1)),
    gen_server:stop(b),
    Cluster.

pem_files(Folder, Config) ->
    {KeyType, Key} = proplists:get_value(key, Config),
    [begin
        Path = filename:join(Folder, Name),
        ok = file:write_file(Path, public_key:pem_encode([{Type, Der, not_encrypted} || Der <- Ders])),
        Path
    end || {Name, Type, Ders} <- [{"cert", 'Certificate', [proplists:get_value(cert, Config)]}, {"key", KeyType, [Key]},
        {"ca", 'Certificate', proplists:get_value(cacerts, Config)}]].

%% The contents of reports: the processes' states, and the arguments that supervisors keep.
secrets_test_() -> {timeout, 60, fun secrets/0}.

secrets() ->
    {ok, _} = application:ensure_all_started(aldis),
    Options = #{name => hidden, servers => [{"127.0.0.1", 1}], stream => "S", auth => {user, "alice", "pa55word"},
        tls => [{password, "pa55word"}]},
    transport_peer:with_listener(#{sink => {aldis_sink_jetstream, Options}}, fun(_) ->
        {links, Linked} = process_info(whereis(hidden), links),
        [#{} = Sup] = [aldis_listener_sup_tree(Pid) || Pid <- Linked, is_supervisor(Pid)],
        Shown = lists:flatten(io_lib:format("~p ~p", [[sys:get_status(Pid) || Pid <- [whereis(hidden) | Linked], is_pid(Pid)], Sup])),
        ?assertEqual(nomatch, string:find(Shown, "pa55word")),
        ?assertNotEqual(nomatch, string:find(Shown, "#Fun<"))
    end),
    {error, {bad_option, Said}} = aldis_sink_jetstream:start_link(Options#{auth => {password, "pa55word"}}),
    ?assertEqual(nomatch, string:find(Said, "pa55word")).

%% The parts of a child, and of an end, that reports of supervisors print.
specifications_test_() -> {timeout, 60, fun specifications/0}.

specifications() ->
    {ok, _} = application:ensure_all_started(aldis),
    Secret = "pa55word",
    {ok, _} = aldis_server:start_listener(specified, #{port => 0, handler => {transport_peer, Secret}}),
    Specs = [
        aldis_client:child_spec(#{host => "h", port => 1, auth => {<<"token">>, list_to_binary(Secret)}}),
        aldis_server:child_spec({specified, #{port => 1, tls => [{password, Secret}]}}),
        aldis_sink_jetstream:child_spec(#{name => hidden, auth => {token, Secret}})
    ] ++ [supervisor:get_childspec(Sup, Id) || Sup <- [aldis_sup, aldis_names:whereis_name({specified, listener_sup})],
        {Id, _, _, _} <- supervisor:which_children(Sup)],
    Shown = lists:flatten(io_lib:format("~p ~p", [Specs, [sys:get_status(aldis_names:whereis_name({specified, Role})) || Role <- [listener_sup, listener]]])),
    ?assertEqual(nomatch, string:find(Shown, Secret)),
    ok = aldis_server:stop_listener(specified).

is_supervisor(Pid) -> {supervisor, aldis_listener_sup, 1} =:= proc_lib:translate_initial_call(Pid).
aldis_listener_sup_tree(Sup) -> #{sink => supervisor:get_childspec(Sup, sink)}.

nobody_there_case(Cluster) ->
    sink(a, Cluster, #{patience_ms => 500}),
    %% Half a second may be too little for servers that are there, too.
    eventually(fun() -> {durable, 1} = append(a, ?P, 1, 1, [<<"1">>]) end),
    nats_servers:kill(1, Cluster),
    ?assertEqual({error, unavailable}, append(a, ?P, 1, 2, [<<"2">>])),
    ?assertEqual({error, unavailable}, aldis_sink_jetstream:producer(a, ?P, 2)),
    nats_servers:start(1, Cluster),
    ?assertEqual({durable, 3}, eventually(fun() -> {durable, 3} = append(a, ?P, 1, 2, [<<"2">>, <<"3">>]) end)),
    ?assertEqual([<<"1">>, <<"2">>, <<"3">>], [M || {_, _, _, M} <- content(a)]).

bad_options_test_() -> {timeout, 60, fun bad_options/0}.

bad_options() ->
    ?assertMatch({error, {bad_option, <<"servers => [", _/binary>>}},
        aldis_sink_jetstream:start_link(#{name => a, servers => [{"x", 0}], stream => "S"})),
    ?assertMatch({error, {bad_option, <<"stream => ", _/binary>>}},
        aldis_sink_jetstream:start_link(#{name => a, servers => [{"x", 1}], stream => "a.b"})),
    ?assertMatch({error, {bad_option, <<"replica => ", _/binary>>}},
        aldis_sink_jetstream:start_link(#{name => a, servers => [{"x", 1}], stream => "S", replica => 3})).

%% One server after another is killed while a producer goes on, through two nodes in turn.
servers_die_cluster(Cluster) ->
    sink(a, Cluster),
    sink(b, Cluster),
    ?assertEqual([durable, replicated], aldis_sink_jetstream:grants(a)),
    Next = lists:foldl(fun(Dead, First) ->
        {durable, Before} = persistent(a, First),
        nats_servers:kill(Dead, Cluster),
        {durable, After} = persistent(b, Before + 1),
        nats_servers:start(Dead, Cluster),
        After + 1
    end, 1, [1, 2, 3, 1]),
    ?assertEqual([{?P, 1, N, <<N:32>>} || N <- lists:seq(1, Next - 1)], content(a)).

persistent(Sink, First) ->
    eventually(fun() -> {durable, _} = append(Sink, ?P, 1, First, [<<N:32>> || N <- lists:seq(First, First + 9)]) end).

%% The judgement alone, against a model: a subject that takes a message when its last one is the expected one; two nodes; messages
%% that are late, lost, or answered and not heard; a client that goes from node to node.
model_test_() ->
    {timeout, 120, fun() -> [model(Seed) || Seed <- lists:seq(1, 2000)] end}.

model(Seed) ->
    rand:seed(exsss, Seed),
    New = aldis_jetstream_producer:new(),
    World = #{nodes => #{a => New, b => New}, subject => [], air => [], at => a, epoch => 1, sent => 0, life => 0, acked => #{}, lives => #{}, waiting => none},
    #{subject := Subject, acked := Acked, lives := Lives} = lists:foldl(fun(_, W) -> happen(rand:uniform(10), W) end, World, lists:seq(1, 300)),
    Lasts = lists:foldl(fun(#{epoch := Epoch, first := First, count := Count}, Known) ->
        ?assert(Epoch >= lists:max([0 | maps:keys(Known)])),
        ?assertEqual({Seed, maps:get(Epoch, Known, 0) + 1}, {Seed, First}),
        Known#{Epoch => First + Count - 1}
    end, #{}, [M || #{count := C} = M <- lists:reverse(Subject), C > 0]),
    maps:foreach(fun(Epoch, Last) -> ?assert(maps:get(Epoch, Lasts, 0) >= Last) end, maps:filter(fun(_, L) -> L > 0 end, Acked)),
    %% The message that a life of the client sent and saw acknowledged is there, not what a life before it sent with that number.
    Kept = maps:from_list([{{Epoch, Sequence}, Life} || #{epoch := Epoch, entries := Entries} <- Subject,
        <<8:32/little, Life:32, Sequence:32>> <= iolist_to_binary(Entries)]),
    maps:foreach(fun(Key, Life) -> ?assertEqual({Seed, Key, Life}, {Seed, Key, maps:get(Key, Kept, none)}) end, Lives).

%% The client connects, anew or to the other node, or sends more.
happen(1, #{waiting := none} = World) -> claimed(World);
happen(2, #{waiting := {claim, _}} = World) -> World;
happen(N, #{waiting := ready, at := At, epoch := Epoch, sent := Sent, life := Life} = World) when N =< 4 ->
    Count = rand:uniform(5),
    Entries = << <<8:32/little, Life:32, S:32>> || S <- lists:seq(Sent + 1, Sent + Count) >>,
    into(At, {append, {Life, Sent + 1, Sent + Count}, 0, Epoch, Sent + 1, Count, none, Entries}, World#{sent := Sent + Count});
%% Its patience is over: the node drops what it had for it.
happen(5, #{at := At, nodes := Nodes} = World) ->
    case rand:uniform(4) of
        1 -> claimed(World#{nodes := Nodes#{At := aldis_jetstream_producer:new()}});
        %% The client begins another life, and the node knows nothing of that.
        2 -> claimed(World);
        _ -> World
    end;
%% A node forgets what it knows, as after an answer that did not come.
happen(6, #{nodes := Nodes} = World) ->
    Node = pick([a, b]),
    World#{nodes := Nodes#{Node := aldis_jetstream_producer:forget(maps:get(Node, Nodes))}};
happen(7, #{air := [_ | _] = Air} = World) ->
    Message = pick(Air),
    {_, Landed} = landed(Message, World#{air := Air -- [Message]}),
    Landed;
happen(_, World) -> judged(pick([a, b]), World).

pick(List) -> lists:nth(rand:uniform(length(List)), List).

claimed(#{epoch := Before} = World) ->
    At = pick([a, b]),
    Epoch = Before + pick([0, 0, 0, 1]),
    Life = Before + maps:get(life, World) + 1,
    into(At, {claim, {client, Life}, 0, Epoch, ?NOBODY, <<Life:64>>}, World#{at := At, epoch := Epoch, life := Life, waiting := {claim, At}}).

into(Node, Op, #{nodes := Nodes} = World) ->
    World#{nodes := Nodes#{Node := aldis_jetstream_producer:put(Op, maps:get(Node, Nodes))}}.

judged(Node, #{nodes := Nodes, subject := Subject, air := Air} = World) ->
    Known = maps:get(Node, Nodes),
    case aldis_jetstream_producer:judge(pick([36, 1000]), Known) of
        idle -> World;
        ask -> World#{nodes := Nodes#{Node := aldis_jetstream_producer:known(last_of(Subject), Known)}};
        {answer, Kind, To, Outcome, Next} -> heard(Kind, Node, To, Outcome, World#{nodes := Nodes#{Node := Next}});
        {Kind, Message} ->
            case rand:uniform(4) of
                %% It is late, or never there, and nobody hears of it.
                1 -> World#{air := [Message | Air], nodes := Nodes#{Node := aldis_jetstream_producer:forget(Known)}};
                _ ->
                    {Sequence, Landed} = landed(Message, World),
                    stored(Sequence, rand:uniform(5), Kind, Node, Message, Known, Landed)
            end
    end.

stored(Sequence, N, _, Node, _, Known, #{nodes := Nodes} = World) when Sequence =:= conflict; N =:= 1 ->
    World#{nodes := Nodes#{Node := aldis_jetstream_producer:forget(Known)}};
stored(Sequence, _, announce, Node, Message, Known, #{nodes := Nodes} = World) ->
    {answer, claim, To, Outcome, Next} = aldis_jetstream_producer:announced(Message, {Sequence, Known}),
    heard(claim, Node, To, Outcome, World#{nodes := Nodes#{Node := Next}});
stored(Sequence, _, write, Node, Message, Known, #{nodes := Nodes} = World) ->
    World#{nodes := Nodes#{Node := aldis_jetstream_producer:written(Message, Sequence, Known)}}.

%% Each message of a subject knows where it lies.
landed(#{expected := Expected} = Message, #{subject := Subject} = World) ->
    case last_of(Subject) of
        {Expected, _, _, _, _} -> {Expected + 1, World#{subject := [Message | Subject]}};
        _ -> {conflict, World}
    end.

last_of([]) -> {0, none, 0, ?NOBODY, none};
last_of([#{expected := Expected} = Message | _]) ->
    Headers = maps:from_list([{Name, iolist_to_binary(Value)}
        || {Name, Value} <- aldis_jetstream_producer:headers(<<"S">>, ?P, Message)]),
    {ok, Known} = aldis_jetstream_producer:known_of(Headers, Expected + 1),
    Known.

heard(claim, At, {client, Life}, {ok, Epoch, Last}, #{at := At, epoch := Epoch, acked := Acked, life := Life} = World) ->
    %% Nothing that was acknowledged is ever denied.
    ?assert(Last >= maps:get(Epoch, Acked, 0)),
    World#{waiting := ready, sent := Last};
heard(append, At, {Life, First, _}, {durable, Last}, #{at := At, epoch := Epoch, acked := Acked, life := Life, lives := Lives, waiting := ready} = World) ->
    World#{acked := Acked#{Epoch => max(Last, maps:get(Epoch, Acked, 0))},
        lives := maps:merge(maps:from_keys([{Epoch, S} || S <- lists:seq(First, Last)], Life), Lives)};
heard(_, At, {Life, _, _}, {error, _}, #{at := At, life := Life} = World) -> World#{waiting := none};
heard(claim, At, {client, Life}, {error, _}, #{at := At, life := Life} = World) -> World#{waiting := none};
%% To a connection that is no more.
heard(_, _, _, _, World) -> World.
