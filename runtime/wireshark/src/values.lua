
------------------------------------------------------------------------------------------------------------------------
-- The engine, which is the same for every schema.
--
-- A reader is a table: `bytes`, the message; `tvb` and `origin`, where it is shown; registers (`cursor`, `base`, `extent`,
-- `count`, `version`); what is left of `depth`, `budget` and `items`. Positions count from the message's first byte. Nothing is
-- read before it is known to be there, so that Wireshark never raises an error: what is wrong with bytes is a fault, a
-- table that `pcall` hands to the dissector. Whole numbers of more than 53 bits are kept in two halves.
--
-- It runs with Lua 5.2, 5.3 and 5.4: no operators on bits, no integer division, no `string.unpack`.

local floor, huge = math.floor, math.huge
local byte, char, format, sub = string.byte, string.char, string.format, string.sub
local WORD = 4294967296.0

-- Faults -----------------------------------------------------------------------------------------------------------------

-- Leaves the walk. `code` is one of those that `aldis decode` gives, `at` the place of the fault.
local function fault(code, at, text, ...)
  error({ code = code, at = at, text = format(text, ...) }, 0)
end

-- A budget bounds the bytes that are visited, which links may lead to again and again; elements without bytes cost 8.
local function charge(r, bytes, at)
  r.budget = r.budget - bytes
  if r.budget < 0 then
    fault("too-large", at, "more bytes would be visited than this message's budget allows")
  end
end

local function need(r, width, at)
  local left = #r.bytes - at
  if width > left then
    fault("truncated", at, "a value of %d bytes would lie here, but %d are left", width, left)
  end
end

local function enter(r, at)
  if r.depth == 0 then fault("too-deep", at, "records nest deeper than the limit") end
  r.depth = r.depth - 1
end

-- Numbers ----------------------------------------------------------------------------------------------------------------

local function small(r, at, width)
  local a, b, c, d = byte(r.bytes, at + 1, at + width)
  if width == 1 then return a end
  if width == 2 then return r.big and a * 256 + b or b * 256 + a end
  if r.big then a, b, c, d = d, c, b, a end
  return ((d * 256 + c) * 256 + b) * 256 + a
end

-- The low and the high 32 bits of a number of 1, 2, 4 or 8 bytes.
local function halves(r, at, width)
  if width < 8 then return small(r, at, width), 0 end
  local first, second = small(r, at, 4), small(r, at + 4, 4)
  if r.big then return second, first end
  return first, second
end

-- A number, rounded above 2^53: for counts, sizes and ids.
local function join(low, high)
  if high == 0 then return low end
  return high * WORD + low
end

local function load(r, at, width)
  return join(halves(r, at, width))
end

-- The table says wide numbers as their digits.
local function wide(number)
  return type(number) == "string" and tonumber(number .. ".0") or number
end

local function xor(a, b)
  local sum, place = 0, 1
  for _ = 1, 32 do
    if a % 2 ~= b % 2 then sum = sum + place end
    a, b, place = floor(a / 2), floor(b / 2), place * 2
  end
  return sum
end

local function bit_of(low, high, bit)
  if bit >= 32 then low, bit = high, bit - 32 end
  return floor(low / 2 ^ bit) % 2 == 1
end

-- A float by its parts: digits without the leading one as a fraction, and the exponent.
local function float(sign, exponent, fraction, most)
  local value
  if exponent == most then
    value = fraction == 0 and huge or 0 / 0
  elseif exponent == 0 then
    value = fraction * 2.0 ^ (2 - (most + 1) / 2)
  else
    value = (1 + fraction) * 2.0 ^ (exponent - (most - 1) / 2)
  end
  return sign == 1 and -value or value
end

local function float32(bits)
  return float(floor(bits / 2147483648), floor(bits / 8388608) % 256, (bits % 8388608) / 8388608, 255)
end

local function float64(low, high)
  local fraction = ((high % 1048576) * WORD + low) / 4503599627370496
  return float(floor(high / 2147483648), floor(high / 1048576) % 2048, fraction, 2047)
end

local function is_nan(kind, low, high)
  local value = kind == "float" and float32(low) or float64(low, high)
  return value ~= value
end

