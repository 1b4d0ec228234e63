import { percentile } from "../../../bench/bench-result.ts";
import { inParallel } from "../../http-call.ts";
import { partHeaders } from "../../../relay/http/partial-calls.ts";
import { address6, manifest, siteAddress, Stranger, WAV } from "../../stranger.ts";
import { type Attack, atLeast, atMost } from "../attack.ts";

const TOKENS = 40;
const PART_BYTES = 8;
/** Addresses that an app may send from in a minute. */
const ADDRESSES = 16;
const HONEST = 10;
/** The least time that counts as slow, because idle calls take few milliseconds. */
const LEAST_SLOW_MS = 1000;

/** Sounds in the smallest parts, and small sounds again and again, each call from another address. */
export const splitSounds: Attack = {
  name: "A18",
  title: "sending small parts and small sounds again and again, with 40 tokens",
  promise:
    "An app adds a row for each address and minute, and sends from 16 addresses a minute, however small its parts are.",
  isLocal: true,
  run: async (stage) => {
    const callsEach = stage.isShort ? 100 : 250;
    await using relay = await stage.openRelay();
    const honest = await Stranger.paired(relay, 0x700);
    const idle = await inParallel(HONEST, 1, () => sendOne(honest));
    const strangers = await inParallel(TOKENS, 4, (index) => Stranger.paired(relay, 0x10 + index));
    const packages = await inParallel(TOKENS, 4, (index) =>
      (strangers[index] as Stranger).announced(manifest(2)),
    );
    const before = await relay.storedRows();
    const startedAt = performance.now();
    const flooding = inParallel(TOKENS * callsEach, 12, async (call) => {
      const [index, nth] = [call % TOKENS, Math.floor(call / TOKENS)];
      // The first half from one address, then each call from another.
      const from = nth < callsEach / 2 ? siteAddress(0x10 + index) : address6(nth, 0x10 + index);
      const stranger = new Stranger(relay, { ...strangers[index]?.computer, from });
      const id = String(packages[index]);
      return nth % 2 === 0 ? stranger.upload(id, { nth: 2 }) : sendPart(stranger, id, nth >> 1);
    });
    const beside = await inParallel(HONEST, 1, () => sendOne(honest));
    const answers = await flooding;
    const after = await relay.storedRows();
    // The flood may begin in one minute and end in another.
    const minutes = 1 + Math.ceil((performance.now() - startedAt) / 60_000);
    const idleMs = percentile(idle, 0.99);
    const rows = after.received - before.received;
    return {
      what: "parts and small sounds",
      offered: answers.length,
      leastOffered: TOKENS * callsEach,
      accepted: answers.filter(({ status }) => status < 300).length,
      measures: [
        atMost((HONEST + TOKENS * ADDRESSES) * minutes, ["rows of received bytes", rows, "rows"]),
        atMost(0.5, ["growth of the database", (after.bytes - before.bytes) / 1e6, "MB"]),
        atLeast(HONEST, ["honest packages meanwhile", beside.filter(Boolean).length, "packages"]),
        atMost(
          Math.max(5 * idleMs, LEAST_SLOW_MS),
          ["p99 of an honest package", percentile(beside, 0.99), "ms"],
          idleMs,
        ),
      ],
    };
  },
};

function sendPart(stranger: Stranger, id: string, part: number) {
  const offset = part * PART_BYTES;
  return stranger.asApp(`/packages/${id}/files/sound-1.wav`, {
    method: "PATCH",
    body: WAV.subarray(offset, offset + PART_BYTES),
    headers: partHeaders(offset, "?0"),
  });
}

/** Sends a package. @returns the time that it took, in milliseconds @throws {Error} if the relay refuses */
async function sendOne(honest: Stranger): Promise<number> {
  const startedAt = performance.now();
  await honest.send();
  return performance.now() - startedAt;
}
