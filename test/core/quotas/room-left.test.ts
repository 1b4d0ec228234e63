import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judgeRoom, roomLeft } from "../../../core/quotas/judge-room.ts";

const bytes = fc.nat(1000);
const counts = fc.record({
  receivedBytes: bytes,
  storedBytes: bytes,
  reservedOfDevice: bytes,
  reservedOfAddress: bytes,
  reservedOfNetworks: fc.array(fc.nat(10_000), { maxLength: 2 }),
  reservedBytes: fc.nat(3000),
});
const quotas = fc.record({
  bytesPerDevice: fc.nat(3000),
  bytesPerAddressPerDay: fc.nat(3000),
  unfilledPerDevice: fc.nat(3000),
  unfilledPerAddress: fc.nat(3000),
  uncrowdedBytes: fc.nat(5000),
  roomBytes: fc.oneof(fc.nat(6000), fc.constant("unknown" as const)),
});

test("[A4] the bytes left are the most that an announcement gets room for", () => {
  fc.assert(
    fc.property(counts, quotas, (used, most) => {
      const left = roomLeft(used, most);
      if (left > 0) expect(judgeRoom(used, most, { bytes: left })).toBeUndefined();
      expect(judgeRoom(used, most, { bytes: left + 1 })).toBeDefined();
    }),
    { numRuns: 2000 },
  );
});
