// The first entry, `@soundferry/client`, and the whole content of `/client.js`: for browsers and Node.

export type { Warning } from "../core/manifest/manifest.ts";
export type { SoundKind, SoundRole, WarpMode } from "../core/manifest/manifest.ts";
export type { PackageStatus, SoundResult, SoundResults } from "../core/protocol/package-status.ts";
export {
  type AnnounceAnswer,
  type MeAnswer,
  type StatusAnswer,
  type UploadAnswer,
  WHERE_TO_IMPORT,
} from "../core/protocol/public-api.ts";
export { AbortedSend, type AbortOutcome } from "./send/aborted-send.ts";
export { ClientError, type ClientErrorFacts } from "./wire/client-error.ts";
export type { AppIdentity, ClientSettings, Pace } from "./wire/client-settings.ts";
export type { ClientErrorCode, OwnErrorCode } from "./wire/error-codes.ts";
export type { FollowOptions } from "./send/follow-package.ts";
export type { Sha256 } from "./send/hash-in-pieces.ts";
export { localAppId } from "./pairing/local-app-id.ts";
export { LocalStoragePairings } from "./browser/local-storage-pairings.ts";
export { LocalStorageTokenStore } from "./browser/local-storage-token-store.ts";
export type { OutgoingPackage } from "./send/outgoing-package.ts";
export type { PackageDraft, SoundDraft, SoundSource } from "./send/package-draft.ts";
export { MemoryPairings, type Pairing, Pairings, type PairingStore } from "./pairing/pairings.ts";
export type { SendOptions, SendProgress, SendState, SentPackage } from "./send/send-options.ts";
export { SoundferryClient } from "./soundferry-client.ts";
export type { SoundProblem } from "./send/sound-problem.ts";
export { MemoryTokenStore, type TokenStore } from "./pairing/token-store.ts";
export { fetchUpload, type UploadRequest, type UploadTransport } from "./wire/upload-transport.ts";
export type { Unfinished } from "./send/unfinished.ts";
export { withdrawalStore, type WithdrawalStore } from "./send/withdrawal-store.ts";
