-module(aldis_status_tests).

-include_lib("eunit/include/eunit.hrl").

-compile([export_all, nowarn_export_all]).

%% A handler of nothing.
init(_, _) -> {ok, none}.
handle_batch(_, State) -> {ok, State}.

status_test_() ->
    {setup, fun start/0, fun stop/1, fun(Page) -> [{timeout, 60, {atom_to_list(Name), fun() -> ?MODULE:Name(Page) end}}
        || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix("_case", atom_to_list(Name))] end}.

start() ->
    Ref = aldis_metrics:new(log, status_metrics),
    aldis_metrics:add(Ref, messages, 42),
    [aldis_metrics:observe(Ref, fsync_time, Time) || Time <- [1000, 1024, 3000000, 1 bsl 35]],
    {ok, _} = aldis_server:start_listener('status "listener"', #{port => 0, handler => ?MODULE}),
    {ok, Page} = aldis_status:start_link(#{port => 0, hosts => ["Status.example"]}),
    Page.

stop(Page) ->
    aldis_status:stop(Page),
    ok = aldis_server:stop_listener('status "listener"'),
    aldis_metrics:delete(log, status_metrics).

get(Page, Path) -> ask(Page, "GET", Path).

%% The answer's first line, its head and its body; without a client of HTTP that would hide some of it.
ask(Page, Method, Path) -> ask(Page, Method, Path, "localhost").

ask(Page, Method, Path, Host) ->
    Socket = connect(Page),
    ok = gen_tcp:send(Socket, [Method, $\s, Path, " HTTP/1.1\r\nhost: ", Host, "\r\nconnection: close\r\n\r\n"]),
    Answer = all(Socket),
    [Head, Body] = binary:split(Answer, <<"\r\n\r\n">>),
    [First, Rest] = binary:split(Head, <<"\r\n">>),
    {First, string:lowercase(Rest), Body}.

connect(Page) ->
    {match, [Port]} = re:run(aldis_status:url(Page), "^http://127.0.0.1:(\\d+)/$", [{capture, all_but_first, list}]),
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, list_to_integer(Port), [binary, {active, false}]),
    Socket.

all(Socket) ->
    case gen_tcp:recv(Socket, 0, 20000) of
        {ok, Bytes} -> <<Bytes/binary, (all(Socket))/binary>>;
        {error, closed} -> <<>>
    end.

has(Text, Part) -> ?assertMatch({Part, {_, _}}, {Part, binary:match(Text, iolist_to_binary(Part))}).

%% It asks nobody else for anything.
page_case(Page) ->
    {<<"HTTP/1.1 200 OK">>, Head, Body} = get(Page, "/"),
    has(Head, "content-type: text/html; charset=utf-8"),
    has(Head, "default-src 'none'"),
    has(Body, "new EventSource('events')"),
    ?assertEqual(nomatch, re:run(Body, "(src|href)=\"?(https?:)?//")).

prometheus_case(Page) ->
    {<<"HTTP/1.1 200 OK">>, Head, Body} = get(Page, "/metrics"),
    has(Head, "version=0.0.4"),
    [has(Body, Line) || Line <- [
        "# TYPE aldis_messages_total counter\n", "\naldis_messages_total{log=\"status_metrics\"} 42\n",
        "\naldis_connections{listener=\"status \\\"listener\\\"\"} 0\n", "# TYPE aldis_fsync_seconds histogram\n",
        "\naldis_fsync_seconds_bucket{log=\"status_metrics\",le=\"0.000001024\"} 1\n",
        "\naldis_fsync_seconds_bucket{log=\"status_metrics\",le=\"0.000002048\"} 2\n",
        "\naldis_fsync_seconds_bucket{log=\"status_metrics\",le=\"0.004194304\"} 3\n",
        "\naldis_fsync_seconds_bucket{log=\"status_metrics\",le=\"17.179869184\"} 3\n",
        "\naldis_fsync_seconds_bucket{log=\"status_metrics\",le=\"+Inf\"} 4\n",
        "\naldis_fsync_seconds_count{log=\"status_metrics\"} 4\n"]].

%% The page for operators has each metric by the name that it is served under, and no other.
operations_test() ->
    {ok, Page} = file:read_file("../../docs/book/operations.md"),
    Rows = [Line || <<"| `aldis_", _/binary>> = Line <- binary:split(Page, <<$\n>>, [global])],
    Ref = aldis_metrics:new(log, operations),
    Served = iolist_to_binary(aldis_prometheus:text(#{{log, operations} => aldis_metrics:snapshot(Ref)})),
    aldis_metrics:delete(log, operations),
    ?assertEqual(names(Served, "^# TYPE (\\S+)"), names(Rows, "`(aldis_[a-z_]+)`")).

names(Text, Pattern) ->
    {match, Found} = re:run(Text, Pattern, [global, multiline, {capture, all_but_first, binary}]),
    lists:sort(lists:append(Found)).

json_case(Page) ->
    {<<"HTTP/1.1 200 OK">>, _, Body} = get(Page, "/status.json?x=y"),
    [Listener, Log] = sources(Body),
    ?assertMatch({<<"status \"listener\"">>, <<"listener">>, null}, {at(name, Listener), at(kind, Listener), at(rates, Listener)}),
    ?assertMatch({<<"status_metrics">>, <<"log">>}, {at(name, Log), at(kind, Log)}),
    ?assertEqual({<<"42">>, <<"4">>}, {text(at(messages, at(totals, Log))), text(at(count, at(fsync_time, at(times, Log))))}).

sources(Json) ->
    {Report} = aldis_json:decode(Json),
    [Source || Source <- proplists:get_value(<<"sources">>, Report),
        lists:member(at(name, Source), [<<"status \"listener\"">>, <<"status_metrics">>])].

at(Key, {Members}) -> proplists:get_value(atom_to_binary(Key), Members).

%% Numbers keep their text.
text(Number) when is_integer(Number) -> integer_to_binary(Number);
text({number, Text}) -> Text.

%% The second report tells what happened since the first.
events_case(Page) ->
    Socket = connect(Page),
    ok = gen_tcp:send(Socket, "GET /events HTTP/1.1\r\nhost: 127.0.0.1:7180\r\n\r\n"),
    {_, Rest} = event(Socket, <<>>),
    Ref = aldis_metrics:new(log, status_metrics),
    [aldis_metrics:observe(Ref, ack_latency, 1000000) || _ <- [1, 2, 3]],
    {Event, _} = event(Socket, Rest),
    [_, Log] = sources(Event),
    ?assertEqual(<<"3">>, text(at(count, at(ack_latency, at(times, Log))))),
    ?assertEqual(null, at(fsync_time, at(times, Log))),
    ?assertMatch({_}, at(rates, Log)),
    gen_tcp:close(Socket).

event(Socket, Before) ->
    case re:run(Before, "data: (.*)\n\n", [{capture, all_but_first, binary}]) of
        {match, [Json]} ->
            [_, Rest] = binary:split(Before, <<"\n\n">>),
            {Json, Rest};
        nomatch ->
            {ok, Bytes} = gen_tcp:recv(Socket, 0, 20000),
            event(Socket, <<Before/binary, Bytes/binary>>)
    end.

%% A name that was made to lead here is none of ours.
hosts_case(Page) ->
    [?assertMatch({Host, {<<"HTTP/1.1 200 OK">>, _, _}}, {Host, ask(Page, "GET", "/metrics", Host)})
        || Host <- ["localhost:7180", "127.0.0.1", "[::1]:7180", "STATUS.example", "status.example:80"]],
    [?assertMatch({Host, {<<"HTTP/1.1 403", _/binary>>, _, _}}, {Host, ask(Page, "GET", Path, Host)})
        || Host <- ["rebound.example", "rebound.example:7180", "localhost.example", "[", "x y"],
        Path <- ["/", "/metrics", "/status.json", "/events"]].

nothing_else_case(Page) ->
    [?assertMatch({<<"HTTP/1.1 404", _/binary>>, _, _}, get(Page, Path)) || Path <- ["/x", "/../../etc/passwd", "/metrics/"]],
    ?assertMatch({<<"HTTP/1.1 405", _/binary>>, _, _}, ask(Page, "DELETE", "/")).

options_test() ->
    [?assertMatch({error, {bad_option, _}}, aldis_status:start_link(Bad))
        || Bad <- [#{port => -1}, #{ip => "localhost"}, #{hosts => all}, #{prot => 1}]].
