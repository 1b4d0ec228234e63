import { stoppingRefusal } from "../../../relay/http/draining.ts";

const { message, code } = stoppingRefusal();

/** What a relay that stops answers to new work, and a proxy while none listens. */
export const STOPPING_ANSWER = { error: message, code };
