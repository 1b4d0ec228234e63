import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { rawCall } from "./raw-call.ts";

test("[E1] a wrong method is noticed however the path is written, and only where the relay serves something", async () => {
  await using relay = await RunningRelay.start();
  const answerTo = async (method: string, path: string) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
    const answer = await rawCall(relay.url, `${head}Content-Length: 0\r\n\r\n`);
    return [Number(answer.slice(9, 12)), /^allow: (.*)\r$/im.exec(answer)?.[1]];
  };
  const files = "/packages/x/files";
  const wrong: [string, string, string][] = [
    ["POST", `${files}/a.wav?x=/`, "PUT, HEAD, PATCH"],
    ["POST", `${files}/a%2Fb%20%25.wav`, "PUT, HEAD, PATCH"],
    ["POST", `${files}/${"x".repeat(2000)}`, "PUT, HEAD, PATCH"],
    ["PUT", "/%70ackages", "GET, HEAD, POST"],
    ["PUT", "http://127.0.0.1/packages?x", "GET, HEAD, POST"],
    ["POST", "/packages/", "DELETE"],
  ];
  for (const [method, path, allowed] of wrong) {
    expect(await answerTo(method, path), path).toEqual([405, allowed]);
  }
  const unknown: [string, string][] = [
    ["POST", `${files}/a.wav/`],
    ["POST", `${files}/${"x".repeat(2001)}`],
    ["PUT", "/Packages"],
    ["PUT", "//packages"],
    ["TRACE", "/packages"],
  ];
  for (const [method, path] of unknown) {
    expect(await answerTo(method, path), path).toEqual([404, undefined]);
  }
});
