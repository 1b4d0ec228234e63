import { RunningRelay } from "../relay/running-relay.ts";
import { FOREIGN } from "./foreign-answers.ts";
import { recordNames, recordWavs } from "./record-sounds.ts";
import { recordUploads } from "./record-uploads.ts";
import { Recorder } from "./recorder.ts";
import { bytesOf, type Vector, type VectorFile } from "./vector.ts";
import { manifestFor, outcomeOf, SOUNDS, type VectorWorld } from "./vector-world.ts";

const APP = { name: "Looper", id: "looper-1" };
/** The text in the file in place of a secret that a relay made. */
const TOKEN = "sfa_the-token-of-these-vectors";
const CODE = "K7MQ2X";
/** The code as a person types it. */
const TYPED = "Ｋ７Ｍ q2x";

/** Records every vector from a relay that it starts. */
export async function recordVectors(): Promise<VectorFile> {
  const vectors: Vector[] = [];
  await using relay = await RunningRelay.start({ SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: "1" });
  // Times until something ends are the same in each record.
  relay.clock.hold();
  const recorder = new Recorder(relay);
  const importer = await relay.register();
  const token = await relay.pair(importer, { appId: APP.id, appName: APP.name });
  recorder.replace(token, TOKEN);
  const world: VectorWorld = {
    relay,
    recorder,
    token,
    async announced(label, manifest) {
      const answer = await relay.announce(token, manifest);
      recorder.replace(answer.package_id, `pkg_${label}`);
      return answer;
    },
    add(name, act, facts) {
      const keepsToken = facts.error?.status !== 401 && act.call !== "unpair";
      vectors.push(recorder.fixed({ name, act, ...facts, keepsToken }));
    },
  };
  await recordAnnouncing(world);
  await recordUploads(world);
  await recordStates(world);
  await recordPairing(world, importer.token);
  const about =
    "Requests and answers recorded from a running relay (npm run vectors). Ids, tokens and times are replaced. " +
    "docs/use/other-languages.md says how a client is tried with them.";
  return {
    about,
    token: TOKEN,
    app: APP,
    sounds: SOUNDS,
    vectors,
    foreign: FOREIGN,
    wavs: await recordWavs(),
    names: recordNames(),
  };
}

async function recordAnnouncing(world: VectorWorld): Promise<void> {
  await announce(world, "announces a package", manifestFor(["kick.wav"]), "announced");
  const tooFast = manifestFor(["kick.wav"], { tempo: { bpm: 9999 } });
  await announce(world, "gets warnings", tooFast, "warned");
  await announce(world, "a key of another package", manifestFor(["long.wav"]), "announced");
  const [kick] = (manifestFor(["kick.wav"]) as { items: object[] }).items;
  const broken = { ...kick, sha256: "none", file: "../kick.wav" };
  const items = [kick, broken, { ...kick, bytes: 0, file: "hat.wav" }];
  await announce(world, "two sounds with faults", manifestFor([], { items }), "broken");
}

async function announce(
  { recorder, token, add }: VectorWorld,
  name: string,
  manifest: object,
  key: string,
): Promise<void> {
  const headers = { "idempotency-key": key };
  const call = { method: "POST", path: "/packages", headers, json: manifest };
  const { exchange, answer } = await recorder.record(token, call);
  if (answer.status < 300) recorder.replace(answer.json.package_id, `pkg_${key}`);
  const fixed = recorder.fixed(exchange);
  add(
    name,
    { call: "announce", manifest, key },
    { exchanges: [fixed], ...outcomeOf(fixed.answer) },
  );
}

async function recordStates(world: VectorWorld): Promise<void> {
  const { recorder, relay, token, add, announced } = world;
  const { package_id: packageId, upload } = await announced("states", manifestFor(["kick.wav"]));
  const act = async (name: string, call: "commit" | "withdraw" | "status", id: string) => {
    const [method, tail] = {
      commit: ["POST", "/commit"],
      withdraw: ["DELETE", ""],
      status: ["GET", "/status"],
    }[call];
    const path = `/packages/${id}${tail}`;
    const { exchange } = await recorder.record(token, { method: method ?? "", path });
    const result = call === "status" ? outcomeOf(exchange.answer) : withoutResult(exchange.answer);
    add(name, { call, packageId: id }, { exchanges: [exchange], ...result });
  };
  await act("a commit before the files are there", "commit", packageId);
  await relay.call("PUT", upload["kick.wav"] ?? "", { token, body: bytesOf(SOUNDS["kick.wav"]) });
  await act("commits", "commit", packageId);
  await act("a package waits", "status", packageId);
  await announce(world, "nobody has imported yet", manifestFor(["kick.wav"]), "too-many");
  await recordList(world);
  await act("withdraws", "withdraw", packageId);
  await act("a package that was withdrawn", "status", packageId);
}

/** The list of an app's own packages. */
async function recordList({ recorder, token, add }: VectorWorld): Promise<void> {
  const path = "/packages?status=waiting";
  const { exchange } = await recorder.record(token, { method: "GET", path });
  add(
    "lists the packages that wait",
    { call: "packages", status: ["waiting"] },
    { exchanges: [exchange], ...outcomeOf(exchange.answer) },
  );
}

async function recordPairing(
  { relay, recorder, token, add }: VectorWorld,
  importerToken: string,
): Promise<void> {
  const me = await recorder.record(token, { method: "GET", path: "/app/me" });
  add(
    "the paired computer",
    { call: "me" },
    { exchanges: [me.exchange], ...outcomeOf(me.exchange.answer) },
  );

  const made = await relay.call("POST", "/importer/pairing-code", { token: importerToken });
  const claim = async (name: string, code: string) => {
    const { exchange, answer } = await recorder.record(token, {
      method: "POST",
      path: "/pair/claim",
      json: { code, app_name: APP.name, app_id: APP.id },
      hasToken: false,
    });
    recorder.replace(answer.json.app_token ?? "no token", `${TOKEN}-2`);
    const { app_token: _, ...result } = answer.json;
    const facts = answer.status < 300 ? { result } : outcomeOf(exchange.answer);
    add(name, { call: "pair", code: TYPED }, { exchanges: [exchange], ...facts });
  };
  recorder.replace(made.json.code, CODE);
  await claim("pairs", made.json.code);
  await claim("a code that was used", made.json.code);

  const unpaired = await recorder.record(token, { method: "POST", path: "/app/unpair" });
  add("unpairs", { call: "unpair" }, { exchanges: [unpaired.exchange] });
  const again = await recorder.record(token, { method: "GET", path: "/app/me" });
  add(
    "a token that was revoked",
    { call: "me" },
    { exchanges: [again.exchange], ...outcomeOf(again.exchange.answer) },
  );
}

function withoutResult(answer: Vector["exchanges"][number]["answer"]) {
  return answer.status < 300 ? {} : outcomeOf(answer);
}
