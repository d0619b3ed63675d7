import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roleTables } from "../../scripts/role-tables.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { ROLES, type Role } from "../../src/service/kernel/caller.ts";
import { sampleRequest, send } from "../service/requests.ts";
import { startTestService, type TestService } from "../service/running-service.ts";
import { codeIn, tablesOf } from "./pages.ts";
import { blockIn, pageNamed, sectionOf } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/roles.md");
const [rightsTable] = tablesOf(sectionOf(page, "Rights of each role"));
const [operationsTable] = tablesOf(sectionOf(page, "Limited keys"));

/** The roles that have a right, by its name. */
const rolesByRight = new Map(
  (rightsTable?.rows ?? []).map(([right = "", ...cells]) => [
    right,
    ROLES.filter((_, index) => cells[index] === "yes"),
  ]),
);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

describe("docs/roles.md", () => {
  test("has the tables of the operations", () => {
    for (const table of Object.values(roleTables())) expect(page.text).toContain(table);
    expect(rightsTable?.header.slice(1).flatMap(codeIn)).toEqual(ROLES);
    expect(operationsTable?.rows).toHaveLength(Object.keys(operations).length);
  });

  test("lists for each operation which roles the service refuses", async () => {
    const shown = new Map(
      (operationsTable?.rows ?? []).map(([name = "", right = ""]) => [codeIn(name)[0] ?? "", right]),
    );
    const refusedTo: Record<string, readonly Role[]> = {};
    const expected: Record<string, readonly Role[]> = {};
    // One operation of each right. test/service/people/access.test.ts tests them all.
    for (const right of rolesByRight.keys()) {
      const name = [...shown].find(([, each]) => each === right)?.[0] ?? "";
      const operation = Object.values(operations).find((each) => each.name === name);
      if (!operation) expect.fail(`no operation has the right '${right}'`);
      const refused: Role[] = [];
      for (const role of ROLES) {
        const { status } = await send(service, { ...sampleRequest(operation), key: service.keys[role] });
        if (status === 403) refused.push(role);
      }
      refusedTo[name] = refused;
      expected[name] = ROLES.filter((role) => !rolesByRight.get(right)?.includes(role));
    }
    expect(refusedTo).toEqual(expected);
    expect(Object.keys(expected)).toHaveLength(10);
  });

  test("creates an account with a key for one flow", async () => {
    const printed = await runCommands(service, blockIn(page, "Roles and rights", "sh").text);
    const [, key = ""] = /"key":\s*"([^"]+)"/.exec(printed) ?? [];
    const attest = (flow: string) =>
      send(service, {
        ...sampleRequest(operations.attestGeneric),
        path: `/attestations/acme/${flow}/trail/t/generic`,
        key,
      });
    expect((await attest("web")).status).toBe(201);
    const refused = await attest("api");
    expect([refused.status, refused.body.code]).toEqual([403, "access.denied"]);
    expect((await send(service, { path: "/policies/acme", key })).status).toBe(403);
  });

  test("lists every role once in its recommendations", () => {
    const [table] = tablesOf(sectionOf(page, "Which role to use"));
    const named = (table?.rows ?? []).flatMap(([, role = ""]) => codeIn(role));
    expect(named.toSorted()).toEqual(ROLES.toSorted());
  });
});
