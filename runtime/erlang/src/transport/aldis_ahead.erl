%% @doc The bytes that a reader of a log has sent to its subscriber and that are not consumed yet, of which there may be so many. Pure.
-module(aldis_ahead).

-export([new/1, most/2, fits/4, size/3, compact/1, sent/3, full/1, open/1, consumed/2]).
-export_type([ahead/0]).

-record(ahead, {
    most :: pos_integer() | infinity,
    %% Bytes that each message has more than in the log.
    extra :: 0 | 28,
    bytes = 0 :: non_neg_integer(),
    %% A batch that was sent: the offset of its last message, and its bytes. Nothing is kept where there is no bound.
    sent = queue:new() :: queue:queue({aldis_sink:sequence(), non_neg_integer()}),
    full = false :: boolean()
}).
-opaque ahead() :: #ahead{}.

%% The bytes of a message's origin.
-define(ORIGIN, 28).

%% @doc Nothing is sent. The options are those of {@link aldis_sink:subscribe/4}.
-spec new(#{origin => boolean(), bytes => pos_integer()}) -> ahead().
new(Options) ->
    Extra = case Options of #{origin := true} -> ?ORIGIN; #{} -> 0 end,
    #ahead{most = maps:get(bytes, Options, infinity), extra = Extra}.

%% @doc The bound, or `Default' if that is less.
-spec most(pos_integer(), ahead()) -> pos_integer().
most(Default, #ahead{most = Most}) -> min(Default, Most).

%% @doc How many of a batch's first `Count' messages may be sent after `Gathered' bytes. A message goes when nothing else is on its way.
-spec fits(aldis_sink:entries(), Count :: pos_integer(), Gathered :: non_neg_integer(), ahead()) -> non_neg_integer().
fits(_, Count, _, #ahead{most = infinity}) -> Count;
fits(Entries, Count, Gathered, #ahead{most = Most, bytes = Bytes, extra = Extra} = Ahead) ->
    Room = Most - Bytes - Gathered,
    case size(Entries, Count, Ahead) of
        Size when Size =< Room -> Count;
        _ ->
            case fitting(Entries, 0, 0, Count, Room, Extra) of
                0 when Room =:= Most -> 1;
                Some -> Some
            end
    end.

fitting(_, _, Count, Count, _, _) -> Count;
fitting(Entries, At, Some, Count, Room, Extra) ->
    <<_:At/binary, Size:32/little, _/binary>> = Entries,
    case Room - 4 - Size - Extra of
        Left when Left >= 0 -> fitting(Entries, At + 4 + Size, Some + 1, Count, Left, Extra);
        _ -> Some
    end.

%% @doc The bytes that these messages have for the subscriber.
-spec size(aldis_sink:entries(), non_neg_integer(), ahead()) -> non_neg_integer().
size(Entries, Count, #ahead{extra = Extra}) -> byte_size(Entries) + Count * Extra.

%% @doc The same bytes without what much larger binary they may be a part of, which they would keep.
-spec compact(binary()) -> binary().
compact(Entries) ->
    case binary:referenced_byte_size(Entries) > 2 * byte_size(Entries) of
        true -> binary:copy(Entries);
        false -> Entries
    end.

%% @doc So many bytes are sent, up to the message with that offset.
-spec sent(aldis_sink:sequence(), non_neg_integer(), ahead()) -> ahead().
sent(_, _, #ahead{most = infinity} = Ahead) -> Ahead;
sent(Last, Size, #ahead{bytes = Bytes, sent = Sent} = Ahead) ->
    Ahead#ahead{bytes = Bytes + Size, sent = queue:in({Last, Size}, Sent)}.

%% @doc The next message does not fit: the log is not read until half of the bytes are consumed, as a little at a time costs much.
-spec full(ahead()) -> ahead().
full(Ahead) -> Ahead#ahead{full = true}.

%% @doc Whether there may be more.
-spec open(ahead()) -> boolean().
open(#ahead{full = Full}) -> not Full.

%% @doc The subscriber is done with all up to that offset.
-spec consumed(aldis_sink:sequence(), ahead()) -> ahead().
consumed(Offset, #ahead{most = Most, bytes = Bytes, sent = Sent} = Ahead) ->
    case queue:peek(Sent) of
        {value, {Last, Size}} when Last =< Offset -> consumed(Offset, Ahead#ahead{bytes = Bytes - Size, sent = queue:drop(Sent)});
        _ when 2 * Bytes =< Most -> Ahead#ahead{full = false};
        _ -> Ahead
    end.
