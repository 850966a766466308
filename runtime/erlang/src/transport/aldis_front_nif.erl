%% @doc A buffer in C (`c_src/aldis_front_nif.c') into which callers put the messages that they send, and from which their client takes many
%% at a time. Optional, as {@link aldis_scan_nif} is: where the library is not there, {@link loaded/0} is false and nothing else here
%% may be called.
-module(aldis_front_nif).

-export([new/4, append/2, take/2, set/4, close/1, loaded/0]).
-nifs([new/4, append/2, take/2, set/4, close/1, loaded/0]).
-on_load(load/0).
-export_type([front/0]).

-type front() :: reference().

%% @doc A buffer of the calling process, a client. So many messages, and bytes, there may be with the client's own; so many are a batch. It
%% takes none before {@link set/4}.
-spec new(Most :: pos_integer(), MostBytes :: pos_integer(), Full :: pos_integer(), FullBytes :: pos_integer()) -> front() | none.
new(_Most, _MostBytes, _Full, _FullBytes) -> erlang:nif_error(not_loaded).

%% @doc Puts a message behind the others: its number, and what the client does not know yet: that there is a `first' one, or that there is a
%% batch (`full'). `ask': the client has to be asked; `gone': it has ended.
-spec append(front(), binary()) -> pos_integer() | {pos_integer(), first | full} | ask | gone.
append(_Front, _Message) -> erlang:nif_error(not_loaded).

%% @doc Takes all messages, as entries. `More' of the client's own get the numbers behind them.
-spec take(front(), More :: non_neg_integer()) -> {pos_integer(), aldis_sink:entries()} | none.
take(_Front, _More) -> erlang:nif_error(not_loaded).

%% @doc Says what the client holds now, and the size of the longest message that it takes.
-spec set(front(), Held :: non_neg_integer(), HeldBytes :: non_neg_integer(), Longest :: non_neg_integer()) -> ok.
set(_Front, _Held, _HeldBytes, _Longest) -> erlang:nif_error(not_loaded).

%% @doc Takes nothing more: who sends has to ask the client.
-spec close(front()) -> ok.
close(_Front) -> erlang:nif_error(not_loaded).

%% @doc Whether the library is there.
-spec loaded() -> boolean().
loaded() -> aldis_nif:not_loaded().

load() -> aldis_nif:load(?MODULE, fun(File) -> erlang:load_nif(File, 0) end).
