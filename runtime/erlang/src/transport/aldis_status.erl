%% @doc A small web page that shows all listeners and logs as they run, and their metrics for Prometheus.
%%
%% ```
%% {ok, Page} = aldis_status:start_link(#{port => 7180}),
%% "http://127.0.0.1:7180/" = aldis_status:url(Page)
%% '''
%%
%% Options: `port' (7180; 0: any that is free), `ip' (`{127, 0, 0, 1}') and `hosts' (`[]': names under which it may be asked for,
%% as `["status.example"]'; addresses and `localhost' always are, so that no web page reads this one by a name of its own that
%% leads here). The page has no password: to make it reachable from elsewhere, put a proxy in front that asks for one. It is
%% served by `inets', which has to be there.
-module(aldis_status).

-export([start_link/0, start_link/1, child_spec/1, url/1, stop/1]).

-define(PORT, 7180).
%% Browsers and scrapers at once; each open page takes one.
-define(CLIENTS, 50).

%% @doc Starts the page on port 7180 of this machine alone.
-spec start_link() -> {ok, pid()} | {error, term()}.
start_link() -> start_link(#{}).

%% @doc Starts the page. `{bad_option, Text}' says what is wrong with an option.
-spec start_link(map()) -> {ok, pid()} | {error, term()}.
start_link(Options) ->
    case maps:merge(#{port => ?PORT, ip => {127, 0, 0, 1}, hosts => []}, Options) of
        #{port := Port, ip := Ip, hosts := Hosts} = All
                when map_size(All) =:= 3, is_integer(Port), Port >= 0, Port < 65536, is_tuple(Ip), is_list(Hosts) ->
            %% Nothing is served from a folder, but httpd wants two that exist.
            Folder = code:lib_dir(inets),
            inets:start(httpd, [{port, Port}, {bind_address, Ip}, {server_name, "aldis"}, {server_root, Folder},
                {document_root, Folder}, {modules, [aldis_status_page]}, {server_tokens, none}, {max_clients, ?CLIENTS},
                {max_body_size, 1024}, {max_header_size, 8192}, {max_uri_size, 1024},
                {aldis_hosts, [string:lowercase(Host) || Host <- Hosts]}], stand_alone);
        _ -> {error, {bad_option, <<"a status page has port, from 0 to 65535, ip, an address like {127, 0, 0, 1}, and hosts, a "
            "list of names">>}}
    end.

%% @doc For a supervisor.
-spec child_spec(map()) -> supervisor:child_spec().
child_spec(Options) -> #{id => ?MODULE, start => {?MODULE, start_link, [Options]}, type => supervisor}.

%% @doc The address at which a browser finds the page.
-spec url(pid()) -> string().
url(Page) ->
    [{Ip, Port}] = [{Ip, Port} || {{httpd_instance_sup, Ip, Port, _}, _, _, _} <- supervisor:which_children(Page)],
    Host = case inet:ntoa(Ip) of
        V6 when tuple_size(Ip) =:= 8 -> [$[, V6, $]];
        V4 -> V4
    end,
    lists:flatten(io_lib:format("http://~s:~b/", [Host, Port])).

%% @doc Stops a page that was started with {@link start_link/1}.
-spec stop(pid()) -> ok.
stop(Page) ->
    unlink(Page),
    Ref = monitor(process, Page),
    exit(Page, shutdown),
    receive {'DOWN', Ref, process, Page, _} -> ok end.
