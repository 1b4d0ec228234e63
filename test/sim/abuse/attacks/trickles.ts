import { inParallel } from "../../http-call.ts";
import {
  type HeldConnection,
  HeldConnections,
  settled,
  waitingOf,
} from "../../held-connections.ts";
import { letPass } from "../../real-time.ts";
import { manifest, Stranger, WAV } from "../../stranger.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { type Attack, atLeast, atMost } from "../attack.ts";
import type { Attacked } from "../attacked-relay.ts";

const IDLE_SECONDS = 2;
/** More than this relay runs at once. */
const TRICKLES = 300;
const SLOTS = 256;
const PER_COMPUTER = 4;
/** A sound of which only the header arrives soon. */
const SOUND = smallWav({ frames: 500_000 });
const HEADER = SOUND.subarray(0, 44);

export const trickles: Attack = {
  name: "A4",
  title: "uploads that trickle",
  promise:
    "One app's trickling uploads never keep another app from sending, not even if every slot of the relay trickles; " +
    "unpairing ends them at once, and their pace alone within three idle times (set to 2 s here).",
  run: async (stage) => {
    await using relay = await stage.openRelay({
      settings: {
        SOUNDFERRY_UPLOAD_IDLE_S: String(IDLE_SECONDS),
        SOUNDFERRY_UPLOADS: String(SLOTS),
      },
    });
    using held = new HeldConnections(relay);
    const victim = await Stranger.paired(relay, 1);
    const neighbor = await victim.withApp({ appId: "neighbor" });
    const ofVictim = await holdUploads(held, victim);
    const besides = await arrived(neighbor);
    await victim.asApp("/app/unpair", { method: "POST" });
    const unpairedOpen = await settled(() => waitingOf(ofVictim), 0, 1500);

    const strangers = await inParallel(TRICKLES / PER_COMPUTER, 4, (index) =>
      Stranger.paired(relay, 0x10 + index),
    );
    const connections: HeldConnection[] = [];
    const dripping = drip(connections);
    await inParallel(strangers.length, 8, async (index) => {
      connections.push(...(await holdUploads(held, strangers[index] as Stranger)));
    });
    await letPass(1000);
    const honest = await arrived(await Stranger.paired(relay, 0x200));
    const idleMs = IDLE_SECONDS * 3000 + storingMs(relay);
    const stillOpen = await settled(() => waitingOf(connections), 0, idleMs);
    dripping.abort();
    return {
      what: "uploads of a byte now and then",
      offered: connections.length + ofVictim.length,
      leastOffered: TRICKLES,
      accepted: connections.filter(({ status }) => ![429, 503].includes(status)).length,
      measures: [
        atLeast(1, ["uploads of another app of that computer", besides, "packages"]),
        atMost(0, ["trickles open 1.5 s after the unpairing", unpairedOpen, "uploads"]),
        atLeast(1, ["honest packages sent while every slot trickles", honest, "packages"]),
        atMost(0, ["trickles open after three idle times", stillOpen, "uploads"]),
      ],
    };
  },
};

/** Sends a byte on each every half second. */
function drip(connections: readonly HeldConnection[]): AbortController {
  const over = new AbortController();
  void (async () => {
    while (!over.signal.aborted) {
      for (const each of connections) each.write("\0");
      await letPass(500);
    }
  })();
  return over;
}

/** Announces a package of four sounds and begins to upload each. */
async function holdUploads(held: HeldConnections, stranger: Stranger) {
  const id = await stranger.announced(manifest(PER_COMPUTER, SOUND.byteLength));
  return held.holdMany(PER_COMPUTER, (index) => [
    stranger,
    {
      line: `PUT /packages/${id}/files/sound-${index + 1}.wav`,
      as: "app",
      bytes: SOUND.byteLength,
      body: HEADER,
    },
  ]);
}

/**
 * Adds up the time that stores take, which isn't counted as idle (rule U5): an S3 server on the same machine has three
 * calls for each upload.
 */
function storingMs({ relays }: Attacked): number {
  return relays === 1 ? 0 : TRICKLES * 100;
}

/** Counts its packages that arrive, 0 or 1. */
async function arrived(stranger: Stranger): Promise<number> {
  return (await stranger.sendPatiently(manifest(), WAV, 5000)) === "arrived" ? 1 : 0;
}
