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
