/** Path of the page that makes a browser a computer, on a relay. */
export const RECEIVE_PATH = "/receive";
