import type { RecordedCall } from "./recorder.ts";
import { manifestFor, outcomeOf, SOUNDS, type VectorWorld } from "./vector-world.ts";
import { bytesOf, type Exchange } from "./vector.ts";

type SoundFile = keyof typeof SOUNDS;

/** Bytes of a file that the relay has when it is resumed. */
const CUT_AT = 1_000_000;
const DRAFT = { "upload-draft-interop-version": "8" };
const WAV = { "content-type": "audio/wav" };

/** Uploads: whole, refused, and resumed where they were cut. */
export async function recordUploads(world: VectorWorld): Promise<void> {
  await recordWhole(world, "uploads a file", "kick.wav", "kick.wav");
  await recordWhole(world, "a file that is not a WAV", "notes.wav", "notes.wav");
  await recordWhole(world, "other bytes than were announced", "kick.wav", "notes.wav");
  await recordSend(world);
  await recordResumed(world);
}

async function recordWhole(
  { recorder, token, add, announced }: VectorWorld,
  name: string,
  file: SoundFile,
  sound: SoundFile,
): Promise<void> {
  const { upload } = await announced(name.replaceAll(" ", "-"), manifestFor([file]));
  const path = upload[file] ?? "";
  const { exchange } = await recorder.record(token, put(path, sound));
  const outcome = outcomeOf(exchange.answer);
  add(name, { call: "upload", path, sound }, { exchanges: [exchange], ...outcome });
}

/** A client may send the file whole, or as an append that begins at 0: both are here. */
async function recordSend(world: VectorWorld): Promise<void> {
  const { recorder, token } = world;
  const sending = await announceSend(world, "kick.wav", "send-kick");
  const { path } = sending;
  const asked = await recorder.record(token, ask(path), "may");
  const whole = await recorder.record(token, put(path, "kick.wav"), { oneOf: "upload" });
  const other = await announceSend(world, "kick.wav", "send-kick-appended");
  recorder.replace(other.id, sending.name);
  const append = appendFrom(0, other.path, "kick.wav");
  const appended = await recorder.record(token, append, { oneOf: "upload" });
  await addSend(world, "sends a sound", sending, [
    asked.exchange,
    whole.exchange,
    appended.exchange,
  ]);
}

/** The relay has the beginning of a file: a client asks how much, and sends the rest. It may begin again. */
async function recordResumed(world: VectorWorld): Promise<void> {
  const { recorder, token, relay } = world;
  const sending = await announceSend(world, "long.wav", "resume-long");
  const { path } = sending;
  await relay.call("PATCH", path, {
    token,
    headers: { ...appendFrom(0, path, "long.wav").headers, "upload-complete": "?0" },
    body: bytesOf(SOUNDS["long.wav"]).subarray(0, CUT_AT),
  });
  const asked = await recorder.record(token, ask(path), "may");
  const wrong = await recorder.record(token, appendFrom(0, path, "long.wav"), "may");
  const rest = await recorder.record(token, appendFrom(CUT_AT, path, "long.wav"), {
    oneOf: "upload",
  });
  const whole = await recorder.record(token, put(path, "long.wav"), { oneOf: "upload" });
  const name = "resumes a file of which the relay has the beginning";
  const exchanges = [asked, wrong, rest, whole].map(({ exchange }) => exchange);
  await addSend(world, name, sending, exchanges);
}

interface Sending {
  /** The announcement, and what a client may read after it. */
  readonly before: readonly Exchange[];
  readonly id: string;
  /** Replaces the id in the file. */
  readonly name: string;
  readonly path: string;
  readonly file: SoundFile;
  readonly key: string;
}

/** The announcement as a client's `send` makes it. */
async function announceSend(
  { recorder, token }: VectorWorld,
  file: SoundFile,
  key: string,
): Promise<Sending> {
  const { items } = manifestFor([file]) as { items: object[] };
  const { exchange, answer } = await recorder.record(token, {
    method: "POST",
    path: "/packages",
    headers: { "idempotency-key": key },
    json: { schema: "app2host/1", title: "Take one", source: { app: "Looper" }, items },
  });
  const { package_id: id, upload } = answer.json;
  const name = `pkg_${key}`;
  recorder.replace(id, name);
  const before = [recorder.fixed(exchange)];
  for (const read of ["/app/me", `/packages/${id}/status`]) {
    before.push((await recorder.record(token, { method: "GET", path: read }, "may")).exchange);
  }
  return { before, id, name, path: upload[file], file, key };
}

/** Ends the send as a client does, and makes room for the next one. */
async function addSend(
  { recorder, relay, token, add }: VectorWorld,
  title: string,
  { before, id, name, file, key }: Sending,
  uploads: readonly Exchange[],
): Promise<void> {
  const commit = { method: "POST", path: `/packages/${id}/commit` };
  const { exchange: committed } = await recorder.record(token, commit);
  add(
    title,
    { call: "send", title: "Take one", sound: file, key },
    {
      exchanges: [...before, ...uploads, committed],
      result: { package_id: name, warnings: [] },
    },
  );
  await relay.call("DELETE", `/packages/${id}`, { token });
}

function ask(path: string): RecordedCall {
  return { method: "HEAD", path, headers: DRAFT };
}

function put(path: string, sound: SoundFile): RecordedCall {
  return { method: "PUT", path, headers: WAV, sound: { of: SOUNDS[sound] } };
}

/** The rest of a file as the last append of its upload. */
function appendFrom(from: number, path: string, sound: SoundFile): RecordedCall {
  const headers = {
    ...DRAFT,
    "content-type": "application/partial-upload",
    "upload-offset": String(from),
    "upload-complete": "?1",
  };
  return { method: "PATCH", path, headers, sound: { of: SOUNDS[sound], from } };
}
