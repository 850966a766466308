-module(aldis_legacy_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

-import(transport_peer, [connect/1, connect/2, messages/1, with_listener/2, with_listener/3]).
-import(testing, [eventually/1, quietly/1]).

-define(TIMEOUT, 5000).

modes() -> [request_reply | counting()].
counting() -> [throttled_ack, head_rest, sync_ack, async_ack].

legacy_test_() ->
    {timeout, 120, [{timeout, 30, {atom_to_list(Mode) ++ ": " ++ Name, fun() -> Test(Mode) end}} || {Name, Modes, Test} <- [
        {"each message is acked", modes(), fun one_by_one/1},
        {"many messages in one segment", modes(), fun pipelined/1},
        {"a message split over segments", modes(), fun split/1},
        {"a message of no bytes swallows nothing", modes(), fun empty/1},
        {"100 bytes and another message", modes(), fun hundred/1},
        {"payloads beyond the receive buffer, in linear time", modes(), fun large/1},
        {"a half-closed client gets all acks", modes(), fun half_closed/1},
        {"an announced 4 GiB is refused from the header", modes(), fun announced/1},
        {"what came before a refused one is acked", modes(), fun refused/1},
        {"a handler that fails closes the connection", modes(), fun failing/1},
        {"a client that sends slowly is acked soon", counting(), fun slow_sender/1},
        {"idle clients are closed when the listener says so", modes(), fun idle/1},
        {"drained clients get their acks", modes(), fun drained/1},
        {"garbage harms nobody", modes(), fun garbage/1}
    ], Mode <- Modes]}.

one_by_one(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        [begin
            ok = gen_tcp:send(Socket, message(Mode, Id, <<"hello">>)),
            ?assertEqual(Id, acked(Mode, Socket, Id - 1, Id))
        end || Id <- lists:seq(1, 20)],
        ?assertEqual(lists:duplicate(20, <<"hello">>), messages(20))
    end).

pipelined(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        ok = gen_tcp:send(Socket, [message(Mode, Id, <<Id:16>>) || Id <- lists:seq(1, 1000)]),
        ?assertEqual(1000, acked(Mode, Socket, 0, 1000)),
        ?assertEqual([<<Id:16>> || Id <- lists:seq(1, 1000)], messages(1000))
    end).

split(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        Bytes = iolist_to_binary([message(Mode, Id, <<"abc">>) || Id <- [1, 2]]),
        [begin
            <<Before:At/binary, After/binary>> = Bytes,
            ok = gen_tcp:send(Socket, Before),
            timer:sleep(2),
            ok = gen_tcp:send(Socket, After),
            ?assertEqual(2, acked(Mode, Socket, 0, 2))
        end || At <- lists:seq(1, byte_size(Bytes) - 1)]
    end).

empty(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        ok = gen_tcp:send(Socket, [message(Mode, Id, P) || {Id, P} <- [{1, <<>>}, {2, <<"next">>}, {3, <<>>}, {4, <<>>}]]),
        ?assertEqual(4, acked(Mode, Socket, 0, 4)),
        ?assertEqual([<<>>, <<"next">>, <<>>, <<>>], messages(4))
    end).

hundred(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        ok = gen_tcp:send(Socket, [message(Mode, 1, binary:copy(<<"x">>, 100)), message(Mode, 2, <<"y">>)]),
        ?assertEqual(2, acked(Mode, Socket, 0, 2))
    end).

%% The original took 4 s for half of it, and four times as long for twice as much.
large(Mode) ->
    with_listener(#{mode => Mode, max_frame => 8388608}, fun(Port) ->
        Socket = connect(Port),
        Seconds = fun(Id, Size) ->
            Payload = binary:copy(<<"x">>, Size),
            {Micros, ok} = timer:tc(fun() ->
                ok = gen_tcp:send(Socket, message(Mode, Id, Payload)),
                Id = acked(Mode, Socket, Id - 1, Id),
                ok
            end),
            Micros / 1000000
        end,
        ?assert(Seconds(1, 1000000) < 5),
        ?assert(Seconds(2, 8388608) < 10)
    end).

half_closed(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        ok = gen_tcp:send(Socket, [message(Mode, Id, <<"abc">>) || Id <- lists:seq(1, 500)]),
        ok = gen_tcp:shutdown(Socket, write),
        ?assertEqual(500, acked(Mode, Socket, 0, 500)),
        ?assertEqual({error, closed}, gen_tcp:recv(Socket, 0, ?TIMEOUT))
    end).

announced(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        ok = gen_tcp:send(Socket, [message(Mode, 1, <<"fine">>), <<2:64/little, 16#FFFFFFFF:32, "some">>]),
        ?assertEqual(1, acked(Mode, Socket, 0, 1)),
        ?assertEqual({error, closed}, gen_tcp:recv(Socket, 0, ?TIMEOUT))
    end).

refused(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        Payloads = [<<"a">>, <<"b">>, <<"refuse">>, <<"c">>],
        ok = gen_tcp:send(Socket, [message(Mode, Id, P) || {Id, P} <- lists:zip([1, 2, 3, 4], Payloads)]),
        ?assertEqual(2, acked(Mode, Socket, 0, 2)),
        ?assertEqual({error, closed}, gen_tcp:recv(Socket, 0, ?TIMEOUT)),
        ?assertEqual([<<"a">>, <<"b">>], messages(2))
    end).

failing(Mode) ->
    quietly(fun() ->
        with_listener(#{mode => Mode}, fun(Port) ->
            Socket = connect(Port),
            ok = gen_tcp:send(Socket, message(Mode, 1, <<"crash">>)),
            ?assertEqual({error, closed}, gen_tcp:recv(Socket, 0, ?TIMEOUT)),
            Another = connect(Port),
            ok = gen_tcp:send(Another, message(Mode, 1, <<"fine">>)),
            ?assertEqual(1, acked(Mode, Another, 0, 1))
        end)
    end).

%% The original's clients waited 105 ms.
slow_sender(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        Times = [element(1, timer:tc(fun() ->
            ok = gen_tcp:send(Socket, message(Mode, Id, <<"abc">>)),
            acked(Mode, Socket, Id - 1, Id)
        end)) || Id <- lists:seq(1, 20)],
        ?assert(lists:nth(5, lists:sort(Times)) < 60000)
    end).

idle(Mode) ->
    with_listener(#{mode => Mode, idle_timeout => 100}, fun(Port) ->
        Socket = connect(Port),
        ?assertEqual({error, closed}, gen_tcp:recv(Socket, 0, ?TIMEOUT))
    end).

drained(Mode) ->
    with_listener(#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        ok = gen_tcp:send(Socket, [message(Mode, Id, <<"abc">>) || Id <- lists:seq(1, 500)]),
        [<<"abc">> | _] = messages(500),
        ?assertEqual({ok, 0}, aldis_server:drain(listener, 4000)),
        ?assertEqual(500, acked(Mode, Socket, 0, 500)),
        ?assertEqual({error, closed}, gen_tcp:recv(Socket, 0, ?TIMEOUT)),
        %% A new one is closed before it has said a word.
        Late = case gen_tcp:connect({127, 0, 0, 1}, Port, [{active, false}]) of
            {ok, Another} -> gen_tcp:recv(Another, 0, ?TIMEOUT);
            Refused -> Refused
        end,
        ?assertMatch({error, _}, Late)
    end).

garbage(Mode) ->
    with_listener(#{mode => Mode, max_frame => 65536}, fun(Port) ->
        Sockets = [begin
            Socket = connect(Port),
            _ = gen_tcp:send(Socket, rand:bytes(5000)),
            Socket
        end || _ <- lists:seq(1, 50)],
        Socket = connect(Port),
        ok = gen_tcp:send(Socket, message(Mode, 1, <<"fine">>)),
        ?assertEqual(1, acked(Mode, Socket, 0, 1)),
        lists:foreach(fun gen_tcp:close/1, Sockets)
    end).

%% Idle clients stay unless the listener says otherwise, the original closed them after 5 s; all wait at the same time. That is
%% also longer than a process waits before it gives back its memory.
stays_test_() ->
    {timeout, 60, fun() -> stay([{Mode, Options} || Mode <- modes(), Options <- [#{}, #{idle_timeout => infinity}]], []) end}.

stay([], Clients) ->
    timer:sleep(5500),
    [begin
        [#{pid := Pid}] = aldis_server:connections(Name),
        ?assertMatch({current_function, {erlang, hibernate, 3}}, process_info(Pid, current_function)),
        ok = gen_tcp:send(Socket, End),
        ?assertEqual(1, acked(Mode, Socket, 0, 1))
    end || {Name, Mode, Socket, End} <- Clients];
stay([{Mode, Options} | More], Clients) ->
    Name = list_to_atom("stays" ++ integer_to_list(length(Clients))),
    with_listener(Name, Options#{mode => Mode}, fun(Port) ->
        Socket = connect(Port),
        <<Begin:5/binary, End/binary>> = iolist_to_binary(message(Mode, 1, <<"abc">>)),
        ok = gen_tcp:send(Socket, Begin),
        stay(More, [{Name, Mode, Socket, End} | Clients])
    end).

%% A client that never reads what it is sent is closed, and blocks nobody.
slow_reader_test_() ->
    {timeout, 30, fun() ->
        with_listener(#{mode => request_reply, send_timeout => 300}, fun(Port) ->
            Socket = connect(Port, [{recbuf, 4096}, {send_timeout, 100}]),
            Messages = [message(request_reply, Id, <<>>) || Id <- lists:seq(1, 20000)],
            fill(Socket, Messages),
            eventually(fun() -> aldis_server:connections(listener) =:= [] end)
        end)
    end}.

fill(Socket, Messages) ->
    case gen_tcp:send(Socket, Messages) of
        ok -> fill(Socket, Messages);
        {error, _} -> ok
    end.

%% The C++ programs of examples/legacy, each against its mode.
examples_test_() ->
    Folder = filename:join([testing:root(), "examples", "legacy"]),
    {timeout, 120, fun() ->
        Build = filename:absname("_build/legacy"),
        Made = os:cmd("make -s -C " ++ Folder ++ " BUILD=" ++ Build ++ " 2>&1 && echo made"),
        ?assertEqual("made\n", Made),
        [with_listener(#{mode => Mode}, fun(Port) ->
            Command = io_lib:format("~ts/~ts ~b 20000", [Build, Mode, Port]),
            ?assertEqual("20000 of 20000 messages acked\n", os:cmd(lists:flatten(Command)))
        end) || Mode <- modes()]
    end}.

%% Any split of any stream gives the same messages and all acks.
splits_test_() ->
    {timeout, 120, ?_assert(proper:quickcheck(splits(), [{numtests, 60}, {to_file, user}, quiet]))}.

splits() ->
    ?FORALL({Mode, Payloads, Sizes}, {oneof(modes()), list(binary()), list(range(1, 40))}, begin
        with_listener(#{mode => Mode}, fun(Port) ->
            Count = length(Payloads),
            Socket = connect(Port),
            Bytes = iolist_to_binary([message(Mode, Id, P) || {Id, P} <- lists:zip(lists:seq(1, Count), Payloads)]),
            lists:foreach(fun(Piece) -> ok = gen_tcp:send(Socket, Piece) end, pieces(Bytes, Sizes)),
            ok = gen_tcp:shutdown(Socket, write),
            Count = acked(Mode, Socket, 0, Count),
            Payloads =:= messages(Count)
        end)
    end).

pieces(<<>>, _) -> [];
pieces(Bytes, [Size | Sizes]) when Size < byte_size(Bytes) ->
    <<Piece:Size/binary, Rest/binary>> = Bytes,
    [Piece | pieces(Rest, Sizes)];
pieces(Bytes, _) -> [Bytes].

%% The client's side: the table of the modes.

message(request_reply, Id, Payload) -> [<<Id:64/little, (byte_size(Payload)):32/big>>, Payload];
message(_, Id, Payload) -> [<<Id:64/little, (byte_size(Payload)):32/little>>, Payload].

%% Reads acks until this id is acked, and checks what each skips.
acked(_, _, Id, Id) -> Id;
acked(request_reply, Socket, Before, Last) ->
    {ok, <<Id:64/little>>} = gen_tcp:recv(Socket, 8, ?TIMEOUT),
    ?assertEqual(Before + 1, Id),
    acked(request_reply, Socket, Id, Last);
acked(Mode, Socket, Before, Last) ->
    {ok, <<Id:64/little, Skipped:32/little>>} = gen_tcp:recv(Socket, 12, ?TIMEOUT),
    ?assertEqual(Before + Skipped + 1, Id),
    acked(Mode, Socket, Id, Last).
