%% @doc The options of a listener: what there is, what it means, and what is wrong with what was given.
-module(aldis_listener_options).

-export([complete/1]).
-export_type([options/0, mode/0]).

-type mode() :: aldis | request_reply | throttled_ack | head_rest | sync_ack | async_ack.
-type options() :: #{
    %% Required; 0 takes a free one, which aldis_server:info/1 tells.
    port := inet:port_number(),
    %% The protocol: aldis/1, or one of the patterns of aldis_legacy.
    mode => mode(),
    %% any: all addresses of this machine. By default it is reached from this machine alone.
    ip => any | inet:ip_address(),
    %% Whether anybody who reaches it may come: needed for another address than this machine's own without auth.
    open => boolean(),
    %% Required but where there is a sink.
    handler => module() | {module(), Arg :: term()} | none,
    %% A module that Aldis generated: handle_message/2 gets records.
    codec => module() | none,
    %% A running sink, or one to be started with the listener. aldis/1 alone.
    sink => aldis_sink:sink() | {module(), Options :: #{name := atom(), _ => _}} | none,
    %% TLS, with these options of ssl. For client certificates: {verify, verify_peer}, {fail_if_no_peer_cert, true}.
    tls => [ssl:tls_server_option()] | none,
    auth => aldis_auth:auth() | none,
    %% Whether clients may subscribe to the log, with all producers' messages: ask leaves it to handle_subscribe/3 of the
    %% handler, for the topic <<"log">>. Without auth it is true, with it false.
    log_topic => boolean() | ask,
    %% The folder where it is kept how far consumers are, the topics <<"log/NAME">>. With none there are none.
    consumers => file:filename_all() | none,
    %% How many of them there may be.
    max_consumers => pos_integer(),
    %% Bytes: of a frame behind its length, or of a legacy message's payload.
    max_frame => pos_integer(),
    %% Bytes for what is received and not dealt with; by default a quarter of what the container, or machine, has.
    memory => pos_integer(),
    max_connections => pos_integer(),
    %% Producers that are remembered when they are gone, where there is no log.
    max_producers => pos_integer(),
    %% Open requests on a connection, each way.
    max_requests => pos_integer(),
    %% Messages, and bytes of entries, that a client may have outstanding.
    credit => {pos_integer(), pos_integer()},
    %% Bytes of pushed messages that wait for a client.
    push_queue => pos_integer(),
    %% Milliseconds: for TLS and HELLO; without whole messages; for a peer that does not read; that legacy acks wait.
    handshake_timeout => pos_integer(),
    idle_timeout => timeout(),
    send_timeout => pos_integer(),
    ack_interval => pos_integer(),
    %% Milliseconds between two events [aldis, listener, metrics].
    metrics_interval => pos_integer(),
    %% Bytes that are received at a time.
    receive_buffer => pos_integer(),
    acceptors => pos_integer(),
    backlog => pos_integer()
}.

-define(MODES, [aldis, request_reply, throttled_ack, head_rest, sync_ack, async_ack]).
%% A frame's length, kind and the rest of a batch with one small message have to fit.
-define(LEAST_FRAME, 256).

%% @doc All options, those not given with their defaults; or a text that says what is wrong and what would be right.
-spec complete(map()) -> {ok, map()} | {error, binary()}.
complete(Given) when is_map(Given) ->
    Table = table(maps:get(mode, Given, aldis), maps:get(auth, Given, none)),
    Wrong = [unknown(Key, Table) || Key <- maps:keys(Given), not lists:keymember(Key, 1, Table)] ++
        lists:append([wrong(Row, Given) || Row <- Table]),
    case Wrong of
        [] ->
            Defaults = maps:from_list([{Key, Default} || {Key, Default, _, _} <- Table, Default =/= required]),
            in_memory(together(normal(maps:merge(Defaults, Given))), Given);
        _ -> {error, unicode:characters_to_binary(lists:join("; ", Wrong))}
    end;
complete(_) -> {error, <<"the options of a listener are a map, #{port => 7100, handler => my_handler} for instance">>}.

