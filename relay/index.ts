// `soundferry/relay`: the relay, to embed in another program or run on other stores.

export { buildRelay, type Relay, type RelayOptions } from "./build-relay.ts";
export type * from "./deprecated.ts";
/** @deprecated Use `RelayOptions`. */
export type { RelayOptions as RelayParts } from "./build-relay.ts";
export type * from "./domain/ports.ts";
export type * from "./domain/notifier.ts";
export type * from "./domain/limits.ts";
export type { RelayPages } from "./http/pages.ts";
export { StoreFullError } from "./domain/ports.ts";
export { readRelaySettings, type RelaySettings } from "./settings.ts";
export { FolderInUseError } from "./storage/disk/folder-lock.ts";
