%% @doc Files that are appended to, in C (`c_src/aldis_file_nif.c'): large writes may go past the system's cache, which costs a fraction of
%% the processor's time. Optional, as {@link aldis_scan_nif} is: where the library is not there, {@link loaded/0} is false and nothing else
%% here may be called.
-module(aldis_file_nif).

-export([open/2, write/3, datasync/1, position/2, truncate/1, close/1, loaded/0]).
-nifs([open/2, write/3, datasync/1, position/2, truncate/1, close/1, loaded/0]).
-on_load(load/0).
-export_type([file/0]).

-type file() :: reference().

%% @doc Opens a file for writing from its begin on. The path is as the system has it and ends in a zero byte; a `New' file must not be there
%% yet, another one must.
-spec open(binary(), New :: boolean()) -> {ok, file()} | {error, file:posix()}.
open(_Path, _New) -> erlang:nif_error(not_loaded).

%% @doc Writes behind what was written before: with `Past', past the system's cache where that can be. After an error nobody knows what is
%% there: go back and cut it off.
-spec write(file(), [binary()], Past :: boolean()) -> ok | {error, file:posix()}.
write(_File, _Binaries, _Past) -> erlang:nif_error(not_loaded).

%% @doc Waits until the disk has all that was written.
-spec datasync(file()) -> ok | {error, file:posix()}.
datasync(_File) -> erlang:nif_error(not_loaded).

%% @doc What is written next begins there.
-spec position(file(), non_neg_integer()) -> ok | {error, file:posix()}.
position(_File, _At) -> erlang:nif_error(not_loaded).

%% @doc Ends the file where the next write begins.
-spec truncate(file()) -> ok | {error, file:posix()}.
truncate(_File) -> erlang:nif_error(not_loaded).

%% @doc Closes the file, which then ends where the last write did.
-spec close(file()) -> ok | {error, file:posix()}.
close(_File) -> erlang:nif_error(not_loaded).

%% @doc Whether the library is there.
-spec loaded() -> boolean().
loaded() -> aldis_nif:not_loaded().

load() -> aldis_nif:load(?MODULE, fun(File) -> erlang:load_nif(File, 0) end).
