%% A handler that is called for each message, and looks at its first bytes.
-module(tcp_server_message).
-behaviour(aldis_handler).

-export([handle_message/2, init/2]).

-spec init(aldis_handler:connection(), term()) -> {ok, non_neg_integer()}.
init(_, _) -> {ok, 0}.

-spec handle_message(binary(), non_neg_integer()) -> {ok, non_neg_integer()}.
handle_message(<<Number:64/little, _/binary>>, _) -> {ok, Number}.
