import { smallWav } from "../../wav-bytes.ts";
import { manifestOf } from "../../manifest-of.ts";

const FILE = "kick.wav";

/** One package as an app and an importer saw it. */
export interface Journey {
  /** The bytes that the importer downloaded. */
  readonly downloaded: Uint8Array;
  /** The status that the app read before and after the import. */
  readonly statuses: readonly string[];
}

/** Pairs an app with an importer at a relay, and carries a package from one to the other by plain HTTP calls. */
export async function sendAndImport(relay: string): Promise<Journey> {
  const { importer_token } = await post(relay, "/importer/register", "", { device_name: "Studio" });
  const importer = importer_token ?? "";
  const { code } = await post(relay, "/importer/pairing-code", importer);
  const claim = { code, app_name: "Looper", app_id: "app-1" };
  const { app_token: app = "" } = await post(relay, "/pair/claim", "", claim);

  const { package_id: id = "" } = await post(relay, "/packages", app, manifestOf([FILE]));
  await call(relay, "PUT", `/packages/${id}/files/${FILE}`, app, Uint8Array.from(smallWav()));
  await post(relay, `/packages/${id}/commit`, app);
  const readStatus = async () => {
    const answer = await call(relay, "GET", `/packages/${id}/status`, app);
    const { status }: { status: string } = JSON.parse(Buffer.from(answer).toString());
    return status;
  };
  const before = await readStatus();

  await post(relay, `/importer/packages/${id}/take`, importer, {});
  const path = `/importer/packages/${id}/files/${FILE}`;
  const downloaded = await call(relay, "GET", path, importer);
  const results = { "1": { status: "imported", track: "kick", file: FILE } };
  await post(relay, `/importer/packages/${id}/results`, importer, { results });
  return { downloaded, statuses: [before, await readStatus()] };
}

async function post(relay: string, path: string, token: string, body?: object) {
  const answer = await call(relay, "POST", path, token, body && JSON.stringify(body));
  const strings: Readonly<Record<string, string>> = JSON.parse(Buffer.from(answer).toString());
  return strings;
}

/** @throws if the relay refuses the call */
async function call(
  relay: string,
  method: string,
  path: string,
  token: string,
  body?: Uint8Array<ArrayBuffer> | string,
): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${token}` };
  const init = body === undefined ? {} : { body };
  const answer = await fetch(relay + path, { method, ...(token && { headers }), ...init });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(`${method} ${path}: ${Buffer.from(bytes).toString()}`);
  return bytes;
}
