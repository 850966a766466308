%% @doc A connection to one of several NATS servers: requests, and what answers them.
%%
%% The connection is made again whenever it ends, with the next server of the list. Requests that were open then are answered
%% `{error, disconnected}': whether the server took them is not known. The owner, who started it, gets
%% `{aldis_nats, Connection, {connected, Info}}' each time, and `{aldis_nats, Connection, disconnected}'.
-module(aldis_nats).
-behaviour(gen_server).

-export([start_link/1, request/6, requests/6, headers/1]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-export_type([answer/0, headers/0]).

-type headers() :: [{Name :: binary(), Value :: iodata()}].
-type answer() :: {ok, Status :: integer(), #{binary() => binary()}, Payload :: binary()} | {error, disconnected | timeout}.
%% `Status' is 0 where the answer has none; 503 says that nobody answers requests of that subject.

-record(state, {
    options :: map(),
    owner :: pid(),
    %% Those to try next, in turn.
    servers :: [{string(), inet:port_number()}],
    socket = none :: none | aldis_socket:t(),
    %% Bytes that came and are not understood yet: newest first, with their sum, and how many are needed to go on.
    bytes = [] :: [binary()],
    size = 0 :: non_neg_integer(),
    need = 1 :: pos_integer(),
    inbox = <<>> :: binary(),
    next = 1 :: pos_integer(),
    open = #{} :: #{pos_integer() => {pid(), term(), one | many, Deadline :: integer()}},
    pause = 0 :: non_neg_integer(),
    %% PINGs that the server has not answered.
    pings = 0 :: non_neg_integer()
}).

-define(CONNECT, 2000).
-define(SEND, 5000).
%% Milliseconds between two PINGs, and between two looks at requests that take too long.
-define(TICK, 250).
-define(PING, 1000).
-define(MAX_PAUSE, 1000).
-define(LEAST_PAUSE, 20).
%% No line of the protocol is longer, but INFO's.
-define(LONGEST, 1048576).
%% No message is larger, whatever a server says: NATS's own bound of max_payload.
-define(MOST, 67108864).

%% @doc Starts a connection. Options: `servers', a list of `{Host, Port}'; `tls', options of `ssl:connect/3' (`none'); `auth':
%% `none', `{user, Name, Password}' or `{token, Token}'. Both may be funs that give these, which keep secrets out of reports.
-spec start_link(map()) -> {ok, pid()} | {error, term()}.
start_link(Options) ->
    case gen_server:start_link(?MODULE, {self(), Options}, []) of
        {ok, Pid} -> {ok, Pid};
        {error, _} = Error -> Error;
        ignore -> {error, ignore}
    end.

%% @doc Asks; the caller gets `{aldis_nats, Tag, answer()}' within `Timeout' milliseconds or a little later.
-spec request(pid(), Tag :: term(), Subject :: iodata(), headers(), iodata(), Timeout :: pos_integer()) -> ok.
request(Connection, Tag, Subject, Headers, Payload, Timeout) ->
    gen_server:cast(Connection, {request, self(), Tag, one, Subject, Headers, Payload, Timeout}).

%% @doc Asks for several answers: the last one is an error or has a status.
-spec requests(pid(), Tag :: term(), Subject :: iodata(), headers(), iodata(), Timeout :: pos_integer()) -> ok.
requests(Connection, Tag, Subject, Headers, Payload, Timeout) ->
    gen_server:cast(Connection, {request, self(), Tag, many, Subject, Headers, Payload, Timeout}).

-spec init({pid(), map()}) -> {ok, #state{}, {continue, connect}}.
init({Owner, #{servers := Servers} = Options}) ->
    process_flag(trap_exit, true),
    erlang:send_after(?TICK, self(), tick),
    erlang:send_after(?PING, self(), ping),
    %% Nodes that start together do not all take the same server.
    {Before, After} = lists:split(rand:uniform(length(Servers)) - 1, Servers),
    {ok, #state{options = Options, owner = Owner, servers = After ++ Before}, {continue, connect}}.

-spec handle_continue(connect, #state{}) -> {noreply, #state{}}.
handle_continue(connect, State) -> {noreply, connect(State)}.

connect(#state{servers = [Server | Others], options = Options, owner = Owner, pause = Pause} = State) ->
    Turned = State#state{servers = Others ++ [Server], bytes = [], size = 0, need = 1, pings = 0},
    case connected(Server, Options) of
        {ok, Socket, Info, Rest} ->
            Inbox = <<"_INBOX.", (binary:encode_hex(crypto:strong_rand_bytes(12)))/binary>>,
            case aldis_socket:send(Socket, [<<"SUB ">>, Inbox, <<".* 1\r\n">>]) of
                ok ->
                    Owner ! {aldis_nats, self(), {connected, Info}},
                    again(came(Rest, Turned#state{socket = Socket, inbox = Inbox, pause = 0}));
                {error, _} ->
                    aldis_socket:close(Socket, now),
                    later(Turned)
            end;
        {error, Reason} ->
            Pause >= ?MAX_PAUSE andalso logger:warning("nats: no connection to ~0tp (~0tp); tried again", [Server, Reason]),
            later(Turned)
    end.

later(#state{pause = Pause} = State) ->
    Next = min(?MAX_PAUSE, max(?LEAST_PAUSE, Pause * 2)),
    erlang:send_after(Next, self(), connect),
    State#state{socket = none, pause = Next}.

connected({Host, Port}, Options) ->
    Wanted = [binary, {packet, raw}, {active, false}, {nodelay, true}, {send_timeout, ?SEND}, {send_timeout_close, true}],
    case gen_tcp:connect(Host, Port, Wanted, ?CONNECT) of
        {ok, Plain} -> greeted(line(fun() -> gen_tcp:recv(Plain, 0, ?CONNECT) end, <<>>), Plain, Host, Options);
        {error, _} = Error -> Error
    end.

%% The server speaks first; TLS begins behind that.
greeted({ok, <<"INFO ", Info/binary>>, <<>>}, Plain, Host, Options) ->
    Tls = secret(tls, Options),
    case secured(Tls, Plain, Host) of
        {ok, Socket} ->
            Said = [<<"CONNECT ">>, hello(Options, Tls =/= none), <<"\r\nPING\r\n">>],
            answered(aldis_socket:send(Socket, Said), Socket, Info);
        {error, _} = Error ->
            gen_tcp:close(Plain),
            Error
    end;
greeted(Other, Plain, _, _) ->
    gen_tcp:close(Plain),
    {error, {no_nats_server, Other}}.

secret(Name, Options) ->
    case maps:get(Name, Options, none) of
        Fun when is_function(Fun, 0) -> Fun();
        Plain -> Plain
    end.

secured(none, Plain, _) -> {ok, {tcp, Plain}};
secured(Tls, Plain, Host) ->
    case ssl:connect(Plain, [{server_name_indication, Host} | Tls], ?CONNECT) of
        {ok, Socket} -> {ok, {tls, Socket}};
        {error, _} = Error -> Error
    end.

hello(Options, Tls) ->
    Auth = case secret(auth, Options) of
        none -> [];
        {user, Name, Password} -> [{<<"user">>, Name}, {<<"pass">>, Password}];
        {token, Token} -> [{<<"auth_token">>, Token}]
    end,
    Fixed = <<"{\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true,\"lang\":\"erlang\",\"name\":\"aldis\","
        "\"version\":\"1\",\"tls_required\":">>,
    Words = [[<<",\"">>, Key, <<"\":">>, aldis_json:text(unicode:characters_to_binary(Value), utf8, [])] || {Key, Value} <- Auth],
    [Fixed, atom_to_binary(Tls), Words, <<"}">>].

answered(ok, Socket, Info) ->
    Receive = case Socket of
        {tcp, Tcp} -> fun() -> gen_tcp:recv(Tcp, 0, ?CONNECT) end;
        {tls, Tls} -> fun() -> ssl:recv(Tls, 0, ?CONNECT) end
    end,
    case line(Receive, <<>>) of
        {ok, <<"PONG">>, Rest} -> {ok, Socket, most(Info), Rest};
        Other ->
            aldis_socket:close(Socket, now),
            {error, {refused, Other}}
    end;
answered({error, _} = Error, Socket, _) ->
    aldis_socket:close(Socket, now),
    Error.

%% The most bytes that a message may have, its headers among them.
most(Info) ->
    case re:run(Info, "\"max_payload\":([0-9]{1,18})", [{capture, [1], binary}]) of
        {match, [Most]} -> #{max_payload => binary_to_integer(Most)};
        nomatch -> #{max_payload => 1048576}
    end.

line(Receive, Before) when byte_size(Before) =< ?LONGEST ->
    case binary:split(Before, <<"\r\n">>) of
        [Line, Rest] -> {ok, Line, Rest};
        [_] ->
            case Receive() of
                {ok, More} -> line(Receive, <<Before/binary, More/binary>>);
                {error, _} = Error -> Error
            end
    end;
line(_, _) -> {error, line_too_long}.

%% @private
-spec handle_call(term(), gen_server:from(), #state{}) -> {reply, {error, unsupported}, #state{}}.
handle_call(_, _, State) -> {reply, {error, unsupported}, State}.

%% @private Requests that wait leave together.
-spec handle_cast(tuple(), #state{}) -> {noreply, #state{}}.
handle_cast({request, Caller, Tag, _, _, _, _, _}, #state{socket = none} = State) ->
    Caller ! {aldis_nats, Tag, {error, disconnected}},
    {noreply, State};
handle_cast(Request, State) ->
    {Bytes, Asked} = gathered([], asked(Request, State), 32),
    {noreply, sent(Bytes, Asked)}.

gathered(Bytes, {More, State}, 0) -> {[Bytes, More], State};
gathered(Bytes, {More, State}, Left) ->
    receive
        {'$gen_cast', {request, _, _, _, _, _, _, _} = Request} -> gathered([Bytes, More], asked(Request, State), Left - 1)
    after 0 -> {[Bytes, More], State}
    end.

asked({request, Caller, Tag, Kind, Subject, Headers, Payload, Timeout}, #state{inbox = Inbox, next = Next, open = Open} = State) ->
    Deadline = erlang:monotonic_time(millisecond) + Timeout,
    {published([Subject, $\s, Inbox, $., integer_to_binary(Next)], Headers, Payload),
        State#state{next = Next + 1, open = Open#{Next => {Caller, Tag, Kind, Deadline}}}}.

published(To, [], Payload) -> [<<"PUB ">>, To, $\s, integer_to_binary(iolist_size(Payload)), <<"\r\n">>, Payload, <<"\r\n">>];
published(To, Headers, Payload) ->
    Head = [<<"NATS/1.0\r\n">>, [[Name, <<": ">>, Value, <<"\r\n">>] || {Name, Value} <- Headers], <<"\r\n">>],
    Size = iolist_size(Head),
    [<<"HPUB ">>, To, $\s, integer_to_binary(Size), $\s, integer_to_binary(Size + iolist_size(Payload)), <<"\r\n">>, Head, Payload,
        <<"\r\n">>].

sent(_, #state{socket = none} = State) -> State;
sent(Bytes, #state{socket = Socket} = State) ->
    case aldis_socket:send(Socket, Bytes) of
        ok -> State;
        {error, _} -> lost(State)
    end.

-spec handle_info(term(), #state{}) -> {noreply, #state{}} | {stop, term(), #state{}}.
handle_info({Kind, Raw, Bytes}, #state{socket = {_, Raw}} = State) when Kind =:= tcp; Kind =:= ssl ->
    {noreply, again(came(Bytes, State))};
handle_info({Kind, Raw}, #state{socket = {_, Raw}} = State) when Kind =:= tcp_closed; Kind =:= ssl_closed -> {noreply, lost(State)};
handle_info({Kind, Raw, _}, #state{socket = {_, Raw}} = State) when Kind =:= tcp_error; Kind =:= ssl_error -> {noreply, lost(State)};
handle_info(connect, #state{socket = none} = State) -> {noreply, connect(State)};
handle_info(tick, State) ->
    erlang:send_after(?TICK, self(), tick),
    {noreply, late(State)};
handle_info(ping, State) ->
    erlang:send_after(?PING, self(), ping),
    {noreply, pinged(State)};
handle_info({'EXIT', Owner, Reason}, #state{owner = Owner} = State) -> {stop, Reason, State};
handle_info(_, State) -> {noreply, State}.

again(#state{socket = none} = State) -> State;
again(#state{socket = Socket} = State) ->
    case aldis_socket:activate(Socket, once) of
        ok -> State;
        {error, _} -> lost(State)
    end.

late(#state{open = Open} = State) ->
    Now = erlang:monotonic_time(millisecond),
    {Late, Left} = maps:fold(fun
        (Id, {_, _, _, Deadline} = Request, {Found, Rest}) when Deadline < Now -> {[{Id, Request} | Found], Rest};
        (Id, Request, {Found, Rest}) -> {Found, Rest#{Id => Request}}
    end, {[], #{}}, Open),
    failed([Request || {_, Request} <- Late], timeout),
    State#state{open = Left}.

failed(Requests, Reason) ->
    lists:foreach(fun({Caller, Tag, _, _}) -> Caller ! {aldis_nats, Tag, {error, Reason}} end, Requests).

%% A server that stands still is no server.
pinged(#state{socket = none} = State) -> State;
pinged(#state{pings = Pings} = State) when Pings >= 2 -> lost(State);
pinged(#state{pings = Pings} = State) -> sent(<<"PING\r\n">>, State#state{pings = Pings + 1}).

lost(#state{socket = none} = State) -> State;
lost(#state{socket = Socket, open = Open, owner = Owner} = State) ->
    aldis_socket:close(Socket, now),
    failed(maps:values(Open), disconnected),
    Owner ! {aldis_nats, self(), disconnected},
    self() ! connect,
    State#state{socket = none, open = #{}}.

came(Bytes, #state{bytes = Before, size = Size, need = Need} = State) when Size + byte_size(Bytes) < Need ->
    State#state{bytes = [Bytes | Before], size = Size + byte_size(Bytes)};
came(Bytes, #state{bytes = Before} = State) ->
    All = case Before of
        [] -> Bytes;
        _ -> iolist_to_binary(lists:reverse(Before, [Bytes]))
    end,
    %% Bytes that are no line of the protocol end the connection.
    try understood(All, State#state{bytes = [], size = 0, need = 1})
    catch error:_ -> lost(State)
    end.

understood(<<>>, State) -> State;
understood(_, #state{socket = none} = State) -> State;
understood(Bytes, State) ->
    case binary:split(Bytes, <<"\r\n">>) of
        [Line, Rest] -> said(Line, Rest, Bytes, State);
        [_] when byte_size(Bytes) > ?LONGEST -> lost(State);
        [_] -> kept(Bytes, byte_size(Bytes) + 1, State)
    end.

kept(Bytes, Need, State) -> State#state{bytes = [Bytes], size = byte_size(Bytes), need = Need}.

said(<<"MSG ", Words/binary>>, Rest, All, State) -> message(binary:split(Words, <<" ">>, [global, trim_all]), 0, Rest, All, State);
said(<<"HMSG ", Words/binary>>, Rest, All, State) ->
    Parts = binary:split(Words, <<" ">>, [global, trim_all]),
    {Front, [Head, Size]} = lists:split(length(Parts) - 2, Parts),
    message(Front ++ [Size], binary_to_integer(Head), Rest, All, State);
said(<<"PING">>, Rest, _, State) -> understood(Rest, sent(<<"PONG\r\n">>, State));
said(<<"PONG">>, Rest, _, State) -> understood(Rest, State#state{pings = 0});
said(<<"-ERR ", Why/binary>>, Rest, _, State) ->
    logger:warning("nats: the server says ~ts", [Why]),
    understood(Rest, State);
%% INFO of a cluster that changes, and +OK.
said(_, Rest, _, State) -> understood(Rest, State).

message(Words, Head, Rest, All, State) ->
    Size = binary_to_integer(lists:last(Words)),
    true = Head >= 0 andalso Size >= Head andalso Size =< ?MOST,
    case Rest of
        <<Headers:Head/binary, Payload:(Size - Head)/binary, "\r\n", More/binary>> ->
            understood(More, answer(hd(Words), headers(Headers), Payload, State));
        _ -> kept(All, byte_size(All) - byte_size(Rest) + Size + 2, State)
    end.

%% @doc The status and the headers of a message: also of one that is kept.
-spec headers(binary()) -> {Status :: non_neg_integer(), #{binary() => binary()}}.
headers(<<>>) -> {0, #{}};
headers(Bytes) ->
    [First | Lines] = binary:split(Bytes, <<"\r\n">>, [global, trim_all]),
    Status = case First of
        <<"NATS/1.0 ", Code:3/binary, _/binary>> -> binary_to_integer(Code);
        _ -> 0
    end,
    {Status, maps:from_list([{Name, string:trim(Value)} || Line <- Lines, [Name, Value] <- [binary:split(Line, <<":">>)]])}.

answer(Subject, {Status, Headers}, Payload, #state{open = Open} = State) ->
    Id = binary_to_integer(lists:last(binary:split(Subject, <<".">>, [global]))),
    case Open of
        #{Id := {Caller, Tag, Kind, _}} ->
            Caller ! {aldis_nats, Tag, {ok, Status, Headers, Payload}},
            case Kind =:= many andalso Status =:= 0 of
                true -> State;
                false -> State#state{open = maps:remove(Id, Open)}
            end;
        #{} -> State
    end.

-spec terminate(term(), #state{}) -> ok.
terminate(_, #state{socket = none}) -> ok;
terminate(_, #state{socket = Socket}) -> aldis_socket:close(Socket, when_read).
