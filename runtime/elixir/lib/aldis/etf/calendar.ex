defmodule Aldis.Etf.Calendar do
  @moduledoc false
  # ISO 8601 of what pages are sent most: the years 0 to 9999 of the ISO calendar, in no time zone or UTC. The same text as
  # `to_iso8601/1` gives, in a fraction of its time: each text is one binary, put together from pairs of digits.

  @pairs List.to_tuple(
           for number <- 0..99, do: (?0 + div(number, 10)) * 256 + ?0 + rem(number, 10)
         )

  defmacrop two(number), do: quote(do: elem(@pairs, unquote(number)))

  @doc "The text of a date, time or both; nil where it is for the calendar's own functions."
  @spec text(Calendar.date() | Calendar.time() | Calendar.datetime()) :: binary() | nil
  def text(%Date{calendar: Calendar.ISO, year: year, month: month, day: day})
      when year in 0..9999,
      do:
        <<two(div(year, 100))::16, two(rem(year, 100))::16, ?-, two(month)::16, ?-, two(day)::16>>

  def text(%Time{
        calendar: Calendar.ISO,
        hour: hour,
        minute: minute,
        second: second,
        microsecond: microsecond
      }),
      do:
        <<two(hour)::16, ?:, two(minute)::16, ?:, two(second)::16, fraction(microsecond)::binary>>

  def text(%NaiveDateTime{calendar: Calendar.ISO, year: year} = both) when year in 0..9999,
    do: both(both, "")

  def text(
        %DateTime{calendar: Calendar.ISO, time_zone: "Etc/UTC", utc_offset: 0, std_offset: 0} =
          both
      )
      when both.year in 0..9999,
      do: both(both, "Z")

  def text(_), do: nil

  defp both(
         %{
           year: year,
           month: month,
           day: day,
           hour: hour,
           minute: minute,
           second: second,
           microsecond: microsecond
         },
         zone
       ) do
    <<two(div(year, 100))::16, two(rem(year, 100))::16, ?-, two(month)::16, ?-, two(day)::16, ?T,
      two(hour)::16, ?:, two(minute)::16, ?:, two(second)::16, fraction(microsecond)::binary,
      zone::binary>>
  end

  defp fraction({_, 0}), do: ""

  defp fraction({microsecond, precision}) do
    digits =
      <<?., two(div(microsecond, 10_000))::16, two(rem(div(microsecond, 100), 100))::16,
        two(rem(microsecond, 100))::16>>

    if precision == 6, do: digits, else: binary_part(digits, 0, precision + 1)
  end
end
