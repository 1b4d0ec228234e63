import {
  type EditRequest,
  PREVIEW_CALLS,
  type PreviewDiff,
} from "../../core/protocol/preview-api.ts";
import { SecretCalls } from "../kit/secret-calls.ts";

/** The calls to the preview that serves this page. */
export class PreviewCalls {
  readonly #calls: SecretCalls;

  constructor(secret: string) {
    this.#calls = new SecretCalls({ address: "", secret, serverName: "The preview" });
  }

  /** Streams the preview's state as lines, until one side ends it. */
  openState(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.#calls.lines(PREVIEW_CALLS.state, signal);
  }

  /** Fetches a sound's file; fails before the download if it is too large to play. */
  sound(key: string, soundId: string, signal: AbortSignal): Promise<Blob> {
    return this.#calls.sound(PREVIEW_CALLS.sound, { key, sound_id: soundId }, signal);
  }

  /** Accepts a scene's layout (rule V4). @param revision the scene's revision that the person saw */
  async accept(key: string, revision: string): Promise<void> {
    await this.#calls.call("POST", PREVIEW_CALLS.accept, { params: { key, revision } });
  }

  /** Has a scene's sounds read before those of others (rule V18). */
  async hear(key: string): Promise<void> {
    await this.#calls.call("POST", PREVIEW_CALLS.hear, { params: { key } });
  }

  /** Sets fields of a scene's manifest (rule V16); resolves with its new revision. */
  async edit(key: string, request: EditRequest): Promise<string> {
    const params = { key, ...request };
    const answer = await this.#calls.call("PATCH", PREVIEW_CALLS.manifest, { params });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by the page's own server
    return ((await answer.json()) as { readonly revision: string }).revision;
  }

  /** Fetches the changes of one scene, or of all (rule V17). */
  async diff(key: string | null): Promise<PreviewDiff> {
    const answer = await (key === null
      ? this.#calls.call("GET", PREVIEW_CALLS.diffs)
      : this.#calls.call("GET", PREVIEW_CALLS.diff, { params: { key } }));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by the page's own server
    return (await answer.json()) as PreviewDiff;
  }
}
