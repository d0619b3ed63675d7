import { expect, test } from "vitest";
import type { Leaf } from "../../../src/service/kernel/caller.ts";
import { ofOrganization, type ServiceContext } from "../../../src/service/operation/context.ts";
import type { Store } from "../../../src/service/store/store.ts";

const ORG = { id: "1", name: "acme" };

/** A context whose writes run twice, as after a conflict of transactions. */
function contextOf(leaves: Leaf[]): ServiceContext {
  const write: Store["write"] = async (work) => {
    await work({} as never);
    return work({} as never);
  };
  return ofOrganization({ store: { write } } as unknown as ServiceContext, ORG, leaves);
}

test("a receipt names each event of a write once, and none of a failed write", async () => {
  const leaves: Leaf[] = [];
  const { store } = contextOf(leaves);
  const recorded = (eventId: string) => async () => leaves.push({ eventId, digest: eventId });
  await store.write(recorded("a"));
  await store.write(recorded("b"));
  const failing = store.write(async () => {
    await recorded("c")();
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(leaves.map(({ eventId }) => eventId)).toEqual(["a", "b"]);
});
