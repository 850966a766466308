%% The helpers that tests share: waiting for a condition, a quiet logger, the place of the repository.
-module(testing).

-export([eventually/1, quietly/1, root/0]).

%% Milliseconds: how long a condition is waited for on the slowest machine, and between two looks.
-define(DEADLINE, 120000).
-define(PAUSE, 20).

%% The result of Check as soon as that is not false and no error.
eventually(Check) -> eventually(Check, erlang:monotonic_time(millisecond) + ?DEADLINE).

eventually(Check, Deadline) ->
    Late = erlang:monotonic_time(millisecond) >= Deadline,
    try Check() of
        false when Late -> error(timeout);
        false -> again(Check, Deadline);
        Result -> Result
    catch
        error:_ when not Late -> again(Check, Deadline)
    end.

again(Check, Deadline) ->
    timer:sleep(?PAUSE),
    eventually(Check, Deadline).

%% A test in which something is told to fail: what is logged of it is not shown.
quietly(Test) ->
    #{level := Level} = logger:get_primary_config(),
    logger:set_primary_config(level, none),
    try
        Test()
    after
        logger:set_primary_config(level, Level)
    end.

%% The folder of the repository, wherever the tests were compiled.
root() -> root(filename:absname("")).

root(Folder) ->
    case filelib:is_dir(filename:join(Folder, "conformance")) of
        true -> Folder;
        false -> root(filename:dirname(Folder))
    end.
