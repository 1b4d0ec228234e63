import type { Warning } from "../../../core/manifest/manifest.ts";
import type { Translate } from "../../../core/messages/translate.ts";
import type { StatusAnswer } from "../../../core/protocol/public-api.ts";
import type { ViewStore } from "../../../core/view-store.ts";
import type { Pairing, Pairings } from "../../pairing/pairings.ts";
import type { PackageDraft } from "../package-draft.ts";
import type { SendProgress, Unfinished } from "../send-options.ts";
import type { PackageNews } from "../words/format-status.ts";
import type { SoundGroup } from "./guess-list.ts";
import type { SessionSound } from "./session-sound.ts";

/** Everything that a sending session shows. It is replaced, never changed. */
export interface SessionView {
  /** The paired computers, the target first; null until they are read. */
  readonly computers: readonly Computer[] | null;
  /** True while a code is asked for. */
  readonly isPairing: boolean;
  /** The content of the code's field. */
  readonly code: string;
  /** The reason why the last code was refused. */
  readonly codeError: string | null;
  /** Something that happened without the user: a pairing that was ended elsewhere. */
  readonly notice: string | null;
  /** The typed title; null to suggest one. */
  readonly title: string | null;
  /** The title that the sounds suggest; empty without sounds. */
  readonly suggestion: string;
  /** The typed tempo of all loops; null to guess it. */
  readonly bpm: string | null;
  readonly sounds: readonly SessionSound[];
  /** The recordings among the sounds, such as the stems of a song. */
  readonly groups: readonly SoundGroup[];
  /** Sounds that can't be sent, with the reason; until they are removed, mended, or the package is sent. */
  readonly refused: readonly RefusedSound[];
  /** Number of sounds that are being read. */
  readonly reading: number;
  /** The recording in progress; null without one. */
  readonly recording: Recording | null;
  /** The package being sent; null if there is none. */
  readonly sending: Sending | null;
  /** The answer to how sounds are sent that one package can't hold; null without one. */
  readonly packAnswer: PackAnswer | null;
  /** The rest of several packages that are sent one after the other; null without one, and after a change. */
  readonly series: Series | null;
  /** The last attempt to send these sounds that did not end; null if there is none. */
  readonly attempt: Attempt | null;
  /** Packages that an earlier visit could not finish. */
  readonly unfinished: readonly UnfinishedItem[];
  /** The sent packages, oldest first. */
  readonly sent: readonly SentItem[];
  /** The latest failure, until the next action. */
  readonly error: string | null;
  /** The latest event, for screen readers. */
  readonly announcement: string;
}

export const FIRST_VIEW: SessionView = {
  computers: null,
  isPairing: false,
  code: "",
  codeError: null,
  notice: null,
  title: null,
  suggestion: "",
  bpm: null,
  sounds: [],
  groups: [],
  refused: [],
  reading: 0,
  recording: null,
  sending: null,
  packAnswer: null,
  series: null,
  attempt: null,
  unfinished: [],
  sent: [],
  error: null,
  announcement: "",
};

/** A paired computer. */
export interface Computer {
  readonly pairing: Pairing;
  /** Its current name. */
  readonly name: string;
}

/** A sound that can't be sent. */
export interface RefusedSound {
  readonly key: string;
  readonly name: string;
  /** The reason; null for one sound too many. */
  readonly sentence: string | null;
}

/** A recording in progress. */
export interface Recording {
  /** Length so far; null while the browser asks for the microphone. */
  readonly seconds: number | null;
  /** The peak of the last moment, from 0 to 1. */
  readonly level: number;
}

/** A package being sent. */
export interface Sending {
  readonly computerName: string;
  /** null until the first sound is read. */
  readonly progress: SendProgress | null;
  /** The reason why it waits, and the time until the next try; null while it makes progress. */
  readonly trouble: { readonly sentence: string; readonly seconds: number } | null;
  /** Its place among several packages, counted from 1; null if it is the only one. */
  readonly part: { readonly number: number; readonly count: number } | null;
}

/** A choice of a person, which counts as long as it means the same. */
export interface PackAnswer {
  /** True to send sounds of more than 16 bits as 16 bit. */
  readonly as16: boolean;
  /** Number of packages. */
  readonly count: number;
}

/** Several packages of one Send. Their title, tempo and sounds were decided then. */
export interface Series {
  /** The title that theirs begin with. */
  readonly title: string;
  readonly bpm: number | undefined;
  readonly as16: boolean;
  /** Number of packages that are sent. */
  readonly sent: number;
  /** Number of all packages. */
  readonly count: number;
  /** The keys of the sounds of each package that is not sent yet. */
  readonly parts: readonly (readonly string[])[];
}

/** An attempt to send the sounds of a session, which sending the same sounds again continues. */
export interface Attempt {
  /** The package's id in `unfinished`. */
  readonly id: string;
  /** True while title, tempo and sounds are those of the attempt. */
  readonly isCurrent: boolean;
}

