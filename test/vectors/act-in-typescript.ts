import { ClientError } from "../../client/wire/client-error.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { instantPace } from "../client/stand-in-relay.ts";
import { bytesOf, type Vector, type VectorAct, type VectorFile } from "./vector.ts";

/** The outcome of a vector in the TypeScript client, in the file's own terms. */
export interface Outcome {
  readonly result?: unknown;
  readonly error?: object;
  readonly keepsToken: boolean;
}

/**
 * Does a vector's act with the TypeScript client.
 * @param onKnown called once the client has got a good answer of the relay; without it, the act is the first call
 */
export async function actInTypeScript(
  { token, app, sounds }: VectorFile,
  { act }: Vector,
  relayUrl: string,
  onKnown?: () => void,
): Promise<Outcome> {
  const tokenStore = new MemoryTokenStore(token);
  const client = new SoundferryClient({ relayUrl, tokenStore, app, pace: instantPace() });
  const soundOf = (name: string): Uint8Array<ArrayBuffer> => {
    const sound = sounds[name];
    if (sound === undefined) throw new Error(`The file has no sound ${name}.`);
    return bytesOf(sound);
  };
  const keepsToken = async () => (await tokenStore.load()) !== undefined;
  try {
    if (onKnown !== undefined) {
      await client.me();
      onKnown();
    }
    const result = await perform(client, act, soundOf);
    return { ...(result !== undefined && { result }), keepsToken: await keepsToken() };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return { error: errorOf(error), keepsToken: await keepsToken() };
  }
}

async function perform(
  client: SoundferryClient,
  act: VectorAct,
  soundOf: (name: string) => Uint8Array<ArrayBuffer>,
): Promise<unknown> {
  switch (act.call) {
    case "pair":
      return client.pair(act.code);
    case "me":
      return client.me();
    case "unpair":
      return client.unpair();
    case "announce":
      if (!isJsonObject(act.manifest)) throw new TypeError("A manifest is an object.");
      return client.announce(act.manifest, { idempotencyKey: act.key });
    case "upload":
      return client.upload(act.path, new Blob([soundOf(act.sound)]));
    case "commit":
      return client.commit(act.packageId);
    case "withdraw":
      return client.withdraw(act.packageId);
    case "status":
      return client.status(act.packageId);
    case "packages":
      return client.list({ status: act.status });
    case "send": {
      const sound = { source: soundOf(act.sound), file: act.sound, name: act.sound.slice(0, -4) };
      const sent = await client.send(
        { title: act.title, sounds: [sound] },
        { idempotencyKey: act.key, giveUpAfterMs: 60_000 },
      );
      return { package_id: sent.packageId, warnings: sent.warnings };
    }
  }
}

function errorOf(error: ClientError): object {
  const { message, status, code, retryAfterSeconds, missing, problems } = error;
  const { sound, file, field, position } = error;
  const about = Object.entries({ sound, file, field, position });
  return {
    message,
    status,
    code,
    ...Object.fromEntries(about.filter(([, value]) => value !== undefined)),
    ...(problems.length > 0 && { problems }),
    ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
    ...(missing.length > 0 && { missing }),
  };
}
