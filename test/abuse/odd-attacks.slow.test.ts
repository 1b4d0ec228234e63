import { ATTACKS } from "./attacks.ts";
import { testThatBreaksAreNoticed } from "./notice-breaks.ts";

// A1, A3 and so on. Two files, because together they take minutes.
testThatBreaksAreNoticed(ATTACKS.filter((_, index) => index % 2 === 0));
