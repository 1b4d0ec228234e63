import { createServer } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import { COMPUTER, homeNetwork, PHONE } from "./home-network.ts";
import { spawn } from "node:child_process";

test("a phone reaches a program on the computer by its addresses in the network, and not this machine", async () => {
  const { computer, phone } = await homeNetwork();
  const script = `require("http").createServer((call, answer) => answer.end(call.socket.remoteAddress))
    .listen(8000, "::", () => console.log("ready"))`;
  const [program, ...words] = computer.within;
  const served = spawn(program, [...words, process.execPath, "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(served.stdout, "data");
    const answer = await phone.call(`http://${COMPUTER.home}:8000/`);
    expect(answer.text).toBe(`::ffff:${PHONE.home}`);
    expect((await phone.call(`http://[${COMPUTER.unique}]:8000/`)).text).toBe(PHONE.unique);
    await expect(phone.call("http://127.0.0.1:8000/")).rejects.toThrow("ECONNREFUSED");
    expect((await computer.call("http://127.0.0.1:8000/")).text).toBe("::ffff:127.0.0.1");
    const here = createServer().listen(0, "0.0.0.0");
    await once(here, "listening");
    const address = here.address();
    const port = typeof address === "object" ? address?.port : 0;
    await expect(phone.call(`http://127.0.0.1:${port}/`)).rejects.toThrow("ECONNREFUSED");
    here.close();
  } finally {
    served.kill();
  }
});
