// The first entry, `@soundferry/client`, and the whole content of `/client.js`: for browsers and Node.

export type { Warning } from "../core/manifest/manifest.ts";
export type { SoundKind, SoundRole, WarpMode } from "../core/manifest/manifest.ts";
export type { PackageStatus, SoundResult, SoundResults } from "../core/protocol/package-status.ts";
export {
  type AnnounceAnswer,
  type MeAnswer,
  type OwnPackage,
  type OwnPackagesAnswer,
  type StatusAnswer,
  type UploadAnswer,
  WHERE_TO_IMPORT,
} from "../core/protocol/public-api.ts";
export { receivePageOf } from "../core/protocol/receive-page.ts";
export { AbortedSend, type AbortOutcome } from "./send/withdrawals.ts";
export {
  ClientError,
  type ClientErrorFacts,
  type ClientErrorCode,
  type OwnErrorCode,
  type SoundProblem,
} from "./wire/client-error.ts";
export type { FollowOptions } from "./send/follow-package.ts";
export type { ListOptions } from "./send/relay-calls.ts";
export type { Sha256 } from "./send/sound-bytes.ts";
export {
  localAppId,
  LocalStoragePairings,
  LocalStorageTokenStore,
} from "./pairing/local-storage.ts";
export type {
  OutgoingPackage,
  PackageDraft,
  SoundDraft,
  SoundSource,
} from "./send/package-draft.ts";
export { MemoryPairings, type Pairing, Pairings, type PairingStore } from "./pairing/pairings.ts";
export type {
  SendOptions,
  SendProgress,
  SendState,
  SentPackage,
  Unfinished,
} from "./send/send-options.ts";
export { type AppIdentity, type ClientSettings, SoundferryClient } from "./soundferry-client.ts";
export { RelayHistory } from "./wire/relay-http.ts";
export type { Pace } from "./wire/retry.ts";
export {
  MemoryTokenStore,
  type TokenStore,
  withdrawalStore,
  type WithdrawalStore,
} from "./pairing/token-store.ts";
export { fetchUpload, type UploadRequest, type UploadTransport } from "./wire/upload-transport.ts";
