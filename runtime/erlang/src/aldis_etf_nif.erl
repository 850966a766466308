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

load() ->
    case aldis_nif:library(?MODULE) of
        none -> ok;
        File -> aldis_nif:told(File, erlang:load_nif(File, 0))
    end.
