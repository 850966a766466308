%% @doc Libraries of native functions that this application can do without: where they are, and what came of loading them.
%% The `on_load' functions that call this always succeed, since a module whose loading fails is not loaded at all.
-module(aldis_nif).

-export([library/1, told/2]).

%% @doc The library of a module, for {@link erlang:load_nif/2}; `none' where it was not built or `ALDIS_NATIVE=0' is in the
%% environment.
-spec library(module()) -> file:filename() | none.
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

%% @doc Logs a library that is there and does not load.
-spec told(file:filename(), ok | {error, {atom(), iodata()}}) -> ok.
told(_, ok) -> ok;
told(_, {error, {reload, _}}) -> ok;
told(File, {error, {_, Text}}) -> logger:warning("~ts does not load: ~ts; doing without", [File, Text]).
