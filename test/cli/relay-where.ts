import type { SeenRequest, StandInAnswer } from "../client/stand-in-relay.ts";

/** Answers like a relay where each package has this status at once. */
export function relayWhere(status: object): (request: SeenRequest) => StandInAnswer {
  return ({ method, path, body }) => {
    if (path === "/pair/claim") return { body: { app_token: "sfa_x", device_name: "Studio" } };
    if (path === "/app/me") return { body: { device_name: "Studio", app_name: "x" } };
    if (path.includes("/status")) return { body: { title: "Take", ...status } };
    if (path !== "/packages") return { body: method === "PUT" ? { file: "x" } : {} };
    const { items }: { items: { file: string }[] } = JSON.parse(String(body));
    const upload = Object.fromEntries(
      items.map(({ file }) => [file, `/packages/pkg_1/files/${encodeURIComponent(file)}`]),
    );
    const warnings = [
      { code: "X", message: "name was cut.", sound: "1" },
      { code: "Y", message: "midi was ignored." },
    ];
    return { status: 201, body: { package_id: "pkg_1", upload, warnings } };
  };
}
