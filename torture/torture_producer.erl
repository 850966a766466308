%% A producer of the torture test over the Erlang client; see producer.py for what it takes and does.
-module(torture_producer).

-export([main/1]).

-define(PATIENCE, 60000).
-define(PACE, 2).

-record(state, {
    client :: aldis_client:client(),
    producer :: {Producer :: <<_:128>>, Pattern :: binary()},
    epoch :: pos_integer(),
    %% The last sequence of this epoch that the server had when this life began: the client counts its messages from there.
    had = 0 :: non_neg_integer(),
    journal :: file:fd()
}).

-spec main([string()]) -> no_return().
main([Port, Name, EpochText, Path]) ->
    process_flag(trap_exit, true),
    Main = self(),
    _ = spawn_link(fun() -> eof = io:get_line(""), Main ! enough, receive after infinity -> ok end end),
    {ok, Journal} = file:open(Path, [append, raw, binary]),
    Producer = binary:decode_hex(list_to_binary(Name)),
    Epoch = list_to_integer(EpochText),
    {ok, Client} = aldis_client:start_link(#{
        host => "127.0.0.1", port => list_to_integer(Port), producer => Producer, epoch => Epoch, durability => durable,
        notify => Main, queue_bytes => 1 bsl 20, backoff_ms => {20, 200}, ping_ms => 2000
    }),
    State = #state{client = Client, producer = {Producer, torture_messages:pattern()}, epoch = Epoch, journal = Journal},
    Had = connected(State),
    note(State, "acked", Had),
    send(1, State#state{had = Had}),
    ok = aldis_client:flush(Client, ?PATIENCE),
    _ = heard(State#state{had = Had}, 0),
    halt(0).

connected(#state{client = Client}) ->
    receive
        {aldis_client, Client, {connected, #{last := Had}}} -> Had;
        {'EXIT', Client, Reason} -> fail(Reason)
    after ?PATIENCE -> fail(cannot_connect)
    end.

%% Sends until it is enough, what happens meanwhile noted.
send(Next, #state{client = Client, producer = Producer, epoch = Epoch, had = Had} = State) ->
    case heard(State, ?PACE) of
        enough ->
            ok;
        go_on ->
            Last = Next + rand:uniform(60) - 1,
            note(State, "sending", Had + Last),
            Messages = [torture_messages:message(Producer, Epoch, Had + Number) || Number <- lists:seq(Next, Last)],
            case sent(rand:uniform(2), Client, Messages) of
                {ok, Last} -> send(Last + 1, State);
                Other -> fail({sent, Last, Other})
            end
    end.

%% All at once, or one by one.
sent(1, Client, Messages) -> aldis_client:send_many(Client, Messages, ?PATIENCE);
sent(2, Client, Messages) -> lists:foldl(fun(Message, _) -> aldis_client:send(Client, Message, ?PATIENCE) end, none, Messages).

%% The messages of the client and of standard input, within so many milliseconds.
heard(#state{client = Client, had = Had} = State, Wait) ->
    receive
        {aldis_client, Client, {acked, Last}} ->
            note(State, "acked", Had + Last),
            heard(State, Wait);
        {aldis_client, Client, {Event, _}} when Event =:= connected; Event =:= disconnected ->
            heard(State, Wait);
        {aldis_client, Client, Event} ->
            fail(Event);
        {'EXIT', Client, Reason} ->
            fail(Reason);
        enough ->
            enough
    after Wait -> go_on
    end.

note(#state{journal = Journal}, What, Upto) ->
    ok = file:write(Journal, io_lib:format("~s ~b~n", [What, Upto])).

-spec fail(term()) -> no_return().
fail(Why) ->
    io:format(standard_error, "producer: ~0tp~n", [Why]),
    halt(1).
