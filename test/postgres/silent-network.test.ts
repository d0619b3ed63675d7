import { it } from "vitest";
import { expectUnavailable, serviceBehindFaults } from "./service-behind-faults.ts";

// It takes as long as all other network faults, so it has a separate file.
const faulty = serviceBehindFaults();

it("a network that drops everything: every client gets a response, and the service recovers automatically", async () => {
  faulty.proxy.silence();
  const answers = Promise.all([faulty.read(), ...Array.from({ length: 10 }, () => faulty.write())]);
  await faulty.expectNotReady(/cannot be read: (no response in time|the database cannot be reached)/);
  (await answers).forEach(expectUnavailable);
});
