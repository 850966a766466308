%% @doc The top: listeners that {@link aldis_server:start_listener/2} started are its children, by name. Those of
%% {@link aldis_server:child_spec/1} live in their users' own trees.
-module(aldis_sup).
-behaviour(supervisor).

-export([start_link/0, init/1]).

%% @private
-spec start_link() -> {ok, pid()} | {error, term()}.
start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).

%% @private The table of names lives as long as this process.
-spec init([]) -> {ok, {supervisor:sup_flags(), [supervisor:child_spec()]}}.
init([]) ->
    ok = aldis_names:new(),
    {ok, {#{strategy => one_for_one, intensity => 10, period => 10}, []}}.
