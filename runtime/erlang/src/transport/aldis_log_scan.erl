%% @doc Whole records behind damage. Every record begins with its segment's salt, which nobody outside knows, so they can be
%% found again wherever they lie.
-module(aldis_log_scan).

-export([find/5, at/4]).

-define(WINDOW, 1048576).
-define(SALT, 4).

%% @doc The first whole record from `From' on, within the `Size' bytes of a file, for which `Accept' is true.
-spec find(file:fd(), aldis_log_record:salt(), From :: non_neg_integer(), Size :: non_neg_integer(),
    fun((aldis_log_record:batch()) -> boolean())) ->
    {ok, Position :: non_neg_integer(), aldis_log_record:batch()} | none | {error, term()}.
find(_, _, From, Size, _) when From + ?SALT > Size -> none;
find(File, Salt, From, Size, Accept) ->
    case file:pread(File, From, min(?WINDOW, Size - From)) of
        {ok, Window} ->
            Begins = [From + At || {At, _} <- binary:matches(Window, <<Salt:32/little>>)],
            case first(Begins, File, Salt, Size, Accept) of
                %% A salt may lie across two windows.
                none when byte_size(Window) >= ?SALT -> find(File, Salt, From + byte_size(Window) - (?SALT - 1), Size, Accept);
                Other -> Other
            end;
        eof -> none;
        {error, _} = Error -> Error
    end.

first([], _, _, _, _) -> none;
first([At | Begins], File, Salt, Size, Accept) ->
    case at(File, Salt, At, Size) of
        {ok, Batch} ->
            case Accept(Batch) of
                true -> {ok, At, Batch};
                false -> first(Begins, File, Salt, Size, Accept)
            end;
        damaged -> first(Begins, File, Salt, Size, Accept);
        {error, _} = Error -> Error
    end.

%% @doc The record at a position.
-spec at(file:fd(), aldis_log_record:salt(), At :: non_neg_integer(), Size :: non_neg_integer()) ->
    {ok, aldis_log_record:batch()} | damaged | {error, term()}.
at(File, Salt, At, Size) -> at(File, Salt, At, Size, aldis_log_record:header_size()).

at(_, _, At, Size, Need) when At + Need > Size -> damaged;
at(File, Salt, At, Size, Need) ->
    case file:pread(File, At, Need) of
        {ok, Bytes} ->
            case aldis_log_record:decode(Bytes, 0, Salt) of
                {ok, Batch, _} -> {ok, Batch};
                {more, More} when More > Need, byte_size(Bytes) =:= Need -> at(File, Salt, At, Size, More);
                _ -> damaged
            end;
        eof -> damaged;
        {error, _} = Error -> Error
    end.
