import { stoppingRefusal } from "../../../relay/http/draining.ts";

const { message, code } = stoppingRefusal();

/** The answer to new work of a relay that stops, and of a proxy while none listens. */
export const STOPPING_ANSWER = { error: message, code };
