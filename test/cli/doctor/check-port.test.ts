import { expect, test } from "vitest";
import { parseLsof, parseNetstat, parseProcNet } from "../../../cli/doctor/check-port.ts";

test("finds the listening sockets of a port in /proc/net/tcp", () => {
  const table = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    "   0: 0100007F:125C 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 41 1 0",
    "   1: 0100007F:125C 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 42 1 0",
    "   2: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 43 1 0",
  ].join("\n");
  expect(parseProcNet(table, 4700)).toEqual(["socket:[41]"]);
  expect(parseProcNet(table, 80)).toEqual(["socket:[43]"]);
  expect(parseProcNet(table, 81)).toEqual([]);
});

test("reads the process out of what lsof prints", () => {
  expect(parseLsof("p812\ncnode\nf21\n")).toEqual({ pid: 812, program: "node" });
  expect(parseLsof("")).toBeUndefined();
});

test("reads the process out of what netstat prints, whatever the system's language", () => {
  const text = [
    "  Proto  Lokale Adresse         Remoteadresse          Status           PID",
    "  TCP    127.0.0.1:47000        0.0.0.0:0              ABHÖREN          1",
    "  TCP    127.0.0.1:4700         127.0.0.1:55110        HERGESTELLT      2",
    "  TCP    127.0.0.1:4700         0.0.0.0:0              ABHÖREN          812",
    "  TCP    [::]:80                [::]:0                 ABHÖREN          4",
  ].join("\r\n");
  expect(parseNetstat(text, 4700)).toEqual({ pid: 812, program: undefined });
  expect(parseNetstat(text, 80)).toEqual({ pid: 4, program: undefined });
  expect(parseNetstat(text, 81)).toBeUndefined();
});
