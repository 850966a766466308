%% NATS servers for tests: real ones, on this machine, in a folder of their own. They are found by ALDIS_NATS_SERVER.
-module(nats_servers).

-export([there/0, with/2, with/3, servers/1, monitors/1, kill/2, start/2]).

-import(testing, [eventually/1]).

there() -> os:getenv("ALDIS_NATS_SERVER") =/= false.

%% A cluster of so many servers with JetStream that sync always; `More' goes into their configuration.
with(Count, Test) -> with(Count, "", Test).

with(Count, More, Test) ->
    Folder = string:trim(os:cmd("mktemp -d")),
    Ports = [{free(), free(), free()} || _ <- lists:seq(1, Count)],
    Table = ets:new(?MODULE, [public]),
    Cluster = #{folder => Folder, ports => Ports, table => Table, more => More},
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

free() ->
    {ok, Socket} = gen_tcp:listen(0, [{ip, {127, 0, 0, 1}}]),
    {ok, Port} = inet:port(Socket),
    gen_tcp:close(Socket),
    Port.

start(N, #{folder := Folder, ports := Ports, table := Table, more := More}) ->
    {Client, Monitor, Route} = lists:nth(N, Ports),
    Name = "n" ++ integer_to_list(N),
    Routes = lists:join(", ", [io_lib:format("\"nats://127.0.0.1:~b\"", [R]) || {_, _, R} <- Ports]),
    Cluster = case Ports of
        [_] -> "";
        _ -> io_lib:format("cluster { name: tests, listen: \"127.0.0.1:~b\", routes: [~s] }~n", [Route, Routes])
    end,
    Path = filename:join(Folder, Name ++ ".conf"),
    ok = file:write_file(Path, io_lib:format(
        "server_name: ~s~nlisten: \"127.0.0.1:~b\"~nhttp: \"127.0.0.1:~b\"~n"
        "jetstream { store_dir: \"~s/~s\", sync_interval: ~s }~n~s~n~s",
        [Name, Client, Monitor, Folder, Name, policy(Table), Cluster, More])),
    Port = open_port({spawn_executable, os:getenv("ALDIS_NATS_SERVER")},
        [{args, ["-c", Path, "-l", filename:join(Folder, Name ++ ".log")]}, exit_status]),
    {os_pid, Pid} = erlang:port_info(Port, os_pid),
    ets:insert(Table, {N, Pid}),
    eventually(fun() ->
        {ok, Socket} = gen_tcp:connect({127, 0, 0, 1}, Client, []),
        gen_tcp:close(Socket) =:= ok
    end).

%% The policy of a server that starts towards its disk.
policy(Table) ->
    case ets:lookup(Table, policy) of
        [{policy, Policy}] -> Policy;
        [] -> "always"
    end.

%% kill -9.
kill(N, #{table := Table}) ->
    case ets:take(Table, N) of
        [{N, Pid}] -> os:cmd("kill -9 " ++ integer_to_list(Pid));
        [] -> ok
    end.
