-module(aldis_session_tests).

-include_lib("eunit/include/eunit.hrl").
-include("aldis_frame.hrl").
-include("properties.hrl").

-import(transport_peer, [connect/1, hello/2, hello/3, send/2, frame/1, frame/2, closed/1, until_close/1, batch/2, batch/3,
                         drop_ack/2, messages/1, with_listener/2]).
-import(testing, [quietly/1]).

-define(PRODUCER, <<"producer-0123456">>).

session_test_() ->
    {timeout, 600, [{timeout, 120, {Name, Test}} || {Name, Test} <- [
        {"a batch is handled and acked", fun acked/0},
        {"batches in pieces of any size", fun pieces/0},
        {"one ack for many batches of a receive", fun one_ack/0},
        {"a slow handler does not fill the mailbox", fun slow_handler/0},
        {"duplicates are dropped and acked again", fun duplicates/0},
        {"a connection goes on where the last one was", fun resumed/0},
        {"so it does when the first one was killed", fun resumed_after_kill/0},
        {"a newer epoch begins at 1, an older one is stale", fun epochs/0},
        {"a second connection supersedes the first", fun superseded/0},
        {"a gap is NACKed, and batches are ignored until it is filled", fun gap/0},
        {"a bad checksum is NACKed", fun checksum/0},
        {"a bad count is NACKed, even without a checksum", fun bad_count/0},
        {"a schema goes with a batch", fun schema/0},
        {"a refused message is NACKed by its number", fun refused/0},
        {"a handler that stops or fails closes", fun failing/0},
        {"messages before the one that fails are handled", fun failing_message/0},
        {"credit is enforced", fun credit/0},
        {"a single entry may always be sent", fun single_entry/0},
        {"what a listener has not is unsupported", fun unsupported/0},
        {"HELLO comes first, once, small and in time", fun handshake/0},
        {"a handler may refuse a client", fun unwelcome/0},
        {"PING is answered; who is silent is asked, then closed", fun silence/0},
        {"frames that cannot be understood", fun protocol_errors/0},
        {"the client drains", fun client_drains/0},
        {"the server drains", fun server_drains/0},
        {"a half-closed client gets its acks", fun half_closed/0},
        {"a stopping listener acks and says so", fun stopping/0}
    ]]}.

hello() -> #hello{producer = ?PRODUCER}.
numbers(From, To) -> [<<Number:32>> || Number <- lists:seq(From, To)].

