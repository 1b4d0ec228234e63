/**
 * The header by which a client recognizes the relay's own answers (rule C5). What answers in the relay's place, such as a
 * Wi-Fi's sign-in page, doesn't have it. Neither does a relay that knows only the public specification.
 */
export const RELAY_MARK = { name: "Soundferry-Relay", value: "1" } as const;
