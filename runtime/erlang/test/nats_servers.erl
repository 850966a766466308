%% NATS servers for tests: real ones, on this machine, in a folder of their own. They are found by ALDIS_NATS_SERVER.
-module(nats_servers).

-export([there/0, with/2, with/3, servers/1, monitors/1, kill/2, start/2]).

-import(testing, [eventually/1]).

there() -> os:getenv("ALDIS_NATS_SERVER") =/= false.

%% A cluster of so many servers with JetStream that sync always; `More' goes into their configuration. What they keep lies in memory
%% where that can be: beside compilers a disk syncs for seconds, in which servers elect leaders again and again.
with(Count, Test) -> with(Count, "", Test).

with(Count, More, Test) ->
    Folder = string:trim(os:cmd("mktemp -d -p /dev/shm 2>/dev/null || mktemp -d")),
    Table = ets:new(?MODULE, [public]),
    Cluster = #{folder => Folder, ports => triples(free(3 * Count)), table => Table, more => More},
    process_flag(trap_exit, true),
    try
        [start(N, Cluster) || N <- lists:seq(1, Count)],
        Test(Cluster)
    after
        [kill(N, Cluster) || N <- lists:seq(1, Count)],
        file:del_dir_r(Folder)
    end.

servers(#{ports := Ports}) -> [{"127.0.0.1", Port} || {Port, _, _} <- Ports].
monitors(#{ports := Ports}) -> [{"127.0.0.1", Port} || {_, Port, _} <- Ports].

triples([Client, Monitor, Route | Ports]) -> [{Client, Monitor, Route} | triples(Ports)];
triples([]) -> [].

%% Ports that are free, of those that no system gives to connections: one of these, also a client's own that tries a server which is
%% down, could have the port when the server comes back.
free(Count) ->
    Sockets = [eventually(fun() ->
        {ok, Socket} = gen_tcp:listen(9999 + rand:uniform(6000), [{ip, {127, 0, 0, 1}}]),
        Socket
    end) || _ <- lists:seq(1, Count)],
    [begin
        {ok, Port} = inet:port(Socket),
        gen_tcp:close(Socket),
        Port
    end || Socket <- Sockets].

start(N, #{folder := Folder, table := Table} = Cluster) ->
    Path = filename:join(Folder, "n" ++ integer_to_list(N) ++ ".conf"),
    Log = Path ++ ".log",
    ok = file:write_file(Path, configuration(N, Cluster)),
    Port = open_port({spawn_executable, os:getenv("ALDIS_NATS_SERVER")}, [{args, ["-c", Path, "-l", Log]}, exit_status]),
    ets:insert(Table, {N, Port}),
    case eventually(fun() -> ended(Port) orelse speaks(N, Cluster) end) of
        speaks -> ok;
        true -> error({nats_server_ended, file:read_file(Log)})
    end.

configuration(N, #{folder := Folder, ports := Ports, table := Table, more := More}) ->
    {Client, Monitor, Route} = lists:nth(N, Ports),
    Routes = lists:join(", ", [io_lib:format("\"nats://127.0.0.1:~b\"", [R]) || {_, _, R} <- Ports]),
    Cluster = case Ports of
        [_] -> "";
        _ -> io_lib:format("cluster { name: tests, listen: \"127.0.0.1:~b\", routes: [~s] }~n", [Route, Routes])
    end,
    io_lib:format(
        "server_name: n~b~nlisten: \"127.0.0.1:~b\"~nhttp: \"127.0.0.1:~b\"~n"
        "jetstream { store_dir: \"~s/n~b\", sync_interval: ~s }~n~s~n~s",
        [N, Client, Monitor, Folder, N, policy(Table), Cluster, More]).

ended(Port) -> erlang:port_info(Port) =:= undefined.

speaks(N, #{ports := Ports}) ->
    {Client, _, _} = lists:nth(N, Ports),
    {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Client, [binary, {active, false}], 2000),
    Said = gen_tcp:recv(Socket, 5, 2000),
    gen_tcp:close(Socket),
    {ok, <<"INFO ">>} = Said,
    speaks.

%% The policy of a server that starts towards its disk.
policy(Table) ->
    case ets:lookup(Table, policy) of
        [{policy, Policy}] -> Policy;
        [] -> "always"
    end.

%% kill -9. A server that dies has its ports until the system has it done, which takes seconds where it waits for a disk: another one
%% that starts meanwhile would end at once.
kill(N, #{table := Table}) ->
    case ets:take(Table, N) of
        [{N, Port}] ->
            case erlang:port_info(Port, os_pid) of
                {os_pid, Pid} -> os:cmd("kill -9 " ++ integer_to_list(Pid));
                undefined -> ok
            end,
            eventually(fun() -> ended(Port) end);
        [] -> true
    end.
