import { expect, it } from "vitest";
import { trackKeyUse } from "../../../../src/service/people/accounts/key-use.ts";

/** A store that counts requested writes. */
function countingStore(fails = false) {
  const asked = { writes: 0 };
  const write = () => {
    asked.writes += 1;
    return fails ? Promise.reject(new Error("the disk is full")) : new Promise<never>(() => {});
  };
  return { asked, write };
}

const key = (keyId: string) => ({ keyId, orgId: "acme" });

it("a thousand uses of a key within a minute are one write", () => {
  const store = countingStore();
  const { note } = trackKeyUse(store);
  for (let i = 0; i < 1000; i++) note(key("a"), 100 + i * 0.05);
  expect(store.asked.writes).toBe(1);
  note(key("b"), 100);
  note(key("a"), 160);
  expect(store.asked.writes).toBe(3);
});

it("a burst of reviews by an admission webhook is one write", () => {
  const store = countingStore();
  const { noteWebhook } = trackKeyUse(store);
  for (let i = 0; i < 1000; i++) noteWebhook({ id: "w", orgId: "acme" }, 100);
  expect(store.asked.writes).toBe(1);
});

it("a use after the clock was set back is written too", () => {
  const store = countingStore();
  const { note } = trackKeyUse(store);
  note(key("a"), 10_000);
  note(key("a"), 100);
  expect(store.asked.writes).toBe(2);
});

it("a failing write affects nothing else, and is retried with the next use", async () => {
  const store = countingStore(true);
  const { note } = trackKeyUse(store);
  note(key("a"), 100);
  await new Promise(setImmediate);
  note(key("a"), 101);
  expect(store.asked.writes).toBe(2);
  await new Promise(setImmediate);
});