-- The text of a decimal, whose bytes were checked: a coefficient of 96 bits, divided by 10,000 again and again.
local function decimal_text(r, at)
  local words, groups = {}, {}
  for i = 1, 6 do
    local low, high = byte(r.bytes, at + 2 * i - 1, at + 2 * i)
    words[i] = high * 256 + low
  end
  for group = 1, 8 do
    local rest = 0
    for i = 6, 1, -1 do
      local value = rest * 65536 + words[i]
      words[i], rest = floor(value / 10000), value % 10000
    end
    groups[9 - group] = format("%04d", rest)
  end
  local scale, sign = byte(r.bytes, at + 15, at + 16)
  local digits = table.concat(groups)
  local whole = digits:sub(1, #digits - scale):gsub("^0+", "")
  local point = scale > 0 and "." .. digits:sub(#digits - scale + 1) or ""
  return (sign ~= 0 and "-" or "") .. (whole == "" and "0" or whole) .. point
end

local function check_decimal(r, at)
  local a, b, scale, sign = byte(r.bytes, at + 13, at + 16)
  if a ~= 0 or b ~= 0 or scale > 28 or (sign ~= 0 and sign ~= 128) then
    fault("bad-value", at, "not a decimal: its scale, sign or spare bytes are out of bounds")
  end
end

local SIGNED = { int8 = 128, int16 = 32768, int32 = 2147483648 }

-- The value of a field, as Wireshark takes it, from its bits.
local function value_of(kind, low, high)
  local half = SIGNED[kind]
  if half then return low % (2 * half) >= half and low % (2 * half) - 2 * half or low % (2 * half) end
  if kind == "int64" then return Int64.new(low, high) end
  if kind == "uint64" then return UInt64.new(low, high) end
  if kind == "boolean" then return low ~= 0 end
  if kind == "float" then return float32(low) end
  if kind == "double" then return float64(low, high) end
  if kind == "char" then
    local code = low % 256
    if code < 128 then return char(code) end
    return char(192 + floor(code / 64), 128 + code % 64)
  end
  if kind == "time" then
    local count = UInt64.new(low, high)
    return NSTime.new((count / UInt64.new(1000000000)):tonumber(), (count % UInt64.new(1000000000)):tonumber())
  end
  return low
end

-- The tree ---------------------------------------------------------------------------------------------------------------

-- A branch, or nothing where messages are only looked at.
local function range(r, at, width)
  return r.tvb(r.origin + at, width)
end

local function count_item(r, at)
  r.items = r.items - 1
  if r.items < 0 then
    fault("too-large", at, "more items than are shown of one packet")
  end
end

-- An element's index stands before its text.
local function labelled(r, item)
  if r.label then
    item:prepend_text(r.label)
    r.label = nil
  end
  return item
end

local function put(r, tree, field, at, width, value)
  count_item(r, at)
  if not tree then return nil end
  if value == nil then return labelled(r, tree:add(field.proto, range(r, at, width))) end
  return labelled(r, tree:add(field.proto, range(r, at, width), value))
end

local function note(r, tree, at, width, ...)
  count_item(r, at)
  if not tree then return nil end
  return labelled(r, tree:add(range(r, at, width), format(...)))
end

-- A value with parts, whose end is told to `close`.
local function open(r, tree, field, at)
  return put(r, tree, field, at, 0)
end

local function close(tree, at, to)
  if tree and to > at then tree:set_len(to - at) end
end

local function number(r, tree, field, low, high, at, width)
  local kind = field[3]
  local item = put(r, tree, field, at, width, value_of(kind, low, high))
  if not item then return item end
  if field.names and field.wide then
    local name = field.wide[tostring(value_of(kind, low, high))]
    item:append_text(name and " (" .. name .. ")" or " (Unknown)")
  elseif field.bits then
    local names = {}
    for _, flag in ipairs(schema.types[field.bits].bits) do
      local is_set = bit_of(low, high, flag[1])
      if is_set then names[#names + 1] = flag[2][1] end
      put(r, item, flag[2], at, width, is_set)
    end
    item:append_text(" (" .. table.concat(names, ", ") .. ")")
  end
  return item
end

local function text(r, tree, field, at, width)
  count_item(r, at)
  if not tree then return end
  labelled(r, tree:add_packet_field(field.proto, range(r, at, width), field.latin and ENC_ISO_8859_1 or ENC_UTF_8))
end

local function null(r, tree, field, at, width)
  note(r, tree, at, width, "%s: null", field[1])
end

-- A field whose bytes are not in the message, by the default that it has in the schema.
local function absent(r, tree, field, slot, at)
  local item
  if slot.default == nil then
    item = note(r, tree, at, 0, "%s: absent", field[1])
  elseif type(slot.default) == "string" then
    item = put(r, tree, field, at, 0, slot.default)
  else
    item = number(r, tree, field, slot.default[1], slot.default[2], at, 0)
  end
  if item then item:set_generated() end
end
