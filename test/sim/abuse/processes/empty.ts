import { createServer } from "node:http";
import { once } from "node:events";
import { answerCalls } from "../../../bench/processes/answer-calls.ts";
import { urlOf } from "../../../bench/processes/url-of.ts";

const ANSWER = JSON.stringify({ package_id: "pkg" });

/** A server that reads whatever comes, keeps nothing of it and answers as if all were well. */
export const emptyCalls = {
  start: async () => {
    const server = createServer((request, answer) => {
      request.resume();
      request.on("error", () => answer.destroy());
      request.on("end", () => {
        const isAnnouncement = request.method === "POST" && request.url === "/packages";
        answer
          .writeHead(isAnnouncement ? 201 : 200, { "content-type": "application/json" })
          .end(ANSWER);
      });
    });
    server.on("clientError", (_error, socket) => socket.destroy());
    await once(server.listen(0, "127.0.0.1"), "listening");
    return { url: urlOf(server) };
  },
  hashedCodes: () => 0,
  storedRows: () => ({ received: 0, bytes: 0 }),
};

answerCalls(emptyCalls);
