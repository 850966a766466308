%% docs/threats.md: each test that a promise is said to be held by is there, under that name.
-module(aldis_threats_tests).

-include_lib("eunit/include/eunit.hrl").

named_test() ->
    Folder = filename:join([testing:root(), "runtime", "erlang", "test"]),
    {ok, Page} = file:read_file(filename:join([testing:root(), "docs", "threats.md"])),
    {match, Named} = re:run(Page, "`(aldis_[a-z_]+): ([^`]+)`", [global, {capture, all_but_first, list}]),
    ?assert(length(Named) > 40),
    ?assertEqual([], [{Module, Test} || [Module, Test] <- Named, not has(filename:join(Folder, Module ++ "_tests.erl"), Test)]).

%% A test's description, or its function's name.
has(File, Test) ->
    {ok, Source} = file:read_file(File),
    lists:any(fun(Form) -> string:find(Source, Form) =/= nomatch end,
        [["\"", Test, "\""], ["\n", Test, "_case("], ["\n", Test, "_test("], ["\n", Test, "_test_("]]).
