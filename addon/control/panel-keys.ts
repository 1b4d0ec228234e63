import { randomBytes } from "node:crypto";
import {
  PANEL_KEY_MINUTES,
  PANEL_KEYS_PATH,
  PANEL_SESSION_PATH,
} from "../../core/protocol/panel-calls.ts";
import type { Timers } from "../timers.ts";
import { jsonRoute } from "./control-answer.ts";
import { ControlError, readObject, type Route, textIn } from "./control-call.ts";

const LIFETIME_MS = PANEL_KEY_MINUTES * 60_000;
/** Number of unused keys; a further one ends the oldest. */
const MAX_UNUSED = 32;

/** One-time keys, each of which gets the panel's secret once (rule N29). */
export class PanelKeys {
  readonly #endsAtMs = new Map<string, number>();
  readonly #now: () => number;

  /** @param now milliseconds on a clock that is never set back */
  constructor(now: () => number) {
    this.#now = now;
  }

  make(): string {
    const key = randomBytes(16).toString("base64url");
    this.#endsAtMs.set(key, this.#now() + LIFETIME_MS);
    const [oldest] = this.#endsAtMs.keys();
    if (this.#endsAtMs.size > MAX_UNUSED && oldest !== undefined) this.#endsAtMs.delete(oldest);
    return key;
  }

  /** Ends a key; returns whether it was unused and young enough. */
  use(key: string): boolean {
    const endsAtMs = this.#endsAtMs.get(key);
    this.#endsAtMs.delete(key);
    return endsAtMs !== undefined && this.#now() < endsAtMs;
  }

  /** Returns whether a key was neither used nor replaced by newer ones. */
  isUnused(key: string): boolean {
    return this.#endsAtMs.has(key);
  }
}

/** Returns the routes by which a browser gets the panel's secret for a one-time key (rule N29). */
export function panelKeyRoutes(secret: string, timers: Pick<Timers, "now">): readonly Route[] {
  const keys = new PanelKeys(() => timers.now());
  return [
    jsonRoute("POST", PANEL_KEYS_PATH, () => ({ key: keys.make() })),
    jsonRoute("GET", `${PANEL_KEYS_PATH}/:key`, ({ parts: [key = ""] }) => ({
      unused: keys.isUnused(key),
    })),
    {
      ...jsonRoute("POST", PANEL_SESSION_PATH, async (call) => {
        const key = textIn(await readObject(call), "key");
        if (!keys.use(key)) throw new ControlError(403, "This address works only once.");
        return { secret };
      }),
      isOpen: true,
    },
  ];
}
