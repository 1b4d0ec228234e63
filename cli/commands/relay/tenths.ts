/** Returns a function that says how far a work is, each time another tenth is done. */
export function tenths(
  say: (text: string) => void,
): (done: number, all: number, what: string) => void {
  let said = 0;
  return (done, all, what) => {
    const tenth = Math.floor((done / all) * 10);
    if (tenth === said) return;
    said = tenth;
    say(`${done} of ${all} ${what}`);
  };
}
