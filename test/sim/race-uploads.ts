import { UPLOAD_HEADERS, UPLOAD_INTEROP_VERSION } from "../../core/protocol/upload-draft.ts";
import { type HttpAnswer, inParallel, type Target } from "./http-call.ts";
import { randomFrom } from "./random.ts";
import { letPass } from "./real-time.ts";
import { expectStatus, manifest, Stranger, WAV } from "./stranger.ts";

/** Number of uploads of each round. */
const UPLOADS = 4;
const PART = 100;
/** Everything of a round begins within this time. */
const SPREAD_MS = 12;

const INTEROP = { [UPLOAD_HEADERS.interop]: String(UPLOAD_INTEROP_VERSION) };
const GONE: ReadonlySet<number> = new Set([401, 404, 409]);

type Deletion = (stranger: Stranger, id: string) => Promise<HttpAnswer>;

/** The ways in which an app or a person ends a package that is being uploaded. */
export const DELETIONS: Readonly<Record<string, Deletion>> = {
  withdrawal: (stranger, id) => stranger.asApp(`/packages/${id}`, { method: "DELETE" }),
  "unpairing by the app": (stranger) => stranger.asApp("/app/unpair", { method: "POST" }),
  "unpairing by the person": async (stranger) => {
    const { json } = await stranger.asImporter("/importer/apps");
    const [app] = (json["apps"] ?? []) as readonly { readonly pairing_id: string }[];
    return stranger.asImporter(`/importer/apps/${app?.pairing_id}`, { method: "DELETE" });
  },
  "removal of the computer": (stranger) =>
    stranger.asImporter("/importer/me", { method: "DELETE" }),
};

/** The outcome of races. */
export interface Races {
  readonly uploads: number;
  /** Uploads that succeeded, because they ended before their package went. */
  readonly arrived: number;
  /** Answers that neither succeed nor say that the package or the token is gone. */
  readonly wrong: readonly number[];
  /** Answers that name 0 as the offset of a file of which something had arrived. */
  readonly zeroOffsets: number;
  /** Deletions that weren't answered 200. */
  readonly undeleted: number;
}

/** Lets a `PUT`, two `PATCH` and a `HEAD` race with each way to end their package, in so many rounds of each. */
export async function raceUploads(
  relay: Target,
  { rounds, seed, site }: { readonly rounds: number; readonly seed: number; readonly site: number },
): Promise<Races> {
  const random = randomFrom(seed);
  const soon = (): Promise<void> => letPass(random() * SPREAD_MS);
  const ways = Object.values(DELETIONS).flatMap((remove) => Array<Deletion>(rounds).fill(remove));
  const outcomes = await inParallel(ways.length, 3, (index) =>
    race(relay, ways[index] as Deletion, { site: site + index, soon }),
  );
  const answers = outcomes.flatMap((outcome) => outcome.uploads);
  const statuses = answers.map(({ status }) => status);
  return {
    uploads: answers.length,
    arrived: statuses.filter((status) => status === 200 || status === 204).length,
    wrong: statuses.filter((status) => status > 204 && !GONE.has(status)),
    zeroOffsets: answers.filter(({ headers }) => headers[UPLOAD_HEADERS.offset] === "0").length,
    undeleted: outcomes.filter(({ removed }) => removed.status !== 200).length,
  };
}

async function race(
  relay: Target,
  remove: Deletion,
  { site, soon }: { readonly site: number; readonly soon: () => Promise<void> },
) {
  const stranger = await Stranger.paired(relay, site);
  const id = await stranger.announced(manifest(UPLOADS));
  for (const nth of [3, 4]) expectStatus(await patch(stranger, id, nth, [0, PART]), 204);
  const after = async (act: () => Promise<HttpAnswer>) => {
    await soon();
    return act();
  };
  const onPiece = (): Promise<void> => soon();
  const removing = after(() => remove(stranger, id));
  const uploads = await Promise.all([
    after(() => stranger.upload(id, { onPiece })),
    after(() => patch(stranger, id, 2, [0, PART], onPiece)),
    after(() => patch(stranger, id, 3, [PART, WAV.byteLength], onPiece)),
    after(() => stranger.asApp(pathOf(id, 4), { method: "HEAD", headers: INTEROP })),
  ]);
  return { uploads, removed: await removing };
}

function patch(
  stranger: Stranger,
  id: string,
  nth: number,
  [start, end]: readonly [number, number],
  onPiece?: () => Promise<void>,
): Promise<HttpAnswer> {
  return stranger.asApp(pathOf(id, nth), {
    method: "PATCH",
    body: WAV.subarray(start, end),
    headers: {
      ...INTEROP,
      "content-type": "application/partial-upload",
      [UPLOAD_HEADERS.offset]: String(start),
      [UPLOAD_HEADERS.complete]: end === WAV.byteLength ? "?1" : "?0",
    },
    ...(onPiece && { onPiece }),
  });
}

function pathOf(id: string, nth: number): string {
  return `/packages/${id}/files/sound-${nth}.wav`;
}
