%% @doc Libraries of native functions that this application can do without: where they are, and what came of loading them.
%% The `on_load' functions that call this always succeed, since a module whose loading fails is not loaded at all.
-module(aldis_nif).

-export([load/2, not_loaded/0]).

%% @doc Loads the library of a module, unless it was not built or `ALDIS_NATIVE=0' is in the environment. The module itself has to
%% call {@link erlang:load_nif/2}, as the functions are its own. One that is there and does not load is logged.
-spec load(module(), fun((file:filename()) -> ok | {error, {atom(), iodata()}})) -> ok.
load(Module, Load) ->
    case library(Module) of
        none -> ok;
        File -> told(File, Load(File))
    end.

%% @doc False, in words that Dialyzer does not see through: what a module says of its library until that is loaded, which
%% Dialyzer knows nothing of.
-spec not_loaded() -> boolean().
not_loaded() -> binary_to_existing_atom(<<"false">>).

library(Module) ->
    case os:getenv("ALDIS_NATIVE") of
        "0" -> none;
        _ -> library(code:which(Module), atom_to_list(Module))
    end.

%% In the application that the module is in, by its place: code:priv_dir/1 would go by the application's name. Beams that
%% lie elsewhere than in an application have nothing beside them that may be trusted.
library(Beam, Name) when is_list(Beam) ->
    Folder = filename:dirname(Beam),
    File = filename:join([filename:dirname(Folder), "priv", Name]),
    case filename:basename(Folder) =:= "ebin" andalso filelib:is_regular(File ++ ".so") of
        true -> File;
        false -> none
    end;
library(_, _) ->
    none.

told(_, ok) -> ok;
told(_, {error, {reload, _}}) -> ok;
told(File, {error, {_, Text}}) -> logger:warning("~ts does not load: ~ts; doing without", [File, Text]).
