/** A started source, as the page's audio context was asked for it. */
export interface StartedSource {
  /** Frames, all but silent ones as a whole; identifies the sound. */
  readonly frames: number;
  readonly rate: number;
  /** Numbers the buffers, from 0. */
  readonly buffer: number;
  readonly startSeconds: number;
  stopSeconds: number | null;
}

/** A page's script: `started` lists what its audio context starts. */
export const RECORD_SOURCES = `
  globalThis.started = [];
  const { start, stop } = AudioBufferSourceNode.prototype;
  const told = new Map();
  const buffers = new Map();
  AudioBufferSourceNode.prototype.start = function (when, ...more) {
    if (this.context instanceof AudioContext) {
      if (!buffers.has(this.buffer)) buffers.set(this.buffer, buffers.size);
      const source = { frames: this.buffer.length, rate: this.playbackRate.value, buffer: buffers.get(this.buffer), startSeconds: when, stopSeconds: null };
      told.set(this, source);
      started.push(source);
    }
    return start.call(this, when, ...more);
  };
  AudioBufferSourceNode.prototype.stop = function (when) {
    if (told.has(this)) told.get(this).stopSeconds = when;
    return stop.call(this, when);
  };`;
