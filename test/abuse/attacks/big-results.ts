import type { Attack, Outcome, Stage } from "../attack.ts";
import { type HttpAnswer, httpCall, inParallel, patiently } from "../http-call.ts";
import { RawConnections, requestHead } from "../raw-connections.ts";
import {
  announce,
  type Computer,
  expectStatus,
  pairApp,
  pairUp,
  siteAddress,
  type Target,
  WAV,
  manifest,
} from "../strangers.ts";

/** As many as one app may announce an hour. */
const PER_APP = 30;
const UNREAD = 12;
const SOUNDS = 5;
const FROM = siteAddress(1);

/** A2: results as big as they are taken, then the list of packages, which nobody reads. */
export const bigResults: Attack = {
  name: "A2",
  title: "reporting results of 1 MiB each, then asking for the list",
  promise:
    "An answer of the importer's list has at most 2 MiB, whatever was reported. Lists that nobody reads hold no memory.",
  run: fillWithResults,
};

async function fillWithResults(stage: Stage): Promise<Outcome> {
  const packages = stage.isShort ? 45 : 80;
  await using relay = await stage.openRelay();
  const computers = [await pairUp(relay, FROM)];
  while (computers.length * PER_APP < packages) {
    const [first] = computers as [Computer];
    const appToken = await pairApp(relay, first.importerToken, FROM, `app-${computers.length}`);
    computers.push({ ...first, appToken });
  }
  const reported = await inParallel(packages, 4, (index) =>
    reportBig(relay, computers[Math.floor(index / PER_APP)] as Computer),
  );
  const [{ importerToken }] = computers as [Computer];
  const before = await relay.usage();
  const path = "/importer/packages?after=";
  const pages = await readPages(relay, importerToken);

  using unread = new RawConnections(relay);
  const head = requestHead(`GET ${path}`, {
    Authorization: `Bearer ${importerToken}`,
    "X-Forwarded-For": FROM,
  });
  for (let index = 0; index < UNREAD; index += 1) await unread.open(head);
  const after = await relay.settledUsage(stage.isShort ? 3000 : 6000);
  return {
    what: "reports of 1 MiB",
    offered: packages,
    leastOffered: packages,
    accepted: reported.filter((status) => status === 200).length,
    measures: [
      {
        name: "packages listed",
        value: pages.flatMap(({ json }) => json["packages"]).length,
        unit: "packages",
        atLeast: packages,
      },
      {
        name: "the longest answer of the list",
        value: Math.max(0, ...pages.map(({ body }) => body.byteLength)) / 1e6,
        unit: "MB",
        atMost: 2.1,
      },
      {
        name: `peak memory with ${UNREAD} unread lists, above before`,
        value: after.peakMb - before.residentMb,
        unit: "MB",
        baseline: before.residentMb,
        atMost: 150,
      },
    ],
  };
}

/** Reads the list to its end, as an importer does, or until it is refused for good. */
async function readPages(relay: Target, token: string): Promise<readonly HttpAnswer[]> {
  const pages: HttpAnswer[] = [];
  let after: string | undefined = "";
  while (after !== undefined) {
    const path = `/importer/packages?after=${encodeURIComponent(after)}`;
    const read = () => httpCall(relay, { path, token, from: FROM });
    const page = await patiently(read, { withinMs: 10_000 });
    if (page.status !== 200) return pages;
    pages.push(page);
    after = typeof page.json["next"] === "string" ? page.json["next"] : undefined;
  }
  return pages;
}

/** Sends, takes and reports a package with all that a report may hold. @returns the report's status */
async function reportBig(relay: Target, computer: Computer): Promise<number> {
  const { appToken, importerToken, from } = computer;
  const announced = expectStatus(await announce(relay, computer, manifest(SOUNDS)), 201);
  const id = String(announced.json["package_id"]);
  for (let index = 1; index <= SOUNDS; index += 1) {
    const path = `/packages/${id}/files/sound-${index}.wav`;
    expectStatus(
      await httpCall(relay, { method: "PUT", path, token: appToken, from, body: WAV }),
      200,
    );
  }
  const app = { method: "POST", token: appToken, from };
  expectStatus(await httpCall(relay, { ...app, path: `/packages/${id}/commit` }), 200);
  const importer = { method: "POST", token: importerToken, from };
  expectStatus(await httpCall(relay, { ...importer, path: `/importer/packages/${id}/take` }), 200);
  const path = `/importer/packages/${id}/results`;
  return (await httpCall(relay, { ...importer, path, body: { results: BIG_RESULTS } })).status;
}

const TEXT = "n".repeat(480);
const DIFFERENCE = { setting: TEXT, asked: TEXT, got: TEXT };
/** About 1 MB of JSON, a little less than a body may have. */
const BIG_RESULTS = Object.fromEntries(
  Array.from({ length: SOUNDS }, (_, index) => [
    String(index + 1),
    {
      status: "imported",
      notes: Array<string>(100).fill(TEXT),
      differences: Array.from({ length: 100 }, () => DIFFERENCE),
    },
  ]),
);
