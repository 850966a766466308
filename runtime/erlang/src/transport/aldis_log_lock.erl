%% @doc One owner for a folder: held by a process until it ends, however it ends.
%%
%% Three things stand for it. A bound local socket, which the system lets go with its owner, and which holds within a network
%% namespace. The kernel's lock of the file `owner', by {@link aldis_lock_nif}, which holds on a machine, whatever namespaces its
%% containers have, and between machines on a network file system that passes locks on. And what that file says
%% ({@link aldis_log_owner}): its owner writes a growing number there every two seconds, so whoever finds it at rest
%% for the time of a *lease* may take the folder. An owner whose last beat is not recent reads there whether it has lost it ({@link held/1}), before it writes
%% and again before it calls anything durable.
%%
%% The lease decides only where the other two cannot: without the library in C, or when the last owner ran on another
%% machine or before the machine's last start.
-module(aldis_log_lock).

-include_lib("kernel/include/file.hrl").

-export([acquire/1, acquire/2, release/1, held/1, note/2, mark/1, taken/1, bind/2]).
-export_type([lock/0]).

%% Sockets of a process, or of a system process, that has just ended are closed a moment later.
-define(TRIES, 20).
-define(PAUSE, 50).
%% Milliseconds between two beats, and after which one without is gone.
-define(BEAT, 2000).
-define(LEASE, 10000).
%% How often an owner's file is looked at within a lease.
-define(LOOKS, 20).

-record(lock, {
    folder :: file:filename_all(),
    socket :: gen_tcp:socket(),
    kernel :: reference() | none,
    owner :: aldis_log_owner:owner(),
    %% A count that is odd while the others change, and the mark of what is on the disk.
    durable :: atomics:atomics_ref(),
    %% When the last beat was begun, by the clock that does not stop and the one that does not jump, in milliseconds.
    beaten :: atomics:atomics_ref(),
    lease :: pos_integer(),
    keeper :: pid(),
    %% The mark at which the last owner left it, and whether that one may still be writing.
    before :: aldis_log_owner:mark(),
    taken :: boolean()
}).
-opaque lock() :: #lock{}.

%% @doc The calling process owns the folder from now on.
-spec acquire(file:filename_all()) -> {ok, lock()} | {error, {locked, Who :: binary()} | term()}.
acquire(Folder) -> acquire(Folder, #{}).

%% @doc Options: `lease' in milliseconds; `native' (`true'), with which the kernel's lock is used where it can be had.
-spec acquire(file:filename_all(), map()) -> {ok, lock()} | {error, {locked, Who :: binary()} | term()}.
acquire(Folder, Options) ->
    case patiently(Folder, ?TRIES) of
        {ok, Socket} ->
            case kernel(Folder, maps:get(native, Options, true), ?TRIES) of
                {ok, Kernel} -> owned(Folder, Socket, Kernel, maps:get(lease, Options, ?LEASE));
                {error, Reason} -> given_up(Folder, Socket, none, Reason)
            end;
        {error, Reason} -> given_up(Folder, none, none, Reason)
    end.

given_up(Folder, Socket, Kernel, Reason) ->
    let_go(Socket, Kernel),
    case Reason of
        locked -> {error, {locked, who(Folder)}};
        _ -> {error, Reason}
    end.

let_go(Socket, Kernel) ->
    Kernel =/= none andalso aldis_lock_nif:unlock(Kernel),
    Socket =/= none andalso gen_tcp:close(Socket),
    ok.

who(Folder) ->
    case aldis_log_owner:read(Folder) of
        {ok, #{who := Who}} -> Who;
        _ -> <<"another process">>
    end.

patiently(Folder, Tries) ->
    Kind = case os:type() of
        {unix, linux} -> abstract;
        _ -> file
    end,
    case bind(Kind, Folder) of
        {error, locked} when Tries > 1 ->
            timer:sleep(?PAUSE),
            patiently(Folder, Tries - 1);
        Result -> Result
    end.

kernel(Folder, Native, Tries) ->
    case Native andalso aldis_lock_nif:loaded() of
        true ->
            Path = unicode:characters_to_binary(aldis_log_owner:path(Folder), unicode, file:native_name_encoding()),
            case aldis_lock_nif:lock(<<Path/binary, 0>>) of
                {ok, Held} -> {ok, Held};
                {error, enotsup} -> {ok, none};
                {error, locked} when Tries > 1 ->
                    timer:sleep(?PAUSE),
                    kernel(Folder, Native, Tries - 1);
                {error, _} = Error -> Error
            end;
        false -> {ok, none}
    end.

owned(Folder, Socket, Kernel, Lease) ->
    Mine = me(Kernel),
    case last_owner(aldis_log_owner:read(Folder), Folder, Mine, Lease) of
        {ok, Before, Taken} ->
            Owner = Mine#{mark => Before},
            Begun = clocks(),
            case settled(aldis_log_owner:write(Folder, Owner), Folder, Owner, Taken, Lease) of
                ok -> {ok, kept(Folder, Socket, Kernel, Owner, {Before, Taken}, Begun, Lease)};
                {error, Reason} -> given_up(Folder, Socket, Kernel, Reason)
            end;
        {error, Reason} -> given_up(Folder, Socket, Kernel, Reason)
    end.

me(Kernel) ->
    {ok, Host} = inet:gethostname(),
    Who = io_lib:format("system process ~s of host ~ts, node ~ts", [os:getpid(), Host, node()]),
    #{id => crypto:strong_rand_bytes(16), beat => 0, kind => case Kernel of none -> lease; _ -> kernel end,
        boot => digest(file:read_file("/proc/sys/kernel/random/boot_id"), Host),
        network => digest(file:read_link("/proc/self/ns/net"), Host), mark => {0, 0, 0},
        who => unicode:characters_to_binary(Who)}.

