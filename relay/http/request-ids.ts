import { randomBytes } from "node:crypto";

/** Ids that are unique across restarts and cheap to create (rule E2). */
export function requestIds(): () => string {
  const prefix = randomBytes(6).toString("base64url");
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
