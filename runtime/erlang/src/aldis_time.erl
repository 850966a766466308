%% @doc Timestamps: nanoseconds since 1970-01-01 UTC.
-module(aldis_time).

-export([now/0, to_rfc3339/1]).

%% @doc The present time.
-spec now() -> aldis:timestamp().
now() -> max(0, erlang:system_time(nanosecond)).

%% @doc A timestamp as RFC 3339 text with nanoseconds, in UTC.
-spec to_rfc3339(aldis:timestamp()) -> binary().
to_rfc3339(Nanoseconds) ->
    Text = calendar:system_time_to_rfc3339(Nanoseconds div 1000000000, [{unit, second}, {offset, "Z"}]),
    Fraction = string:right(integer_to_list(Nanoseconds rem 1000000000), 9, $0),
    iolist_to_binary([string:trim(Text, trailing, "Z"), $., Fraction, $Z]).
