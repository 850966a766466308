%% @private What a client answers to a request of the server. Pure but for the fun that is asked.
-module(aldis_client_answer).

-include("aldis_frame.hrl").

-export([to/4]).

%% Kind, correlation and code of a REPLY.
-define(REPLY_HEAD, 13).

%% @doc The answer of `on_request' to a request with that correlation: `{reply, iodata()}' or `{error, chardata()}'. An
%% answer beyond the server's max frame would end the connection, so the server is told that instead; a fun that fails, or
%% answers what is no bytes or no text, has failed as `handler'.
-spec to(none | fun((binary()) -> {reply, iodata()} | {error, unicode:chardata()}), aldis_frame:u64(), binary(),
    MaxFrame :: pos_integer()) -> #reply{}.
to(none, Id, _, _) -> #reply{correlation = Id, code = unsupported, bytes = <<"this client answers no requests">>};
to(Fun, Id, Request, MaxFrame) ->
    try answer(Fun(Request)) of
        {_, Bytes} when byte_size(Bytes) + ?REPLY_HEAD > MaxFrame ->
            Text = io_lib:format("an answer of ~b bytes; a frame takes ~b", [byte_size(Bytes), MaxFrame - ?REPLY_HEAD]),
            #reply{correlation = Id, code = frame_too_large, bytes = iolist_to_binary(Text)};
        {Code, Bytes} -> #reply{correlation = Id, code = Code, bytes = Bytes}
    catch
        Class:Reason:Stack ->
            logger:error("aldis client: on_request failed: ~0tp:~0tP ~0tp", [Class, Reason, 20, Stack]),
            #reply{correlation = Id, code = handler, bytes = <<"the client's handler failed">>}
    end.

answer({reply, Answer}) -> {normal, iolist_to_binary(Answer)};
answer({error, Text}) ->
    case unicode:characters_to_binary(Text) of
        Utf8 when is_binary(Utf8) -> {refused, Utf8};
        _ -> error({not_utf8, Text})
    end.
