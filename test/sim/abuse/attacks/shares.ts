import { createHash } from "node:crypto";
import { percentile } from "../../../bench/bench-result.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { atPace, countOf, type HttpAnswer } from "../../http-call.ts";
import { manifest, siteAddress, Stranger } from "../../stranger.ts";
import { letPass } from "../../real-time.ts";
import { type Attack, atLeast, atMost, type Measure } from "../attack.ts";
import type { Attacked } from "../attacked-relay.ts";

// One app of a computer against the person's others (rules L11, L12, A3).

const MIB = 1024 ** 2;
const LARGEST_BYTES = 200 * MIB;
const ROOM_BYTES = 2048 * MIB;
const OWN_BYTES = 848 * MIB;
const PACKAGES = 11;
const OTHERS = 3;
/** Honest calls a second, beside the attack. */
const PACE = 20;
const IDLE_MS = 2000;
/** A call may take this many times the idle one; what is faster than this counts as this. */
const FACTOR = 5;
const FAST_MS = 100;

/** A computer with the app that fills its room, and the person's three others, each from elsewhere. */
async function computerAt(relay: Attacked) {
  const filler = await Stranger.paired(relay, 1);
  const elsewhere = async (site: number) => {
    const from = siteAddress(site);
    const { computer } = await filler.withApp({ appId: `app-${site}`, from });
    return new Stranger(relay, { ...computer, from });
  };
  const others: Stranger[] = [];
  for (let index = 0; index < OTHERS; index += 1) others.push(await elsewhere(0x20 + index));
  return { filler, others, fifth: await elsewhere(0x30) };
}

/** Measures honest calls while nothing happens and during the attack. */
async function beside<Result>(
  honest: Stranger,
  attack: () => Promise<Result>,
): Promise<{ readonly attacked: Result; readonly measures: readonly Measure[] }> {
  const watch = async (during: Promise<unknown>) => {
    let isOver = false;
    void during.finally(() => (isOver = true));
    return atPace(
      PACE,
      () => isOver,
      () => honest.asApp("/app/me"),
    );
  };
  const p99 = (answers: readonly HttpAnswer[]) =>
    percentile(
      answers.map(({ ms }) => ms),
      0.99,
    );
  const idleMs = p99(await watch(letPass(IDLE_MS)));
  const running = attack();
  const answers = await watch(running.catch(() => undefined));
  const name = "p99 of honest calls meanwhile";
  return {
    attacked: await running,
    measures: [
      atLeast(answers.length, ["honest calls answered", countOf(answers, 200), "calls"]),
      atMost(FACTOR * Math.max(FAST_MS, idleMs), [name, p99(answers), "ms"], idleMs),
    ],
  };
}

/** Unpairs the app that was paired first, as its person does. */
async function unpairFirst(person: Stranger): Promise<void> {
  const { json } = await person.asImporter("/importer/apps");
  const [app] = Array.isArray(json["apps"]) ? json["apps"] : [];
  await person.asImporter(`/importer/apps/${app?.pairing_id}`, { method: "DELETE" });
}

