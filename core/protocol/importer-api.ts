import type * as schemas from "./schemas/importer-schemas.ts";
import type { FromSchema } from "./schemas/schema.ts";

// The importer's API (`/importer/*`): its constants, and its bodies as they go over the wire. What their members mean is
// in the schemas.

export { THIS_COMPUTER } from "./judge-host.ts";

/** Supported versions of the importer's API, newest last (rule I4). */
export const IMPORTER_APIS = [1, 2] as const;
/** The first version whose importers read the list of packages in pages (rule I5). */
export const PAGING_API = 2;
/** Header that identifies an importer: `<version>; api=<n>`. */
export const IMPORTER_HEADER = "x-soundferry-importer";
/** An importer that sends `FOLLOWS_REDIRECT` in it with a download may be sent to another address (rule SC15). */
export const FOLLOWS_HEADER = "x-soundferry-follows";
export const FOLLOWS_REDIRECT = "redirect";
/** The socket's subprotocol for pages, which send their token as another one after it: prefix and token (rule I3). */
export const SOCKET_PROTOCOL = "soundferry";
export const SOCKET_TOKEN_PREFIX = "bearer.";
/** Header with the registration key, for relays that require one (rule L4). */
export const REGISTRATION_KEY_HEADER = "x-soundferry-registration-key";

export type HelloAnswer = FromSchema<typeof schemas.HELLO_ANSWER>;

/** Body of `POST /importer/register` and of `PATCH /importer/me`. */
export interface DeviceNameRequest {
  /** The name, which is cleaned like a title; `Computer` if missing or nothing visible is left. */
  readonly device_name?: string;
}
export type DeviceNameAnswer = FromSchema<typeof schemas.DEVICE_NAME_ANSWER>;

/** Answer of `GET /importer/me`. */
export type ImporterMeAnswer = FromSchema<typeof schemas.IMPORTER_ME_ANSWER>;

export type RegisterAnswer = FromSchema<typeof schemas.REGISTER_ANSWER>;

export type PairingCodeAnswer = FromSchema<typeof schemas.PAIRING_CODE_ANSWER>;

/** Answer of `GET /importer/pairing-request`. */
export type PairingRequestAnswer = FromSchema<typeof schemas.PAIRING_REQUEST_ANSWER>;
/** An app that has claimed the code and waits for a yes (rule P12). */
export type PairingRequestView = NonNullable<PairingRequestAnswer["request"]>;
/** Body of `POST /importer/pairing-request`. */
export type PairingReply = FromSchema<typeof schemas.PAIRING_REPLY>;

export type PairedApp = FromSchema<typeof schemas.PAIRED_APP>;
export type AppsAnswer = FromSchema<typeof schemas.APPS_ANSWER>;

/** A committed package whose files exist. */
export type ImportablePackage = FromSchema<typeof schemas.IMPORTABLE_PACKAGE>;
export type PackagesAnswer = FromSchema<typeof schemas.PACKAGES_ANSWER>;

/** Body of a take. */
export interface TakeRequest {
  readonly run_id?: string;
  readonly force?: boolean;
}
export type TakeAnswer = FromSchema<typeof schemas.TAKE_ANSWER>;

export type ReportRequest = FromSchema<typeof schemas.REPORT_REQUEST>;
/** Results as an importer reports them: with the sounds that it keeps (rule L12). */
export type ReportedResults = ReportRequest["results"];
export type ReportAnswer = FromSchema<typeof schemas.REPORT_ANSWER>;

/** A socket message; clients read the state over HTTP (rule I3). */
export type SocketMessage = FromSchema<typeof schemas.SOCKET_MESSAGE>;
