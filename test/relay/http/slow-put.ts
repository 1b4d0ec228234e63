import { request } from "node:http";
import type { RunningRelay } from "../running-relay.ts";

export interface SlowCall {
  readonly answer: Promise<{ status: number; json: { error?: string; code?: string } }>;
  write(bytes: Uint8Array): void;
  end(): void;
  abort(): void;
}

/** A PUT, or another call, whose body the test writes piece by piece. */
export function slowPut(
  relay: RunningRelay,
  path: string,
  token: string,
  headers: Record<string, string | number> = {},
  method = "PUT",
): SlowCall {
  const call = request(relay.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  call.flushHeaders();
  const answer = new Promise<{ status: number; json: object }>((resolve, reject) => {
    call.on("response", (response) => {
      let text = "";
      response.on("data", (piece) => (text += String(piece)));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          json: text === "" ? {} : JSON.parse(text),
        }),
      );
    });
    call.on("error", reject);
  });
  answer.catch(() => undefined);
  return {
    answer,
    write: (bytes) => void call.write(bytes),
    end: () => void call.end(),
    abort: () => void call.destroy(),
  };
}
