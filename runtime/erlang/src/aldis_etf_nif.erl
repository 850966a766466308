%% @doc The scan of {@link aldis_etf_scan} in C (`c_src'), for frames that pass it. Optional: where it was not built, or
%% does not load, nothing is accepted here, and everything works without it.
-module(aldis_etf_nif).

-export([accepts/2, encode/2, is_plain/2, loaded/0]).
-nifs([accepts/2, encode/2, is_plain/2, loaded/0]).
-on_load(load/0).

%% @doc Whether a frame passes {@link aldis_etf_scan:scan/2}. False says nothing: it may nest deeper than this keeps
%% track of, or the library is not there.
-spec accepts(binary(), aldis_etf_scan:limits()) -> boolean().
%% False, in words that Dialyzer does not see through: it knows nothing of the library.
accepts(Frame, _Limits) -> not is_binary(Frame).

%% @doc The frame of a term that is data already, as {@link aldis_etf_plain} has it, with text that is UTF-8 where that is
%% asked for; false for others. `large' says nothing: the term is too large or too deep for one call, of a kind that the VM
%% writes in less time, or holds what is rare, or the library is not there.
-spec encode(term(), boolean()) -> binary() | false | large.
encode(_Term, _Utf8) -> persistent_term:get({?MODULE, frame}, large).

%% @doc Whether a frame that `term_to_binary/1' wrote is of a term that is data already, as {@link aldis_etf_plain} has it,
%% with text that is UTF-8 where that is asked for. False says nothing here too.
-spec is_plain(binary(), boolean()) -> boolean().
is_plain(Frame, _Utf8) -> not is_binary(Frame).

%% @doc Whether the library is there, so that `accepts/2' accepts anything.
-spec loaded() -> boolean().
loaded() -> aldis_nif:not_loaded().

load() -> aldis_nif:load(?MODULE, fun(File) -> erlang:load_nif(File, 0) end).
