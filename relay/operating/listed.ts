import type { SwitchName } from "../domain/ports.ts";

/** The lists that an operator reads page by page, by the names that `--json` gives them, and their items. */
export interface Listed {
  readonly devices: {
    readonly device_id: string;
    readonly device_name: string;
    readonly registered_at: string;
    readonly last_seen_at: string;
    readonly apps: number;
    readonly packages: number;
    /** Announced bytes of its packages with files. */
    readonly bytes: number;
    /** The operator's own limits for it; null for the relay's. */
    readonly bytes_quota: number | null;
    readonly waiting_quota: number | null;
    /** Name of the key that it registered with; null without one. */
    readonly registration_key: string | null;
    readonly blocked: boolean;
  };
  readonly apps: {
    readonly pairing_id: string;
    readonly device_id: string;
    readonly device_name: string;
    readonly app_id: string;
    readonly app_name: string;
    readonly paired_at: string;
    readonly last_seen_at: string;
  };
  readonly packages: {
    readonly package_id: string;
    readonly device_id: string;
    readonly device_name: string;
    readonly app_id: string;
    readonly app_name: string;
    readonly title: string;
    readonly state: ListedState;
    readonly sounds: number;
    readonly bytes: number;
    readonly created_at: string;
    readonly committed_at: string | null;
  };
  readonly blocks: {
    readonly subject: string;
    readonly kind: string;
    readonly blocked_at: string;
  };
  /** Registration keys, without the removed ones. The settings' key has no times. */
  readonly keys: {
    readonly name: string;
    readonly added_at: string | null;
    readonly ends_at: string | null;
    readonly max_uses: number | null;
    readonly uses: number;
  };
  readonly denied: {
    readonly sha256: string;
    readonly denied_at: string;
  };
  /** The operations of operators, newest first. */
  readonly log: {
    readonly seq: number;
    readonly at: string;
    readonly who: string;
    readonly action: string;
    readonly subject: string;
    readonly detail: string | null;
  };
}

export type ListName = keyof Listed;

/** Selects items, in the lists that have such columns. */
export interface ListFilter {
  /** Only what belongs to this device. */
  readonly device?: string | undefined;
  /** Only packages of the app with this pairing. */
  readonly app?: string | undefined;
  /** Only devices, apps or packages whose id begins so. */
  readonly id?: string | undefined;
  /** Only devices or apps with this in their name; the case of A to Z doesn't count. */
  readonly name?: string | undefined;
  /** Only packages with this in their title; case doesn't count. */
  readonly title?: string | undefined;
  /** Only packages in this state. */
  readonly state?: string | undefined;
  /** Only packages with a sound of this SHA-256. */
  readonly sha256?: string | undefined;
  /** Only devices that no app was ever paired with. */
  readonly onlyUnpaired?: boolean | undefined;
}

/** One page of a list. Devices, apps, packages and the log come newest first, the others in the order of their ids. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Place after which the list continues; null at the end. */
  readonly next: string | null;
}

/** The position and size of a page. */
export interface PageOf {
  /** Place after which the page begins, as the page before says it; at the start without it. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A place in a list by time: a number, and the id where several have it. */
export const PLACE_IN_TIME = /^(\d{1,15})(?:\.([\w-]+))?$/;

/** The states of packages that the stored columns tell. The relay itself judges `taken` and expiry. */
export const LISTED_STATES = [
  "uploading",
  "waiting",
  "imported",
  "partial",
  "failed",
  "over",
] as const;
export type ListedState = (typeof LISTED_STATES)[number];

export interface ListedSwitch {
  readonly name: SwitchName;
  readonly on: boolean;
  /** The operator's own words for callers; null for the usual ones. */
  readonly sentence: string | null;
  readonly switched_at: string | null;
}
