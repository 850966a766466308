defmodule StructsPeer do
  @moduledoc """
  The decoder of `flat_peer.erl` in Elixir, into the generated struct: what a struct costs in the place of a record,
  in code that nobody generated.
  """

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
