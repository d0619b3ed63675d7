import { afterAll, beforeAll, expect, it } from "vitest";
import { openDataFolder } from "../../src/service/store/data-folder.ts";
import { pipeline } from "./requests.ts";
import { startTestService, type TestService } from "./running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const slack = { type: "SLACK", webhook: "https://hooks.slack.com/services/T/B/x" };

async function storedActions() {
  const store = await openDataFolder(service.dataFolder);
  const rows = await store.read
    .selectFrom("actions")
    .select(["number", "name", "targets", "flows", "triggers", "created_by"])
    .orderBy("number")
    .execute();
  await store.close();
  return rows;
}

it("a flow action is created once per name and updated after that", async () => {
  const { action } = pipeline(service);
  expect(await action({ name: "team/web", targets: [slack] })).toMatchObject({ status: 201, body: "OK" });
  expect(await action({ name: "other", targets: [slack] })).toMatchObject({ status: 201 });
  const changed = {
    name: "team/web",
    type: "flow",
    targets: [{ type: "WEBHOOK", webhook: "https://x.example/h", payload_version: "1.0" }],
    flows: ["web"],
    triggers: ["ON_RELEASE"],
  };
  expect(await action(changed)).toMatchObject({ status: 200, body: "OK" });
  expect(await storedActions()).toEqual([
    {
      number: 1,
      name: "team/web",
      targets: JSON.stringify(changed.targets),
      flows: '["web"]',
      triggers: '["ON_RELEASE"]',
      created_by: "member",
    },
    {
      number: 2,
      name: "other",
      targets: JSON.stringify([slack]),
      flows: "[]",
      triggers: "[]",
      created_by: "member",
    },
  ]);
});

it("a flow action without targets is refused", async () => {
  const { status, body } = await pipeline(service).action({ name: "a", targets: [] });
  expect([status, body.errors]).toEqual([
    400,
    { targets: "List should have at least 1 item after validation, not 0 [input: [...]]" },
  ]);
});

it("a wrong address of a webhook is refused without repeating it", async () => {
  const webhook = "hooks.example/T0P-S3CRET";
  const { status, body } = await pipeline(service).action({ name: "a", targets: [{ ...slack, webhook }] });
  expect([status, body.errors]).toEqual([400, { "targets[0].webhook": "Input should be a valid URL" }]);
});
