%% @doc The lock of a file by the kernel, in C (`c_src/aldis_lock_nif.c'). Optional, as {@link aldis_scan_nif} is: where the
%% library is not there, {@link loaded/0} is false and nothing else here may be called.
-module(aldis_lock_nif).

-export([lock/1, unlock/1, loaded/0]).
-nifs([lock/1, unlock/1, loaded/0]).
-on_load(load/0).

%% @doc Locks a file, which is made if it is not there, until the calling process ends or {@link unlock/1}. The path is as the
%% system has it and ends in a zero byte. `enotsup': this file system has no such locks.
-spec lock(binary()) -> {ok, reference()} | {error, locked | enotsup | file:posix()}.
lock(_Path) -> erlang:nif_error(not_loaded).

%% @doc Lets go of the file.
-spec unlock(reference()) -> ok.
unlock(_Held) -> erlang:nif_error(not_loaded).

%% @doc Whether the library is there.
-spec loaded() -> boolean().
loaded() -> aldis_nif:not_loaded().

load() -> aldis_nif:load(?MODULE, fun(File) -> erlang:load_nif(File, 0) end).
