%% @private What a client asks and tells the functions and processes of its user: answers to the server's requests, and events.
-module(aldis_client_answer).

-include("aldis_frame.hrl").

-export([to/4, notify/2]).

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

%% @doc Tells the user of an event.
-spec notify(aldis_client:event(), To :: none | fun((aldis_client:event()) -> term()) | pid() | atom()) -> ok.
notify(_, none) -> ok;
notify(Event, Fun) when is_function(Fun) ->
    try
        _ = Fun(Event),
        ok
    catch
        Class:Reason:Stack -> logger:error("aldis client: notify failed: ~0tp:~0tp ~0tp", [Class, Reason, Stack])
    end;
notify(Event, To) ->
    %% A name that nobody has now is no fault of this process.
    try
        To ! {aldis_client, self(), Event},
        ok
    catch
        error:badarg -> ok
    end.
