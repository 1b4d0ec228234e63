import type { Translate } from "../../../core/messages/translate.ts";
import type { ElementView } from "../element-view.ts";
import type { PairingActions } from "../pairing-actions.ts";
import type { RecordActions } from "../record-actions.ts";
import type { SendActions } from "../send-actions.ts";
import type { SoundActions } from "../sound-actions.ts";

/** A part of the element, created once and updated with each view. */
export interface Section {
  readonly node: HTMLElement;
  show(view: ElementView): void;
}

/** Dependencies of a section. */
export interface SectionDeps {
  readonly t: Translate;
  readonly pairing: PairingActions;
  readonly sounds: SoundActions;
  readonly recording: RecordActions;
  readonly sending: SendActions;
  /** Ways to add sounds that the app allows. */
  readonly sources: () => ReadonlySet<string>;
  /** Title given by the app; empty if there is none. */
  readonly sceneTitle: () => string;
}
