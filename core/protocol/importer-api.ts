import type { AnnouncedManifest } from "../manifest/manifest.ts";
import type { PackageStatus, SoundResults } from "./package-status.ts";

// The bodies of the importer's API (`/importer/*`), as they go over the wire.

/** Supported versions of the importer's API, newest last (rule I4). */
export const IMPORTER_APIS = [1, 2] as const;
/** The first version whose importers read the list of packages in pages (rule I5). */
export const PAGING_API = 2;
/** Header that identifies an importer: `<version>; api=<n>`. */
export const IMPORTER_HEADER = "x-soundferry-importer";
/** An importer that sends `FOLLOWS_REDIRECT` in it with a download may be sent to another address (rule SC15). */
export const FOLLOWS_HEADER = "x-soundferry-follows";
export const FOLLOWS_REDIRECT = "redirect";
/** Header with the registration key, for relays that require one (rule L4). */
export const REGISTRATION_KEY_HEADER = "x-soundferry-registration-key";

export interface HelloAnswer {
  readonly service: "soundferry";
  readonly version: string;
  readonly importer_api: readonly number[];
  readonly now: string;
  /** The relay's id, for as long as it keeps its data (rule Z1). Missing on stores that can't remember it. */
  readonly instance?: string;
}

/** Body of `POST /importer/register` and of `PATCH /importer/me`. */
export interface DeviceNameRequest {
  /** Cleaned like a title; `Computer` if missing or nothing visible is left. */
  readonly device_name?: string;
}
export interface DeviceNameAnswer {
  readonly device_name: string;
}

/** Answer of `GET /importer/me`. */
export interface ImporterMeAnswer {
  readonly device_name: string;
  /** Where the call comes from: a rough network such as `203.0.113.0/24`, or `this-computer`. */
  readonly network: string;
}

export interface RegisterAnswer {
  readonly device_id: string;
  readonly importer_token: string;
}

export interface PairingCodeAnswer {
  /** Six symbols without a space, such as `K7MQ2X`. */
  readonly code: string;
  readonly expires_at: string;
  readonly expires_in: number;
}

/** `network` of a call from the relay's own computer. */
export const THIS_COMPUTER = "this-computer";

/** An app that has claimed the code and waits for a yes (rule P12). */
export interface PairingRequestView {
  readonly request_id: string;
  readonly app_name: string;
  /** Where the app is: a rough network such as `203.0.113.0/24`, or `this-computer`. */
  readonly network: string;
  readonly expires_at: string;
  readonly expires_in: number;
}
/** Answer of `GET /importer/pairing-request`. */
export interface PairingRequestAnswer {
  readonly request: PairingRequestView | null;
  /** Why the code has ended: a second address claimed it. Until there is another code. */
  readonly ended?: "second-address";
}
/** Body of `POST /importer/pairing-request`. */
export interface PairingReply {
  readonly request_id: string;
  readonly answer: "allow" | "deny";
}

export interface PairedApp {
  readonly pairing_id: string;
  readonly app_name: string;
  readonly paired_at: string;
  readonly last_seen_at: string;
}
export interface AppsAnswer {
  readonly apps: readonly PairedApp[];
}

/** A committed package whose files exist. */
export interface ImportablePackage {
  readonly package_id: string;
  /** Rises with every change of the package. Missing at a relay that doesn't page. */
  readonly version?: number;
  readonly status: PackageStatus;
  readonly app_name: string;
  readonly manifest: AnnouncedManifest;
  /** File name → path to download it from, relative to the base address. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether a run holds it now. */
  readonly taken: boolean;
  readonly created_at: string;
  readonly committed_at: string;
  readonly expires_at: string;
  readonly expires_in: number;
  /** Not in a page of the list: `GET /importer/packages/{id}` has them. */
  readonly results?: SoundResults;
}
export interface PackagesAnswer {
  readonly packages: readonly ImportablePackage[];
  /** Where the next page begins; null after the last. Missing at a relay that doesn't page. */
  readonly next?: string | null;
}

export interface TakeRequest {
  readonly run_id?: string;
  readonly force?: boolean;
}
export interface TakeAnswer {
  readonly expires_at: string;
  readonly expires_in: number;
}

export interface ReportRequest {
  readonly results: SoundResults;
}
export interface ReportAnswer {
  readonly status: PackageStatus;
}

/** A socket message; clients read the state over HTTP (rule I3). */
export type SocketMessage =
  | { readonly type: "packages.changed" }
  | { readonly type: "apps.changed" }
  | { readonly type: "pairing.asked" }
  | { readonly type: "code.used"; readonly app_name: string };
