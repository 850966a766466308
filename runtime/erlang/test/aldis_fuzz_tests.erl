%% Hostile clients over real sockets: conversations of whole, changed, cut and senseless frames, in any pieces. Whatever comes,
%% the server answers in frames of its own, ends the connection with CLOSE or goes on, and logs no crash.
%%
%% ALDIS_FUZZ=N in the environment sets how many conversations there are; a failure prints the seed of its own.
-module(aldis_fuzz_tests).
-behaviour(aldis_handler).

-include_lib("eunit/include/eunit.hrl").
-include("aldis_frame.hrl").

-export([handle_batch/2, handle_request/2, handle_subscribe/3, init/2]).
%% As a handler of the logger.
-export([log/2]).

-define(CONVERSATIONS, 2000).
-define(MAX_FRAME, 65536).

init(_, Arg) -> {ok, Arg}.
handle_batch(Batch, State) ->
    true = length(aldis_batch:entries(Batch)) =:= aldis_batch:count(Batch),
    {ok, State}.
handle_request(Request, State) -> {reply, Request, State}.
handle_subscribe(_, _, State) -> {ok, State}.

log(#{level := Level, msg := Said}, #{config := Pid}) when Level =:= error; Level =:= critical; Level =:= emergency ->
    Pid ! {logged, Said};
log(_, _) ->
    ok.

fuzz_test_() -> {timeout, 3600, fun fuzz/0}.

fuzz() ->
    {ok, Started} = application:ensure_all_started(aldis),
    {ok, _} = aldis_server:start_listener(fuzz, #{
        port => 0, mode => aldis, handler => {?MODULE, none}, max_frame => ?MAX_FRAME, handshake_timeout => 1000
    }),
    ok = logger:add_handler(?MODULE, ?MODULE, #{config => self()}),
    #{port := Port} = aldis_server:info(fuzz),
    Seed = erlang:system_time(),
    [conversation(Port, {Seed, N}) || N <- lists:seq(1, conversations())],
    ?assertEqual(ok, served(Port)),
    ok = logger:remove_handler(?MODULE),
    ok = aldis_server:stop_listener(fuzz),
    [application:stop(Name) || Name <- lists:reverse(Started)],
    ?assertEqual([], logged()).

conversations() ->
    case os:getenv("ALDIS_FUZZ") of
        false -> ?CONVERSATIONS;
        N -> list_to_integer(N)
    end.

logged() ->
    receive
        {logged, Said} -> [Said | logged()]
    after 100 -> []
    end.

%% One connection: what is said, in pieces, and what comes back until the server has ended it.
conversation(Port, {A, B} = Seed) ->
    _ = rand:seed(exsss, {A, B, 0}),
    Bytes = iolist_to_binary([hello() | [any_frame(N) || N <- lists:seq(1, rand:uniform(8))]]),
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}, {nodelay, true}, {send_timeout, 5000}]),
    _ = send(Socket, Bytes),
    Answer = case rand:uniform(4) of
        1 ->
            <<>>;
        _ ->
            _ = gen_tcp:shutdown(Socket, write),
            answer(Socket, <<>>)
    end,
    gen_tcp:close(Socket),
    try frames(Answer, {0, 0, 0})
    catch Class:Wrong -> error({conversation, Seed, Class, Wrong, Bytes, Answer})
    end.

send(_, <<>>) ->
    ok;
send(Socket, Bytes) ->
    Size = min(byte_size(Bytes), case rand:uniform(3) of 1 -> rand:uniform(5); 2 -> rand:uniform(200); 3 -> 100000 end),
    <<Piece:Size/binary, Rest/binary>> = Bytes,
    case gen_tcp:send(Socket, Piece) of
        ok -> send(Socket, Rest);
        %% The server has heard enough.
        {error, _} -> closed
    end.

%% The server ends a connection whose client has said all.
answer(Socket, Got) ->
    case gen_tcp:recv(Socket, 0, 10000) of
        {ok, Bytes} -> answer(Socket, <<Got/binary, Bytes/binary>>);
        {error, timeout} -> error({still_open, Got});
        {error, _} -> Got
    end.

%% The server's answer is whole frames that a server may send, the last one may be CLOSE, and watermarks do not go back.
frames(<<>>, _) -> ok;
frames(Bytes, Marks) ->
    case aldis_frame:next(Bytes, 0, 1 bsl 20) of
        {frame, Kind, Body, Next} ->
            {ok, Frame} = aldis_frame:decode(Kind, Body),
            <<_:Next/binary, Rest/binary>> = Bytes,
            frames(Rest, said(Frame, Rest, Marks));
        %% A reset takes what was on its way.
        {need, _} ->
            ok
    end.

