import { expect, test } from "vitest";
import { addressSpaceOf, isPrivateAddress } from "../../../core/protocol/judge-host.ts";

test("[W43] tells this computer, the local network and the internet apart as browsers do", () => {
  const hosts = {
    loopback: "localhost app.localhost 127.0.0.1 127.9.8.7 [::1]",
    local:
      "10.0.0.2 172.16.0.1 172.20.1.1 172.31.255.1 192.168.1.5 169.254.1.1 100.64.0.1 100.70.1.1 100.110.1.1 " +
      "100.127.1.1 [fd12::1] [fc00::1] [fe80::1] [febf::1] nas studio.local a.lan a.internal a.home.arpa",
    undefined:
      "example.com 10.example.com local.example notlocal.example 8.8.8.8 11.0.0.1 172.15.0.1 172.32.0.1 " +
      "192.169.1.1 169.253.1.1 100.63.0.1 100.128.0.1 110.0.0.1 [2001:db8::1] [fec0::1] 127.example.org",
  };
  for (const [space, names] of Object.entries(hosts)) {
    for (const name of names.split(" ")) expect(String(addressSpaceOf(name)), name).toBe(space);
  }
});

test("[LAN2] tells the private addresses that a browser can name from all others", () => {
  const addresses = {
    true:
      "10.0.0.2 172.16.0.1 172.31.255.1 192.168.1.5 169.254.1.1 ::ffff:192.168.1.5 fd12:3456::1 FD00::2 fc00::1 " +
      "fdff:ffff::1%eth0",
    false:
      "127.0.0.1 ::1 0.0.0.0 :: 8.8.8.8 172.15.0.1 172.32.0.1 192.169.1.1 100.64.0.1 100.127.255.1 198.18.0.1 " +
      "203.0.113.1 ::ffff:8.8.8.8 ::ffff:100.64.0.1 2001:db8::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 fc:a::1 nas",
  };
  for (const [isPrivate, texts] of Object.entries(addresses)) {
    for (const text of texts.split(" ")) {
      expect(String(isPrivateAddress(text)), text).toBe(isPrivate);
    }
  }
});
