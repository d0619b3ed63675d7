import { expect, onTestFinished, test, vi } from "vitest";
import { defineAction } from "../../src/github/step/action.ts";
import { required } from "../../src/github/step/input.ts";
import { runAction } from "../../src/github/step/run.ts";
import { Client } from "../../src/net/client.ts";
import { KEY } from "../api/connections.ts";

test("a connection is closed when invalid inputs leave it unused", async () => {
  const close = vi.spyOn(Client.prototype, "close");
  const run = vi.fn();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.stubEnv("INPUTS", JSON.stringify({ "api-key": KEY, org: "acme", region: "eu" }));
  vi.stubEnv("GITHUB_OUTPUT", undefined);
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
  });
  await runAction(
    defineAction({
      name: "sample",
      title: "Sample",
      description: "A sample.",
      inputs: { flow: required({ description: "A flow." }) },
      outputs: {},
      run,
    }),
  );
  expect(process.exitCode).toBe(1);
  expect(run).not.toHaveBeenCalled();
  expect(close).toHaveBeenCalledTimes(1);
});
