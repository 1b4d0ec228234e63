/**
 * The part of Live's Extensions SDK that Soundferry uses. Getters and setters are synchronous; each
 * setter is its own undo step unless a transaction groups it. Calls that create or delete return a
 * promise, which usually rejects without a reason.
 *
 * Numbers may be BigInts and objects may be stale: only `live-values.ts` reads them.
 */
export interface LiveContext {
  readonly application: { readonly song: LiveSong };
  readonly environment: LiveEnvironment;
  readonly resources: {
    /** Copies a file into the Live project; resolves with the copy's path. */
    importIntoProject(absolutePath: string): Promise<string>;
  };
  readonly commands: {
    /**
     * Registers a command.
     * @param handler called with the clicked object's handle, or with `{ selected_clip_slots }` of a selection
     */
    registerCommand(commandId: string, handler: (target: unknown) => void): unknown;
  };
  readonly ui: LiveUi;
  /** Groups everything that `act` starts before it returns into one undo step; returns its result. */
  withinTransaction<Outcome>(act: () => Outcome): Outcome;
  /** Returns the object of a menu's handle; throws when it is of another kind. */
  getObjectFromHandle(handle: unknown, kind: unknown): unknown;
}

/** Live's folders for the extension, each of which may be undefined or missing on disk, and its language. */
export interface LiveEnvironment {
  readonly storageDirectory?: string | undefined;
  readonly tempDirectory?: string | undefined;
  /** The language of Live's screens, such as `de`. */
  readonly language?: string | undefined;
}

export interface LiveUi {
  /** Adds an action to a kind of context menu. May return a promise. */
  registerContextMenuAction(scope: LiveScope, title: string, commandId: string): unknown;
  /** Shows a page and blocks Live until it is closed; resolves with the text that it sent, or an empty one. */
  showModalDialog(url: string, width: number, height: number): Promise<string>;
  /** Shows Live's progress dialog while `act` runs; `signal` aborts on Cancel. */
  withinProgressDialog<Outcome>(
    text: string,
    options: { readonly progress?: number },
    act: (
      update: (text: string, percent?: number) => unknown,
      signal: AbortSignal,
    ) => Promise<Outcome>,
  ): Promise<Outcome>;
}

/** A kind of context menu that can show our actions. */
export type LiveScope = "Scene" | "ClipSlot" | "ClipSlotSelection" | "AudioTrack" | "MidiTrack";

/** A number as Live returns it. */
export type LiveNumber = number | bigint;

export interface LiveSong {
  /** The tracks from left to right. The objects may be new ones each time. */
  readonly tracks: readonly LiveTrack[];
  /** The scenes from top to bottom. */
  readonly scenes: readonly LiveScene[];
  /** The Set's tempo in BPM. */
  tempo: LiveNumber;
  /** Creates a scene. @param index -1 is the end */
  createScene(index: number): Promise<LiveScene>;
  /** Creates a track right of the selected one, or at the end. */
  createAudioTrack(): Promise<LiveTrack>;
  deleteTrack(track: LiveTrack): Promise<unknown>;
  deleteScene(scene: LiveScene): Promise<unknown>;
}

export interface LiveScene {
  /** An identity that two objects of the same thing share; not every SDK version has it. */
  readonly handle?: unknown;
  name: string;
}

/** A track, which unlike a clip has no color. */
export interface LiveTrack {
  readonly handle?: unknown;
  name: string;
  /** The clip slots, one for each scene, in the scenes' order. */
  readonly clipSlots: readonly LiveClipSlot[];
  readonly mixer: { readonly volume: LiveParameter };
}

/** A parameter with a raw value; for a volume, 0.85 is 0 dB. */
export interface LiveParameter {
  getValue(): Promise<LiveNumber>;
  setValue(value: number): Promise<unknown>;
}

export interface LiveClipSlot {
  readonly handle?: unknown;
  /** The slot's track; not every SDK version has it. */
  readonly parent?: LiveTrack | undefined;
  /** The slot's clip; null where the slot is empty. */
  readonly clip: LiveClip | null;
  createAudioClip(clip: NewLiveClip): Promise<LiveClip>;
  deleteClip(): Promise<unknown>;
}

export interface NewLiveClip {
  readonly filePath: string;
  /** True for a warped clip. By default, a saved analysis file or Live's preferences decide. */
  readonly isWarped?: boolean;
  /**
   * Start, end and loop: in beats for a warped clip, whose loop is at least 0.25 beats long; probably in seconds for
   * an unwarped one, which can't loop. Live may refuse them.
   */
  readonly loopSettings?: {
    readonly looping: boolean;
    readonly startMarker: number;
    readonly endMarker: number;
    readonly loopStart: number;
    readonly loopEnd: number;
  };
}

/** A clip, which has no gain and no tempo; its warp markers are read-only. */
export interface LiveClip {
  name: string;
  /** The color as 0xRRGGBB; an early version accepts only a BigInt. */
  color: LiveNumber;
  /** True for a loop; switching it on turns `warping` on, too. */
  looping: boolean;
  /** True for a warped clip. Live may switch it after the setter has returned. */
  warping: boolean;
  /** The warp mode: 0 Beats, 1 Tones, 2 Texture, 3 Re-Pitch, 4 Complex, 6 Complex Pro. */
  warpMode: LiveNumber;
  /** The start in beats; in seconds for an unwarped clip, like the next three. */
  readonly startMarker: LiveNumber;
  readonly endMarker: LiveNumber;
  readonly loopStart: LiveNumber;
  readonly loopEnd: LiveNumber;
  readonly filePath: string;
  /** The warp markers from left to right; the last may be hidden in Live. */
  readonly warpMarkers: readonly LiveWarpMarker[];
}

export interface LiveWarpMarker {
  /** Seconds from the start of the file. */
  readonly sampleTime: LiveNumber;
  /** The beat to which the second is tied. */
  readonly beatTime: LiveNumber;
}
