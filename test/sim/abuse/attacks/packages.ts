import { countOf, type HttpAnswer, inParallel, patiently } from "../../http-call.ts";
import { headOf, HeldConnections } from "../../held-connections.ts";
import { manifest, siteAddress, Stranger } from "../../stranger.ts";
import { type Attack, atLeast, atMost, served } from "../attack.ts";

// Packages that take room, memory or rows.

/** Number of packages that one app may announce an hour. */
const PER_APP = 30;
const UNREAD = 12;
const SOUNDS = 5;

/** Results as big as they are taken, then the list of packages, which nobody reads. */
export const bigResults: Attack = {
  name: "A2",
  title: "reporting results of 1 MiB each, then asking for the list",
  promise:
    "An answer of the importer's list has at most 2 MiB, whatever was reported. Lists that nobody reads hold no memory.",
  run: async (stage) => {
    const packages = stage.isShort ? 45 : 80;
    await using relay = await stage.openRelay();
    const first = await Stranger.paired(relay, 1);
    const apps = await inParallel(Math.ceil(packages / PER_APP), 1, async (index) =>
      index === 0 ? first : first.withApp({ appId: `app-${index}` }),
    );
    const reported = await inParallel(packages, 4, async (index) => {
      const app = apps[Math.floor(index / PER_APP)] as Stranger;
      return app.report(await app.send(SOUNDS), BIG_RESULTS);
    });
    const before = await relay.usage();
    const pages = await readPages(first);
    const longest = Math.max(0, ...pages.map(({ body }) => body.byteLength)) / 1e6;
    const listed = pages.flatMap(({ json }) => json["packages"]).length;
    using unread = new HeldConnections(relay);
    for (let index = 0; index < UNREAD; index += 1) {
      await unread.open(headOf(first, { line: "GET /importer/packages?after=", as: "importer" }));
    }
    const after = await relay.settledUsage(stage.isShort ? 3000 : 6000);
    const above = after.peakMb - before.residentMb;
    const name = `peak memory with ${UNREAD} unread lists, above before`;
    return {
      what: "reports of 1 MiB",
      offered: packages,
      leastOffered: packages,
      accepted: countOf(reported, 200),
      measures: [
        atLeast(packages, ["packages listed", listed, "packages"]),
        atMost(2.1, ["the longest answer of the list", longest, "MB"]),
        atMost(150, [name, above, "MB"], before.residentMb),
      ],
    };
  },
};

/** Reads the list to its end, as an importer does, or until it is refused for good. */
async function readPages(importer: Stranger): Promise<readonly HttpAnswer[]> {
  const pages: HttpAnswer[] = [];
  let after: string | undefined = "";
  while (after !== undefined) {
    const path = `/importer/packages?after=${encodeURIComponent(after)}`;
    const page = await patiently(() => importer.asImporter(path), 10_000);
    if (page.status !== 200) return pages;
    pages.push(page);
    after = typeof page.json["next"] === "string" ? page.json["next"] : undefined;
  }
  return pages;
}

const TEXT = "n".repeat(480);
const DIFFERENCE = { setting: TEXT, asked: TEXT, got: TEXT };
/** About 1 MB of JSON, a little less than a body may have. */
const BIG_RESULT = {
  status: "imported",
  notes: Array<string>(100).fill(TEXT),
  differences: Array.from({ length: 100 }, () => DIFFERENCE),
};
const BIG_RESULTS = Object.fromEntries(
  Array.from({ length: SOUNDS }, (_, index) => [String(index + 1), BIG_RESULT]),
);

/** The disk that the attacked relay may fill. */
const ROOM_BYTES = 3 * 1024 ** 3;
const HOLD_SECONDS = 2;
const PACKAGE_BYTES = 200_000_000;
const STRANGERS = 20;
const CALLS_EACH = 25;

export const emptyPromises: Attack = {
  name: "A3",
  title: "announcing packages and sending nothing",
  promise:
    "What is announced and doesn't come holds room only for a while (set to 2 s here): then a stranger to the attack gets room.",
  run: async (stage) => {
    const settings = { SOUNDFERRY_ROOM_HOLD_S: String(HOLD_SECONDS) };
    await using relay = await stage.openRelay({ diskBytes: ROOM_BYTES, settings });
    const honest = await Stranger.paired(relay, 0x700);
    const strangers = await inParallel(STRANGERS, 4, (index) =>
      Stranger.paired(relay, 0x10 + index),
    );
    const big = manifest(1, PACKAGE_BYTES);
    const calls = await inParallel(STRANGERS * CALLS_EACH, 8, async (index) => {
      const answer = await (strangers[index % STRANGERS] as Stranger).announce(big);
      return { ...answer, answeredAt: performance.now() };
    });
    const heldMb = (mostAtOnce(calls) * PACKAGE_BYTES) / 1e6;
    const roomMb = ROOM_BYTES / 1e6;
    const act = () => honest.announce(big);
    return {
      what: "announcements of 200 MB",
      offered: calls.length,
      leastOffered: 500,
      accepted: countOf(calls, 201),
      measures: [
        atMost(roomMb, ["announced, never sent, and held at once", heldMb, "MB"], roomMb),
        await served(
          ["honest announcements admitted after the hold", "packages"],
          201,
          act,
          (HOLD_SECONDS + 8) * 1000,
        ),
      ],
    };
  },
};

/** Counts the packages that surely held room at the same moment: each from its answer until the hold after its call. */
function mostAtOnce(calls: readonly (HttpAnswer & { readonly answeredAt: number })[]): number {
  const admitted = calls.filter(({ status }) => status === 201);
  const heldAt = (moment: number) =>
    admitted.filter(
      ({ answeredAt, ms }) =>
        answeredAt <= moment && moment < answeredAt - ms + HOLD_SECONDS * 1000,
    );
  return Math.max(0, ...admitted.map(({ answeredAt }) => heldAt(answeredAt).length));
}

const APPS = 40;

/** Packages of ever new apps, which a stranger pairs with a computer of their own. */
export const manyRecords: Attack = {
  name: "A15",
  title: "announcing with one app after the other",
  promise:
    "A computer's apps announce 32 times what one app may, however many it pairs: records stay for days.",
  run: async (stage) => {
    await using relay = await stage.openRelay();
    const computer = await Stranger.paired(relay, 1);
    const honest = await Stranger.paired(relay, 2);
    const apps = await inParallel(APPS, 1, (index) =>
      computer.withApp({ appId: `app-${index}`, from: siteAddress(10 + index) }),
    );
    const answers = await inParallel(APPS * PER_APP, 16, (index) =>
      (apps[index % APPS] as Stranger).announce(),
    );
    const taken = countOf(answers, 201);
    const act = () => honest.announce();
    return {
      what: "announcements",
      offered: answers.length,
      leastOffered: APPS * PER_APP,
      accepted: taken,
      measures: [
        atMost(32 * PER_APP, ["packages of one computer in an hour", taken, "packages"]),
        await served(["honest announcements meanwhile", "calls"], 201, act, 5000),
      ],
    };
  },
};
