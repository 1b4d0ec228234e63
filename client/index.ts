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
export { AbortedSend, type AbortOutcome } from "./aborted-send.ts";
export { ClientError, type ClientErrorFacts } from "./client-error.ts";
export type { AppIdentity, ClientSettings, Pace } from "./client-settings.ts";
export type { ClientErrorCode, OwnErrorCode } from "./error-codes.ts";
export type { FollowOptions } from "./follow-package.ts";
export type { Sha256 } from "./hash-sound.ts";
export { localAppId } from "./local-app-id.ts";
export { LocalStoragePairings } from "./local-storage-pairings.ts";
export { LocalStorageTokenStore } from "./local-storage-token-store.ts";
export type { OutgoingPackage } from "./outgoing-package.ts";
export type { PackageDraft, SoundDraft, SoundSource } from "./package-draft.ts";
export { MemoryPairings, type Pairing, Pairings, type PairingStore } from "./pairings.ts";
export type { SendOptions, SendProgress, SendState, SentPackage } from "./send-options.ts";
export { SoundferryClient } from "./soundferry-client.ts";
export type { SoundProblem } from "./sound-problem.ts";
export { MemoryTokenStore, type TokenStore } from "./token-store.ts";
export { fetchUpload, type UploadRequest, type UploadTransport } from "./upload-transport.ts";
export type { Unfinished } from "./unfinished.ts";
