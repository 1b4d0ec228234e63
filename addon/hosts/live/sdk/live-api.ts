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
    /** @param handler called with the clicked object's handle, or with `{ selected_clip_slots }` of a selection */
    registerCommand(commandId: string, handler: (target: unknown) => void): unknown;
  };
  readonly ui: LiveUi;
  /** Groups everything that `act` starts before it returns into one undo step; returns its result. */
  withinTransaction<Outcome>(act: () => Outcome): Outcome;
  /** Returns the object of a menu's handle; throws when it is of another kind. */
  getObjectFromHandle(handle: unknown, kind: unknown): unknown;
}

/** Either folder may be undefined or missing on disk. */
export interface LiveEnvironment {
  readonly storageDirectory?: string | undefined;
  readonly tempDirectory?: string | undefined;
  /** Such as `de`. */
  readonly language?: string | undefined;
}

export interface LiveUi {
  /** May return a promise. */
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

/** An integer as Live returns it. */
export type LiveNumber = number | bigint;

export interface LiveSong {
  /** From left to right. The objects may be new ones each time. */
  readonly tracks: readonly LiveTrack[];
  /** From top to bottom. */
  readonly scenes: readonly LiveScene[];
  /** In BPM. */
  tempo: LiveNumber;
  /** @param index -1 is the end */
  createScene(index: number): Promise<LiveScene>;
  /** Creates a track right of the selected one, or at the end. */
  createAudioTrack(): Promise<LiveTrack>;
  deleteTrack(track: LiveTrack): Promise<unknown>;
  deleteScene(scene: LiveScene): Promise<unknown>;
}

export interface LiveScene {
  /** Equal for two objects of the same thing; not every SDK version has it. */
  readonly handle?: unknown;
  name: string;
}

/** Tracks have no colour; clips have. */
export interface LiveTrack {
  readonly handle?: unknown;
  name: string;
  /** One for each scene, in the scenes' order. */
  readonly clipSlots: readonly LiveClipSlot[];
  readonly mixer: { readonly volume: LiveParameter };
}

/** A raw value: 0.85 is 0 dB. */
export interface LiveParameter {
  getValue(): Promise<LiveNumber>;
  setValue(value: number): Promise<unknown>;
}

export interface LiveClipSlot {
  readonly handle?: unknown;
  /** Its track; not every SDK version has it. */
  readonly parent?: LiveTrack | undefined;
  /** null where the slot is empty. */
  readonly clip: LiveClip | null;
  createAudioClip(clip: NewLiveClip): Promise<LiveClip>;
  deleteClip(): Promise<unknown>;
}

export interface NewLiveClip {
  readonly filePath: string;
  /** By default, a saved analysis file or Live's preferences decide. */
  readonly isWarped?: boolean;
  /**
   * In beats for a warped clip, whose loop is at least 0.25 beats long; probably in seconds for an unwarped
   * one, which can't loop. Live may refuse them.
   */
  readonly loopSettings?: {
    readonly looping: boolean;
    readonly startMarker: number;
    readonly endMarker: number;
    readonly loopStart: number;
    readonly loopEnd: number;
  };
}

/** Clips have no gain and no tempo; warp markers are read-only. */
export interface LiveClip {
  name: string;
  /** 0xRRGGBB; an early version accepts only a BigInt. */
  color: LiveNumber;
  /** Switched on, it turns `warping` on, too. */
  looping: boolean;
  /** Live may switch it after the setter has returned. */
  warping: boolean;
  /** 0 Beats, 1 Tones, 2 Texture, 3 Re-Pitch, 4 Complex, 6 Complex Pro. */
  warpMode: LiveNumber;
  /** In beats; in seconds for an unwarped clip. */
  readonly startMarker: LiveNumber;
  readonly endMarker: LiveNumber;
  readonly loopStart: LiveNumber;
  readonly loopEnd: LiveNumber;
  readonly filePath: string;
  /** From left to right; the last may be hidden in Live. */
  readonly warpMarkers: readonly LiveWarpMarker[];
}

export interface LiveWarpMarker {
  /** Seconds from the start of the file. */
  readonly sampleTime: LiveNumber;
  /** Beats. */
  readonly beatTime: LiveNumber;
}
