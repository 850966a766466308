%% @private The module that OTP's `httpd' calls for each request to a status page.
%%
%% `/' is the page, `/events' its server-sent events (one report a second), `/status.json' one report, `/metrics' what
%% Prometheus reads. Nothing can be changed here, and nobody is told a secret.
-module(aldis_status_page).

-include_lib("inets/include/httpd.hrl").

-export([do/1]).

-define(EVERY, 1000).
%% Streams end after an hour; browsers begin a new one.
-define(EVENTS, 3600).

-spec do(#mod{}) -> {proceed, [{response, {response, list(), iodata()} | {already_sent, 200, non_neg_integer()}}]}.
do(#mod{method = Method} = Request) when Method =:= "GET"; Method =:= "HEAD" ->
    case is_host(Request) of
        true -> resource(Request);
        false -> answer(403, "text/plain", "This page is not known by that name; its option hosts says which are.\n")
    end;
do(_) ->
    answer(405, "text/plain", "GET is all there is.\n").

%% A browser that was sent here by another page's name says that name.
is_host(#mod{parsed_header = Header, config_db = Config}) ->
    case proplists:get_value("host", Header) of
        undefined -> true;
        Given ->
            Known = ["localhost" | httpd_util:lookup(Config, aldis_hosts, [])],
            case uri_string:parse("http://" ++ string:lowercase(Given)) of
                #{host := Host} -> lists:member(Host, Known) orelse is_address(Host);
                {error, _, _} -> false
            end
    end.

is_address(Host) -> element(1, inet:parse_address(Host)) =:= ok.

resource(#mod{request_uri = Uri} = Request) ->
    case hd(string:split(Uri, "?")) of
        "/" -> page();
        "/metrics" -> answer(200, aldis_prometheus:content_type(), aldis_prometheus:text(snapshots()));
        "/status.json" -> answer(200, "application/json", aldis_status_report:json(aldis_status_report:sample(), none));
        "/events" -> stream(Request);
        _ -> answer(404, "text/plain", "There are /, /metrics, /status.json and /events.\n")
    end.

snapshots() -> maps:map(fun(_, Ref) -> aldis_metrics:snapshot(Ref) end, aldis_metrics:all()).

%% In the application's folder, by the place of this module: its name may be another one's.
page() ->
    Path = filename:join([filename:dirname(filename:dirname(code:which(?MODULE))), "priv", "status.html"]),
    case file:read_file(Path) of
        {ok, Html} -> answer(200, "text/html; charset=utf-8", Html);
        {error, _} -> answer(404, "text/plain", "The page is missing: priv/status.html beside ebin. /metrics works.\n")
    end.

answer(Code, Type, Body) ->
    Bytes = iolist_to_binary(Body),
    Head = [{code, Code}, {content_type, Type}, {content_length, integer_to_list(byte_size(Bytes))} | safe()],
    {proceed, [{response, {response, Head, Bytes}}]}.

safe() ->
    [{cache_control, "no-store"}, {"x-content-type-options", "nosniff"}, {"referrer-policy", "no-referrer"},
        {"content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
            "connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'"}].

%% This is the process of the browser's connection, which the stream takes over.
stream(#mod{socket_type = Type, socket = Socket, method = Method}) ->
    Head = ["HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\nconnection: close\r\n\r\n"],
    case httpd_socket:deliver(Type, Socket, Head) of
        ok when Method =:= "GET" -> events(?EVENTS, none, Type, Socket);
        _ -> ok
    end,
    _ = httpd_socket:close(Type, Socket),
    {proceed, [{response, {already_sent, 200, 0}}]}.

events(0, _, _, _) -> ok;
events(Left, Before, Type, Socket) ->
    Sample = aldis_status_report:sample(),
    case httpd_socket:deliver(Type, Socket, ["data: ", aldis_status_report:json(Sample, Before), "\n\n"]) of
        ok ->
            receive
                {tcp_closed, Socket} -> ok;
                {ssl_closed, Socket} -> ok
            after ?EVERY -> events(Left - 1, Sample, Type, Socket)
            end;
        _ -> ok
    end.