/** Returns what is left of a series after its next package was sent; null after the last. */
export function afterNext(series: Series): Series | null {
  const parts = series.parts.slice(1);
  return parts.length === 0 ? null : { ...series, sent: series.sent + 1, parts };
}

/** A package that an earlier visit could not finish, and its computer. */
export interface UnfinishedItem {
  readonly unfinished: Unfinished;
  /** null after its pairing ended: until the next one, it can only be discarded. */
  readonly computer: Computer | null;
}

/** A sound of a sent package, as it was described. */
export interface SentSound {
  readonly id: string;
  readonly name: string;
}

/** A sent package, as far as it is stored. */
export interface SentNote<Sound extends SentSound = SentSound> {
  readonly packageId: string;
  /** Its id in `unfinished` until it was sent. */
  readonly key?: string | undefined;
  /** Key of the pairing that it was sent with. */
  readonly pairingKey: string;
  readonly title: string;
  readonly computerName: string;
  /** The sounds in their order. */
  readonly sounds: readonly Sound[];
  /** Repairs by the relay, one sentence each. */
  readonly warnings: readonly string[];
}

/** A sent package and what is known about it. */
export interface SentItem extends SentNote, PackageNews {
  readonly sounds: readonly SentSound[];
  readonly isDismissed: boolean;
  /** The reason why the status is unknown, or a refusal; null without a problem. */
  readonly trouble: string | null;
}

/** Returns a key that identifies a pairing without revealing its token: 48 of the token's 256 bits. */
export function pairingKeyOf({ token }: Pick<Pairing, "token">): string {
  return token.slice(-8);
}

/** A session's events, by name. */
export interface SessionEvents {
  /** Paired with a computer. */
  readonly paired: { readonly deviceName: string };
  /** A package is ready to import. */
  readonly sent: { readonly packageId: string; readonly warnings: readonly Warning[] };
  /** A sent package is imported, partly imported, failed or expired. */
  readonly result: StatusAnswer;
  /** Something failed; the view says it too. As a rule a `ClientError`. */
  readonly error: { readonly error: unknown };
}

/** Settings that may change during a session. */
export interface SessionSettings {
  readonly relayUrl: string;
  /** The name under which the app pairs; appended to the names of scene and tracks. */
  readonly appName: string;
  /** Title of packages whose title nobody types. */
  readonly sceneTitle?: string | undefined;
  /** Tempo of loops without one of their own. */
  readonly bpm?: number | undefined;
  /** True to ask for the tempo of a loop that has none. */
  readonly asksTempo: boolean;
  /** The same as in `SendOptions`. Default: true. */
  readonly keep?: true | "session";
}

/** Stores sent packages beyond the session. */
export interface SentNotes {
  /** Lists the stored ones, newest first. */
  read(): readonly SentNote[];
  store(note: SentNote): void;
  forget(packageId: string): void;
}

/** A package as the list of sent packages describes it. */
export interface Described {
  /** Its id in `unfinished`, if it was there before. */
  readonly key?: string;
  readonly title: string;
  readonly sounds: readonly SentSound[];
}

/** A package of the session's sounds. */
export interface OutgoingPart extends Described {
  /** The keys of its sounds. */
  readonly keys: readonly string[];
  /** Describes it for sending. Sounds that become 16 bit are converted then, so that memory holds one package. */
  readonly describe: (signal: AbortSignal) => Promise<DescribedPart>;
}

export interface DescribedPart {
  readonly draft: PackageDraft;
  /** Sentences on sounds that 16 bit has clipped. */
  readonly notes: readonly string[];
}

/** The session's sounds, ready to be sent. */
export interface Outgoing {
  /** The question that must be answered before sending, as a sentence; null without one. */
  readonly question: string | null;
  /** Sent one after the other; as a rule one. Empty while nobody has decided how many. */
  readonly packages: readonly OutgoingPart[];
  /** Set if there are several. */
  readonly series: Series | null;
  /** Turns the guesses about a sound that waits for the next package into decisions. */
  readonly decide: (sound: SessionSound) => SessionSound;
}

/** Dependencies of a session. */
export interface SessionDeps {
  readonly store: ViewStore<SessionView>;
  readonly t: Translate;
  readonly settings: () => SessionSettings;
  /** The pairings of this app. */
  readonly pairings: Pairings;
  /** Returns the id with which the app pairs, under its name. */
  readonly appId: () => string;
  readonly emit?: <Name extends keyof SessionEvents>(
    name: Name,
    detail: SessionEvents[Name],
  ) => void;
  /** Stores the sounds and their attempt, so that a reload can't separate them. */
  readonly flush?: () => Promise<void>;
  readonly sentNotes?: SentNotes;
}
