/** A PCM WAV of `frames` silent frames with a plain 44-byte header; 16-bit mono at 44.1 kHz by default. */
export function smallWav({
  frames = 100,
  channels = 1,
  sampleRateHz = 44_100,
  bits = 16,
  fill = 0,
} = {}): Buffer {
  const blockAlign = channels * Math.ceil(bits / 8);
  const dataBytes = frames * blockAlign;
  const bytes = Buffer.alloc(44 + dataBytes, fill);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(36 + dataBytes, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(sampleRateHz, 24);
  bytes.writeUInt32LE(sampleRateHz * blockAlign, 28);
  bytes.writeUInt16LE(blockAlign, 32);
  bytes.writeUInt16LE(bits, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(dataBytes, 40);
  return bytes;
}
