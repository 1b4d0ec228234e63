/** A started source, as the page's audio context was asked for it. */
export interface StartedSource {
  /** Frames, all but silent ones as a whole; identifies the sound. */
  readonly frames: number;
  readonly rate: number;
  readonly startSeconds: number;
  /** When its pass began, or would have: one that is rendered late comes in amid a pass. */
  readonly passSeconds: number;
  stopSeconds: number | null;
}

/** A page's script: `started` lists what its audio context starts. */
export const RECORD_SOURCES = `
  globalThis.started = [];
  const { start, stop } = AudioBufferSourceNode.prototype;
  const told = new Map();
  AudioBufferSourceNode.prototype.start = function (when, offset = 0) {
    if (this.context instanceof AudioContext) {
      const rate = this.playbackRate.value;
      told.set(this, { frames: this.buffer.length, rate, startSeconds: when, passSeconds: when - offset / rate, stopSeconds: null });
      started.push(told.get(this));
    }
    return start.call(this, when, offset);
  };
  AudioBufferSourceNode.prototype.stop = function (when) {
    if (told.has(this)) told.get(this).stopSeconds = when;
    return stop.call(this, when);
  };`;
