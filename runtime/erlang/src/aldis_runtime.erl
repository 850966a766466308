%% The contract between generated modules and this runtime: those of one minor version belong together.
-module(aldis_runtime).

-export([needs/2]).

%% The version of the application `aldis`.
-define(VERSION, "0.1.0").

%% Whether a generated module can be loaded. Modules call it as they are loaded; what is no `ok` is logged, and ends the loading.
-spec needs(module(), Version :: string()) -> ok | {error, string()}.
needs(Module, Wanted) ->
    [Major, Minor, _] = string:split(?VERSION, ".", all),
    case Major ++ "." ++ Minor of
        Wanted ->
            ok;
        Own ->
            Said = io_lib:format(
                "~p needs aldis ~s, and this is ~s: generate it again with aldis ~s, or take aldis ~s",
                [Module, Wanted, ?VERSION, Own, Wanted]
            ),
            {error, lists:flatten(Said)}
    end.
