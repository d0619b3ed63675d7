import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    // Child processes, a real server and a real file system: slow machines need room, fast ones never see it.
    testTimeout: 30_000,
    coverage: { provider: "v8", include: ["src/**"], reporter: ["text-summary"] },
  },
});
