import type { ShownProgress } from "../../addon/hosts/live/stand-in/live-ui.ts";
import type { LivePicture } from "../../addon/hosts/live/stand-in/stand-in-live.ts";

/** Messages from the test to the process that plays Live. */
export type ToLive =
  /** Clicks on a command in the menu of a scene, counted from 0. */
  | { readonly kind: "click"; readonly title: string; readonly scene: number }
  /** Answers the open dialog. */
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "look" };

/** Messages from that process to the test. */
export type FromLive =
  /**
   * The extension is activated; on which Node, and whether the process can do anything Live forbids
   * extensions.
   */
  | {
      readonly kind: "active";
      readonly node: string;
      readonly mayDo: Readonly<Record<string, boolean>>;
    }
  | { readonly kind: "dialog"; readonly url: string }
  | {
      readonly kind: "picture";
      readonly picture: LivePicture;
      readonly progress: readonly ShownProgress[];
    };
