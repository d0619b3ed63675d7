import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalJson, digestOfEvent } from "../../../src/service/events/digest.ts";
import { PROJECTIONS } from "../../../src/service/events/projections/projections.ts";
import { notProjected } from "../../../src/service/events/types/act.ts";
import { EVENT_TYPES } from "../../../src/service/events/types/event-types.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import { pipeline } from "../requests.ts";
import { startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

test("each type of event has an effect or a stated reason for none", () => {
  const taken = Object.values(PROJECTIONS).flatMap(Object.keys);
  const reasons = Object.entries(EVENT_TYPES).map(
    ([type, schema]) => [type, notProjected.get(schema)?.reason] as const,
  );
  for (const [type, reason] of reasons) expect(taken.includes(type), type).toBe(reason === undefined);
  expect(taken.filter((type) => !(type in EVENT_TYPES))).toEqual([]);
});

test("the kind of the resource and the action make its type", () => {
  for (const type of Object.keys(EVENT_TYPES)) expect(type).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
});

/** Each event with the name of the account that its id names. */
async function recorded() {
  const store = await openDataFolder(service.dataFolder);
  try {
    return await store.read
      .selectFrom("events")
      .leftJoin("service_accounts as account", "account.id", "events.by_id")
      .selectAll("events")
      .select("account.name as account")
      .orderBy("events.sequence")
      .execute();
  } finally {
    await store.close();
  }
}

test("each event has its own salt, and a digest of its whole content", async () => {
  const { flow, trail, artifact } = pipeline(service);
  await flow("web");
  await flow("web");
  await trail("web", "t1");
  await artifact("web", "t1");
  const events = await recorded();
  expect(events.length).toBeGreaterThan(0);
  for (const { sequence, account, digest, ...event } of events) {
    expect(event.by_id).toMatch(/./);
    expect(account).toBe(event.by);
    expect(event.salt).toMatch(/^[0-9a-f]{32}$/);
    expect(canonicalJson(JSON.parse(event.data))).toBe(event.data);
    expect(digestOfEvent(event)).toBe(digest);
    const whole = canonicalJson({ ...event, data: JSON.parse(event.data) });
    expect(createHash("sha256").update(whole).digest("hex")).toBe(digest);
  }
  expect(new Set(events.map(({ salt }) => salt)).size).toBe(events.length);
});

test.each([
  // The examples of RFC 8785, sections 3.2.2 and 3.2.3.
  [
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  ],
  [
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  ],
  ['{"10":1,"9":[{"b":2,"a":1}]}', '{"10":1,"9":[{"a":1,"b":2}]}'],
])("JSON has one canonical form: %s", (text, canonical) => {
  expect(canonicalJson(JSON.parse(text))).toBe(canonical);
});
