/**
 * What Soundferry calls of Live's Extensions SDK, in its own words and no more than that. Getters and
 * setters are synchronous; each setter is an undo step of its own unless a transaction groups it.
 * Whatever creates or deletes is a promise, which rejects most often without a reason.
 *
 * Numbers may come as BigInt and objects may be dead: `live-values.ts` is the one place that reads
 * them, and nothing past it sees either.
 */
export interface LiveContext {
  readonly application: { readonly song: LiveSong };
  readonly environment: LiveEnvironment;
  readonly resources: {
    /** Copies a file into the Live project; resolves with the path to use from then on. */
    importIntoProject(absolutePath: string): Promise<string>;
  };
  readonly commands: {
    /**
     * @param handler gets the handle of what was clicked; of a selection of clip slots an object with
     *   theirs as `selected_clip_slots`
     */
    registerCommand(commandId: string, handler: (target: unknown) => void): unknown;
  };
  readonly ui: LiveUi;
  /** Makes one undo step of all that `act` starts before it returns; gives what `act` gives. */
  withinTransaction<Outcome>(act: () => Outcome): Outcome;
  /** The object that a menu's handle stands for; throws when it is none of that kind. */
  getObjectFromHandle(handle: unknown, kind: unknown): unknown;
}

/** Either folder may be missing on disk, or not told at all. */
export interface LiveEnvironment {
  readonly storageDirectory?: string | undefined;
  readonly tempDirectory?: string | undefined;
}

export interface LiveUi {
  /** Answers later, too. */
  registerContextMenuAction(scope: LiveScope, title: string, commandId: string): unknown;
  /** Shows a page and blocks Live until it is closed; the text that it sent, empty where it sent none. */
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

/** Where a context menu can have an action of ours. */
export type LiveScope = "Scene" | "ClipSlot" | "ClipSlotSelection" | "AudioTrack" | "MidiTrack";

/** A whole number as Live gives it. */
export type LiveNumber = number | bigint;

export interface LiveSong {
  /** From left to right. The objects may be new ones each time. */
  readonly tracks: readonly LiveTrack[];
  /** From top to bottom. */
  readonly scenes: readonly LiveScene[];
  /** In BPM. */
  tempo: LiveNumber;
  /** @param index its place; -1 is the end */
  createScene(index: number): Promise<LiveScene>;
  /** Made right of the selected track, or at the end. */
  createAudioTrack(): Promise<LiveTrack>;
  deleteTrack(track: LiveTrack): Promise<unknown>;
  deleteScene(scene: LiveScene): Promise<unknown>;
}

export interface LiveScene {
  /** The same for two objects that stand for one thing, where the SDK has it. */
  readonly handle?: unknown;
  name: string;
}

/** It has no colour; clips have. */
export interface LiveTrack {
  readonly handle?: unknown;
  name: string;
  /** One for each scene, in the scenes' order. */
  readonly clipSlots: readonly LiveClipSlot[];
  readonly mixer: { readonly volume: LiveParameter };
}

/** Raw value: 0.85 is 0 dB. */
export interface LiveParameter {
  getValue(): Promise<LiveNumber>;
  setValue(value: number): Promise<unknown>;
}

export interface LiveClipSlot {
  readonly handle?: unknown;
  /** null where the slot is empty. */
  readonly clip: LiveClip | null;
  createAudioClip(clip: NewLiveClip): Promise<LiveClip>;
  deleteClip(): Promise<unknown>;
}

export interface NewLiveClip {
  readonly filePath: string;
  /** Where left out, a saved analysis file or Live's preferences decide. */
  readonly isWarped?: boolean;
  /** In beats; only together with `isWarped: true`. The loop is at least 0.25 beats long. */
  readonly loopSettings?: {
    readonly looping: boolean;
    readonly startMarker: number;
    readonly endMarker: number;
    readonly loopStart: number;
    readonly loopEnd: number;
  };
}

/** It has neither a gain nor a tempo of its own, and its warp markers can't be written. */
export interface LiveClip {
  name: string;
  /** 0xRRGGBB; an early version takes only a BigInt. */
  color: LiveNumber;
  /** Can't be on while `warping` is off. */
  looping: boolean;
  warping: boolean;
  /** 0 Beats, 1 Tones, 2 Texture, 3 Re-Pitch, 4 Complex, 6 Complex Pro. */
  warpMode: LiveNumber;
  /** In beats. */
  readonly loopStart: LiveNumber;
  readonly loopEnd: LiveNumber;
  readonly filePath: string;
  readonly warpMarkers: readonly LiveWarpMarker[];
}

export interface LiveWarpMarker {
  /** Seconds from the start of the file. */
  readonly sampleTime: LiveNumber;
  /** Beats. */
  readonly beatTime: LiveNumber;
}
