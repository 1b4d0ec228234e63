import { test } from "vitest";
import { FIXTURE_NAMES } from "../../fixtures/fixture-packages.ts";
import { someOf } from "../../whole-forms.ts";
import { expectSoundImport } from "./checked-set.ts";

test.each(someOf(FIXTURE_NAMES, 3))(
  "[LS1][LS7][LS10] the check finds nothing in the Set of %s, nor the report a difference",
  expectSoundImport,
);
