import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { covers } from "../../../src/service/kernel/access.ts";
import { ROLES } from "../../../src/service/kernel/caller.ts";
import { mayManage, maySee } from "../../../src/service/people/accounts/handlers.ts";

const role = fc.constantFrom(...ROLES);
const accountId = fc.constantFrom("a", "b", "c");
const caller = fc.record({ accountId, role });
const account = fc.record({
  role,
  creator: fc.option(accountId.map((id) => ({ id, name: `account-${id}` }))),
});

describe("the rights over accounts", () => {
  it("no two roles have the same rights, and a covering role covers everything that the covered one does", () => {
    fc.assert(
      fc.property(role, role, role, (one, other, third) => {
        expect(covers(one, other) && covers(other, one)).toBe(one === other);
        if (covers(one, other) && covers(other, third)) expect(covers(one, third)).toBe(true);
      }),
    );
  });

  it("an admin has the rights of every role, and every role those of a reader", () => {
    expect(ROLES.filter((each) => !covers("admin", each))).toEqual([]);
    expect(ROLES.filter((each) => !covers(each, "reader"))).toEqual([]);
  });

  it("roles for attesting, approving, reporting and auditing have no right over one another", () => {
    const apart = ["attester", "approver", "snapshotter", "auditor"] as const;
    const over = apart.flatMap((one) =>
      apart.filter((other) => other !== one && covers(one, other)).map((other) => `${one} over ${other}`),
    );
    expect(over).toEqual([]);
  });

  it("an admin manages every account, and no other role manages an admin", () => {
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

  it("an unknown role has no rights, and no role has its rights", () => {
    const managed = { role: "owner", creator: null };
    expect(mayManage({ accountId: "a", role: "admin" }, managed)).toBe(false);
  });
});
