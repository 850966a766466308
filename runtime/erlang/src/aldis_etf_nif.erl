%% @doc The scan of {@link aldis_etf_scan} in C (`c_src'), for frames that pass it. Optional: where it was not built, or
%% does not load, `loaded/0' is false and everything works without it.
-module(aldis_etf_nif).

-export([accepts/2, loaded/0]).
-nifs([accepts/2, loaded/0]).
-on_load(load/0).

%% @doc Whether a frame passes {@link aldis_etf_scan:scan/2}. False says nothing: it may nest deeper than this keeps
%% track of. Only where `loaded/0' is true.
-spec accepts(binary(), aldis_etf_scan:limits()) -> boolean().
accepts(_Frame, _Limits) -> erlang:nif_error(not_loaded).

%% @doc Whether `accepts/2' is there.
-spec loaded() -> boolean().
loaded() -> false.

%% A module whose loading fails is not loaded at all, and this one has to be.
load() ->
    %% Beside the folder of this module, wherever that is: code:priv_dir/1 would go by the name of the application.
    case code:which(?MODULE) of
        Beam when is_list(Beam) -> load(filename:join([filename:dirname(Beam), "..", "priv", "aldis_etf_nif"]));
        _ -> ok
    end.

load(File) ->
    case filelib:is_regular(File ++ ".so") andalso erlang:load_nif(File, 0) of
        {error, {Reason, Text}} when Reason =/= reload -> logger:warning("~s: ~ts; doing without", [File, Text]);
        _ -> ok
    end.
