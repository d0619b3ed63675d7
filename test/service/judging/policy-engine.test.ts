import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPolicyEngine } from "../../../src/service/judging/policy-engine.ts";

test.each([
  ["/nowhere/opa", "'/nowhere/opa' does not exist"],
  [import.meta.filename, `'${import.meta.filename}' cannot be started`],
  ["/bin/echo", "'/bin/echo' is not opa 1.0 or newer: it prints the version ''"],
])("a service does not start with the program %s", async (path, found) => {
  await expect(openPolicyEngine({ path, instanceId: "" })).rejects.toThrow(
    `--opa must be the path of the program opa: ${found}`,
  );
});

test("an organization has at most 100 evaluations at once, from their request to their end", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "opa-")), "opa");
  const answers = `[ "$1" = version ] && echo "Version: 1.0.0" || echo '{"builtins":[]}'`;
  writeFileSync(path, `#!/bin/sh\n${answers}\n`, { mode: 0o755 });
  const engine = await openPolicyEngine({ path, instanceId: "" });
  const ends: (() => void)[] = [];
  const start = (orgId: string) =>
    engine.start(orgId, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      await promise;
      throw new Error("not recorded");
    });
  const all = Array.from({ length: 100 }, () => start("a"));
  expect(() => start("a")).toThrow("already has 100 waiting evaluations");
  all.push(start("b"));
  ends[0]?.();
  await all[0];
  all.push(start("a"));
  const closed = engine.close();
  expect(() => start("b")).toThrow("stop");
  for (const end of ends) end();
  await Promise.all([closed, ...all]);
});