digest({ok, Text}, _) -> erlang:md5(Text);
digest(_, Host) -> erlang:md5(Host).

%% The mark of the last owner, once it is certain that it is gone, or as certain as a lease can make it. We hold the socket, and the
%% kernel's lock where our `kind' says so.
last_owner(none, _, _, _) -> {ok, {0, 0, 0}, false};
last_owner({ok, #{id := <<0:128>>} = Owner}, _, _, _) -> {ok, left_at(Owner), false};
last_owner({ok, #{boot := Boot, network := Network} = Owner}, _, #{boot := Boot, network := Network}, _) ->
    {ok, left_at(Owner), false};
last_owner({ok, #{boot := Boot, kind := kernel} = Owner}, _, #{boot := Boot, kind := kernel}, _) -> {ok, left_at(Owner), false};
last_owner({ok, Owner}, Folder, _, Lease) ->
    case silent(Folder, Lease) orelse waited(Owner, Folder, Lease div ?LOOKS, ?LOOKS) of
        true -> {ok, left_at(Owner), true};
        false -> {error, locked}
    end;
last_owner({error, _} = Error, _, _, _) -> Error.

left_at(#{mark := Mark}) -> Mark.

%% Whether the last beat is older than two leases by the clock that stamps files there, ours or a file server's.
silent(Folder, Lease) ->
    Probe = aldis_log_owner:path(Folder) ++ ".probe",
    Now = case file:write_file(Probe, <<>>) of
        ok -> file:read_file_info(Probe, [raw, {time, posix}]);
        Error -> Error
    end,
    _ = file:delete(Probe),
    case {Now, file:read_file_info(aldis_log_owner:path(Folder), [raw, {time, posix}])} of
        {{ok, #file_info{mtime = At}}, {ok, #file_info{mtime = Beat}}} -> (At - Beat - 1) * 1000 > 2 * Lease;
        _ -> false
    end.

waited(_, _, _, 0) -> true;
waited(#{id := Id, beat := Beat} = Owner, Folder, Pause, Looks) ->
    timer:sleep(Pause),
    case aldis_log_owner:read(Folder) of
        {ok, #{id := Id, beat := Beat}} -> waited(Owner, Folder, Pause, Looks - 1);
        %% It is just being written.
        none -> waited(Owner, Folder, Pause, Looks - 1);
        _ -> false
    end.

%% When several take a folder at once, the one that wrote last has it.
settled(ok, Folder, #{id := Id}, Taken, Lease) ->
    Taken andalso timer:sleep(max(1, Lease div ?LOOKS)),
    case aldis_log_owner:read(Folder) of
        {ok, #{id := Id}} -> ok;
        _ -> {error, locked}
    end;
settled({error, _} = Error, _, _, _, _) -> Error.

kept(Folder, Socket, Kernel, #{kind := Kind} = Owner, {Before, Taken}, Begun, Lease) ->
    Durable = atomics:new(4, [{signed, false}]),
    note_in(Durable, Before),
    Beaten = atomics:new(2, []),
    Log = self(),
    %% The holder of the kernel's lock may stand still for as long as it likes.
    Patience = case Kind of kernel -> infinity; lease -> Lease end,
    Keeper = proc_lib:spawn_link(fun() ->
        keep(Log, Folder, Owner, {Durable, Beaten}, {min(?BEAT, Lease div 5), Patience}, Begun)
    end),
    #lock{folder = Folder, socket = Socket, kernel = Kernel, owner = Owner, durable = Durable, beaten = Beaten, lease = Lease,
          keeper = Keeper, before = Before, taken = Taken}.

%% A process of its own, so that a disk which stalls the log does not end its lease. `Last' is when the last beat was begun: when
%% that is more than a lease ago, another may have taken the folder since it was read whose it is.
keep(Log, Folder, #{id := Id, beat := Beat} = Owner, {Durable, Beaten} = Shared, {Pause, Patience} = Times, Last) ->
    Stop = receive {stop, From} -> From after Pause -> none end,
    Now = clocks(),
    Next = case Stop of
        none -> Owner#{beat := Beat + 1, mark := durable(Durable)};
        _ -> Owner#{id := <<0:128>>, beat := Beat + 1, mark := durable(Durable)}
    end,
    Begun = case read_again(Folder, 5) of
        {ok, #{id := Id}} ->
            in_time(Last, Patience, Folder),
            Written = aldis_log_owner:write(Folder, Next),
            in_time(Last, Patience, Folder),
            beaten(Written, Last, Now, Beaten);
        {ok, #{who := Who}} when Stop =:= none -> exit({locked, Folder, Who});
        _ -> Last
    end,
    case Stop of
        none -> keep(Log, Folder, Next, Shared, Times, Begun);
        _ -> Stop ! {stopped, self()}, unlink(Log)
    end.

in_time({System, Monotonic}, Patience, Folder) ->
    {SystemNow, MonotonicNow} = clocks(),
    max(SystemNow - System, MonotonicNow - Monotonic) =< Patience
        orelse exit({locked, Folder, <<"perhaps another: this owner stood still for longer than its lease">>}).

clocks() -> {erlang:system_time(millisecond), erlang:monotonic_time(millisecond)}.

beaten(ok, _, {System, Monotonic} = Now, Beaten) ->
    atomics:put(Beaten, 1, System),
    atomics:put(Beaten, 2, Monotonic),
    Now;
beaten({error, _}, Last, _, _) -> Last.

durable(Durable) ->
    Count = atomics:get(Durable, 1),
    Mark = {atomics:get(Durable, 2), atomics:get(Durable, 3), atomics:get(Durable, 4)},
    case atomics:get(Durable, 1) of
        Count when Count rem 2 =:= 0 -> Mark;
        _ -> durable(Durable)
    end.

%% @doc Says up to where the newest segment is on the disk; the file `owner' says so with the next beat.
-spec note(lock(), aldis_log_owner:mark()) -> ok.
note(#lock{durable = Durable}, Mark) -> note_in(Durable, Mark).

note_in(Durable, {Salt, Position, Offset}) ->
    atomics:add(Durable, 1, 1),
    atomics:put(Durable, 2, Salt),
    atomics:put(Durable, 3, Position),
    atomics:put(Durable, 4, Offset),
    atomics:add(Durable, 1, 1).

%% @doc The mark of the owner before, as it was when the folder was acquired.
-spec mark(lock()) -> aldis_log_owner:mark().
mark(#lock{before = Before}) -> Before.

%% @doc Whether the last owner was judged by its lease alone, and may still be writing to the file that it has open.
-spec taken(lock()) -> boolean().
taken(#lock{taken = Taken}) -> Taken.

%% @doc Whether the folder is still ours. Nobody can have taken it within half a lease of our last beat.
-spec held(lock()) -> ok | {error, {locked, Who :: binary()} | term()}.
held(#lock{folder = Folder, owner = #{id := Id}, beaten = Beaten, lease = Lease}) ->
    {System, Monotonic} = clocks(),
    Recent = abs(System - atomics:get(Beaten, 1)) < Lease div 2 andalso Monotonic - atomics:get(Beaten, 2) < Lease div 2,
    case Recent orelse read_again(Folder, 5) of
        true -> ok;
        {ok, #{id := Id}} -> ok;
        {ok, #{who := Who}} -> {error, {locked, Who}};
        none -> {error, {locked, <<"nobody: the file `owner' was removed or damaged">>}};
        {error, _} = Error -> Error
    end.

%% A record may be read while it is written.
read_again(Folder, Tries) ->
    case aldis_log_owner:read(Folder) of
        none when Tries > 1 -> read_again(Folder, Tries - 1);
        Other -> Other
    end.

%% @doc Binds the socket of a folder. On Linux its name is abstract, made of the folder's device and inode; elsewhere it is a
%% socket file in the folder.
-spec bind(abstract | file, file:filename_all()) -> {ok, gen_tcp:socket()} | {error, locked | file:posix()}.
bind(abstract, Folder) ->
    case file:read_file_info(Folder, [raw]) of
        {ok, #file_info{major_device = Device, inode = Inode}} ->
            Id = io_lib:format("aldis_log:~b:~b", [Device, Inode]),
            listen(<<0, (iolist_to_binary(Id))/binary>>);
        {error, _} = Error -> Error
    end;
bind(file, Folder) ->
    Path = filename:join(Folder, "lock"),
    case listen(Path) of
        {error, locked} -> bind_stale(Path);
        Other -> Other
    end.

listen(Address) ->
    case gen_tcp:listen(0, [{ifaddr, {local, Address}}, {backlog, 1}]) of
        {ok, Socket} -> {ok, Socket};
        {error, eaddrinuse} -> {error, locked};
        {error, _} = Error -> Error
    end.

%% The file of an owner who is gone refuses connections.
bind_stale(Path) ->
    case gen_tcp:connect({local, Path}, 0, [], 1000) of
        {error, econnrefused} ->
            _ = file:delete(Path),
            listen(Path);
        _ -> {error, locked}
    end.

%% @doc Gives the folder back before the owner ends.
-spec release(lock()) -> ok.
release(#lock{keeper = Keeper, socket = Socket, kernel = Kernel}) ->
    Monitor = monitor(process, Keeper),
    Keeper ! {stop, self()},
    receive
        {stopped, Keeper} -> ok;
        {'DOWN', Monitor, process, Keeper, _} -> ok
    end,
    demonitor(Monitor, [flush]),
    let_go(Socket, Kernel).
