import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Packages that are inlined come without the sources their maps name, which is nothing to tell.
  logLevel: "error",
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.test.ts"],
    reporters: ["default", "./test/closing-line.ts"],
    // Child processes, real servers and files: a slow machine needs room, a fast one never notices.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Half of the time a test waits for the programs it has started.
    maxWorkers: "100%",
    // It imports JSON the way bundlers take it, which Node alone refuses.
    server: { deps: { inline: ["@actions/workflow-parser"] } },
    coverage: {
      enabled: process.env["COVERAGE"] === "true",
      provider: "v8",
      include: ["src/**"],
      reporter: ["text-summary"],
    },
  },
});
