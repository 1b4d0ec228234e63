import { createConnection } from "node:net";
import { expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

test("[I2] a reader that takes nothing is disconnected after the idle limit, and its file is closed", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_UPLOAD_IDLE_S: "1" });
  const { importer, token } = await relay.paired();
  // More than the buffers of both ends hold.
  const wav = smallWav({ frames: 16_000_000 });
  const { upload, package_id: id } = await relay.announce(token, manifestOf({ "long.wav": wav }));
  await relay.call("PUT", upload["long.wav"] ?? "", { token, body: wav });
  await relay.call("POST", `/packages/${id}/commit`, { token });
  const closed = Promise.withResolvers<number>();
  const { sounds } = relay.relay.context;
  const open = sounds.open.bind(sounds);
  sounds.open = async (key, range) => {
    const pieces = await open(key, range);
    return pieces && counted(pieces, closed.resolve);
  };
  const { hostname, port } = new URL(relay.url);
  const reader = createConnection(Number(port), hostname).pause();
  reader.on("error", () => undefined);
  reader.write(
    `GET /importer/packages/${id}/files/long.wav HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${importer.token}\r\n\r\n`,
  );
  expect(await closed.promise).toBeLessThan(wav.length);
  reader.destroy();
});

/** The same bytes; reports how many were requested once they are read or abandoned. */
async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  end: (sizeBytes: number) => void,
): AsyncIterable<Uint8Array> {
  let sizeBytes = 0;
  try {
    for await (const piece of pieces) {
      sizeBytes += piece.byteLength;
      yield piece;
    }
  } finally {
    end(sizeBytes);
  }
}
