%% @doc The scan of {@link aldis_etf_scan} in C (`c_src'), for frames that pass it. Optional: where it was not built, or
%% does not load, nothing is accepted here, and everything works without it.
-module(aldis_etf_nif).

-export([accepts/2, loaded/0]).
-nifs([accepts/2, loaded/0]).
-on_load(load/0).

%% @doc Whether a frame passes {@link aldis_etf_scan:scan/2}. False says nothing: it may nest deeper than this keeps
%% track of, or the library is not there.
-spec accepts(binary(), aldis_etf_scan:limits()) -> boolean().
%% False, in words that Dialyzer does not see through: it knows nothing of the library.
accepts(Frame, _Limits) -> not is_binary(Frame).

%% @doc Whether the library is there, so that `accepts/2' accepts anything.
-spec loaded() -> boolean().
loaded() -> false.

%% A module whose loading fails is not loaded at all, and this one has to be.
load() ->
    case library(code:which(?MODULE)) of
        none -> ok;
        File -> load(File)
    end.

%% In the application that this module is in, by its place: code:priv_dir/1 would go by the application's name. Beams that
%% lie elsewhere than in an application have nothing beside them that may be trusted.
library(Beam) when is_list(Beam) ->
    Folder = filename:dirname(Beam),
    File = filename:join([filename:dirname(Folder), "priv", "aldis_etf_nif"]),
    case filename:basename(Folder) =:= "ebin" andalso filelib:is_regular(File ++ ".so") of
        true -> File;
        false -> none
    end;
library(_) ->
    none.

load(File) ->
    case erlang:load_nif(File, 0) of
        ok -> ok;
        {error, {reload, _}} -> ok;
        {error, {_, Text}} -> logger:warning("~ts does not load: ~ts; doing without", [File, Text])
    end.
