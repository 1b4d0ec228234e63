// `soundferry/relay`: the relay, to embed in another program or run on other stores.

export { buildRelay, type Relay, type RelayOptions } from "./build-relay.ts";
export * from "./domain/ports.ts";
export type { GivenPorts } from "./open-ports.ts";
export type { RelayPages } from "./http/pages.ts";
export { readRelaySettings, type RelaySettings } from "./settings.ts";
export { FolderInUseError } from "./storage/disk/folder-lock.ts";
export { judgeAsk } from "./domain/pairing/pairing-consent.ts";
export { judgeInsert, type InsertCounts, type InsertVerdict } from "../core/quotas/judge-insert.ts";
export type { AppUse, Filler } from "../core/quotas/room-shares.ts";
export { judgeRoom, type RoomCounts, type RoomRefusal } from "../core/quotas/judge-room.ts";
export { filesEndAt, statusOf } from "../core/protocol/package-state.ts";
