import { it } from "vitest";
import { expectUnavailable, serviceBehindFaults } from "./service-behind-faults.ts";

// It takes as long as all else that networks do, so that it has a file of its own.
const faulty = serviceBehindFaults();

it("a network that lets nothing through: everybody is answered, and it is well again by itself", async () => {
  faulty.proxy.silence();
  const answers = Promise.all([faulty.read(), ...Array.from({ length: 10 }, () => faulty.write())]);
  await faulty.expectNotReady(/cannot be read: (no answer in time|the database cannot be reached)/);
  (await answers).forEach(expectUnavailable);
});
