%% @doc The options of {@link aldis_log}: checked with words that say what to do, and filled up.
-module(aldis_log_options).

-export([check/1]).

%% @doc All options of a log. `{bad_option, Text}' says which is wrong and what it may be.
-spec check(map()) -> {ok, map()} | {error, {bad_option, binary()}}.
check(Options) when is_map(Options) ->
    Defaults = #{segment_bytes => 268435456, retain_bytes => infinity, retain_ms => infinity,
        producer_ms => 2592000000, unused_ms => 3600000, max_producers => 100000, identity_producers => 10000, repair => false,
        scrub_bytes => 1048576, lease_ms => 10000, files => aldis_log_file},
    Merged = maps:merge(Defaults, Options),
    case [Text || {Key, Value} <- lists:sort(maps:to_list(Merged)), Text <- wrong(Key, Value)] ++ missing(Merged) of
        [] -> {ok, Merged};
        [First | _] -> {error, {bad_option, unicode:characters_to_binary(First)}}
    end;
check(_) ->
    {error, {bad_option, <<"the options of a log are a map, e.g. #{name => orders, folder => \"/var/lib/orders\"}">>}}.

missing(#{name := _, folder := _}) -> [];
missing(#{name := _}) -> ["folder is missing: where the log's files are, e.g. folder => \"/var/lib/orders\""];
missing(_) -> ["name is missing: an atom by which producers and readers find the log, e.g. name => orders"].

wrong(name, Name) when is_atom(Name), Name =/= undefined -> [];
wrong(folder, Folder) when is_binary(Folder); is_list(Folder), Folder =/= [] -> [];
wrong(segment_bytes, Bytes) when is_integer(Bytes), Bytes > 0 -> [];
wrong(Key, infinity) when Key =:= retain_bytes; Key =:= retain_ms; Key =:= producer_ms; Key =:= unused_ms -> [];
wrong(Key, N) when Key =:= retain_bytes orelse Key =:= retain_ms orelse Key =:= producer_ms orelse Key =:= unused_ms
        orelse Key =:= scrub_bytes, is_integer(N), N >= 0 -> [];
wrong(Key, N) when Key =:= max_producers orelse Key =:= identity_producers, is_integer(N), N > 0 -> [];
wrong(lease_ms, N) when is_integer(N), N >= 500 -> [];
%% Without the kernel's lock, for tests of the lease.
wrong(native_lock, Native) when is_boolean(Native) -> [];
wrong(repair, Repair) when is_boolean(Repair) -> [];
wrong(metrics, _) -> [];
%% Instead of `aldis_log_file', for tests of disks that fail.
wrong(files, Files) when is_atom(Files) -> [];
wrong(Key, Value) -> [io_lib:format("~tp => ~0tP: ~s", [Key, Value, 20, allowed(Key)])].

allowed(name) -> "an atom is wanted";
allowed(folder) -> "a path is wanted, as a string or binary";
allowed(segment_bytes) -> "a number of bytes above 0 is wanted";
allowed(retain_bytes) -> "a number of bytes or infinity is wanted";
allowed(Key) when Key =:= retain_ms; Key =:= producer_ms; Key =:= unused_ms -> "a number of milliseconds or infinity is wanted";
allowed(Key) when Key =:= max_producers; Key =:= identity_producers -> "a number above 0 is wanted";
allowed(scrub_bytes) -> "a number of bytes a second is wanted; 0: nothing is read again unasked";
allowed(lease_ms) -> "a number of milliseconds from 500 on is wanted";
allowed(Key) when Key =:= repair; Key =:= native_lock -> "true or false is wanted";
allowed(files) -> "a module is wanted";
allowed(_) ->
    "a log has no such option; it has name, folder, segment_bytes, retain_bytes, retain_ms, producer_ms, unused_ms, "
    "max_producers, identity_producers, repair, scrub_bytes, lease_ms, metrics".
