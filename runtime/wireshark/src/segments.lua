
-- Segments, and pointers between words -----------------------------------------------------------------------------------

-- Bits of an element by the code of its size; code 7 is records behind a tag.
local SIZES = { [0] = 0, 1, 8, 16, 32, 64, 64 }
local KINDS = { record = "a struct pointer", list = "a list pointer", capability = "a capability" }

-- Where the segments lie: first byte and the one behind the last, by number from 0 on.
local function segment_ranges(bytes, form)
  local found, start = {}, 0
  if not form.table then
    found[0] = { 0, floor(#bytes / 8) * 8 }
  else
    local r = { bytes = bytes }
    if #bytes < 4 then fault("truncated", #bytes, "the segment table takes at least 8 bytes") end
    local count = small(r, 0, 4) + 1
    if count > 511 then fault("bad-count", 0, "%d segments; at most 511 are read", count) end
    start = (floor(count / 2) + 1) * 8
    if start > #bytes then
      fault("truncated", #bytes, "a table of %d segments takes %d bytes, but there are %d", count, start, #bytes)
    end
    for index = 0, count - 1 do
      local size = small(r, 4 + 4 * index, 4) * 8
      if size > #bytes - start then
        fault("truncated", 4 + 4 * index, "segment %d would have %d bytes, but %d are left", index, size, #bytes - start)
      end
      found[index] = { start, start + size }
      start = start + size
    end
  end
  if found[0][2] - found[0][1] < 8 then
    fault("truncated", found[0][1], "the first segment has no room for the root pointer")
  end
  return found
end

-- Unpacks words until there are `total` of them; no run may go beyond that.
local function unpack_words(u, total, what)
  if total * 8 > u.limit then
    fault("too-large", u.at, "unpacked, the message would take %.0f words: more than its packed bytes allow", total)
  end
  local function take(length)
    if length > #u.bytes - u.at then fault("truncated", u.at, "the packed bytes end within the message") end
    u.at = u.at + length
    return sub(u.bytes, u.at - length + 1, u.at)
  end
  -- A run takes what is wanted and no more.
  local function run(of)
    local count = byte(take(1))
    local fitting = math.min(count, total - u.words - 1)
    u.out[#u.out + 1] = of == 0 and string.rep("\0", fitting * 8) or take(fitting * 8)
    u.words = u.words + fitting
    if fitting < count then fault("bad-value", u.at, "a packed run of words goes beyond the end of %s", what) end
  end
  while u.words < total do
    local tag, word = byte(take(1)), {}
    local bits = tag
    for place = 1, 8 do
      word[place] = bits % 2 == 1 and take(1) or "\0"
      bits = floor(bits / 2)
    end
    u.out[#u.out + 1] = table.concat(word)
    if tag == 0 or tag == 255 then run(tag) end
    u.words = u.words + 1
  end
end

-- The words of a packed message, and how many packed bytes they take.
local function unpacked(bytes, at)
  local u = { bytes = bytes, at = at, words = 0, out = {}, limit = 64 * (#bytes - at) + 262144 }
  unpack_words(u, 1, "the segment table's first word")
  local r = { bytes = u.out[1] }
  local count = small(r, 0, 4) + 1
  if count > 511 then fault("bad-count", 0, "%d segments; at most 511 are read", count) end
  local words = floor(count / 2) + 1
  unpack_words(u, words, "the segment table")
  r.bytes = table.concat(u.out)
  local total = words
  for index = 1, count do total = total + small(r, 4 * index, 4) end
  unpack_words(u, total, "the message")
  return table.concat(u.out), u.at
end

-- Pointers ---------------------------------------------------------------------------------------------------------------

-- The facts of a pointer that is not far: its offset counts from `base`, which is nothing behind a double-far pad.
local function near(r, at, segment, base)
  local low, high = halves(r, at, 8)
  local target = { segment = segment, offset = floor(low / 4) }
  if target.offset >= 536870912 then target.offset = target.offset - 1073741824 end
  target.at = base + target.offset * 8
  if low % 4 == 0 then
    target.kind, target.data, target.pointers = "record", high % 65536, floor(high / 65536)
  elseif low % 4 == 1 then
    target.kind, target.size, target.count = "list", high % 8, floor(high / 8)
  elseif low == 3 then
    target.kind, target.index = "capability", high
  else
    fault("bad-value", at, "a pointer of a kind that is not defined")
  end
  return target
end

-- The segment and the place that a far pointer gives, with `words` words there.
local function landing(r, at, words)
  local low, high = halves(r, at, 8)
  local segment = r.segments[high]
  if not segment then fault("bad-pointer", at, "a far pointer to segment %.0f, which is not there", high) end
  local offset, size = floor(low / 8) * 8, segment[2] - segment[1]
  if offset + words * 8 > size then
    fault("bad-pointer", at, "a far pointer to byte %d of segment %d, which has %d bytes", offset, high, size)
  end
  return high, segment[1] + offset
end

-- The target of the pointer at `at`; nothing where it is null.
local function aim(r, at, segment)
  local low, high = halves(r, at, 8)
  if low == 0 and high == 0 then return nil end
  if low % 4 ~= 2 then return near(r, at, segment, at + 8) end
  local double = low % 8 >= 4
  local pad_segment, pad = landing(r, at, double and 2 or 1)
  local target
  local first = small(r, pad, 4)
  if not double then
    if first % 4 == 2 then fault("bad-value", pad, "the landing pad of a far pointer is a far pointer") end
    target = near(r, pad, pad_segment, pad + 8)
  else
    if first % 8 ~= 2 then fault("bad-value", pad, "a double-far landing pad does not begin with a far pointer") end
    local body_segment, start = landing(r, pad, 0)
    if small(r, pad + 8, 4) % 4 == 2 then
      fault("bad-value", pad + 8, "the tag of a double-far pad is a far pointer")
    end
    target = near(r, pad + 8, body_segment, start)
    target.at = start
  end
  target.pad = pad
  charge(r, double and 16 or 8, at)
  return target
end

-- Checks that a body of that size lies in its segment, and gives its first byte. An empty one may be anywhere.
local function body_of(r, target, at, size)
  local segment = r.segments[target.segment]
  if size == 0 then return segment[1] end
  local start = target.at
  if start < segment[1] or start > segment[2] then
    fault("bad-pointer", at, "%s to byte %.0f, outside of its segment", KINDS[target.kind], start)
  end
  if size > segment[2] - start then
    local code = target.kind == "list" and "bad-count" or "bad-pointer"
    fault(code, at, "%s to %.0f bytes at byte %d, but its segment ends at byte %d", KINDS[target.kind], size, start, segment[2])
  end
  return start
end

local function wrong(at, target, wanted)
  fault("bad-value", at, "%s where %s belongs", KINDS[target.kind], wanted)
end

local function show_pointer(r, tree, field, at, target)
  local label = r.label
  local pad = target.pad and format(", by way of the landing pad at byte %d", target.pad) or ""
  local place = target.kind == "capability" and format("capability %.0f", target.index)
    or format("byte %.0f (segment %d)", target.at, target.segment)
  note(r, tree, at, 8, "%s: %s to %s%s", field[1], KINDS[target.kind], place, pad)
  r.label = label
end

-- Records of two sections ------------------------------------------------------------------------------------------------

-- Whether any of a slot's bytes are there. `b` holds the places and sizes of the sections.
local function is_there(slot, data, b)
  local kind = slot[1]
  if kind == "nest" then
    for _, member in ipairs(slot.slots) do
      if is_there(member, data, b) then return true end
    end
    return false
  end
  if kind == "choice" then
    if slot[2] + slot[3] <= b.data_size then return true end
    for _, arm in ipairs(slot.arms) do
      if is_there(arm.slot, data, b) then return true end
    end
    return false
  end
  if kind == "pointer" then return slot[2] - data < b.pointer_count * 8 end
  return kind ~= "constant" and slot[2] + slot[3] <= b.data_size
end

local function section_slots(r, tree, slots, data, b, fields)
  for _, slot in ipairs(slots) do
    if slot.field then
      local field = fields[slot.field]
      if is_there(slot, data, b) then
        r.section_slot(r, tree, slot, data, b, field)
      elseif slot[1] == "pointer" then
        null(r, tree, field, b.data + b.data_size, 0)
      else
        absent(r, tree, field, slot, b.data + b.data_size)
      end
    end
  end
end

function choice(r, tree, slot, data, b, field)
  local at, tag = b.data + slot[2], 0
  local is_read = slot[2] + slot[3] <= b.data_size
  if is_read then tag = load(r, at, slot[3]) else at = b.data + b.data_size end
  local branch = open(r, tree, field, at)
  for _, arm in ipairs(slot.arms) do
    if arm[1] == tag then
      local inner = schema.types[slot.type].fields[arm.slot.field]
      if branch then branch:append_text(": " .. inner[1]) end
      if is_there(arm.slot, data, b) then
        r.section_slot(r, branch, arm.slot, data, b, inner)
      elseif arm.slot[1] == "pointer" then
        null(r, branch, inner, b.data + b.data_size, 0)
      else
        absent(r, branch, inner, arm.slot, b.data + b.data_size)
      end
      return close(branch, at, at + (is_read and slot[3] or 0))
    end
  end
  if branch then branch:append_text(format(": unknown (%d)", tag)) end
  close(branch, at, at + (is_read and slot[3] or 0))
end

local function section_slot(r, tree, slot, data, b, field)
  local kind, at = slot[1], b.data + slot[2]
  if kind == "scalar" then return scalar(r, tree, slot, field, at) end
  if kind == "pointer" then
    return pointer_slot(r, tree, slot.target, field, b.pointers + slot[2] - data, b.segment)
  end
  if kind == "choice" then return choice(r, tree, slot, data, b, field) end
  if kind == "nest" then
    return section_slots(r, open(r, tree, field, b.data), slot.slots, data, b, schema.types[slot.type].fields)
  end
  if kind == "constant" then return put(r, tree, field, at, 0) end
  fault("bad-value", at, "this has no place in a section")
end

function body(r, tree, id, field, b)
  enter(r, b.data)
  local branch = open(r, tree, field, b.data)
  for _, step in ipairs(r.form.layouts[id]) do
    section_slots(r, branch, step.run, step.run.data, b, schema.types[id].fields)
  end
  close(branch, b.data, b.data + b.data_size + b.pointer_count * 8)
  r.depth = r.depth + 1
end

local function sections(r, target, at)
  if target.kind ~= "record" then wrong(at, target, "a struct") end
  if r.depth == 0 then fault("too-deep", at, "pointers and records nest deeper than the limit") end
  local data, pointers = target.data * 8, target.pointers
  local start = body_of(r, target, at, data + pointers * 8)
  charge(r, data + pointers * 8, at)
  return { segment = target.segment, data = start, data_size = data, pointers = start + data, pointer_count = pointers }
end

local function pointed_blob(r, tree, n, field, target, at)
  if target.kind ~= "list" or target.size ~= 2 then wrong(at, target, "text or bytes") end
  local words = floor((target.count + 7) / 8) * 8
  local from = body_of(r, target, at, words)
  charge(r, words, at)
  if not n.text then return put(r, tree, field, from, target.count) end
  if target.count == 0 or byte(r.bytes, from + target.count) ~= 0 then
    fault("bad-value", at, "text without the zero byte at its end")
  end
  text(r, tree, field, from, target.count - 1)
end

-- The elements of a list in whatever encoding it comes: where they are and how large, in bits.
local function cells_of(r, target, at)
  if target.size ~= 7 then
    local bits = SIZES[target.size]
    local size = floor((bits * target.count + 63) / 64) * 8
    local start = body_of(r, target, at, size)
    charge(r, size, at)
    if bits == 0 then charge(r, target.count * 8, at) end
    local pointers = target.size == 6 and 1 or 0
    return { segment = target.segment, start = start, count = target.count, stride = bits,
      data = pointers == 0 and bits or 0, pointers = pointers }
  end
  local start = body_of(r, target, at, (target.count + 1) * 8)
  charge(r, (target.count + 1) * 8, at)
  local low, high = halves(r, start, 8)
  if low % 4 ~= 0 then fault("bad-value", start, "the tag of a list of structs is no struct pointer") end
  local count, data, pointers = floor(low / 4) % 536870912, high % 65536, floor(high / 65536)
  if count * (data + pointers) > target.count then
    fault("bad-count", start, "%d structs would take %.0f words, but the list has %d", count, count * (data + pointers),
      target.count)
  end
  if data + pointers == 0 then charge(r, count * 8, at) end
  return { segment = target.segment, start = start + 8, count = count, stride = (data + pointers) * 64, data = data * 64,
    pointers = pointers, records = true }
end

local function scalar_elements(r, branch, slot, field, c, at)
  if slot.bit then
    if c.data == 0 or c.records then fault("bad-value", at, "a list of other elements where one of bits belongs") end
  elseif c.data < slot[3] * 8 then
    fault("bad-value", at, "elements of %d bits where %d belong", c.data, slot[3] * 8)
  end
  for index = 0, c.count - 1 do
    element(r, index)
    if slot.bit then
      local from = c.start + floor(index / 8)
      local is_set = bit_of(byte(r.bytes, from + 1), 0, index % 8)
      number(r, branch, field.item, is_set and 1 or 0, 0, from, 1)
    else
      scalar(r, branch, slot, field.item, c.start + floor(index * c.stride / 8))
    end
  end
end

local function record_elements(r, branch, id, field, c, at)
  if c.stride == 1 then fault("bad-value", at, "a list of bits where one of structs belongs") end
  for index = 0, c.count - 1 do
    local from, size = c.start + floor(index * c.stride / 8), floor(c.data / 8)
    element(r, index)
    body(r, branch, id, field.item,
      { segment = c.segment, data = from, data_size = size, pointers = from + size, pointer_count = c.pointers })
  end
end

local function pointed_list(r, tree, n, field, target, at)
  enter(r, at)
  local c = cells_of(r, target, at)
  local branch = list(r, tree, field, c.start, c.count)
  local item = n.item
  if item and item[1] == "call" then
    record_elements(r, branch, item.type, field, c, at)
  elseif item and item.slot[1] == "scalar" then
    scalar_elements(r, branch, item.slot, field, c, at)
  elseif item and item.slot[1] == "pointer" then
    if c.pointers == 0 then fault("bad-value", at, "a list of numbers where one of pointers belongs") end
    for index = 0, c.count - 1 do
      element(r, index)
      local from = c.start + floor(index * c.stride / 8) + floor(c.data / 8)
      pointer_slot(r, branch, item.slot.target, field.item, from, c.segment)
    end
  else
    for index = 0, c.count - 1 do
      element(r, index)
      put(r, branch, field.item, c.start, 0)
    end
  end
  close(branch, c.start, c.start + floor((c.count * c.stride + 7) / 8))
  r.depth = r.depth + 1
end

-- An object of unknown type as its bytes, and below them what its pointers lead to.
local function object(r, tree, field, target, at)
  if target.kind == "capability" then return put(r, tree, field, at, 8) end
  enter(r, at)
  local c
  if target.kind == "record" then
    local size = (target.data + target.pointers) * 8
    c = { segment = target.segment, start = body_of(r, target, at, size), count = 1, stride = size * 8,
      data = target.data * 64, pointers = target.pointers }
    charge(r, size, at)
  else
    c = cells_of(r, target, at)
  end
  local branch = put(r, tree, field, c.start, floor((c.count * c.stride + 7) / 8))
  for index = 0, c.pointers > 0 and c.count - 1 or -1 do
    for number = 0, c.pointers - 1 do
      local from = c.start + floor(index * c.stride / 8) + floor(c.data / 8) + number * 8
      local inner = aim(r, from, c.segment)
      if inner then
        show_pointer(r, branch, field, from, inner)
        object(r, branch, field, inner, from)
      end
    end
  end
  r.depth = r.depth + 1
end

-- Shows the value that the pointer at `at` leads to.
function pointer_slot(r, tree, n, field, at, segment)
  local target = aim(r, at, segment)
  if not target then return null(r, tree, field, at, 8) end
  show_pointer(r, tree, field, at, target)
  if n[1] == "call" then return body(r, tree, n.type, field, sections(r, target, at)) end
  if n[1] == "blob" then return pointed_blob(r, tree, n, field, target, at) end
  if n[1] == "opaque" then return object(r, tree, field, target, at) end
  if target.kind ~= "list" then wrong(at, target, "a list") end
  pointed_list(r, tree, n, field, target, at)
end

local function pointed_root(r, tree, id, field)
  local at = r.segments[0][1]
  local target = aim(r, at, 0)
  local b = { segment = 0, data = 0, data_size = 0, pointers = 0, pointer_count = 0 }
  if target then
    show_pointer(r, tree, field, at, target)
    b = sections(r, target, at)
  end
  body(r, tree, id, field, b)
  r.cursor = #r.bytes
end
