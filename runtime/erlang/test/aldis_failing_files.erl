%% `aldis_log_file', but for what a test has said should fail.
-module(aldis_failing_files).

-export([fail/2, heal/0]).
-export([open/2, close/1, write/2, write/3, datasync/1, position/2, truncate/1, rename/2, delete/1]).

%% Part of the bytes of a failing write are written, as on a full disk. `{delete, Name}' is of one file.
fail(Call, Reason) -> persistent_term:put({?MODULE, Call}, Reason).
heal() -> [persistent_term:erase(Key) || {{?MODULE, _} = Key, _} <- persistent_term:get()].

open(Path, Age) -> unless(open, fun() -> aldis_log_file:open(Path, Age) end).
close(File) -> aldis_log_file:close(File).
write(File, Bytes) -> write(File, Bytes, cached).
write(File, Bytes, Way) ->
    case persistent_term:get({?MODULE, write}, ok) of
        ok -> aldis_log_file:write(File, Bytes, Way);
        Reason ->
            Half = iolist_size(Bytes) div 2,
            ok = aldis_log_file:write(File, binary:part(iolist_to_binary(Bytes), 0, Half), Way),
            {error, Reason}
    end.
datasync(File) ->
    timer:sleep(persistent_term:get({?MODULE, stall}, 0)),
    unless(datasync, fun() -> aldis_log_file:datasync(File) end).
position(File, At) -> aldis_log_file:position(File, At).
truncate(File) -> unless(truncate, fun() -> aldis_log_file:truncate(File) end).
rename(From, To) -> unless(rename, fun() -> aldis_log_file:rename(From, To) end).
delete(Path) -> unless({delete, filename:basename(Path)}, fun() -> aldis_log_file:delete(Path) end).

unless(Call, Do) ->
    case persistent_term:get({?MODULE, Call}, ok) of
        ok -> Do();
        Reason -> {error, Reason}
    end.
