%% Named consumers: their members share a log, and what a member has not consumed when it dies comes again.
-module(aldis_consumer_tests).

-include_lib("eunit/include/eunit.hrl").
-include("aldis_frame.hrl").
-include("properties.hrl").

-import(transport_peer, [hello/2, send/2, frame/1, frame/2]).
-import(testing, [eventually/1]).

-define(P, <<"producer-0123456">>).

consumer_test_() ->
    {timeout, 1800, [{timeout, 120, {Name, fun() -> testing:quietly(fun() -> in_folder(Test) end) end}} || {Name, Test} <- [
        {"members share the messages", fun shared/1},
        {"what a dead member had goes to others, without what it consumed", fun member_dies/1},
        {"how far it is outlives the server", fun kept/1},
        {"the lag is told", fun lag/1},
        {"the lag is told where nobody serves", fun unserved/1},
        {"from now on", fun from_now_on/1},
        {"from now on is where the first member came, whoever goes", fun from_then_on/1},
        {"a member that gave up waiting is none", fun late_join/1},
        {"there are so many and no more", fun too_many/1},
        {"a message that fills a frame has room for its origin", fun large_origin/1},
        {"what there is not", fun refused/1},
        {"a consumer whose process is gone", fun killed/1},
        {"who sent a message, where it is asked", fun origin/1},
        {"a client of ours takes part", fun client/1}
    ]]}.

in_folder(Test) ->
    {ok, _} = application:ensure_all_started(aldis),
    Folder = string:trim(os:cmd("mktemp -d")),
    try Test(Folder) after file:del_dir_r(Folder) end.