%% Option, default, whether a value is right, what would be.
table(Mode, Auth) ->
    Idle = case Mode of
        aldis -> 30000;
        %% These clients cannot be asked whether they are there, and may have nothing to say for long.
        _ -> 600000
    end,
    [
        {port, required, fun(V) -> within(V, 0, 65535) end, "a port from 0 (any free one) to 65535"},
        {mode, aldis, fun(V) -> lists:member(V, ?MODES) end, io_lib:format("one of ~0p", [?MODES])},
        {open, false, fun is_boolean/1, "true or false"},
        {ip, {127, 0, 0, 1}, fun(V) -> V =:= any orelse inet:is_ip_address(V) end, "any or an address as {127, 0, 0, 1}"},
        {handler, none, fun is_handler/1, "a module or {Module, Argument} of the behaviour aldis_handler, which exports "
            "init/2 and one of handle_batch/2 and handle_message/2"},
        {codec, none, fun is_codec/1, "a module that `aldis gen --lang erlang' wrote, or none"},
        {sink, none, fun is_sink/1, "{Module, Name} of a running sink, {Module, #{name => Name, ...}} of one to start, or none"},
        {tls, none, fun(V) -> V =:= none orelse is_list(V) end, "options of ssl as [{certfile, File}, {keyfile, File}], or none"},
        {auth, none, fun(V) -> V =:= none orelse is_function(V, 1) end, "a function of one map, or none; see aldis_auth"},
        {log_topic, Auth =:= none, fun(V) -> lists:member(V, [true, false, ask]) end, "true, false, or ask for the handler's "
            "handle_subscribe/3 to say"},
        {consumers, none, fun(V) -> V =:= none orelse is_list(V) orelse is_binary(V) end, "a folder of its own, or none"},
        {max_frame, 1048576, fun(V) -> within(V, ?LEAST_FRAME, 16#7FFFFFFF) end, "bytes, at least 256"},
        {memory, aldis_budget:default(), fun(V) -> within(V, 1, 1 bsl 50) end, "a number of bytes"},
        {credit, {1000000, 8388608}, fun is_credit/1, "{Messages, Bytes}, both at least 1"},
        {handshake_timeout, 10000, fun is_positive/1, "milliseconds"},
        {idle_timeout, Idle, fun(V) -> V =:= infinity orelse is_positive(V) end, "milliseconds or infinity"},
        {receive_buffer, 131072, fun(V) -> within(V, 1024, 16777216) end, "bytes from 1024 to 16777216"}
    ] ++ [{Key, Default, fun is_positive/1, "a whole number from 1 on"} || {Key, Default} <- [
        {max_connections, 16384}, {max_consumers, 1000}, {max_producers, 100000}, {max_requests, 1024}, {push_queue, 1048576},
        {send_timeout, 15000}, {ack_interval, 5}, {metrics_interval, 10000}, {acceptors, 8}, {backlog, 1024}
    ]].

unknown(Key, Table) ->
    Known = [atom_to_list(Name) || {Name, _, _, _} <- Table],
    Text = lists:flatten(io_lib:format("~0tp", [Key])),
    case lists:sort([{distance(Text, Name), Name} || Name <- Known]) of
        [{Distance, Near} | _] when Distance =< 2 -> io_lib:format("there is no option ~ts; did you mean ~ts?", [Text, Near]);
        _ -> io_lib:format("there is no option ~ts; there are ~ts", [Text, lists:join(", ", Known)])
    end.

%% How many letters have to be added, left out or changed.
distance(A, B) -> lists:last(lists:foldl(fun(Letter, Row) -> distances(Letter, B, Row) end, lists:seq(0, length(B)), A)).

distances(Letter, Text, [Corner | Above]) -> [Corner + 1 | distances(Letter, Text, Corner, Above, Corner + 1)].

distances(_, [], _, _, _) -> [];
distances(Letter, [Other | Text], Diagonal, [Up | Above], Left) ->
    Change = case Letter of
        Other -> Diagonal;
        _ -> Diagonal + 1
    end,
    Least = min(Change, min(Up, Left) + 1),
    [Least | distances(Letter, Text, Up, Above, Least)].

wrong({Key, Default, Check, Right}, Given) ->
    case Given of
        #{Key := Value} ->
            case Check(Value) of
                true -> [];
                %% Values of options that may hold secrets are not shown.
                false when Key =:= tls; Key =:= auth; Key =:= handler -> [io_lib:format("~ts has to be ~ts", [Key, Right])];
                false -> [io_lib:format("~ts has to be ~ts, and is ~0tP", [Key, Right, Value, 10])]
            end;
        #{} when Default =:= required -> [io_lib:format("~ts is missing: ~ts", [Key, Right])];
        #{} -> []
    end.

within(Value, Least, Most) -> is_integer(Value) andalso Value >= Least andalso Value =< Most.

is_positive(Value) -> within(Value, 1, 16#FFFFFFFF).

is_credit({Messages, Bytes}) -> is_positive(Messages) andalso is_positive(Bytes);
is_credit(_) -> false.

is_handler(none) -> true;
is_handler({Module, _}) -> is_handler(Module);
is_handler(Module) when is_atom(Module) ->
    exports(Module, init, 2) andalso (exports(Module, handle_batch, 2) orelse exports(Module, handle_message, 2));
is_handler(_) -> false.

is_codec(none) -> true;
is_codec(Module) -> is_atom(Module) andalso exports(Module, decode, 1).

is_sink(none) -> true;
is_sink({Module, #{name := Name}}) -> is_atom(Name) andalso is_sink({Module, Name});
is_sink({Module, Name}) -> is_atom(Module) andalso (is_atom(Name) orelse is_pid(Name)) andalso exports(Module, append, 8);
is_sink(_) -> false.

exports(Module, Function, Arity) ->
    _ = code:ensure_loaded(Module),
    erlang:function_exported(Module, Function, Arity).

normal(#{handler := Module} = Options) when is_atom(Module), Module =/= none -> Options#{handler := {Module, []}};
normal(Options) -> Options.

%% Whether those who come have to show who they are, or are on this machine.
guarded(#{open := true}) -> true;
guarded(#{auth := Auth}) when Auth =/= none -> true;
guarded(#{ip := {127, _, _, _}}) -> true;
guarded(#{ip := {0, 0, 0, 0, 0, 0, 0, 1}}) -> true;
guarded(#{tls := Tls}) when is_list(Tls) ->
    proplists:get_value(verify, Tls) =:= verify_peer andalso proplists:get_value(fail_if_no_peer_cert, Tls, false);
guarded(_) -> false.

%% Options that are right alone and wrong together.
together(#{handler := none, sink := none}) ->
    {error, <<"handler is missing: a listener without a sink needs one">>};
together(#{mode := Mode, sink := Sink}) when Mode =/= aldis, Sink =/= none ->
    {error, <<"sink goes with mode aldis only: messages of the legacy modes name no producer">>};
together(#{mode := Mode, auth := Auth}) when Mode =/= aldis, Auth =/= none ->
    {error, <<"auth goes with mode aldis only: the legacy modes have no handshake; client certificates (tls) work for all">>};
together(#{ip := Ip} = Options) ->
    case guarded(Options) of
        true -> decoded(Options);
        false ->
            {error, unicode:characters_to_binary(io_lib:format("ip => ~0tp lets anybody in who reaches this machine: give auth, or "
                "tls that verifies clients, or say open => true", [Ip]))}
    end.

in_memory({ok, #{max_frame := Frame, memory := Memory}}, Given) when Memory < 8 * Frame ->
    Whence = case Given of
        #{memory := _} -> "";
        #{} -> io_lib:format("; memory was not given, and is a quarter of what this container, or machine, may use: ~b bytes. Give "
            "memory, or a max_frame of at most ~b", [Memory, Memory div 8])
    end,
    {error, iolist_to_binary(["memory has to be at least 8 times max_frame, or frames of that size would wait for ever", Whence])};
in_memory(Result, _) -> Result.

decoded(#{codec := Codec, handler := {Module, _}} = Options) when Codec =/= none ->
    case exports(Module, handle_message, 2) andalso not exports(Module, handle_batch, 2) of
        true -> {ok, Options};
        false -> {error, <<"codec goes with handle_message/2; in handle_batch/2 use aldis_batch:decode/2">>}
    end;
decoded(Options) -> {ok, Options}.
