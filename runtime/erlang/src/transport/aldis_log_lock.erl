%% @doc One owner for a folder: held by a process until it ends, however it ends.
%%
%% A lock is a bound local socket, which the system lets go with its owner; files that say "locked" outlive a killed one.
%% On Linux its name is abstract, made of the folder's device and inode, and holds within a network namespace; elsewhere it
%% is a socket file in the folder.
-module(aldis_log_lock).

-include_lib("kernel/include/file.hrl").

-export([acquire/1, release/1]).
-export_type([lock/0]).

-opaque lock() :: gen_tcp:socket().

%% @doc The calling process owns the folder from now on.
-spec acquire(file:filename_all()) -> {ok, lock()} | {error, locked | file:posix()}.
acquire(Folder) ->
    case os:type() of
        {unix, linux} ->
            case file:read_file_info(Folder, [raw]) of
                {ok, #file_info{major_device = Device, inode = Inode}} ->
                    Id = io_lib:format("aldis_log:~b:~b", [Device, Inode]),
                    bind(<<0, (iolist_to_binary(Id))/binary>>);
                {error, _} = Error -> Error
            end;
        _ ->
            Path = filename:join(Folder, "lock"),
            case bind(Path) of
                {error, locked} -> bind_stale(Path);
                Other -> Other
            end
    end.

bind(Address) ->
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
            bind(Path);
        _ -> {error, locked}
    end.

%% @doc Gives the folder back before the owner ends.
-spec release(lock()) -> ok.
release(Lock) -> gen_tcp:close(Lock).
