%% A client of one connection for the tests of the server: sends what it is told to, reads frame by frame. And a handler
%% that does what the messages say, and tells the test's process.
-module(transport_peer).
-behaviour(aldis_handler).

-include_lib("eunit/include/eunit.hrl").
-include("aldis_frame.hrl").

-export([with_listener/2, with_listener/3, connect/1, connect/2, hello/2, hello/3, send/2, frame/1, frame/2, closed/1, until_close/1]).
-export([batch/2, batch/3, entries/1, messages/1, drop_ack/2]).
-export([init/2, handle_batch/2, handle_request/3, handle_subscribe/3, handle_info/2, terminate/2]).

-define(TIMEOUT, 60000).

%% Runs a test on a listener of its own, with this module as handler unless another is given.
with_listener(Options, Test) -> with_listener(listener, Options, Test).

with_listener(Name, Options, Test) ->
    Defaults = #{port => 0, ip => {127, 0, 0, 1}, handler => {?MODULE, self()}},
    {ok, _} = aldis_server:start_listener(Name, maps:merge(Defaults, Options)),
    try
        #{port := Port} = aldis_server:info(Name),
        Test(Port)
    after
        %% Clients that are still there would be given a moment to read the last words.
        lists:foreach(fun gen_tcp:close/1, [Socket || {{socket, Socket}, _} <- get()]),
        aldis_server:stop_listener(Name),
        flush()
    end.

flush() ->
    receive
        _ -> flush()
    after 0 -> ok
    end.

connect(Port) -> connect(Port, []).

connect(Port, Options) ->
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Port, [binary, {active, false}, {nodelay, true} | Options]),
    put({socket, Socket}, open),
    Socket.

%% A session: the socket and its WELCOME.
hello(Port, Hello) -> hello(Port, Hello, []).

hello(Port, Hello, Options) ->
    Socket = connect(Port, Options),
    send(Socket, Hello),
    #welcome{} = Welcome = frame(Socket),
    {Socket, Welcome}.

send(Socket, Bytes) when is_binary(Bytes); is_list(Bytes) -> ok = gen_tcp:send(Socket, Bytes);
send(Socket, Frame) -> ok = gen_tcp:send(Socket, aldis_frame:encode(Frame)).

%% The next frame, or closed.
frame(Socket) -> frame(Socket, ?TIMEOUT).

frame(Socket, Timeout) ->
    maybe_frame(gen_tcp:recv(Socket, 4, Timeout), Socket, Timeout).

maybe_frame({ok, <<Length:32/little>>}, Socket, Timeout) ->
    case gen_tcp:recv(Socket, Length, Timeout) of
        {ok, <<Kind, Body/binary>>} ->
            {ok, Frame} = aldis_frame:decode(Kind, Body),
            Frame;
        {error, Reason} when Reason =:= closed; Reason =:= econnreset -> closed
    end;
maybe_frame({error, timeout}, _, _) -> timeout;
maybe_frame({error, Reason}, _, _) when Reason =:= closed; Reason =:= econnreset -> closed.

%% The CLOSE that comes next, behind which there is nothing.
closed(Socket) ->
    #close{} = Close = frame(Socket),
    closed = frame(Socket),
    Close.

%% The CLOSE at the end of whatever comes.
until_close(Socket) ->
    case frame(Socket) of
        #close{} = Close -> Close;
        closed -> closed;
        timeout -> error(timeout);
        _ -> until_close(Socket)
    end.

batch(First, Messages) -> batch(First, Messages, 0).

batch(First, Messages, Features) -> aldis_frame:batch(First, none, Messages, Features).

entries(Messages) -> iolist_to_binary([[<<(byte_size(Message)):32/little>>, Message] || Message <- Messages]).

%% The next ACK whose handled watermark is this.
drop_ack(Socket, Handled) ->
    case frame(Socket) of
        #ack{handled = Handled} = Ack -> Ack;
        #ack{} -> drop_ack(Socket, Handled)
    end.

%% The messages that the handler has got, in order, when there are so many.
messages(0) -> [];
messages(Count) ->
    receive
        {handled, Messages} when length(Messages) =< Count -> Messages ++ messages(Count - length(Messages))
    after ?TIMEOUT -> error({missing, Count})
    end.

%% The handler.

init(Connection, {refusing, Text}) when is_map(Connection) -> {refuse, Text};
init(_, {readers, _} = Test) -> {ok, Test};
init(Connection, Test) ->
    Test ! {opened, Connection},
    {ok, Test}.

%% A message can say what is to become of it.
handle_batch(Batch, Test) ->
    Entries = aldis_batch:entries(Batch),
    case special(Entries, aldis_batch:first(Batch)) of
        none ->
            Test ! {handled, Entries},
            {ok, Test};
        {refuse, At} ->
            Test ! {handled, lists:sublist(Entries, At - aldis_batch:first(Batch))},
            {refuse, At, <<"not this one">>, Test};
        stop -> {stop, <<"no more">>, Test};
        crash -> error(told_to);
        {sleep, Ms} ->
            timer:sleep(Ms),
            Test ! {handled, Entries},
            {ok, Test}
    end.

special([<<"refuse">> | _], Sequence) -> {refuse, Sequence};
special([<<"stop">> | _], _) -> stop;
special([<<"crash">> | _], _) -> crash;
special([<<"sleep", Ms:32>> | _], _) -> {sleep, Ms};
special([_ | Messages], Sequence) -> special(Messages, Sequence + 1);
special([], _) -> none.

handle_request(<<"later">>, From, Test) ->
    spawn(fun() ->
        timer:sleep(20),
        aldis_server:reply(From, {ok, "was later"})
    end),
    {noreply, Test};
handle_request(<<"term", Term/binary>>, _, Test) -> erlang:append_element(binary_to_term(Term), Test);
handle_request(<<"from">>, From, Test) ->
    Test ! {from, From},
    {noreply, Test};
handle_request(<<"never">>, _, Test) -> {noreply, Test};
handle_request(<<"no">>, _, Test) -> {error, "I will not", Test};
handle_request(<<"bytes", Size:32>>, _, Test) -> {reply, binary:copy(<<0>>, Size), Test};
handle_request(<<"crash">>, _, _) -> error(told_to);
handle_request(Bytes, _, Test) -> {reply, ["you said ", Bytes], Test}.

handle_subscribe(<<"news">>, Subscription, Test) ->
    Test ! {subscribed, Subscription},
    {ok, Test};
handle_subscribe(<<"log">>, _, {readers, _} = Test) -> {ok, Test};
handle_subscribe(_, _, Test) -> {refuse, "no such topic", Test}.

handle_info({aldis_unsubscribed, _} = Info, Test) ->
    Test ! Info,
    {ok, Test};
handle_info({stop, Text}, Test) -> {stop, Text, Test};
handle_info(Info, Test) ->
    Test ! {info, Info},
    {ok, Test}.

terminate(_, {readers, _}) -> ok;
terminate(Reason, Test) -> Test ! {terminated, Reason}.
