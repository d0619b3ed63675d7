import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { covers, mayManage, maySee } from "../../src/service/accounts/rights.ts";
import { ROLES } from "../../src/service/kernel/roles.ts";

const role = fc.constantFrom(...ROLES);
const accountId = fc.constantFrom("a", "b", "c");
const caller = fc.record({ accountId, role });
const account = fc.record({
  role,
  creator: fc.option(accountId.map((id) => ({ id, name: `account-${id}` }))),
});

describe("the rights over accounts", () => {
  it("of two roles one has all the rights of the other, and both only when they are the same", () => {
    fc.assert(
      fc.property(role, role, (one, other) => {
        expect(covers(one, other) || covers(other, one)).toBe(true);
        expect(covers(one, other) && covers(other, one)).toBe(one === other);
      }),
    );
  });

  it("an admin manages every account, and nobody else one of an admin", () => {
    fc.assert(
      fc.property(caller, account, (someone, managed) => {
        if (someone.role === "admin") expect(mayManage(someone, managed)).toBe(true);
        else if (managed.role === "admin") expect(mayManage(someone, managed)).toBe(false);
      }),
    );
  });

  it("a snapshotter sees no account but those it created", () => {
    fc.assert(
      fc.property(caller, account, (someone, seen) => {
        const created = seen.creator?.id === someone.accountId;
        expect(maySee(someone, seen)).toBe(someone.role !== "snapshotter" || created);
      }),
    );
  });

  it("a role that is not known has no rights, and nobody has the rights of one", () => {
    expect(covers("owner", "reader")).toBe(false);
    expect(covers("admin", "owner")).toBe(false);
  });
});
