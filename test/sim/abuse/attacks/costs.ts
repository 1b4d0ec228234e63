import { randomBytes } from "node:crypto";
import { countOf, httpCall, inParallel } from "../../http-call.ts";
import { manifest, siteAddress, Stranger } from "../../stranger.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { type Attack, atMost, type Measure, served } from "../attack.ts";

// What refusing costs.

const MIB = 1_048_576;

export const costlyJson: Attack = {
  name: "A5",
  title: "bodies that are dear to read: nested lists, tens of thousands of keys",
  promise:
    "A refused body costs the relay at most five times the processor time of an accepted announcement of 32 sounds.",
  run: async (stage) => {
    await using relay = await stage.openRelay();
    const apps = await inParallel(6, 2, (index) => Stranger.paired(relay, 1 + index));
    const costOf = (app: number, body: Buffer, count: number) =>
      relay.costOf(() => inParallel(count, 2, () => (apps[app] as Stranger).announce(body)));
    const plain = Buffer.from(JSON.stringify(manifest(32)));
    await costOf(0, plain, 8);
    const usual = await costOf(0, plain, 16);
    const rounds = stage.isShort ? 10 : 40;
    const measures: Measure[] = [];
    let offered = 0;
    let accepted = 0;
    for (const [index, [name, body]] of Object.entries(costlyBodies()).entries()) {
      const { results, cpuMs } = await costOf(index + 1, body, rounds);
      offered += results.length;
      accepted += countOf(results, 201);
      measures.push(atMost(usual.cpuMs * 5, [name, cpuMs, "ms"], usual.cpuMs));
    }
    return { what: "bodies of 1 MiB", offered, leastOffered: rounds * 5, accepted, measures };
  },
};

function costlyBodies(): Readonly<Record<string, Buffer>> {
  const fill = (begin: string, piece: string, end: string) =>
    Buffer.from(
      begin + piece.repeat(Math.floor((MIB - begin.length - end.length) / piece.length)) + end,
    );
  const keys = Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join(",");
  const itemKeys = Array.from({ length: 60_000 }, (_, index) => `"x${index}":""`).join(",");
  return {
    "nested lists": fill("", "[", ""),
    "nested lists that close": Buffer.from("[".repeat(MIB / 2) + "]".repeat(MIB / 2)),
    "90,000 unknown keys": Buffer.from(`{"schema":"app2host/1",${keys}}`),
    "a sound of 60,000 unknown keys": Buffer.from(
      `{"schema":"app2host/1","items":[{${itemKeys}}]}`,
    ),
    "400,000 sounds": fill(`{"schema":"app2host/1","items":[1`, ",1", "]}"),
  };
}

const SOUND = smallWav({ frames: 2_000_000 });
const UPLOADS = 40;

export const wrongUploads: Attack = {
  name: "A13",
  title: "uploading a sound with a wrong checksum again and again",
  promise:
    "Refused uploads have a price: one app gets 16 MiB of them read a minute, and those that run then.",
  run: async (stage) => {
    await using relay = await stage.openRelay();
    const app = await Stranger.paired(relay, 1);
    const honest = await Stranger.paired(relay, 2);
    const id = await app.announced(manifest(1, SOUND.byteLength));
    const answers = await inParallel(UPLOADS, 2, () => app.upload(id, { body: SOUND }));
    const act = () => honest.announce();
    const refused = countOf(answers, 422);
    const refusedMb = (refused * SOUND.byteLength) / 1e6;
    return {
      what: "uploads of 4 MB",
      offered: answers.length,
      leastOffered: UPLOADS,
      accepted: refused,
      measures: [
        atMost(32, ["refused after they were read", refusedMb, "MB"]),
        await served(["honest announcements meanwhile", "packages"], 201, act, 5000),
      ],
    };
  },
};

const WARM_UP_CALLS = 1000;

export const wrongTokens: Attack = {
  name: "A14",
  title: "calls with random tokens",
  promise: "A call with a wrong token costs at most four times what /healthz costs.",
  run: async (stage) => {
    const calls = stage.isShort ? 2000 : 10_000;
    await using relay = await stage.openRelay();
    const health = (count: number) =>
      relay.costOf(() =>
        inParallel(count, 32, () => httpCall(relay, { path: "/healthz", from: siteAddress(1) })),
      );
    const withTokens = (count: number) =>
      relay.costOf(() =>
        inParallel(count, 32, (index) => {
          const token = randomBytes(32).toString("base64url");
          const path = index % 2 === 0 ? "/app/me" : "/importer/packages";
          return httpCall(relay, { path, token, from: siteAddress(2 + (index % 50)) });
        }),
      );
    // The first calls compile the code of both.
    await health(WARM_UP_CALLS);
    await withTokens(WARM_UP_CALLS);
    const usualUs = (await health(calls)).cpuMs * 1000;
    const wrong = await withTokens(calls);
    return {
      what: "calls with random tokens",
      offered: wrong.results.length,
      leastOffered: 2000,
      accepted: countOf(wrong.results, 200),
      measures: [
        atMost(usualUs * 4, ["processor time of a call", wrong.cpuMs * 1000, "µs"], usualUs),
      ],
    };
  },
};
