%% @doc Whole records behind damage. Every record begins with its segment's salt, which nobody outside knows, so they can be
%% found again wherever they lie.
-module(aldis_log_scan).

-export([find/5]).

-record(scan, {
    file :: file:fd(),
    salt :: aldis_log_record:salt(),
    size :: non_neg_integer(),
    accept :: fun((aldis_log_record:batch()) -> boolean()),
    %% The part of the file that was read last, and where it begins.
    from = 0 :: non_neg_integer(),
    window = <<>> :: binary(),
    %% Bytes that were checked, and when they were many the CRC of all before each step of the file, as 32 bits each.
    checked = 0 :: non_neg_integer(),
    sums = none :: none | binary()
}).

-define(WINDOW, 1048576).
-define(SALT, 4).
-define(STEP, 4096).
%% Direct checks may read the file so many times.
-define(TIMES, 4).

%% @doc The first whole record from `From' on, within the `Size' bytes of a file, for which `Accept' is true of what stands before its entries.
%% The time is that of reading the file a few times, also where every few bytes look like the begin of a long record.
-spec find(file:fd(), aldis_log_record:salt(), From :: non_neg_integer(), Size :: non_neg_integer(),
    fun((aldis_log_record:batch()) -> boolean())) ->
    {ok, Position :: non_neg_integer(), aldis_log_record:batch()} | none | {error, term()}.
find(File, Salt, From, Size, Accept) ->
    try windows(From, #scan{file = File, salt = Salt, size = Size, accept = Accept})
    catch
        throw:{error, _} = Error -> Error;
        throw:shorter -> none
    end.

windows(From, #scan{size = Size}) when From + ?SALT > Size -> none;
windows(From, #scan{salt = Salt, size = Size} = Scan) ->
    Window = read(From, min(?WINDOW, Size - From), Scan),
    Begins = [From + At || {At, _} <- binary:matches(Window, <<Salt:32/little>>)],
    case first(Begins, Scan#scan{from = From, window = Window}) of
        %% A salt may lie across two windows.
        #scan{} = Next when byte_size(Window) >= ?SALT -> windows(From + byte_size(Window) - (?SALT - 1), Next);
        #scan{} -> none;
        Found -> Found
    end.

first([], Scan) -> Scan;
first([At | Begins], #scan{salt = Salt, size = Size, accept = Accept, checked = Checked} = Scan) ->
    case aldis_log_record:head(read(At, min(aldis_log_record:header_size(), Size - At), Scan), Salt) of
        {ok, Batch, Length, Crc} when At + Length =< Size ->
            Known = Scan#scan{checked = Checked + Length},
            case Accept(Batch) andalso whole(At, Length, Crc, Known) of
                false -> first(Begins, Scan);
                {false, Next} -> first(Begins, Next);
                true ->
                    {ok, Whole, _} = aldis_log_record:decode(read(At, Length, Scan), 0, Salt),
                    {ok, At, Whole}
            end;
        _ -> first(Begins, Scan)
    end.

%% Whether a record's checksum is right. What is before the record has its part in the sum of all, which is known without its bytes.
whole(At, Length, Crc, #scan{salt = Salt, size = Size, checked = Checked} = Scan) when Length =< ?STEP; Checked =< ?TIMES * Size ->
    case aldis_scan:crc32(Salt, binary:part(read(At, Length, Scan), 8, Length - 8)) of
        Crc -> true;
        _ -> {false, Scan}
    end;
whole(At, Length, Crc, #scan{sums = none, size = Size} = Scan) ->
    whole(At, Length, Crc, Scan#scan{sums = sums(0, Size, 0, <<>>, Scan)});
whole(At, Length, Crc, #scan{salt = Salt} = Scan) ->
    case erlang:crc32_combine(sum(At + 8, Scan) bxor Salt, 0, Length - 8) bxor sum(At + Length, Scan) of
        Crc -> true;
        _ -> {false, Scan}
    end.

sums(At, Size, Sum, Sums, _) when At > Size -> <<Sums/binary, Sum:32>>;
sums(At, Size, Sum, Sums, Scan) ->
    sums(At + ?STEP, Size, aldis_scan:crc32(Sum, read(At, min(?STEP, Size - At), Scan)), <<Sums/binary, Sum:32>>, Scan).

%% The CRC of the file's first bytes.
sum(End, #scan{sums = Sums} = Scan) ->
    <<_:(End div ?STEP)/unit:32, Sum:32, _/binary>> = Sums,
    aldis_scan:crc32(Sum, read(End - End rem ?STEP, End rem ?STEP, Scan)).

read(_, 0, _) -> <<>>;
read(At, Size, #scan{from = From, window = Window}) when At >= From, At + Size =< From + byte_size(Window) ->
    binary:part(Window, At - From, Size);
read(At, Size, #scan{file = File}) ->
    case file:pread(File, At, Size) of
        {ok, Bytes} when byte_size(Bytes) =:= Size -> Bytes;
        {ok, _} -> throw(shorter);
        eof -> throw(shorter);
        {error, _} = Error -> throw(Error)
    end.
