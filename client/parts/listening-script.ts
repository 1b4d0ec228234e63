/** The script of the listening Worker as text; builds for browsers put `listening-worker.ts` here. */
export const LISTENING_SCRIPT: string | undefined = undefined;
