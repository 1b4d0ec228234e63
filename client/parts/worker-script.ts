/** The script of the hash Worker as text; builds for browsers put `worker.ts` here. */
export const WORKER_SCRIPT: string | undefined = undefined;
