import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.test.ts"],
    reporters: ["default", "./test/closing-line.ts"],
    // Child processes, real servers and files: a slow machine needs room, a fast one never notices.
    testTimeout: 30_000,
    coverage: {
      enabled: process.env["CI"] === "true",
      provider: "v8",
      include: ["src/**"],
      reporter: ["text-summary"],
    },
  },
});
