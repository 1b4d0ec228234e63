import type { Messages } from "../../../core/messages/en/english.ts";
import type { Translate } from "../../../core/messages/translate.ts";
import type { SendSession } from "../../send/session/send-session.ts";
import type { GivenSound } from "../../send/session/session-sound.ts";
import type { SentItem, SessionView } from "../../send/session/session-view.ts";
import type { SessionRecording } from "../../send/session/session-recording.ts";
import type { SessionSounds } from "../../send/session/session-sounds.ts";

/** A section of the element, created once and updated with each view. */
export interface Section {
  readonly node: HTMLElement;
  show(view: SessionView): void;
}

/** The sounds of an element, which it loads with all that handles audio. */
export interface SoundsPart {
  /** The English texts that only it shows. */
  readonly texts: Partial<Messages>;
  readonly sounds: SessionSounds;
  readonly recording: SessionRecording;
  readonly style: string;
  /** Creates the section that shows them. */
  readonly show: (deps: SectionDeps) => Section;
}

/** Dependencies of a section. */
export interface SectionDeps {
  readonly t: Translate;
  readonly session: SendSession;
  readonly relayUrl: string;
  /** Adds sounds; a sent package then makes room for the next one. */
  readonly add: (sounds: readonly GivenSound[]) => Promise<void>;
  /** Starts a recording, or ends the running one. */
  readonly record: () => void;
  /** The part that handles sounds; null until there is one. */
  readonly part: () => SoundsPart | null;
  /** Ways to add sounds that the app allows. */
  readonly sources: () => ReadonlySet<string>;
  /** Title given by the app; empty if there is none. */
  readonly sceneTitle: () => string;
}

/** The sent packages that the element shows, until more is sent; none while some of several are left to send. */
export function shownItems({ sent, series }: SessionView): readonly SentItem[] {
  return series?.sent ? [] : sent.filter(({ isDismissed }) => !isDismissed);
}
