import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, httpCall, inParallel } from "../http-call.ts";
import { RawConnections, requestHead } from "../raw-connections.ts";
import {
  announce,
  type Computer,
  expectStatus,
  manifest,
  pairUp,
  sendSmall,
  siteAddress,
} from "../strangers.ts";

const SLOTS = 16;
/** What is kept for the proven, of every budget. */
const KEPT = 0.25;
const IMPORTS = 3;

/** A10: computers that register, pair and report imports within seconds. */
export const hastyTrust: Attack = {
  name: "A10",
  title: "registering, pairing and reporting, to look proven",
  promise:
    "Imports reported within a day prove nobody: all such computers together never get the quarter of a budget that is kept for the proven.",
  run: pretend,
};

async function pretend(stage: Stage): Promise<Outcome> {
  await using relay = await stage.openRelay({ settings: { SOUNDFERRY_UPLOADS: String(SLOTS) } });
  const count = (stage.isShort ? 20 : 40) * relay.relays;
  const computers = await inParallel(count, 4, (index) => pairUp(relay, siteAddress(1 + index)));
  const reports = await inParallel(computers.length * IMPORTS, 4, (index) =>
    importOne(relay, computers[index % computers.length] as Computer),
  );
  using held = new RawConnections(relay);
  const uploads = await inParallel(computers.length, 1, async (index) => {
    const computer = computers[index] as Computer;
    const answer = await announce(relay, computer, manifest(1, 1_000_000));
    const id = String(expectStatus(answer, 201).json["package_id"]);
    const head = requestHead(`PUT /packages/${id}/files/sound-1.wav`, {
      Authorization: `Bearer ${computer.appToken}`,
      "X-Forwarded-For": computer.from,
      "Content-Length": 1_000_000,
    });
    return (await held.open(`${head}RIFF`)).read();
  });
  await new Promise((resolve) => setTimeout(resolve, 700));
  const running = uploads.filter(({ isOpen, status }) => isOpen && status === 0).length;
  return {
    what: "reported imports",
    offered: reports.length,
    leastOffered: computers.length * IMPORTS,
    accepted: countOf(reports, 200),
    measures: [
      {
        name: `of ${SLOTS * relay.relays} uploads at once, held by them`,
        value: running,
        unit: "uploads",
        atMost: SLOTS * relay.relays * (1 - KEPT),
      },
    ],
  };
}

/** Sends a package and reports it imported. */
async function importOne(relay: { readonly url: string }, computer: Computer) {
  const id = await sendSmall(relay, computer);
  const { importerToken: token, from } = computer;
  await httpCall(relay, { method: "POST", path: `/importer/packages/${id}/take`, token, from });
  const body = { results: { "1": { status: "imported" } } };
  return httpCall(relay, { path: `/importer/packages/${id}/results`, token, from, body });
}
