import { afterAll, beforeAll, expect, it } from "vitest";
import { openDataFolder } from "../../src/service/store/data-folder.ts";
import type { Tables } from "../../src/service/store/tables.ts";
import { COMMIT, FP, pipeline } from "./requests.ts";
import { startTestService, type TestService } from "./running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

async function countOf(table: keyof Tables): Promise<number> {
  const store = await openDataFolder(service.dataFolder);
  const rows = await store.read
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .execute();
  await store.close();
  return Number(rows[0]?.count);
}

it("fifty that create the same flow at once make one", async () => {
  const answers = await times(50, () => pipeline(service).flow("same", "version: 1"));
  expect(statuses(answers)).toEqual([...Array(49).fill(200), 201]);
  expect(await countOf("flows")).toBe(1);
});

it("fifty that begin the same trail at once make one", async () => {
  const answers = await times(50, () => pipeline(service).trail("same", "t1"));
  expect(statuses(answers)).toEqual([...Array(49).fill(200), 201]);
  expect(await countOf("trails")).toBe(1);
});

it("fifty that create the same environment and action at once make one of each", async () => {
  const { environment, action } = pipeline(service);
  const target = { type: "EMAIL", emails: ["a@example.org"] };
  const [environments, actions] = await Promise.all([
    times(50, () => environment("prod")),
    times(50, () => action({ name: "tell", targets: [target] })),
  ]);
  expect(statuses(environments)).toEqual([...Array(49).fill(200), 201]);
  expect(statuses(actions)).toEqual([...Array(49).fill(200), 201]);
});

it("attestations of a new flow, its artifact and its repository come together whatever arrives first", async () => {
  const { artifact, attest, assert } = pipeline(service);
  const repo_info = { name: "o/r", url: "https://github.com/o/r", id: "7" };
  const claim = { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT }, repo_info };
  const answers = await times(40, (i) =>
    i === 20
      ? artifact("race", "t1", { repo_info })
      : attest("race", "t1", { ...claim, attestation_name: `check-${i}`, is_compliant: i !== 7 }),
  );
  expect(statuses(answers)).toEqual(Array(40).fill(201));
  expect(await countOf("repos")).toBe(1);
  const { body } = await assert(FP, "?flow_name=race");
  expect(body.compliance_status.attestations_statuses).toHaveLength(39);
  expect(body.compliance_status.status).toBe("NON-COMPLIANT");
});
