%% @doc The options of {@link aldis_log}: checked with words that say what to do, and filled up.
-module(aldis_log_options).

-export([check/1]).

%% @doc All options of a log. `{bad_option, Text}' says which is wrong and what it may be.
-spec check(map()) -> {ok, map()} | {error, {bad_option, binary()}}.
check(Options) when is_map(Options) ->
    Defaults = #{segment_bytes => 268435456, retain_bytes => infinity, retain_ms => infinity, producer_ms => infinity,
        max_producers => 100000, repair => false, files => file},
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
wrong(Key, infinity) when Key =:= retain_bytes; Key =:= retain_ms; Key =:= producer_ms -> [];
wrong(Key, N) when Key =:= retain_bytes orelse Key =:= retain_ms orelse Key =:= producer_ms, is_integer(N), N >= 0 -> [];
wrong(max_producers, N) when is_integer(N), N > 0 -> [];
wrong(repair, Repair) when is_boolean(Repair) -> [];
wrong(metrics, _) -> [];
%% Instead of `file', for tests of disks that fail.
wrong(files, Files) when is_atom(Files) -> [];
wrong(Key, Value) -> [io_lib:format("~tp => ~0tP: ~s", [Key, Value, 20, allowed(Key)])].

allowed(name) -> "an atom is wanted";
allowed(folder) -> "a path is wanted, as a string or binary";
allowed(segment_bytes) -> "a number of bytes above 0 is wanted";
allowed(retain_bytes) -> "a number of bytes or infinity is wanted";
allowed(Key) when Key =:= retain_ms; Key =:= producer_ms -> "a number of milliseconds or infinity is wanted";
allowed(max_producers) -> "a number above 0 is wanted";
allowed(repair) -> "true or false is wanted";
allowed(files) -> "a module is wanted";
allowed(_) ->
    "a log has no such option; it has name, folder, segment_bytes, retain_bytes, retain_ms, producer_ms, max_producers, "
    "repair, metrics".
