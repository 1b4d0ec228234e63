import { ATTACKS } from "./attacks.ts";
import { testThatBreaksAreNoticed } from "./notice-breaks.ts";

// A2, A4 and so on.
testThatBreaksAreNoticed(ATTACKS.filter((_, index) => index % 2 === 1));