acked() ->
    with_listener(#{}, fun(Port) ->
        {Socket, Welcome} = hello(Port, (hello())#hello{features = 16#FFFFFFFF, window_messages = 10, window_bytes = 1000}),
        ?assertMatch(#welcome{version = 1, features = ?NO_CHECKSUM bor ?SCHEMA bor ?PUSH bor ?NEXT_EPOCH, last = 0,
                              credit_messages = 10, credit_bytes = 1000, max_frame = 1048576, durability = handled,
                              epoch = 1}, Welcome),
        receive {opened, About} ->
            ?assertMatch(#{listener := listener, producer := ?PRODUCER, epoch := 1, durability := handled, tls := false}, About)
        end,
        send(Socket, batch(1, [<<"a">>, <<>>, <<"c">>], ?NO_CHECKSUM bor ?SCHEMA)),
        ?assertMatch(#ack{received = 3, handled = 3, durable = 0, duplicates = 0, credit_messages = 10}, frame(Socket)),
        ?assertEqual([<<"a">>, <<>>, <<"c">>], messages(3)),
        [#{producer := ?PRODUCER, messages := 3, bytes := 14}] = aldis_server:connections(listener)
    end).

pieces() ->
    with_listener(#{}, fun(Port) ->
        Bytes = iolist_to_binary([aldis_frame:encode(F) || F <- [hello(), batch(1, numbers(1, 3)), #ping{opaque = 7}]]),
        [begin
            Socket = connect(Port),
            Producer = crypto:strong_rand_bytes(16),
            [ok = gen_tcp:send(Socket, Piece) || <<Piece:Size/binary>> <= with_producer(Bytes, Producer)],
            Rest = byte_size(Bytes) rem Size,
            ok = gen_tcp:send(Socket, binary:part(Bytes, byte_size(Bytes), -Rest)),
            #welcome{} = frame(Socket),
            Answers = lists:sort([element(1, frame(Socket)), element(1, frame(Socket))]),
            ?assertEqual([ack, pong], Answers),
            ?assertEqual(numbers(1, 3), messages(3))
        end || Size <- [1, 2, 3, 5, 7, 11, 40, 64]]
    end).

%% Any split of any stream gives the same messages, the same answers, and an ACK of all.
splits_test_() ->
    {timeout, 120, ?_assert(proper:quickcheck(splits(), [{numtests, 60}, {to_file, user}, quiet]))}.

splits() ->
    ?FORALL({Batches, Sizes}, {list(some(binary())), some(range(1, 60))}, begin
        with_listener(#{}, fun(Port) ->
            Socket = connect(Port),
            lists:foreach(fun(Piece) -> ok = gen_tcp:send(Socket, Piece) end, cut(stream(Batches), Sizes, Sizes)),
            ok = gen_tcp:shutdown(Socket, write),
            #welcome{last = 0} = frame(Socket),
            Messages = lists:append(Batches),
            {length(Messages), lists:seq(1, length(Batches))} =:= answers(frame(Socket), Socket, 0) andalso
                Messages =:= messages(length(Messages))
        end)
    end).

some(Type) -> proper_types:non_empty(list(Type)).

%% HELLO, and behind each batch a PING with the number of the batch.
stream(Batches) ->
    {Frames, _} = lists:mapfoldl(fun(Messages, {First, Number}) ->
        {[aldis_frame:encode(batch(First, Messages)), aldis_frame:encode(#ping{opaque = Number})],
         {First + length(Messages), Number + 1}}
    end, {1, 1}, Batches),
    iolist_to_binary([aldis_frame:encode(hello()), Frames]).

%% Pieces of these sizes, again and again.
cut(<<>>, _, _) -> [];
cut(Bytes, [], Sizes) -> cut(Bytes, Sizes, Sizes);
cut(Bytes, [Size | Next], Sizes) ->
    At = min(Size, byte_size(Bytes)),
    <<Piece:At/binary, Rest/binary>> = Bytes,
    [Piece | cut(Rest, Next, Sizes)].

%% The last watermark, and the PONGs in order.
answers(#close{code = normal}, _, Handled) -> {Handled, []};
answers(#ack{handled = Handled, duplicates = 0}, Socket, Before) when Handled > Before ->
    answers(frame(Socket), Socket, Handled);
answers(#pong{opaque = Opaque}, Socket, Before) ->
    {Handled, Opaques} = answers(frame(Socket), Socket, Before),
    {Handled, [Opaque | Opaques]}.

with_producer(Bytes, Producer) -> binary:replace(Bytes, ?PRODUCER, Producer).

one_ack() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, [aldis_frame:encode(batch(First, numbers(First, First + 9))) || First <- lists:seq(1, 991, 10)]),
        drop_ack(Socket, 1000),
        ?assertEqual(numbers(1, 1000), messages(1000)),
        #{metrics := #{acks := Acks, batches := 100, messages := 1000}} = aldis_server:info(listener),
        ?assert(Acks =< 10)
    end).

%% A client that sends far more than the handler takes: all but a few receives stay in the kernel.
slow_handler() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        [#{pid := Pid}] = aldis_server:connections(listener),
        Test = self(),
        spawn_link(fun() ->
            [send(Socket, batch(First, [<<"sleep", 5:32>>, binary:copy(<<0>>, 100000)])) || First <- lists:seq(1, 199, 2)],
            Test ! sent
        end),
        Waiting = [begin
            timer:sleep(5),
            {message_queue_len, Length} = process_info(Pid, message_queue_len),
            Length
        end || _ <- lists:seq(1, 100)],
        %% Four receives, that there are no more, and the listener's own.
        ?assert(lists:max(Waiting) =< 6),
        receive sent -> ok after 60000 -> error(timeout) end,
        drop_ack(Socket, 200)
    end).

duplicates() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, numbers(1, 5))),
        drop_ack(Socket, 5),
        send(Socket, batch(1, numbers(1, 5))),
        ?assertMatch(#ack{handled = 5, duplicates = 5}, frame(Socket)),
        send(Socket, batch(4, numbers(4, 8))),
        ?assertMatch(#ack{handled = 8, duplicates = 7}, frame(Socket)),
        ?assertEqual(numbers(1, 8), messages(8))
    end).

resumed() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, numbers(1, 5))),
        drop_ack(Socket, 5),
        gen_tcp:close(Socket),
        {_, Welcome} = hello(Port, hello()),
        ?assertMatch(#welcome{last = 5}, Welcome)
    end).

resumed_after_kill() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, numbers(1, 5))),
        drop_ack(Socket, 5),
        [#{pid := Pid}] = aldis_server:connections(listener),
        exit(Pid, kill),
        {_, Welcome} = hello(Port, hello()),
        ?assertMatch(#welcome{last = 5}, Welcome)
    end).

epochs() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, (hello())#hello{epoch = 3}),
        send(Socket, batch(1, numbers(1, 5))),
        drop_ack(Socket, 5),
        {Next, Welcome} = hello(Port, (hello())#hello{epoch = 4}),
        ?assertMatch(#welcome{last = 0}, Welcome),
        ?assertMatch(#close{code = superseded}, closed(Socket)),
        send(Next, batch(1, numbers(6, 7))),
        drop_ack(Next, 2),
        Old = connect(Port),
        send(Old, (hello())#hello{epoch = 3}),
        ?assertMatch(#close{code = stale_epoch}, closed(Old)),
        ?assertEqual(numbers(1, 7), messages(7))
    end).

superseded() ->
    with_listener(#{}, fun(Port) ->
        {First, _} = hello(Port, hello()),
        send(First, [aldis_frame:encode(batch(1, [<<"a">>])), aldis_frame:encode(batch(2, [<<"sleep", 300:32>>]))]),
        [<<"a">>] = messages(1),
        {_, Welcome} = hello(Port, hello()),
        %% The first one's messages were dealt with before.
        ?assertMatch(#welcome{last = 2}, Welcome),
        ?assertMatch(#close{code = superseded}, until_close(First))
    end).

gap() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, numbers(1, 2))),
        drop_ack(Socket, 2),
        send(Socket, batch(4, numbers(4, 5))),
        ?assertMatch(#nack{expected = 3, code = gap}, frame(Socket)),
        send(Socket, batch(6, numbers(6, 7))),
        ?assertEqual(timeout, frame(Socket, 100)),
        send(Socket, batch(2, numbers(2, 5))),
        ?assertMatch(#ack{handled = 5, duplicates = 1}, frame(Socket)),
        send(Socket, batch(7, numbers(7, 7))),
        ?assertMatch(#nack{expected = 6, code = gap}, frame(Socket)),
        ?assertEqual(numbers(1, 5), messages(5))
    end).

checksum() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        Batch = batch(1, numbers(1, 2)),
        send(Socket, Batch#batch{crc = Batch#batch.crc bxor 1}),
        ?assertMatch(#nack{expected = 1, code = bad_checksum}, frame(Socket)),
        send(Socket, Batch),
        ?assertMatch(#ack{handled = 2}, frame(Socket))
    end).

bad_count() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, (hello())#hello{features = ?NO_CHECKSUM}),
        [begin
            send(Socket, #batch{first = 1, count = Count, rest = Rest}),
            ?assertMatch(#nack{expected = 1, code = bad_count}, frame(Socket))
        end || {Count, Rest} <- [{0, <<>>}, {1, <<>>}, {2, <<1:32/little, "a">>}, {1, <<1:32/little, "ab">>},
                                 {1, <<16#FFFFFFFF:32, "a">>}, {16#FFFFFFFF, <<0:32>>}, {1, <<1, 0, 0>>}]],
        send(Socket, batch(1, [<<"fine">>], ?NO_CHECKSUM)),
        ?assertMatch(#ack{handled = 1}, frame(Socket)),
        ?assertEqual([<<"fine">>], messages(1))
    end).

schema() ->
    with_listener(#{handler => {schema_handler(), self()}}, fun(Port) ->
        {Socket, _} = hello(Port, (hello())#hello{features = ?SCHEMA}),
        send(Socket, aldis_frame:batch(1, {71, 2}, [<<"a">>], ?SCHEMA)),
        drop_ack(Socket, 1),
        ?assertEqual({71, 2}, receive {schema, Schema} -> Schema after 60000 -> none end),
        send(Socket, #batch{first = 2, count = 1, crc = aldis_frame:checksum(2, 1, <<1, 2>>), rest = <<1, 2>>}),
        ?assertMatch(#close{code = protocol}, closed(Socket))
    end).

%% A handler made for one test.
schema_handler() ->
    Forms = [
        {attribute, 1, module, aldis_schema_handler},
        {attribute, 1, export, [{init, 2}, {handle_batch, 2}]},
        erl_parse_form("init(_, Test) -> {ok, Test}."),
        erl_parse_form("handle_batch(Batch, Test) -> Test ! {schema, aldis_batch:schema(Batch)}, {ok, Test}.")
    ],
    {ok, Module, Beam} = compile:forms(Forms),
    {module, Module} = code:load_binary(Module, "nofile", Beam),
    Module.

erl_parse_form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    Form.

refused() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, [<<"a">>, <<"b">>, <<"refuse">>, <<"c">>])),
        ?assertMatch(#nack{expected = 3, code = refused, text = <<"not this one">>}, frame(Socket)),
        ?assertMatch(#ack{handled = 2}, frame(Socket)),
        send(Socket, batch(3, [<<"instead">>])),
        ?assertMatch(#ack{handled = 3}, frame(Socket)),
        ?assertEqual([<<"a">>, <<"b">>, <<"instead">>], messages(3))
    end).

failing() ->
    quietly(fun() ->
        with_listener(#{}, fun(Port) ->
            {Socket, _} = hello(Port, hello()),
            send(Socket, [aldis_frame:encode(batch(1, [<<"a">>])), aldis_frame:encode(batch(2, [<<"crash">>]))]),
            %% Messages that were handled before are acked before.
            ?assertMatch(#ack{handled = 1}, frame(Socket)),
            ?assertMatch(#close{code = handler}, closed(Socket)),
            {Again, Welcome} = hello(Port, hello()),
            ?assertMatch(#welcome{last = 1}, Welcome),
            send(Again, batch(2, [<<"stop">>])),
            ?assertMatch(#close{code = handler, text = <<"no more">>}, closed(Again)),
            receive {terminated, Reason} -> ?assertEqual(handler, Reason) after 60000 -> error(timeout) end
        end)
    end).

%% They are not to be sent again: handle_message/2 has taken them.
failing_message() ->
    quietly(fun() ->
        with_listener(#{handler => {transport_codec, self()}}, fun(Port) ->
            [begin
                {Socket, #welcome{last = Before}} = hello(Port, hello()),
                send(Socket, batch(Before + 1, [<<"a">>, <<"b">>, Special, <<"c">>])),
                ?assertMatch(#ack{handled = Handled} when Handled =:= Before + 2, frame(Socket)),
                ?assertMatch(#close{code = handler}, closed(Socket)),
                {_, Welcome} = hello(Port, hello()),
                ?assertEqual(Before + 2, Welcome#welcome.last)
            end || Special <- [<<"stop">>, <<"crash">>]]
        end)
    end).

credit() ->
    with_listener(#{credit => {10, 1000}}, fun(Port) ->
        {Socket, _} = hello(Port, (hello())#hello{window_messages = 100}),
        send(Socket, batch(1, numbers(1, 10))),
        drop_ack(Socket, 10),
        %% In one receive: the client cannot know of an ack between the two.
        send(Socket, [aldis_frame:encode(batch(11, numbers(11, 20))), aldis_frame:encode(batch(21, numbers(21, 21)))]),
        ?assertMatch(#close{code = credit}, until_close(Socket)),
        {Bytes, _} = hello(Port, hello()),
        send(Bytes, batch(21, [binary:copy(<<"x">>, 500), binary:copy(<<"y">>, 500)])),
        ?assertMatch(#close{code = credit}, closed(Bytes))
    end).

single_entry() ->
    with_listener(#{credit => {10, 100}}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, [binary:copy(<<"x">>, 5000)])),
        ?assertMatch(#ack{handled = 1}, frame(Socket))
    end).

unsupported() ->
    with_listener(#{}, fun(Port) ->
        [begin
            Socket = connect(Port),
            send(Socket, (hello())#hello{durability = Durability}),
            ?assertMatch(#close{code = unsupported}, closed(Socket))
        end || Durability <- [durable, replicated, 4, 255]],
        {Socket, Welcome} = hello(Port, (hello())#hello{features = ?CRC32C, durability = received}),
        ?assertMatch(#welcome{features = 0, durability = received}, Welcome),
        send(Socket, #subscribe{subscription = 1, topic = "news", credit = 1}),
        ?assertMatch(#unsubscribe{subscription = 1, code = unsupported}, frame(Socket))
    end).

handshake() ->
    with_listener(#{handshake_timeout => 300}, fun(Port) ->
        Refused = fun(Code, Bytes) ->
            Socket = connect(Port),
            send(Socket, Bytes),
            ?assertMatch(#close{code = Code}, closed(Socket))
        end,
        Refused(protocol, #ping{}),
        Refused(protocol, batch(1, [<<"a">>])),
        Refused(version, (hello())#hello{version = 0}),
        Refused(frame_too_large, <<4097:32/little>>),
        Refused(frame_too_large, <<"GET / HTTP/1.1\r\n\r\n">>),
        Refused(idle, <<50, 0>>),
        Refused(idle, <<>>),
        {Socket, _} = hello(Port, (hello())#hello{version = 7}),
        send(Socket, hello()),
        ?assertMatch(#close{code = protocol}, closed(Socket))
    end).

unwelcome() ->
    with_listener(#{handler => {transport_peer, {refusing, "not you"}}}, fun(Port) ->
        Socket = connect(Port),
        send(Socket, hello()),
        ?assertMatch(#close{code = refused, text = <<"not you">>}, closed(Socket))
    end).

silence() ->
    with_listener(#{idle_timeout => 3000}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, #ping{opaque = 16#0123456789ABCDEF}),
        ?assertMatch(#pong{opaque = 16#0123456789ABCDEF}, frame(Socket)),
        [begin
            #ping{opaque = Opaque} = frame(Socket),
            send(Socket, #pong{opaque = Opaque})
        end || _ <- [1, 2]],
        #ping{} = frame(Socket),
        %% Bytes that are no whole frame are silence too.
        send(Socket, <<1000:32/little>>),
        spawn_link(fun() -> trickle(Socket) end),
        ?assertMatch(#close{code = idle}, closed(Socket))
    end).

trickle(Socket) ->
    case gen_tcp:send(Socket, <<0>>) of
        ok ->
            timer:sleep(20),
            trickle(Socket);
        {error, _} -> ok
    end.

protocol_errors() ->
    with_listener(#{max_frame => 1000}, fun(Port) ->
        Refused = fun(Code, Bytes) ->
            {Socket, _} = hello(Port, (hello())#hello{producer = crypto:strong_rand_bytes(16)}),
            send(Socket, Bytes),
            ?assertMatch(#close{code = Code}, until_close(Socket))
        end,
        Refused(protocol, <<0:32>>),
        Refused(protocol, <<1, 0, 0, 0, 16#10>>),
        Refused(protocol, <<2, 0, 0, 0, 16#09, 1>>),
        Refused(protocol, <<10, 0, 0, 0, 16#09, 0:72>>),
        Refused(protocol, #welcome{session = 1, credit_messages = 1, credit_bytes = 1, max_frame = 1, durability = handled}),
        Refused(protocol, batch(0, [<<"a">>])),
        Refused(frame_too_large, <<1001:32/little>>),
        Refused(frame_too_large, <<16#FFFFFFFF:32>>),
        {Socket, _} = hello(Port, hello()),
        send(Socket, [<<3, 0, 0, 0, 16#80, 1, 2>>, <<1, 0, 0, 0, 16#FF>>, aldis_frame:encode(#ping{opaque = 1})]),
        ?assertMatch(#pong{opaque = 1}, frame(Socket))
    end).

client_drains() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, [aldis_frame:encode(batch(1, numbers(1, 3))), aldis_frame:encode(#drain{ms = 1000})]),
        ?assertMatch(#ack{handled = 3}, frame(Socket)),
        ?assertMatch(#close{code = normal}, closed(Socket))
    end).

server_drains() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        Test = self(),
        spawn_link(fun() -> Test ! {drained, aldis_server:drain(listener, 2000)} end),
        #drain{ms = 2000} = frame(Socket),
        Late = connect(Port),
        ?assertMatch(#close{code = draining}, closed(Late)),
        %% Messages that were on their way are taken.
        send(Socket, batch(1, numbers(1, 3))),
        drop_ack(Socket, 3),
        send(Socket, #drain{}),
        ?assertMatch(#close{code = normal}, closed(Socket)),
        gen_tcp:close(Socket),
        ?assertEqual({ok, 0}, receive {drained, Left} -> Left after 60000 -> none end),
        ?assertMatch(#{draining := true, connections := 0}, aldis_server:info(listener))
    end).

half_closed() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, numbers(1, 3))),
        ok = gen_tcp:shutdown(Socket, write),
        ?assertMatch(#ack{handled = 3}, frame(Socket)),
        ?assertMatch(#close{code = normal}, closed(Socket))
    end).

stopping() ->
    with_listener(#{}, fun(Port) ->
        {Socket, _} = hello(Port, hello()),
        send(Socket, batch(1, numbers(1, 3))),
        drop_ack(Socket, 3),
        spawn_link(fun() -> aldis_server:stop_listener(listener) end),
        ?assertMatch(#close{code = normal}, closed(Socket))
    end).
