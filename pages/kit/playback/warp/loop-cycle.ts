// One cycle of a loop as samples. A cycle repeats: what comes before its first frame is its end.

/** A channel's first frames, with silence where the file ends before the loop. */
export function cutCycle(channel: Float32Array, frames: number): Float32Array<ArrayBuffer> {
  const cycle = new Float32Array(frames);
  cycle.set(channel.subarray(0, frames));
  return cycle;
}

/** The cycle repeated, from `before` frames before its beginning to `after` frames past its end. */
export function unrollCycle(
  cycle: Float32Array,
  { before, after }: { readonly before: number; readonly after: number },
): Float32Array<ArrayBuffer> {
  const unrolled = new Float32Array(before + cycle.length + after);
  const first = (cycle.length - (before % cycle.length)) % cycle.length;
  for (let at = 0, from = first; at < unrolled.length; from = 0) {
    const piece = cycle.subarray(from, from + unrolled.length - at);
    unrolled.set(piece, at);
    at += piece.length;
  }
  return unrolled;
}

/**
 * The frames from `start` on as a cycle without a seam: its end blends into what was rendered just before its
 * beginning, so that the last frame leads to the first.
 * @param blendFrames at most `start` and `frames`
 */
export function closeCycle(
  rendered: Float32Array,
  {
    start,
    frames,
    blendFrames,
  }: { readonly start: number; readonly frames: number; readonly blendFrames: number },
): Float32Array<ArrayBuffer> {
  const cycle = Float32Array.from(rendered.subarray(start, start + frames));
  for (let frame = 0; frame < blendFrames; frame += 1) {
    const at = frames - blendFrames + frame;
    const weight = (frame + 1) / blendFrames;
    const before = rendered[start - blendFrames + frame] ?? 0;
    cycle[at] = (cycle[at] ?? 0) * (1 - weight) + before * weight;
  }
  return cycle;
}
