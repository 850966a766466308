
-- Messages ---------------------------------------------------------------------------------------------------------------

-- A reader of the message whose bytes begin at `origin` of `tvb`; without a `tvb` nothing is shown.
local function reader(form, bytes, tvb, origin, items)
  return {
    form = form, bytes = bytes, tvb = tvb, origin = origin, items = items, big = form.big,
    cursor = 0, base = 0, extent = 0, count = 0, version = huge, at_root = true,
    depth = 64, budget = 8 * #bytes + 262144,
  }
end

local function fixed(r, place, start)
  if start + place[1] + place[2] > #r.bytes then
    fault("truncated", start, "%d bytes are too few to tell the message", #r.bytes)
  end
  return load(r, start + place[1], place[2])
end

-- The message that the bytes are, by the id in them; in forms without ids the one that was chosen.
local function find(r, chosen)
  local dispatch = r.form.dispatch
  if not dispatch then
    local message = r.form.by_name[chosen] or r.form.messages[1]
    return message or fault("unknown-message", 0, "the schema has no message")
  end
  for _, expected in ipairs(dispatch.expect) do
    local found = fixed(r, expected[1], 0)
    if found ~= wide(expected[2]) then
      fault("unknown-message", expected[1][1], "the message is of schema %.0f, not %.0f", found, wide(expected[2]))
    end
  end
  local start = dispatch.via and fixed(r, dispatch.via, 0) or 0
  if start > #r.bytes then
    fault("bad-pointer", 0, "the root record would start at byte %.0f, beyond the message", start)
  end
  local id = fixed(r, dispatch.id, start)
  local message = r.form.by_id[id]
  if not message then fault("unknown-message", start + dispatch.id[1], "no message has the id %.0f", id) end
  return message
end

-- The members of the head that are a value beside the message.
local function show_header(r, tree)
  local id = r.form.header
  if not id then return end
  local state = { r.cursor, r.version, r.extent, r.at_root }
  record(r, tree, id, schema.types[id].own)
  r.cursor, r.version, r.extent, r.at_root = state[1], state[2], state[3], state[4]
end

local function bound_frame(r, run)
  if r.frame_check ~= "bounds" then return end
  if r.frame > #r.bytes then
    fault("truncated", r.frame_at, "the message says that it has %.0f bytes, but there are %d", r.frame, #r.bytes)
  end
  if r.frame < run.size then
    fault("bad-value", r.frame_at, "a message size of %.0f is less than its head takes", r.frame)
  end
  r.bytes = sub(r.bytes, 1, r.frame)
end

-- Walks one message, and gives how many bytes it takes.
local function walk(r, tree, message)
  local field = schema.types[message[2]].own
  if r.form.segments then
    r.segments = segment_ranges(r.bytes, r.form.segments)
    local last = r.segments[#r.segments][2]
    r.bytes = sub(r.bytes, 1, last)
    r.section_slot = section_slot
    pointed_root(r, tree, message[2], field)
    return last
  end
  local start = registers(r, tree, message.head)
  bound_frame(r, message.head)
  show_header(r, tree)
  if message[3] == "follows" then
    r.cursor = start + message.head.size
  else
    r.cursor = r.root
    if r.cursor > #r.bytes then
      fault("bad-pointer", start, "the root record would start at byte %.0f, beyond the message", r.cursor)
    end
  end
  record(r, tree, message[2], field)
  if r.frame_check == "bounds" then return #r.bytes end
  if r.frame_check == "exact" and r.frame ~= r.cursor then
    fault("bad-value", r.frame_at, "the message says that it has %.0f bytes, but it takes %d", r.frame, r.cursor)
  end
  return r.cursor
end

-- Frames -----------------------------------------------------------------------------------------------------------------

-- Longer frames are taken for damage.
local LONGEST = 16777216

local PREFIXES = {
  u16le = { 2, false, 0 }, u16be = { 2, true, 0 }, u32le = { 4, false, 0 }, u32be = { 4, true, 0 },
  ["u16le-whole"] = { 2, false, 2 }, ["u16be-whole"] = { 2, true, 2 }, sofh = { 4, true, 6 },
}

local function prefixed(name, bytes, at)
  local width, big, least = PREFIXES[name][1], PREFIXES[name][2], PREFIXES[name][3]
  local head = math.max(width, least)
  if #bytes - at < head then return nil, head end
  local length = small({ bytes = bytes, big = big }, at, width)
  if length < least then fault("bad-value", at, "a frame's length is %.0f, but it is at least %d", length, least) end
  return head, least == 0 and head + length or length
end

local function own_length(form, own, bytes, at)
  local place = own.length
  if #bytes - at < place[1] + place[2] then return nil, place[1] + place[2] end
  local length = load({ bytes = bytes, big = form.big }, at + place[1], place[2])
  if length - (own.plus or 0) < own.least then
    fault("bad-value", at + place[1], "a frame's length is %.0f, but it is at least %.0f", length, own.least + (own.plus or 0))
  end
  return 0, length - (own.plus or 0)
end

local function segmented(form, bytes, at)
  if form.segments.packed then
    local good, words, stop = pcall(unpacked, bytes, at)
    if good then return 0, stop - at end
    if words.code == "truncated" then return nil, nil end
    error(words, 0)
  end
  local left = #bytes - at
  if left < 8 then return nil, 8 end
  local r = { bytes = bytes }
  local count = small(r, at, 4) + 1
  if count > 511 then fault("bad-count", at, "%d segments; at most 511 are read", count) end
  local total = (floor(count / 2) + 1) * 8
  if left < total then return nil, total end
  for index = 1, count do total = total + small(r, at + 4 * index, 4) * 8 end
  return 0, total
end

-- The frame at byte `at`: the bytes before its message, and all of its bytes; nothing and how many there must be before
-- more can be said, which may be unknown. Without frames the rest is one.
local function next_frame(form, name, bytes, at)
  local head, total
  if PREFIXES[name] then
    head, total = prefixed(name, bytes, at)
  elseif name == "fbe" and form.framing then
    head, total = own_length(form, form.framing, bytes, at)
  elseif name == "header" and form.header_length then
    head, total = own_length(form, form.header_length, bytes, at)
  elseif name == "capnp" and form.segments and form.segments.table then
    head, total = segmented(form, bytes, at)
  else
    return 0, #bytes - at, true
  end
  if total and total > LONGEST then fault("too-large", at, "a frame of %.0f bytes", total) end
  if head and total > #bytes - at then return nil, total end
  return head, total
end

-- The framing that a form has where none is named.
local function usual_framing(form)
  if form.framing then return "fbe" end
  if form.segments and form.segments.table then return "capnp" end
  return "none"
end
