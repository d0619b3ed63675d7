import { it } from "vitest";
import { expectUnavailable, serviceBehindFaults } from "./service-behind-faults.ts";

const faulty = serviceBehindFaults({ timeouts: { connect: 1_000, read: 2_000, begin: 1_000, write: 9_000 } });

it("a network that drops everything: every client gets a response, and the service recovers automatically", async () => {
  faulty.proxy.silence();
  const answers = Promise.all([faulty.read(), ...Array.from({ length: 10 }, () => faulty.write())]);
  await faulty.expectNotReady(/cannot be read: (no response in time|the database cannot be reached)/);
  (await answers).forEach(expectUnavailable);
});
