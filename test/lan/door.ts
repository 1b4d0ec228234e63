import { createConnection, createServer } from "node:net";

// Runs in a network namespace of its own, which lasts as long as this process, and opens connections there for the test:
// a Unix socket is reachable across namespaces. Its first line names the other end.

const [path = ""] = process.argv.slice(2);

createServer((inside) => {
  inside.once("data", (first: Buffer) => {
    const end = first.indexOf("\n");
    const { host, port, from } = JSON.parse(first.subarray(0, end).toString());
    const outside = createConnection({ host, port, localAddress: from });
    let isOpen = false;
    outside.once("connect", () => {
      isOpen = true;
      inside.write("+");
      outside.write(first.subarray(end + 1));
      inside.pipe(outside).pipe(inside);
    });
    outside.on("error", (error: NodeJS.ErrnoException) => {
      if (isOpen) inside.destroy();
      else inside.end(`-${error.code}`);
    });
    inside.on("error", () => outside.destroy());
    inside.on("close", () => outside.destroy());
    outside.on("close", () => isOpen && inside.end());
  });
}).listen(path, () => process.stdout.write("open\n"));

// The test has ended, however it did.
process.stdin.on("end", () => process.exit()).resume();
