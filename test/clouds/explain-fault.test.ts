import { expect, test } from "vitest";
import { explainFault } from "../../src/clouds/explain-fault.ts";
import { RemoteFault } from "../../src/clouds/remote-fault.ts";

test.each([
  ["ENOTFOUND", "Nothing was reported. Check aws-region."],
  ["ECONNRESET", "Nothing was reported. Try again later, or set a longer timeout."],
])("a host that cannot be reached because of %s has its own remedy", (code, advice) => {
  const cause = Object.assign(new Error("no"), { code });
  const fault = RemoteFault.wrong("Amazon ecs", "cannot be reached", cause);
  const remedy = { input: "AWS_ACCESS_KEY_ID", advice: "Log in again.", host: "aws-region" };
  expect(explainFault(fault, remedy)).toMatchObject({ message: "Amazon ecs cannot be reached", advice });
});
