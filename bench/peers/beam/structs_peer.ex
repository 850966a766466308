defmodule StructsPeer do
  @moduledoc """
  `flat_peer.erl` in Elixir, with the generated struct: what a struct costs in the place of a record, in code that nobody
  generated.
  """

  defguardp is_int32(value) when is_integer(value) and value >= -0x80000000 and value <= 0x7FFFFFFF

  @spec encode(%Flat.Reading{}) :: binary()
  def encode(%Flat.Reading{
        time: time,
        station: station,
        temperature: temperature,
        pressure: pressure,
        humidity: humidity,
        wind: wind,
        rain: rain,
        place: place,
        sky: sky,
        observer: observer
      })
      when is_integer(time) and time >= 0 and time <= 0xFFFFFFFFFFFFFFFF and
             is_integer(station) and station >= 0 and station <= 0xFFFF and
             is_int32(temperature) and is_int32(pressure) and is_int32(humidity) and is_int32(wind) and is_int32(rain) and
             byte_size(place) == 6 and byte_size(sky) < 0xFFFF and byte_size(observer) < 0xFFFF do
    <<36::little-16, 1::little-16, 81::little-16, 0::little-16, time::little-64, station::little-16, temperature::little-32,
      pressure::little-32, humidity::little-32, wind::little-32, rain::little-32, place::binary, byte_size(sky)::little-16,
      sky::binary, byte_size(observer)::little-16, observer::binary>>
  end

  @spec decode(binary()) :: %Flat.Reading{}
  def decode(
        <<36::little-16, 1::little-16, 81::little-16, 0::little-16, time::little-64, station::little-16,
          temperature::signed-little-32, pressure::signed-little-32, humidity::signed-little-32, wind::signed-little-32,
          rain::signed-little-32, place::binary-size(6), sky_size::little-16, sky::binary-size(sky_size),
          observer_size::little-16, observer::binary-size(observer_size), _::binary>>
      ) do
    %Flat.Reading{
      time: time,
      station: station,
      temperature: temperature,
      pressure: pressure,
      humidity: humidity,
      wind: wind,
      rain: rain,
      place: cut(place),
      sky: sky,
      observer: observer
    }
  end

  defp cut(<<_::binary-size(5), last, _::binary>> = text) when last != 0, do: text
  defp cut(text), do: hd(:binary.split(text, <<0>>))
end
