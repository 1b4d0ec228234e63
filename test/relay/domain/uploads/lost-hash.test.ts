import { describe, expect, test } from "vitest";
import type { Digest } from "../../../../relay/domain/ports.ts";
import { systemDigest } from "../../../../relay/storage/system.ts";
import { expectNothingLeft, openAppend, replaceStored, SOUND } from "./open-append.ts";

describe("a hash that is lost between the parts", () => {
  /** A digest whose first hash gets lost when its thread ends. */
  const losing = () => {
    const thread = { hasEnded: false };
    const start: Digest["start"] = (sizeBytes) => {
      if (thread.hasEnded) return systemDigest.start(sizeBytes);
      const running = systemDigest.start(sizeBytes);
      return {
        get isLost() {
          return thread.hasEnded;
        },
        update: (piece) => (thread.hasEnded ? expect.unreachable() : running.update(piece)),
        hex: () => (thread.hasEnded ? expect.unreachable() : running.hex()),
      };
    };
    return { thread, start };
  };

  test.each([600, 700])("[U12] at byte %d leaves the stored bytes to be judged", async (lostAt) => {
    await using relay = await openAppend();
    const { thread, start } = losing();
    const context = { ...relay.cases.context, digest: { ...systemDigest, start } };
    const lose = async () => {
      thread.hasEnded = true;
      return SOUND.slice(lostAt, 1000);
    };
    await relay.append(0, 600, { context });
    const pieces = [SOUND.slice(600, lostAt), lose];
    expect(await relay.append(600, 1000, { context, pieces })).toMatchObject({ offset: 1000 });
  });

  test("[U12] lets no wrong byte through", async () => {
    await using relay = await openAppend();
    const { thread, start } = losing();
    const context = { ...relay.cases.context, digest: { ...systemDigest, start } };
    await relay.append(0, 600, { context });
    await replaceStored(relay, Uint8Array.from(SOUND.subarray(0, 600)).fill(1, 300));
    thread.hasEnded = true;
    const last = relay.append(600, 1000, { context });
    await expect(last).rejects.toMatchObject({ code: "CHECKSUM_DIFFERS" });
    await expectNothingLeft(relay);
  });
});
