import { DRAG_PATH, PANEL_CALLS } from "../../core/protocol/panel-calls.ts";
import type { Importer } from "../importer.ts";
import type { Timers } from "../timers.ts";
import { answerBytes, hangUpSignal, jsonRoute } from "./control-answer.ts";
import { type ControlCall, ControlError, readObject, type Route, textIn } from "./control-call.ts";

/** Time within which a sound's address must be used. */
const LIFETIME_MS = 60_000;
/** Number of unused addresses; a further one replaces the oldest. */
const MAX_UNUSED = 32;
/** A random UUID, of 122 bits. */
const TOKEN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface DraggedSound {
  readonly packageId: string;
  readonly soundId: string;
}

/** One-time addresses of sounds that are dragged out of the panel (rule N26). */
export class DragAddresses {
  readonly #unused = new Map<string, DraggedSound & { readonly endsAtMs: number }>();
  readonly #now: () => number;

  /** @param now milliseconds on a clock that is never set back */
  constructor(now: () => number) {
    this.#now = now;
  }

  get count(): number {
    return this.#unused.size;
  }

  offer(token: string, { packageId, soundId }: DraggedSound): void {
    this.#unused.delete(token);
    this.#unused.set(token, { packageId, soundId, endsAtMs: this.#now() + LIFETIME_MS });
    const [oldest] = this.#unused.keys();
    if (this.#unused.size > MAX_UNUSED && oldest !== undefined) this.#unused.delete(oldest);
  }

  /** Ends an address and returns its sound; undefined if it was used, has expired or never was. */
  take(token: string): DraggedSound | undefined {
    const found = this.#unused.get(token);
    this.#unused.delete(token);
    return found !== undefined && this.#now() < found.endsAtMs ? found : undefined;
  }
}

/** Returns the routes of sounds that are dragged out of the panel (rule N26). */
export function dragRoutes(
  importer: Pick<Importer, "openSound">,
  { timers }: { readonly timers: Timers },
): readonly Route[] {
  const addresses = new DragAddresses(() => timers.now());
  return [
    jsonRoute(...PANEL_CALLS.offerDrag, async (call) => {
      const [packageId = "", soundId = ""] = call.parts;
      const token = textIn(await readObject(call), "token");
      if (!TOKEN.test(token)) throw new ControlError(400, "token must be a random UUID.");
      addresses.offer(token, { packageId, soundId });
    }),
    {
      method: "GET",
      path: DRAG_PATH,
      isOpen: true,
      handle: (call) => serveDragged(call, importer, addresses),
    },
  ];
}

/** Serves a dragged sound's file. The browser fetches it without the secret, as a download of the panel. */
async function serveDragged(
  call: ControlCall,
  importer: Pick<Importer, "openSound">,
  addresses: DragAddresses,
): Promise<void> {
  // A request without `Origin`, such as an image's, may still come from another page.
  if (["cross-site", "same-site"].includes(String(call.request.headers["sec-fetch-site"]))) {
    throw new ControlError(403, "Web pages can't call this address.");
  }
  const found = addresses.take(call.parts[0] ?? "");
  if (found === undefined) throw new ControlError(404, "This address has expired.");
  const { packageId, soundId } = found;
  const sound = await importer.openSound(packageId, soundId, hangUpSignal(call));
  const fileName = encodeURIComponent(sound.fileName).replaceAll(/['()*]/g, percentEncoded);
  const headers = {
    "content-disposition": `attachment; filename*=UTF-8''${fileName}`,
    "cross-origin-resource-policy": "same-origin",
  };
  answerBytes(call, { type: "audio/wav", sizeBytes: sound.sizeBytes, headers }, sound.body);
}

/** Encodes a character that `encodeURIComponent` leaves, but RFC 8187 doesn't allow. */
function percentEncoded(character: string): string {
  return `%${character.codePointAt(0)?.toString(16).toUpperCase() ?? ""}`;
}
