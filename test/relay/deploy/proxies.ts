import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Change } from "../../engines/shipped-file.ts";

/** A piece of a shipped file that a test must change. */
export interface Place {
  readonly port: number;
  readonly relayPort: number;
  readonly folder: string;
  readonly cert: string;
  readonly key: string;
  /** Certificate and key in one file. */
  readonly both: string;
}

/** A proxy program with the file that operators get for it. */
export interface Proxy {
  readonly name: string;
  /** Below `relay/deploy/`. */
  readonly file: string;
  readonly isInstalled: boolean;
  /** Kind of calls that it holds until a relay listens again. The others may get 503 with `Retry-After`. */
  readonly holds: "all" | "reads" | "none";
  changes(place: Place): readonly Change[];
  /** The same where the file's part for several relays is uncommented. */
  changesForSeveral(place: Place, secondRelayPort: number): readonly Change[];
  /** Its time limit for headers, shortened. */
  readonly hastyHeaders: Change;
  /** Further files that it needs here, by name, and how it is started. `site` is the path of the changed file. */
  start(
    place: Place,
    site: string,
  ): {
    readonly files: Readonly<Record<string, string>>;
    readonly words: readonly string[];
  };
}

export const PROXIES: readonly Proxy[] = [
  {
    name: "nginx",
    file: "nginx/soundferry.conf",
    isInstalled: isThere("nginx", "-v"),
    holds: "none",
    changes: ({ port, relayPort, cert, key }) => [
      ["    listen 443 ssl http2;\n", `    listen 127.0.0.1:${port} ssl http2;\n`],
      ["    listen [::]:443 ssl http2;\n", ""],
      ["    server_name relay.example.com;\n", "    server_name localhost;\n"],
      ["/etc/ssl/certs/relay.example.com.pem;", `${cert};`],
      ["/etc/ssl/private/relay.example.com.key;", `${key};`],
      ["proxy_pass http://127.0.0.1:4700;", `proxy_pass http://127.0.0.1:${relayPort};`],
    ],
    changesForSeveral(place, secondRelayPort) {
      return [
        ...withoutRelay(this.changes(place)),
        ["proxy_pass http://127.0.0.1:4700;", "proxy_pass http://soundferry_relays;"],
        ["server 127.0.0.1:4700 max_fails", `server 127.0.0.1:${place.relayPort} max_fails`],
        ["server 127.0.0.1:4701 max_fails", `server 127.0.0.1:${secondRelayPort} max_fails`],
      ];
    },
    hastyHeaders: ["client_header_timeout 15s;", "client_header_timeout 1s;"],
    start: ({ folder }, site) => {
      // The file is a part of nginx.conf, which is the operator's.
      const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      );
      const main = [
        ...(process.getuid?.() === 0 ? ["user root;"] : []),
        `daemon off; pid ${folder}/nginx.pid; error_log stderr;`,
        "events { worker_connections 512; }",
        `http { ${temp.join(" ")} include ${site}; }`,
      ];
      const path = join(folder, "nginx.conf");
      return {
        files: { "nginx.conf": main.join("\n") },
        words: ["-e", "stderr", "-p", folder, "-c", path],
      };
    },
  },
  {
    name: "caddy",
    file: "caddy/Caddyfile",
    isInstalled: isThere("caddy", "version"),
    holds: "reads",
    changes: ({ port, relayPort, cert, key }) => [
      ["{\n\tservers {\n", "{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {\n"],
      [
        "\nrelay.example.com {\n",
        `\nhttps://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}\n`,
      ],
      ["reverse_proxy 127.0.0.1:4700 {", `reverse_proxy 127.0.0.1:${relayPort} {`],
    ],
    changesForSeveral(place, secondRelayPort) {
      const both = `127.0.0.1:${place.relayPort} 127.0.0.1:${secondRelayPort}`;
      return [
        ...withoutRelay(this.changes(place)),
        ["reverse_proxy 127.0.0.1:4700 {", `reverse_proxy ${both} {`],
        ["health_uri /healthz", "health_uri /readyz"],
      ];
    },
    hastyHeaders: ["read_header 15s", "read_header 1s"],
    start: (_place, site) => ({
      files: {},
      words: ["run", "--config", site, "--adapter", "caddyfile"],
    }),
  },
  {
    name: "haproxy",
    file: "haproxy/haproxy.cfg",
    isInstalled: isThere("haproxy", "-v"),
    holds: "all",
    changes: ({ port, relayPort, both }) => [
      [
        "bind :443 ssl crt /etc/haproxy/relay.example.com.pem",
        `bind 127.0.0.1:${port} ssl crt ${both}`,
      ],
      [
        "server relay1 127.0.0.1:4700 check inter 2s",
        `server relay1 127.0.0.1:${relayPort} check inter 2s`,
      ],
    ],
    changesForSeveral(place, secondRelayPort) {
      return [
        ...withoutRelay(this.changes(place)),
        ["default_backend relay\n", "default_backend relays\n"],
        [
          "server relay1 127.0.0.1:4700 check inter 1s",
          `server relay1 127.0.0.1:${place.relayPort} check inter 1s`,
        ],
        [
          "server relay2 127.0.0.1:4701 check inter 1s",
          `server relay2 127.0.0.1:${secondRelayPort} check inter 1s`,
        ],
      ];
    },
    hastyHeaders: ["timeout http-request 15s", "timeout http-request 1s"],
    start: (_place, site) => ({ files: {}, words: ["-db", "-f", site] }),
  },
];

/** Leaves out the change of the one relay's address, which is in another file. */
function withoutRelay(changes: readonly Change[]): readonly Change[] {
  return changes.filter(([shipped]) => !shipped.includes("127.0.0.1:4700"));
}

function isThere(program: string, word: string): boolean {
  return spawnSync(program, [word]).error === undefined;
}
