%% Files of a log hold what was written, whichever way each write went, and nothing behind it once they are closed.
-module(aldis_log_file_tests).

-include_lib("eunit/include/eunit.hrl").

%% More than is gathered for one write past the cache.
-define(MOST, 6000000).

random_writes_test_() -> {timeout, 120, fun() -> in_folder(fun(Path) -> [random_writes(Path, Seed) || Seed <- lists:seq(1, 10)] end) end}.

random_writes(Path, Seed) ->
    _ = rand:seed(exsss, Seed),
    {ok, File} = aldis_log_file:open(Path, new),
    Whole = lists:foldl(fun(_, Before) -> step(rand:uniform(8), File, Path, Before) end, <<>>, lists:seq(1, 20)),
    ok = aldis_log_file:close(File),
    ?assertEqual({ok, Whole}, file:read_file(Path)),
    %% An old file goes on where it is told to.
    {ok, Again} = aldis_log_file:open(Path, old),
    ok = aldis_log_file:position(Again, byte_size(Whole)),
    More = crypto:strong_rand_bytes(100000),
    ok = aldis_log_file:write(Again, More, past),
    ok = aldis_log_file:close(Again),
    ?assertEqual({ok, <<Whole/binary, More/binary>>}, file:read_file(Path)),
    ok = aldis_log_file:delete(Path).

%% Bytes that were cut off are gone, also where they were written past the cache.
step(1, File, _, Before) ->
    Keep = rand:uniform(byte_size(Before) + 1) - 1,
    ok = aldis_log_file:position(File, Keep),
    ok = aldis_log_file:truncate(File),
    binary:part(Before, 0, Keep);
%% Readers see at once what was written, and behind it at most zeros.
step(2, File, Path, Before) ->
    ok = aldis_log_file:datasync(File),
    {ok, Bytes} = file:read_file(Path),
    Size = byte_size(Before),
    ?assertMatch(<<Before:Size/binary, _/binary>>, Bytes),
    ?assertEqual(<<0:((byte_size(Bytes) - Size) * 8)>>, binary:part(Bytes, Size, byte_size(Bytes) - Size)),
    Before;
step(N, File, _, Before) ->
    Pieces = [crypto:strong_rand_bytes(size_of(rand:uniform(4))) || _ <- lists:seq(1, rand:uniform(70))],
    ok = aldis_log_file:write(File, [[P] || P <- Pieces], case N rem 2 of 0 -> past; 1 -> cached end),
    iolist_to_binary([Before, Pieces]).

size_of(1) -> rand:uniform(100) - 1;
size_of(2) -> 4096;
size_of(3) -> rand:uniform(10000);
size_of(4) ->
    case rand:uniform(60) of
        1 -> rand:uniform(?MOST);
        _ -> 1
    end.

%% The library's code outside of the VM, with sanitizers, against a plain model.
outside_of_the_vm_test_() -> {timeout, 300, fun() -> sanitized:steps("file_check", 40, fun(Program) -> Program ++ ".file" end) end}.

%% The library has to be there where it can be built, or these tests would not be of it.
there_test() -> ?assertEqual(sanitized:buildable(), aldis_file_nif:loaded()).

errors_are_told_test() ->
    in_folder(fun(Path) ->
        ?assertEqual({error, enoent}, aldis_log_file:open(Path, old)),
        {ok, File} = aldis_log_file:open(Path, new),
        ?assertEqual({error, eexist}, aldis_log_file:open(Path, new)),
        ok = aldis_log_file:close(File),
        ?assertMatch({error, _}, aldis_log_file:write(File, <<"late">>)),
        ?assertMatch({error, _}, aldis_log_file:datasync(File))
    end).

%% A full disk says so, whichever way the write goes.
full_disk_test() ->
    case aldis_file_nif:loaded() andalso filelib:is_file("/dev/full") of
        true ->
            {ok, File} = aldis_log_file:open("/dev/full", old),
            ?assertEqual({error, enospc}, aldis_log_file:write(File, <<"a">>, cached)),
            ?assertEqual({error, enospc}, aldis_log_file:write(File, binary:copy(<<"a">>, 100000), past)),
            _ = aldis_log_file:close(File);
        false -> ok
    end.

in_folder(Do) ->
    Folder = string:trim(os:cmd("mktemp -d")),
    try Do(filename:join(Folder, "file"))
    after file:del_dir_r(Folder)
    end.
