import { App } from "./app.ts";
import { bytesOf, type PackageFacts, type PackageState } from "./ledger.ts";
import type { Answer, CalledRelay, World } from "./world.ts";

/** Compares what the relay has of someone with what it acknowledged; what was open is a fact from then on. */
export async function checkApp(world: World<CalledRelay>, who: string): Promise<void> {
  const app = new App(world, who);
  if (await checkErased(app)) return;
  await checkPairing(app);
  for (const sent of app.facts.packages) if (sent.id !== undefined) await checkPackage(app, sent);
}

/** Everyone of the ledger. */
export async function checkApps(world: World<CalledRelay>): Promise<void> {
  for (const { who } of world.ledger.musicians) await checkApp(world, who);
}

async function checkErased(app: App): Promise<boolean> {
  const { isErased, importer } = app.facts;
  if (importer === undefined) return false;
  const { status } = await read(app, "/importer/packages", importer);
  if (isErased !== null) app.world.checks.same(`${app.who} is erased`, status === 401, isErased);
  else if (status === 401) await app.note({ isErased: true, isPaired: false });
  return status === 401;
}

async function checkPairing(app: App): Promise<void> {
  const { isPaired, app: token } = app.facts;
  if (token === undefined) return;
  const { status } = await read(app, "/app/me", token);
  if (isPaired === null) await app.note({ isPaired: status !== 401 });
  else app.world.checks.same(`${app.who} is paired`, status, isPaired ? 200 : 401);
}

async function checkPackage(app: App, sent: PackageFacts): Promise<void> {
  const { checks, relay } = app.world;
  const { key, id, states } = sent;
  const state =
    app.facts.isPaired === true ? await readAsApp(app, sent) : await readAsImporter(app, sent);
  checks.holds(`${key} is ${states.join(" or ")}, and found ${state}`, states.includes(state));
  if (states.length > 1) await app.note({ key, is: state });
  // A real importer keeps its token to itself, and is compared elsewhere.
  const isKnown = app.facts.importer !== undefined;
  if (!isKnown || state === "gone" || state === "uploading") return;
  for (const file of sent.uploaded) await checkFile(app, sent, file);
  if (state !== "waiting" || !sent.isTaken || relay.wasClockWrong) return;
  const options = { token: app.facts.importer, body: { run_id: "two" } };
  const { status } = await relay.call("POST", `/importer/packages/${id}/take`, options);
  checks.same(`${key} is held by its import`, status, 409);
}

/** A file that was acknowledged is there, and no other than those whose upload was begun. */
async function readAsApp(app: App, sent: PackageFacts): Promise<PackageState> {
  const { checks } = app.world;
  const { key, id, uploaded, sending, isEmpty } = sent;
  const { status, json } = await read(app, `/packages/${id}/status`, app.facts.app);
  if (status === 404) return "gone";
  checks.same(`${key} can be read`, status, 200);
  for (const [file, found] of isEmpty ? [] : Object.entries<string>(json.files)) {
    const isThere = found === "uploaded";
    const may = sending.has(file) || sent.states.length > 1;
    checks.holds(`${key}: ${file} is ${found}`, uploaded.has(file) ? isThere : !isThere || may);
    if (isThere) await app.note({ key, uploaded: file });
  }
  if (json.status === "imported")
    checks.same(`${key}: its results`, json.results["1"]?.status, "imported");
  return json.status;
}

/** Reads a package as the computer of an unpaired app. */
async function readAsImporter(
  app: App,
  { key, id, states, isEmpty }: PackageFacts,
): Promise<PackageState> {
  const { status, json } = await read(app, `/importer/packages/${id}`, app.facts.importer);
  if (status === 404) return "gone";
  app.world.checks.same(`${key} can be imported`, status, isEmpty ? 409 : 200);
  return isEmpty ? (states[0] ?? "gone") : json.status;
}

async function checkFile(
  app: App,
  { id, files, key, isEmpty }: PackageFacts,
  file: string,
): Promise<void> {
  const path = `/importer/packages/${id}/files/${file}`;
  const { status, body } = await read(app, path, app.facts.importer);
  const isRight = isEmpty ? status >= 400 : status === 200 && body.equals(bytesOf(files[file]));
  app.world.checks.holds(`${key}: ${file} is ${isEmpty ? "over" : "whole"} (${status})`, isRight);
}

function read(app: App, path: string, token: string | undefined): Promise<Answer> {
  return app.world.relay.call("GET", path, { token });
}
