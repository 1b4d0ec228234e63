import { hash } from "node:crypto";

/**
 * Counts one event in every window of KEYS, or in none: `ARGV[1]` is the time in milliseconds, and empty for Redis' own,
 * then follow the most events and the span of each window. A window is a list of times, oldest first, of `max` at most.
 *
 * Answers 1 or 0 for whether it was counted, how many more the fullest window allows, the milliseconds until the next
 * is allowed (0 if it is now), and the time at which it was counted.
 */
export const TAKE = `
local now = tonumber(ARGV[1])
local stamp = now
if not now then
  local time = redis.call("TIME")
  now = time[1] * 1000 + math.floor(time[2] / 1000)
  -- The event was within this millisecond, and counts from its end on: never too short.
  stamp = now + 1
end
stamp = string.format("%.0f", stamp)

local function windowOf(at)
  return KEYS[at], tonumber(ARGV[2 * at]), tonumber(ARGV[2 * at + 1])
end

local function judge(at)
  local key, max, span = windowOf(at)
  local count = redis.call("LLEN", key)
  while count > 0 and math.abs(now - redis.call("LINDEX", key, 0)) >= span do
    redis.call("LPOP", key)
    count = count - 1
  end
  if count < max then return 0, max - count end
  if max < 1 then return span, 0 end
  return redis.call("LINDEX", key, -max) + span - now, 0
end

local longest, rooms = 0, {}
for at = 1, #KEYS do
  local wait, room = judge(at)
  longest = math.max(longest, wait)
  rooms[at] = room
end
if longest > 0 then return {0, 0, longest, stamp} end

local least = math.huge
for at = 1, #KEYS do
  local key, max, span = windowOf(at)
  if at > 1 then
    local wait, room = judge(at)
    if wait > 0 then
      for counted = 1, at - 1 do redis.call("RPOP", KEYS[counted]) end
      return {0, 0, wait, stamp}
    end
    rooms[at] = room
  end
  redis.call("RPUSH", key, stamp)
  redis.call("PEXPIRE", key, span)
  least = math.min(least, rooms[at] - 1)
  if rooms[at] == 1 then
    longest = math.max(longest, redis.call("LINDEX", key, -max) + span - now)
  end
end
return {1, least, longest, stamp}
`;

/** By which Redis knows the script. */
export const TAKE_SHA = hash("sha1", TAKE, "hex");

/** What `TAKE` answers. */
export interface Taken {
  readonly isCounted: boolean;
  readonly remaining: number;
  readonly waitMs: number;
  /** The entry of the lists. */
  readonly stamp: string;
}

/** @throws {TypeError} if it is no answer of the script */
export function parseTaken(answer: unknown): Taken {
  if (!Array.isArray(answer)) throw new TypeError("Redis answers something else than a list.");
  const [counted, remaining, waitMs, stamp]: readonly unknown[] = answer;
  return {
    isCounted: counted === 1,
    remaining: Number(remaining),
    waitMs: Number(waitMs),
    stamp: String(stamp),
  };
}