/** The whole room of a computer, as far as one app gets it. */
export const filledRoom: Attack = {
  name: "A16",
  title: "one app fills its computer's 2 GiB",
  promise:
    "One app gets 848 MiB of a computer's 2 GiB, and each of the person's three others finds two largest packages of room. " +
    "What is dismissed, and what waits when the app is unpaired, makes room at once.",
  run: async (stage) => {
    const settings = { SOUNDFERRY_BYTES_PER_DEVICE: String(ROOM_BYTES) };
    await using relay = await stage.openRelay({ settings });
    const { filler, others, fifth } = await computerAt(relay);
    const honest = await Stranger.paired(relay, 0x700);
    const wav = smallWav({ frames: (LARGEST_BYTES - 44) / 2 });
    const sha256 = createHash("sha256").update(wav).digest("hex");
    const item = { file: "sound-1.wav", bytes: LARGEST_BYTES, sha256 };
    const largest = { ...manifest(), items: [item] };
    const fill = async () => {
      const taken: string[] = [];
      let said = 0;
      for (let index = 0; index < PACKAGES; index += 1) {
        const { status, json } = await filler.announce(largest);
        if (status !== 201) {
          said += String(json["error"]).startsWith("Your packages ") ? 1 : 0;
          continue;
        }
        const id = String(json["package_id"]);
        await filler.upload(id, { body: wav });
        await filler.commit(id);
        taken.push(id);
      }
      return { taken, said };
    };
    const { attacked, measures } = await beside(honest, fill);
    const { taken, said } = attacked;
    const pairs = others.flatMap((other) => [other, other]);
    const answers: HttpAnswer[] = [];
    for (const other of pairs) answers.push(await other.announce(largest));
    // A dismissed package makes room for its app; unpairing the app makes room for a fifth.
    const dismissed = { "1": { status: "skipped", error: "Dismissed in Live." } };
    await filler.report(String(taken[0]), dismissed).catch(() => undefined);
    const again = await filler.announce(largest);
    await unpairFirst(filler);
    const later = await fifth.announce(largest);
    return {
      what: "packages of 200 MiB",
      offered: PACKAGES,
      leastOffered: PACKAGES,
      accepted: taken.length,
      measures: [
        atMost(OWN_BYTES / MIB, ["room of one app", (taken.length * LARGEST_BYTES) / MIB, "MiB"]),
        atLeast(pairs.length, [
          "packages of 200 MiB of three others",
          countOf(answers, 201),
          "packages",
        ]),
        atLeast(PACKAGES - taken.length, [
          "refusals that say whose packages they are",
          said,
          "refusals",
        ]),
        atLeast(1, ["announcements after a dismissal", countOf([again], 201), "packages"]),
        atLeast(1, ["announcements after unpairing", countOf([later], 201), "packages"]),
        ...measures,
      ],
    };
  },
};

function namesFirst({ status, json }: HttpAnswer): number {
  return status === 507 && String(json["error"]).startsWith("Looper ") ? 1 : 0;
}

const PLACES = 200;
const OWN_PLACES = 83;
const OTHERS_PLACES = 39;

/** The places of waiting packages, as far as one app gets them. */
export const filledPlaces: Attack = {
  name: "A17",
  title: "one app fills its computer's 200 waiting places",
  promise:
    "One app has 83 of a computer's 200 waiting packages, and each of the person's three others 39. Unpairing frees its places.",
  run: async (stage) => {
    const settings = {
      SOUNDFERRY_PACKAGES_PER_HOUR: "1000",
      SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: String(PLACES),
    };
    await using relay = await stage.openRelay({ settings });
    const { filler, others, fifth } = await computerAt(relay);
    const honest = await Stranger.paired(relay, 0x700);
    const fillWith = async (app: Stranger, count: number) => {
      let taken = 0;
      for (let index = 0; index < count; index += 1) {
        const { status, json } = await app.announce();
        if (status !== 201) continue;
        const id = String(json["package_id"]);
        await app.upload(id);
        await app.commit(id);
        taken += 1;
      }
      return taken;
    };
    const { attacked: taken, measures } = await beside(honest, () => fillWith(filler, PLACES));
    const served: number[] = [];
    for (const other of others) served.push(await fillWith(other, OTHERS_PLACES));
    const none = await fifth.announce();
    await unpairFirst(filler);
    const later = await fifth.announce();
    return {
      what: "small packages",
      offered: PLACES,
      leastOffered: PLACES,
      accepted: taken,
      measures: [
        atMost(OWN_PLACES, ["waiting packages of one app", taken, "packages"]),
        atLeast(OTHERS_PLACES, [
          "the fewest of one of three others",
          Math.min(...served),
          "packages",
        ]),
        atLeast(1, ["refusals of a fifth app that name the first", namesFirst(none), "refusals"]),
        atLeast(1, ["announcements after unpairing", countOf([later], 201), "packages"]),
        ...measures,
      ],
    };
  },
};
