%% @doc The options of {@link aldis_sink_jetstream}: checked with words that say what to do, and filled up.
-module(aldis_jetstream_options).

-export([check/1]).

%% @doc All options of a sink. `{bad_option, Text}' says which is wrong and what it may be.
-spec check(map()) -> {ok, map()} | {error, {bad_option, binary()}}.
check(Options) when is_map(Options) ->
    Stream = text(maps:get(stream, Options, missing)),
    Defaults = #{name => missing, servers => missing, stream => missing, subject => <<"aldis.", Stream/binary>>, replicas => 1,
        sync_always => false, monitor => [], tls => none, auth => none, patience_ms => 5000,
        check_ms => 5000},
    Merged = maps:merge(Defaults, Options),
    case [[shown(Key, Value), allowed(Key)]
            || {Key, Value} <- lists:sort(maps:to_list(Merged)), not is_right(Key, Value)] of
        [] ->
            #{subject := Subject, tls := Tls, auth := Auth} = Merged,
            {ok, Merged#{stream := Stream, subject := text(Subject), tls := hidden(Tls), auth := hidden(Auth)}};
        [First | _] -> {error, {bad_option, unicode:characters_to_binary(First)}}
    end;
check(_) -> {error, {bad_option, <<"the options of a sink are a map, e.g. #{name => orders, servers => [{\"nats\", 4222}], stream => \"ORDERS\"}">>}}.

%% Secrets stay out of reports: a fun is printed without what it holds.
hidden(none) -> none;
hidden(Fun) when is_function(Fun, 0) -> Fun;
hidden(Secret) -> fun() -> Secret end.

shown(Key, _) when Key =:= auth; Key =:= tls -> io_lib:format("~tp: ", [Key]);
shown(Key, Value) -> io_lib:format("~tp => ~0tP: ", [Key, Value, 20]).

text(Text) when is_binary(Text) -> Text;
text(Text) when is_list(Text) ->
    try list_to_binary(Text) catch error:badarg -> <<>> end;
text(_) -> <<>>.

is_right(name, Name) -> is_atom(Name) andalso Name =/= missing andalso Name =/= undefined;
is_right(servers, Servers) -> Servers =/= [] andalso addresses(Servers);
is_right(monitor, Servers) -> addresses(Servers);
is_right(stream, Name) -> re:run(text(Name), "^[A-Za-z0-9_-]{1,255}$", [{capture, none}]) =:= match;
is_right(subject, Name) -> re:run(text(Name), "^[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$", [{capture, none}]) =:= match;
is_right(replicas, N) -> is_integer(N) andalso N >= 1 andalso N =< 5;
is_right(sync_always, Synced) -> is_boolean(Synced);
is_right(Secret, Fun) when (Secret =:= tls orelse Secret =:= auth), is_function(Fun, 0) -> true;
is_right(tls, Tls) -> Tls =:= none orelse is_list(Tls);
is_right(auth, none) -> true;
is_right(auth, {user, Name, Password}) -> text(Name) =/= <<>> andalso text(Password) =/= <<>>;
is_right(auth, {token, Token}) -> text(Token) =/= <<>>;
is_right(Time, N) when Time =:= patience_ms; Time =:= check_ms -> is_integer(N) andalso N > 0;
is_right(_, _) -> false.

addresses(Servers) ->
    is_list(Servers) andalso lists:all(fun
        ({Host, Port}) -> (is_list(Host) orelse is_tuple(Host)) andalso is_integer(Port) andalso Port > 0 andalso Port < 65536;
        (_) -> false
    end, Servers).

allowed(name) -> "an atom is wanted, by which listeners find the sink";
allowed(servers) -> "a list of {Host, Port} is wanted, e.g. [{\"nats-1\", 4222}]";
allowed(monitor) -> "a list of {Host, Port} is wanted, where the NATS servers have their http_port";
allowed(stream) -> "the name of a stream is wanted: letters, digits, - and _, e.g. \"ORDERS\"";
allowed(subject) -> "a subject without wildcards is wanted, e.g. \"orders.log\"";
allowed(replicas) -> "a number from 1 to 5 is wanted";
allowed(sync_always) -> "true or false is wanted";
allowed(tls) -> "none or a list of options of ssl:connect/3 is wanted, or a fun that gives it";
allowed(auth) -> "none, {user, Name, Password} or {token, Token} is wanted, or a fun that gives one";
allowed(Time) when Time =:= patience_ms; Time =:= check_ms -> "a number of milliseconds above 0 is wanted";
allowed(_) ->
    "a sink in JetStream has no such option; it has name, servers, stream, subject, replicas, sync_always, monitor, tls, auth, "
    "patience_ms, check_ms".