said(#ack{received = Received, handled = Handled, durable = Durable}, _, {R, H, D}) when
    Received >= R, Handled >= H, Durable >= D, Received >= Handled, Handled >= Durable
->
    {Received, Handled, Durable};
said(#close{}, <<>>, Marks) -> Marks;
said(Frame, _, Marks) when
    is_record(Frame, welcome); is_record(Frame, nack); is_record(Frame, reply); is_record(Frame, pong);
    is_record(Frame, ping); is_record(Frame, unsubscribe); is_record(Frame, drain)
->
    Marks.

%% Mostly a good HELLO: what is behind it is of interest.
hello() ->
    Hello = #hello{producer = rand:bytes(16), epoch = rand:uniform(3), features = rand:uniform(16) - 1, durability = handled},
    case rand:uniform(10) of
        1 -> changed(iolist_to_binary(aldis_frame:encode(Hello)));
        2 -> aldis_frame:encode(Hello#hello{version = rand:uniform(256) - 1, durability = rand:uniform(252) + 3});
        _ -> aldis_frame:encode(Hello)
    end.

any_frame(N) ->
    Frame = iolist_to_binary(aldis_frame:encode(frame(rand:uniform(16), N))),
    case rand:uniform(4) of
        1 -> changed(Frame);
        _ -> Frame
    end.

%% The first batch is one that fits; later ones may leave a gap or come twice.
frame(1, _) -> #hello{producer = rand:bytes(16)};
frame(2, _) -> #welcome{session = number(), credit_messages = 1, credit_bytes = 1, max_frame = 1, durability = handled};
frame(3, _) -> #ack{received = number(), credit_messages = 0, credit_bytes = 0};
frame(4, _) -> #nack{expected = number(), code = gap};
frame(5, _) -> #request{correlation = number(), deadline = rand:uniform(3) - 1, bytes = rand:bytes(rand:uniform(50))};
frame(6, _) -> #reply{correlation = number(), bytes = <<>>};
frame(7, _) -> #push{subscription = 1, first = 1, count = 1, entries = <<0:32>>};
frame(8, _) -> #ping{opaque = number()};
frame(9, _) -> #pong{opaque = number()};
frame(10, _) -> #drain{ms = rand:uniform(50)};
frame(11, _) -> #close{code = normal, text = <<"bye">>};
frame(12, _) -> #subscribe{subscription = rand:uniform(3), from = number(), credit = 10, topic = <<"anything">>};
frame(13, _) -> #unsubscribe{subscription = rand:uniform(3)};
frame(14, _) -> #credit{subscription = rand:uniform(3), consumed = number(), credit = rand:uniform(100)};
frame(_, N) -> batch(N, rand:uniform(20)).

batch(First, Count) ->
    Entries = iolist_to_binary([[<<Size:32/little>>, rand:bytes(Size)] || _ <- lists:seq(1, Count), Size <- [rand:uniform(40) - 1]]),
    Wrong = case rand:uniform(10) of 1 -> rand:uniform(1 bsl 32) - 1; _ -> Count end,
    Crc = erlang:crc32([<<First:64/little, Wrong:32/little>>, Entries]),
    #batch{first = First, count = Wrong, crc = Crc, rest = Entries}.

number() ->
    case rand:uniform(3) of
        1 -> rand:uniform(10) - 1;
        2 -> rand:uniform(1 bsl 64) - 1;
        3 -> 16#FFFFFFFFFFFFFFFF
    end.

%% A byte, the length, the end, or all of a frame is not what it should be.
changed(Frame) ->
    case rand:uniform(5) of
        1 ->
            At = rand:uniform(byte_size(Frame)) - 1,
            <<Before:At/binary, _, Behind/binary>> = Frame,
            <<Before/binary, (rand:uniform(256) - 1), Behind/binary>>;
        2 -> <<_:32, Rest/binary>> = Frame, <<(rand:uniform(1 bsl 32) - 1):32/little, Rest/binary>>;
        3 -> binary:part(Frame, 0, rand:uniform(byte_size(Frame)) - 1);
        4 -> <<Frame/binary, (rand:bytes(rand:uniform(10)))/binary>>;
        5 -> rand:bytes(rand:uniform(300))
    end.

%% A conversation in order is served as ever.
served(Port) ->
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}]),
    Batch = (batch(1, 5))#batch{count = 5},
    #batch{rest = Entries} = Batch,
    Right = Batch#batch{crc = erlang:crc32([<<1:64/little, 5:32/little>>, Entries])},
    ok = gen_tcp:send(Socket, [aldis_frame:encode(F) || F <- [#hello{producer = rand:bytes(16), epoch = 9}, Right, #drain{ms = 100}]]),
    Answer = answer(Socket, <<>>),
    ok = gen_tcp:close(Socket),
    case last_handled(Answer, 0) of
        5 -> ok;
        Other -> {handled, Other, Answer}
    end.

last_handled(<<>>, Handled) -> Handled;
last_handled(Bytes, Handled) ->
    {frame, Kind, Body, Next} = aldis_frame:next(Bytes, 0, 1 bsl 20),
    <<_:Next/binary, Rest/binary>> = Bytes,
    case aldis_frame:decode(Kind, Body) of
        {ok, #ack{handled = Now}} -> last_handled(Rest, Now);
        {ok, _} -> last_handled(Rest, Handled)
    end.
