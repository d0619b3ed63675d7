import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { putEnvironment, requireEnvironment } from "../../../../src/service/runtime/environments/records.ts";
import { listEvents } from "../../../../src/service/runtime/events/records.ts";
import { artifactsIn } from "../../../../src/service/runtime/running/intervals.ts";
import { recordReport } from "../../../../src/service/runtime/snapshots/report-handlers.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { judging } from "../../judging.ts";

let folder: string;
let store: Store;
let org: { id: string; name: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-intervals-"));
  store = await openDataFolder(folder);
  org = { id: await store.write((db) => createOrganization(db, "acme", 1)), name: "acme" };
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const FIELDS = {
  type: "K8S",
  description: "",
  requireProvenance: undefined,
  members: undefined,
  policies: undefined,
  mayManage: true,
};

/** Running artifacts, as `artifact → names of its pods`. */
type Running = Readonly<Record<string, readonly string[]>>;

const pods = fc.uniqueArray(fc.constantFrom("p1", "p2", "p3"), { minLength: 1, maxLength: 3 });
const report: fc.Arbitrary<Running> = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), pods, {
  maxKeys: 4,
});

let environments = 0;

it("every snapshot shows its report, and its events lead to it from the previous one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 8 }), async (reports) => {
      const name = `env-${environments++}`;
      await store.write((db) => putEnvironment(db, org, { ...FIELDS, name }, judging(org.id, 1)));
      const taken: Running[] = [];
      for (const running of reports) {
        const artifacts = Object.entries(running).map(([fingerprint, names]) => ({
          name: "web",
          fingerprint,
          instances: names.map((podName) => ({ podName, namespace: "n", creationTimestamp: 1, owners: [] })),
        }));
        const content = { environmentName: name, kind: "K8S", running: artifacts, undetermined: false };
        const number = await store.write((db) =>
          recordReport(db, org, content, judging(org.id, taken.length + 1)),
        );
        if (number === undefined) continue;
        taken.push(running);
        expect(number).toBe(taken.length);
      }
      const { id } = await requireEnvironment(store.read, org, name);
      let counts: Record<string, number> = {};
      for (const [index, expected] of taken.entries()) {
        const number = index + 1;
        const rows = await artifactsIn(store.read, { environment_id: id, number });
        const shown = rows.map(({ fingerprint, instances }) => [
          fingerprint,
          instances.map(({ podName }) => podName),
        ]);
        expect(Object.fromEntries(shown)).toEqual(expected);
        expect(shown).toHaveLength(Object.keys(expected).length);
        const bounds = { environmentIds: [id], firstNumber: number, lastNumber: number };
        const page = { limit: 50, offset: 0, newestFirst: false };
        const { events, total } = await listEvents(store.read, org.id, bounds, page);
        expect(events).toHaveLength(total);
        counts = { ...counts };
        for (const { fingerprint, was, now } of events) {
          expect(counts[fingerprint] ?? 0).toBe(was);
          counts[fingerprint] = now;
        }
        const left = Object.entries(counts).filter(([, count]) => count > 0);
        const wanted = Object.entries(expected).map(([fingerprint, names]) => [fingerprint, names.length]);
        expect(Object.fromEntries(left)).toEqual(Object.fromEntries(wanted));
      }
    }),
    { numRuns: 60 },
  );
});
