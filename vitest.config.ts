import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    update: "none",
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: { name: "pure", include: ["test/core/**/*.test.ts"], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "real",
          include: ["test/**/*.test.ts"],
          exclude: ["test/core/**", "test/slow/**"],
        },
      },
    ],
  },
});