with(Folder, Test) -> with(Folder, #{}, Test).
with(Folder, Options, Test) ->
    Sink = {aldis_log, #{name => consumed_log, folder => filename:join(Folder, "log")}},
    transport_peer:with_listener(maps:merge(#{sink => Sink, consumers => filename:join(Folder, "consumers")}, Options), fun(Port) ->
        {ok, _} = aldis_log:producer(consumed_log, ?P, 1),
        Test(Port)
    end).

append(First, Last) ->
    Entries = transport_peer:entries([<<N:32>> || N <- lists:seq(First, Last)]),
    ok = aldis_log:append(consumed_log, ?P, 1, First, Last - First + 1, none, Entries, {appended, Last}),
    receive {aldis_sink, {appended, Last}, {durable, Last}} -> ok after 60000 -> error(timeout) end.

member(Port, Producer, From, Credit) ->
    {Socket, _} = hello(Port, #hello{producer = <<Producer:128>>, durability = handled, features = ?PUSH}),
    send(Socket, #subscribe{subscription = 1, topic = "log/work", from = From, credit = Credit}),
    Socket.

%% The next messages: the number of the first, and what they say.
pushed(Socket, Timeout) ->
    case frame(Socket, Timeout) of
        #push{first = First, count = Count, entries = Entries} ->
            {First, [N || <<N:32>> <- aldis_scan:to_list(iolist_to_binary(Entries), 0, Count)]};
        Other -> Other
    end.

shared(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 6),
        A = member(Port, 1, 1, 4),
        ?assertEqual({1, [1, 2, 3, 4]}, pushed(A, 5000)),
        ?assertEqual(timeout, pushed(A, 100)),
        B = member(Port, 2, 1, 1),
        ?assertEqual({1, [5]}, pushed(B, 5000)),
        send(A, #credit{subscription = 1, consumed = 4, credit = 10}),
        ?assertEqual({5, [6]}, pushed(A, 5000)),
        append(7, 7),
        ?assertEqual({6, [7]}, pushed(A, 5000)),
        ?assertEqual(timeout, pushed(B, 100))
    end).

member_dies(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 5),
        A = member(Port, 1, 1, 3),
        {1, [1, 2, 3]} = pushed(A, 5000),
        B = member(Port, 2, 1, 2),
        {1, [4, 5]} = pushed(B, 5000),
        send(A, #credit{subscription = 1, consumed = 1, credit = 0}),
        send(A, #ping{opaque = 1}),
        #pong{} = frame(A),
        gen_tcp:close(A),
        send(B, #credit{subscription = 1, consumed = 2, credit = 10}),
        ?assertEqual({3, [2, 3]}, pushed(B, 5000)),
        append(6, 6),
        ?assertEqual({5, [6]}, pushed(B, 5000)),
        %% The last one: what it had waits for the next member.
        send(B, #unsubscribe{subscription = 1}),
        C = member(Port, 3, 1, 10),
        ?assertEqual([2, 3, 6], all(C, 3))
    end).

all(_, Count) when Count =< 0 -> [];
all(Socket, Count) ->
    {_, Messages} = pushed(Socket, 5000),
    Messages ++ all(Socket, Count - length(Messages)).

kept(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 5),
        A = member(Port, 1, 3, 10),
        ?assertEqual({3, [3, 4, 5]}, pushed(A, 5000)),
        send(A, #credit{subscription = 1, consumed = 4, credit = 10}),
        eventually(fun() -> [#{offset := 4, given := 1}] = aldis_server:consumers(listener) end)
    end),
    with(Folder, fun(Port) ->
        append(6, 6),
        ?assertEqual([5, 6], all(member(Port, 1, 1, 10), 2))
    end).

lag(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 8),
        A = member(Port, 1, 1, 5),
        [1, 2, 3, 4, 5] = all(A, 5),
        ?assertEqual([#{name => <<"work">>, offset => 0, lag => 8, members => 1, given => 5}], aldis_server:consumers(listener)),
        send(A, #credit{subscription = 1, consumed = 2, credit = 5}),
        eventually(fun() -> #{metrics := #{lag := 6}} = aldis_server:info(listener) end)
    end).

unserved(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 8),
        A = member(Port, 1, 1, 5),
        [1, 2, 3, 4, 5] = all(A, 5),
        send(A, #credit{subscription = 1, consumed = 2, credit = 5}),
        eventually(fun() -> [#{offset := 2}] = aldis_server:consumers(listener) end)
    end),
    with(Folder, fun(_) ->
        append(9, 9),
        eventually(fun() -> #{metrics := #{lag := 7}} = aldis_server:info(listener) end),
        ?assertEqual([#{name => <<"work">>, offset => 2, lag => 7, members => 0, given => 0}], aldis_server:consumers(listener)),
        %% An operator ends it.
        ok = file:delete(filename:join([Folder, "consumers", "work.consumer"])),
        eventually(fun() -> [] = aldis_server:consumers(listener), #{metrics := #{lag := 0}} = aldis_server:info(listener) end)
    end).

from_now_on(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 3),
        A = member(Port, 1, 0, 10),
        eventually(fun() -> [#{members := 1}] = aldis_server:consumers(listener) end),
        ?assertEqual(timeout, pushed(A, 200)),
        append(4, 4),
        ?assertEqual({1, [4]}, pushed(A, 5000))
    end).

from_then_on(Folder) ->
    with(Folder, fun(Port) ->
        A = member(Port, 1, 0, 10),
        eventually(fun() -> [#{members := 1, offset := 0}] = aldis_server:consumers(listener) end),
        gen_tcp:close(A),
        eventually(fun() -> [#{members := 0}] = aldis_server:consumers(listener) end)
    end),
    with(Folder, fun(Port) ->
        append(1, 3),
        ?assertEqual({1, [1, 2, 3]}, pushed(member(Port, 1, 0, 10), 5000))
    end).

late_join(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 3),
        A = member(Port, 1, 1, 0),
        eventually(fun() -> [#{members := 1}] = aldis_server:consumers(listener) end),
        Consumer = aldis_names:whereis_name({listener, {consumer, <<"work">>}}),
        ok = sys:suspend(Consumer),
        Context = #{listener => listener},
        ?assertEqual({error, unavailable}, aldis_consumer:join(Context, <<"work">>, 1, 10, #{timeout => 50})),
        ok = sys:resume(Consumer),
        eventually(fun() -> [#{members := 1}] = aldis_server:consumers(listener) end),
        send(A, #credit{subscription = 1, consumed = 0, credit = 10}),
        ?assertEqual([1, 2, 3], lists:sort(all(A, 3)))
    end).

too_many(Folder) ->
    with(Folder, #{max_consumers => 2}, fun(Port) ->
        {Socket, _} = hello(Port, #hello{producer = <<1:128>>, durability = handled, features = ?PUSH}),
        append(1, 1),
        [begin
            send(Socket, #subscribe{subscription = Id, topic = ["log/", Name], from = 1, credit = 1}),
            ?assertMatch(#push{subscription = Id}, frame(Socket))
        end || {Id, Name} <- [{1, "a"}, {2, "b"}]],
        send(Socket, #subscribe{subscription = 4, topic = "log/c", from = 1, credit = 1}),
        ?assertMatch(#unsubscribe{subscription = 4, code = refused}, frame(Socket)),
        %% Its place is free again when its file is removed and nobody has it.
        send(Socket, #unsubscribe{subscription = 1}),
        eventually(fun() -> [0, 1] = lists:sort([Members || #{members := Members} <- aldis_server:consumers(listener)]) end),
        exit(aldis_names:whereis_name({listener, {consumer, <<"a">>}}), kill),
        ok = file:delete(filename:join([Folder, "consumers", "a.consumer"])),
        send(Socket, #subscribe{subscription = 5, topic = "log/c", from = 1, credit = 1}),
        ?assertMatch(#push{subscription = 5}, frame(Socket))
    end).

large_origin(Folder) ->
    with(Folder, #{max_frame => 1024}, fun(Port) ->
        Message = binary:copy(<<"m">>, 1024 - 17 - 4),
        ok = aldis_log:append(consumed_log, ?P, 1, 1, 1, none, transport_peer:entries([Message]), appended),
        receive {aldis_sink, appended, {durable, 1}} -> ok after 60000 -> error(timeout) end,
        {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => Port}),
        [begin
            {ok, Id} = aldis_client:subscribe(Client, Topic, 1, 1),
            receive
                {aldis_client, Client, {pushed, Id, 1, [Came]}} -> ?assertEqual(<<?P/binary, 1:32/little, 1:64/little, Message/binary>>, Came)
            after 60000 -> error(timeout)
            end
        end || Topic <- ["log+origin", "log/big+origin"]],
        ok = aldis_client:stop(Client)
    end).

refused(Folder) ->
    with(Folder, fun(Port) ->
        {Socket, _} = hello(Port, #hello{producer = <<1:128>>, durability = handled, features = ?PUSH}),
        [begin
            send(Socket, #subscribe{subscription = 1, topic = ["log/", Name], from = 1, credit = 1}),
            ?assertMatch(#unsubscribe{subscription = 1, code = refused}, frame(Socket))
        end || Name <- ["", "../x", ".x", "a/b", "a\n", binary:copy(<<"x">>, 65)]],
        ok = filelib:ensure_dir(filename:join([Folder, "consumers", "bad.consumer"])),
        ok = file:write_file(filename:join([Folder, "consumers", "bad.consumer"]), <<"ALDISCON and so on">>),
        testing:quietly(fun() ->
            send(Socket, #subscribe{subscription = 1, topic = "log/bad", from = 1, credit = 1}),
            ?assertMatch(#unsubscribe{subscription = 1, code = unavailable}, frame(Socket))
        end)
    end),
    with(Folder, #{log_topic => false}, fun(Port) -> ?assertMatch(#unsubscribe{code = refused}, frame(member(Port, 1, 1, 1))) end),
    with(Folder, #{consumers => none}, fun(Port) -> ?assertMatch(#unsubscribe{code = refused}, frame(member(Port, 1, 1, 1))) end).

killed(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 1),
        A = member(Port, 1, 1, 5),
        {1, [1]} = pushed(A, 5000),
        exit(aldis_names:whereis_name({listener, {consumer, <<"work">>}}), kill),
        ?assertMatch(#unsubscribe{subscription = 1, code = unavailable}, frame(A)),
        ?assertEqual({1, [1]}, pushed(member(Port, 2, 1, 5), 5000))
    end).

origin(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 2),
        append(3, 3),
        {Socket, _} = hello(Port, #hello{producer = <<1:128>>, durability = handled, features = ?PUSH}),
        [begin
            send(Socket, #subscribe{subscription = Id, topic = Topic, from = 2, credit = 10}),
            #push{subscription = Id, first = 2, count = 2, entries = Entries} = frame(Socket),
            ?assertEqual([<<?P/binary, 1:32/little, N:64/little, N:32>> || N <- [2, 3]], aldis_scan:to_list(iolist_to_binary(Entries), 0, 2))
        end || {Id, Topic} <- [{1, "log+origin"}, {2, "log/named+origin"}]],
        send(Socket, #subscribe{subscription = 3, topic = "log/named", from = 2, credit = 10}),
        ?assertMatch(#unsubscribe{subscription = 3, code = refused}, frame(Socket))
    end).

client(Folder) ->
    with(Folder, fun(Port) ->
        append(1, 100),
        {ok, Client} = aldis_client:start_link(#{host => "127.0.0.1", port => Port}),
        {ok, Id} = aldis_client:subscribe(Client, <<"log/work">>, 1, 60),
        60 = taken(Client, Id, 60),
        ok = aldis_client:consumed(Client, Id, 60, 60),
        40 = taken(Client, Id, 40),
        ok = aldis_client:consumed(Client, Id, 100, 60),
        eventually(fun() -> [#{offset := 100, lag := 0}] = aldis_server:consumers(listener) end),
        ok = aldis_client:stop(Client)
    end).

taken(_, _, 0) -> 0;
taken(Client, Id, Count) ->
    receive
        {aldis_client, Client, {pushed, Id, _, Messages}} -> length(Messages) + taken(Client, Id, Count - length(Messages))
    after 60000 -> error(timeout)
    end.

%% Members come, take, consume and go as they like: what was consumed never comes again, and all comes.
property_test_() ->
    {timeout, 120, fun() -> in_folder(fun(Folder) ->
        with(Folder, fun(_) ->
            append(1, 300),
            #{context := Context} = #{context => #{listener => listener, sink => {aldis_log, consumed_log},
                consumers => filename:join(Folder, "consumers"), max_consumers => 1000, metrics => aldis_metrics:new(listener, listener),
                budget => aldis_budget:new(1 bsl 30)}},
            ?assert(proper:quickcheck(prop_all_come(Context), [{numtests, 40}, {to_file, user}]))
        end)
    end) end}.

prop_all_come(Context) ->
    ?FORALL(Steps, list({oneof([join, leave, consume, consume]), range(0, 5), range(0, 80)}), begin
        Name = integer_to_binary(erlang:unique_integer([positive])),
        World = lists:foldl(fun(Step, W) -> step(Step, Context, Name, W) end, {#{}, []}, Steps),
        {_, Consumed} = drained(Context, Name, World),
        lists:sort(Consumed) =:= lists:seq(1, 300)
    end).

step({join, N, Credit}, Context, Name, {Members, Consumed}) when not is_map_key(N, Members) ->
    {ok, Source} = aldis_consumer:join(Context, Name, 1, Credit, #{}),
    {Members#{N => {Source, 0, []}}, Consumed};
step({leave, N, _}, _, _, {Members, Consumed}) when is_map_key(N, Members) ->
    {{Source, _, _}, Left} = maps:take(N, Members),
    aldis_consumer:leave(Source),
    {Left, Consumed};
step({consume, N, Some}, _, _, {Members, Consumed}) when is_map_key(N, Members) ->
    {Source, Last, Given} = maps:get(N, Members),
    All = Given ++ came(Source, Last + length(Given)),
    {Done, Rest} = lists:split(min(Some, length(All)), All),
    aldis_consumer:consumed(Source, Last + length(Done), Some),
    {Members#{N := {Source, Last + length(Done), Rest}}, Done ++ Consumed};
step(_, _, _, World) -> World.

came(Source, Last) ->
    receive
        {aldis_sink, Source, {entries, First, Count, Entries}} ->
            ?assertEqual(Last + 1, First),
            [N || <<N:32>> <- aldis_scan:to_list(Entries, 0, Count)] ++ came(Source, Last + Count)
    after 2 -> []
    end.

%% One member more takes the rest, when all others are gone.
drained(Context, Name, {Members, Consumed}) ->
    [aldis_consumer:leave(Source) || {Source, _, _} <- maps:values(Members)],
    {ok, Source} = aldis_consumer:join(Context, Name, 1, 1000, #{}),
    {#{}, rest(Source, 300 - length(Consumed), 0) ++ Consumed}.

rest(_, Count, _) when Count =< 0 -> [];
rest(Source, Count, Last) ->
    receive
        {aldis_sink, Source, {entries, First, Some, Entries}} ->
            ?assertEqual(Last + 1, First),
            aldis_consumer:consumed(Source, Last + Some, 1000),
            [N || <<N:32>> <- aldis_scan:to_list(Entries, 0, Some)] ++ rest(Source, Count - Some, Last + Some)
    after 10000 -> [missing]
    end.
