%% `file', but for what a test has said should fail.
-module(aldis_failing_files).

-export([fail/2, heal/0]).
-export([open/2, close/1, write/2, datasync/1, position/2, truncate/1, rename/2, delete/1]).

%% Part of the bytes of a failing write are written, as on a full disk. `{delete, Name}' is of one file.
fail(Call, Reason) -> persistent_term:put({?MODULE, Call}, Reason).
heal() -> [persistent_term:erase(Key) || {{?MODULE, _} = Key, _} <- persistent_term:get()].

open(Path, Modes) -> unless(open, fun() -> file:open(Path, Modes) end).
close(File) -> file:close(File).
write(File, Bytes) ->
    case persistent_term:get({?MODULE, write}, ok) of
        ok -> file:write(File, Bytes);
        Reason ->
            Half = iolist_size(Bytes) div 2,
            ok = file:write(File, binary:part(iolist_to_binary(Bytes), 0, Half)),
            {error, Reason}
    end.
datasync(File) ->
    timer:sleep(persistent_term:get({?MODULE, stall}, 0)),
    unless(datasync, fun() -> file:datasync(File) end).
position(File, At) -> file:position(File, At).
truncate(File) -> unless(truncate, fun() -> file:truncate(File) end).
rename(From, To) -> unless(rename, fun() -> file:rename(From, To) end).
delete(Path) -> unless({delete, filename:basename(Path)}, fun() -> file:delete(Path) end).

unless(Call, Do) ->
    case persistent_term:get({?MODULE, Call}, ok) of
        ok -> Do();
        Reason -> {error, Reason}
    end.
