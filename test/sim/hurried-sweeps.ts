// Loaded before a relay (`node --import`): what it does twice a minute or every hour, it does every second, so that
// a test doesn't wait for a sweep.

const HURRIED_MS = 1000;
const SLOW_MS = 30_000;
const setRealInterval = globalThis.setInterval;

// The cast is for overloads that nothing here uses.
globalThis.setInterval = Object.assign(
  ((act: () => void, ms?: number) =>
    setRealInterval(
      act,
      ms !== undefined && ms >= SLOW_MS ? HURRIED_MS : ms,
    )) as typeof setInterval,
  setRealInterval,
);
