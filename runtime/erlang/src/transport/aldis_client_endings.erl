%% @private What ends a client and what only its connection: the table in docs/protocol.md, section "Endings". Pure.
-module(aldis_client_endings).

-include("aldis_frame.hrl").

-export([of_close/1, of_welcome/2]).
-export_type([ending/0]).

-type ending() :: {again | over, aldis_frame:code(), Text :: iodata()}.
%% `again': the server is told why, and a new connection is made. `over': the server is told, and the client stops.

-define(VERSION, 1).
%% No server has less: the handshake alone may be this long.
-define(SMALLEST_MAX_FRAME, 64).

%% @doc Whether a server that has closed with that code would do so again.
-spec of_close(aldis_frame:code()) -> again | over.
of_close(Code) ->
    Final = [protocol, frame_too_large, version, unauthorized, stale_epoch, unsupported, superseded],
    case lists:member(Code, Final) of
        true -> over;
        false -> again
    end.

%% @doc Whether a WELCOME gives what the client's options ask for.
-spec of_welcome(#welcome{}, map()) -> ok | ending().
of_welcome(#welcome{version = Version}, _) when Version =/= ?VERSION ->
    {over, version, io_lib:format("the server speaks version ~b", [Version])};
of_welcome(#welcome{max_frame = Max}, _) when Max < ?SMALLEST_MAX_FRAME ->
    {again, protocol, io_lib:format("a max frame of ~b", [Max])};
of_welcome(#welcome{features = Features, durability = Granted}, Options) ->
    #{durability := Wanted, checksum := Checksum, schema := Schema} = Options,
    Less = aldis_frame:level(Granted) < aldis_frame:level(Wanted),
    if
        Less -> {over, unsupported, <<"the server grants less durability than is wanted">>};
        not Checksum, Features band ?NO_CHECKSUM =:= 0 -> {over, unsupported, <<"the server wants checksums">>};
        Schema =/= none, Features band ?SCHEMA =:= 0 -> {over, unsupported, <<"the server takes no schema ids">>};
        true -> ok
    end.
