import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { codeIn, tablesOf } from "./pages.ts";
import { blockIn, pageNamed, sectionOf } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/snapshot-expressions.md");

/** The rows of the first table below a heading, with the expression of each. */
function rowsBelow(heading: string) {
  const [table] = tablesOf(sectionOf(page, heading));
  return (table?.rows ?? []).map(([code = "", ...cells]) => [codeIn(code)[0] ?? "", ...cells] as const);
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await pipeline(service).environment("production");
  for (let day = 1; day <= 12; day++) {
    service.clock.time = Date.UTC(2027, 1, day, 12) / 1000;
    const reported = await pipeline(service).report("production", [
      {
        podName: `web-${day}`,
        namespace: "web",
        creationTimestamp: service.clock.time,
        digests: { [`web:${day}`]: String(day).padStart(64, "0") },
      },
    ]);
    expect(reported.status).toBe(201);
  }
  service.clock.time = Date.UTC(2027, 1, 12, 18) / 1000;
});
afterAll(() => service.dispose());

const snapshot = (expression: string) =>
  send(service, { path: `/snapshots/${ORG}/production/${encodeURIComponent(expression)}` });
const query = (values: Record<string, string>) => new URLSearchParams(values).toString();
const listed = async (interval: string) => {
  const path = `/snapshots/${ORG}/production?${query({ interval, per_page: "100", reverse: "true" })}`;
  const { status, body } = await send(service, { path });
  return { status, body, numbers: status === 200 ? body.map(({ index }: { index: number }) => index) : [] };
};

describe("docs/snapshot-expressions.md", () => {
  test.each(rowsBelow("One snapshot"))("%s is snapshot %s", async (expression, number) => {
    expect((await snapshot(expression)).body.index).toBe(Number(number));
  });

  test.each(rowsBelow("With the environment"))("%s is snapshot %s", async (expression, number) => {
    const path = `/env-diff/${ORG}?${query({ snappish1: expression, snappish2: "production#1" })}`;
    const { body } = await send(service, { path });
    expect(body.snappish1.snapshot_id).toBe(`production#${number}`);
  });

  test.each(rowsBelow("Intervals"))("%s is the snapshots %s", async (interval, numbers) => {
    const [first = 0, last = -1] = (numbers?.match(/\d+/g) ?? []).map(Number);
    const { status, numbers: found } = await listed(interval);
    expect(status).toBe(200);
    expect(found).toEqual(Array.from({ length: last - first + 1 }, (_, i) => first + i));
  });

  test.each(rowsBelow("Common errors"))("%s is refused with %s", async (expression, status, code = "") => {
    const refused = await snapshot(expression);
    expect([String(refused.status), refused.body.code]).toEqual([status, codeIn(code)[0]]);
  });

  test("an invalid interval is refused", async () => {
    const { status, body } = await listed("yesterday..NOW");
    expect([status, body.code]).toEqual([400, "request.field_invalid"]);
  });

  test("takes every unit of an age", async () => {
    const [, , meaning = ""] =
      rowsBelow("Intervals").find(([interval]) => interval.startsWith("2days")) ?? [];
    const units = codeIn(meaning).filter((unit) => unit !== "s");
    for (const unit of units.flatMap((each) => [each, `${each}s`])) {
      expect((await listed(`1${unit}..NOW`)).status, unit).toBe(200);
    }
    expect(units).toHaveLength(9);
  });

  test("takes every unit of a time ago", async () => {
    for (const unit of ["hour", "day", "week", "month"]) {
      for (const ago of [`@{1.${unit}.ago}`, `@{1.${unit}s.ago}`]) {
        expect((await snapshot(ago)).status, ago).not.toBe(400);
      }
    }
  });

  test("its commands print the documented output", async () => {
    const printed = async (heading: string) =>
      JSON.parse(await runCommands(service, blockIn(page, heading, "sh").text));
    expect((await printed("Snapshot expressions")).index).toBe(12);
    const { snappish1, snappish2 } = await printed("With the environment");
    expect([snappish1.artifacts, snappish2.artifacts]).toMatchObject([
      [{ name: "web:11" }],
      [{ name: "web:12" }],
    ]);
    expect(await printed("Intervals")).toHaveLength(6);
    expect((await printed("Events")).length).toBeGreaterThan(0);
  });

  test("events are limited by numbers, ages and times", async () => {
    const count = async (values: Record<string, string>) => {
      const path = `/environments/${ORG}/production/events?${query({ per_page: "100", ...values })}`;
      const { status, body } = await send(service, { path });
      expect(status).toBe(200);
      return body.length;
    };
    // Each snapshot but the first has an artifact that started and one that exited.
    expect(await count({ start: "12" })).toBe(2);
    expect(await count({ start: "-2", end: "~1" })).toBe(2);
    expect(await count({ start: "2days" })).toBe(4);
    const from = "2027-02-11T12:00:00";
    expect(await count({ from })).toBe(4);
    expect(await count({ from, to: "2027-02-12T12:00:00" })).toBe(2);
    expect(await count({ start_ts: String(Date.UTC(2027, 1, 12, 12) / 1000) })).toBe(2);
  });
});
