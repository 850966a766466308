%% @doc The application: nothing but an empty supervisor until a listener is started. Codecs don't need it.
-module(aldis_app).
-behaviour(application).

-export([start/2, stop/1]).

%% @private
-spec start(application:start_type(), term()) -> {ok, pid()} | {error, term()}.
start(_, _) -> aldis_sup:start_link().

%% @private
-spec stop(term()) -> ok.
stop(_) -> ok.
