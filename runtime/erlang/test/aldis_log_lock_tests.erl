%% One owner for a log's folder, wherever the other one runs.
-module(aldis_log_lock_tests).

-include_lib("eunit/include/eunit.hrl").
-include("properties.hrl").

-compile([export_all, nowarn_export_all]).
-import(aldis_log_tests, [with_folder/1, start/1, start/2, stop/1, kill/1, append/4, entries/1, content/1,
    three_records/1, flipped/2]).
-import(testing, [eventually/1]).

-define(P, <<"producer------01">>).

lock_test_() ->
    {timeout, 1800, [{atom_to_list(Name), {timeout, 300, fun() -> with_folder(fun(Folder) -> ?MODULE:Name(Folder) end) end}}
        || {Name, 1} <- ?MODULE:module_info(exports), lists:suffix("_case", atom_to_list(Name))]}.

one_owner_case(Folder) ->
    Log = start(Folder),
    {error, {locked, Folder, Who}} = aldis_log:start_link(#{name => other, folder => Folder}),
    ?assertNotEqual(nomatch, string:find(Who, os:getpid())),
    ?assertEqual("locked", elsewhere("", Folder, "")),
    kill(Log),
    start(Folder).

%% Containers have network namespaces of their own.
other_namespace_case(Folder) ->
    case os:cmd("unshare -n true && echo allowed") of
        "allowed\n" ->
            Log = start(Folder),
            {durable, 1} = append(?P, 1, 1, [<<"mine">>]),
            ?assertEqual("locked", elsewhere("unshare -n ", Folder, "")),
            %% Without the library in C the lease decides.
            ?assertEqual("locked", elsewhere("unshare -n env ALDIS_NATIVE=0 ", Folder, "")),
            stop(Log),
            %% One that ended well leaves it at once, and neither way is in the way of the other.
            ?assertEqual("opened", elsewhere("unshare -n env ALDIS_NATIVE=0 ", Folder, "")),
            start(Folder),
            ?assertEqual([<<"mine">>], [element(5, M) || M <- content(1)]);
        No -> io:format(user, "~n  skipped: no network namespace can be made here: ~ts", [No])
    end.

%% An owner that is killed loses the folder after a lease to one in another namespace; one that was only slow is told, and what it
%% wrote meanwhile was not acknowledged.
lease_case(Folder) ->
    Options = #{lease_ms => 2000, native_lock => false},
    Log = start(Folder, Options),
    {durable, 1} = append(?P, 1, 1, [<<"mine">>]),
    {ok, Owner} = aldis_log_owner:read(Folder),
    ok = taken_away(Folder, Owner#{id := <<7:128>>, who := <<"somebody else">>}),
    ?assertEqual({error, unavailable}, append_to_ending(2)),
    receive {'EXIT', Log, {locked, Folder, <<"somebody else">>}} -> ok after 60000 -> error(timeout) end,
    %% As if from another machine: alive, then silent.
    ok = aldis_log_owner:write(Folder, Owner#{id := <<7:128>>, boot := <<1:128>>, who := <<"somebody else">>}),
    Beating = spawn_link(fun() -> beat(Folder, Owner#{id := <<7:128>>, boot := <<1:128>>, who := <<"somebody else">>}) end),
    ?assertEqual({error, {locked, Folder, <<"somebody else">>}}, aldis_log:start_link(Options#{name => log, folder => Folder})),
    unlink(Beating), exit(Beating, kill),
    start(Folder, Options),
    ?assertEqual([<<"mine">>], [element(5, M) || M <- content(1)]),
    %% It may still be writing to the old file, so that gets no more.
    ?assertEqual({ok, [1, 2]}, aldis_log_segment:list(Folder)).

%% The owner before may be between its reading and its writing: then it writes over this, once.
taken_away(Folder, #{id := Id} = Owner) ->
    ok = aldis_log_owner:write(Folder, Owner),
    timer:sleep(600),
    case aldis_log_owner:read(Folder) of
        {ok, #{id := Id}} -> ok;
        _ -> taken_away(Folder, Owner)
    end.

%% An owner that only a lease protects, and that stood still for longer, writes nothing more: another may be taking the folder.
stopped_case(Folder) ->
    {links, Linked} = process_info(self(), links),
    {ok, Lock} = aldis_log_lock:acquire(Folder, #{native => false, lease => 1000}),
    {links, Links} = process_info(self(), links),
    [Keeper] = [Pid || Pid <- Links -- Linked, is_pid(Pid)],
    true = erlang:suspend_process(Keeper),
    timer:sleep(1200),
    {ok, #{beat := Beat}} = aldis_log_owner:read(Folder),
    true = erlang:resume_process(Keeper),
    receive {'EXIT', Keeper, {locked, Folder, _}} -> ok after 60000 -> error(timeout) end,
    ?assertMatch({ok, #{beat := Beat}}, aldis_log_owner:read(Folder)),
    ok = aldis_log_lock:release(Lock).

beat(Folder, #{beat := Beat} = Owner) ->
    timer:sleep(20),
    ok = aldis_log_owner:write(Folder, Owner),
    beat(Folder, Owner#{beat := Beat + 1}).

append_to_ending(First) ->
    Watch = monitor(process, log),
    ok = aldis_log:append(log, ?P, 1, First, 1, none, entries([<<"late">>]), ending),
    receive
        {aldis_sink, ending, Outcome} -> Outcome;
        {'DOWN', Watch, process, _, _} -> {error, unavailable}
    after 60000 -> timeout
    end.

%% The file `owner' is read as it was written, and no damage passes for it.
owner_file_test() ->
    ?assert(proper:quickcheck(?FORALL({Id, Beat, Mark, Who, At},
        {range(0, 1 bsl 128 - 1), range(0, 1 bsl 40), {range(0, 1 bsl 32), range(0, 1 bsl 40), range(0, 1 bsl 40)}, binary(), range(0, 1 bsl 40)},
        begin
            Owner = #{id => <<Id:128>>, beat => Beat, kind => kernel, boot => <<1:128>>, network => <<2:128>>, mark => Mark, who => Who},
            Bytes = aldis_log_owner:encode(Owner),
            {ok, Owner} = aldis_log_owner:decode(<<Bytes/binary, "older">>),
            none =:= aldis_log_owner:decode(flipped(Bytes, At rem byte_size(Bytes)))
                andalso none =:= aldis_log_owner:decode(binary:part(Bytes, 0, At rem byte_size(Bytes)))
        end), [{numtests, 500}, quiet])).

index_file_test() ->
    ?assert(proper:quickcheck(?FORALL({Salt, Places, At},
        {range(0, 16#FFFFFFFF), list({range(0, 1 bsl 40), range(0, 1 bsl 40)}), range(0, 1 bsl 40)},
        begin
            Index = #{salt => Salt, base => 1, next => 9, created => 3, size => 1000, places => Places},
            Bytes = aldis_log_index:encode(Index),
            {ok, Index} = aldis_log_index:decode(Bytes),
            none =:= aldis_log_index:decode(flipped(Bytes, At rem byte_size(Bytes)))
                andalso none =:= aldis_log_index:decode(binary:part(Bytes, 0, At rem byte_size(Bytes)))
        end), [{numtests, 500}, quiet])).

%% Both sockets: held until let go, or until the owner is gone.
sockets_case(Folder) ->
    [begin
        {ok, Lock} = aldis_log_lock:bind(Kind, Folder),
        ?assertEqual({error, locked}, aldis_log_lock:bind(Kind, Folder)),
        ok = gen_tcp:close(Lock),
        {Owner, Ref} = spawn_monitor(fun() -> {ok, _} = aldis_log_lock:bind(Kind, Folder) end),
        receive {'DOWN', Ref, process, Owner, normal} -> ok after 60000 -> error(timeout) end,
        Free = fun() -> Got = aldis_log_lock:bind(Kind, Folder), Got =/= {error, locked} andalso Got end,
        {ok, Again} = eventually(Free),
        ok = gen_tcp:close(Again)
    end || Kind <- [abstract, file]].

%% The answer that another system process gets when it opens the folder. The VM's log of it would go to the same place.
elsewhere(Before, Folder, Options) ->
    os:cmd(io_lib:format("~tserl -noshell -kernel logger_level none -pa ~ts -eval 'process_flag(trap_exit, true), "
        "case aldis_log:start_link(#{name => log, folder => \"~ts\"~ts}) of {error, {Why, _, _}} -> io:format(\"~~p\", [Why]); "
        "{ok, Log} -> gen_server:stop(Log), io:format(\"opened\") end, halt().'",
        [Before, filename:dirname(code:which(aldis_log)), Folder, Options])).
