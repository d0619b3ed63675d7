import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMIT, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

const OTHER = "b".repeat(64);
const pod = (podName: string, digests: Record<string, string>) => ({
  podName,
  namespace: "prod",
  digests,
  creationTimestamp: 1_780_000_000,
});

let service: TestService;
/** Time of the first of four snapshots; the others followed one minute apart. */
let began = 0;
beforeAll(async () => {
  service = await startTestService();
  const { environment, report, artifact } = pipeline(service);
  await environment("prod");
  await artifact("shop", "t1", {
    fingerprint: FP,
    repo_info: { name: "acme/shop", url: "https://github.com/acme/shop" },
  });
  await artifact("side", "t1", {
    fingerprint: OTHER,
    repo_info: { name: "acme/side", url: "https://github.com/acme/side" },
  });
  began = service.clock.time + 60;
  for (const pods of [
    [pod("a", { web: FP })],
    [pod("a", { web: FP }), pod("b", { side: OTHER }), pod("c", { side: OTHER })],
    [pod("a2", { web: FP }), pod("b", { side: OTHER }), pod("x", { extra: "c".repeat(64) })],
    [pod("a2", { web: FP })],
  ]) {
    service.clock.time += 60;
    await report("prod", pods);
  }
});
afterAll(() => service.dispose());

const events = (query = "", environment = "prod") =>
  send(service, { path: `/environments/${ORG}/${environment}/events${query}` });

/** `2 side scaled`: snapshot, artifact and type of each. */
const inShort = ({ body }: { body: { snapshot_index: number; artifact_name: string; type: string }[] }) =>
  body.map(({ snapshot_index, artifact_name, type }) => `${snapshot_index} ${artifact_name} ${type}`);

const FIRST = "1 web started-non-compliant";
const SECOND = "2 side started-non-compliant";
const THIRD = ["3 extra started-non-compliant", "3 side scaled", "3 web changed"];
const FOURTH = ["4 extra exited", "4 side exited"];

describe("the events of an environment", () => {
  it("say what changed and when, with links", async () => {
    const { body } = await events("?reverse=true&per_page=1");
    const artifact = `${service.address}/${ORG}/flows/shop/artifacts/${FP}?artifact_id=`;
    expect(body).toEqual([
      {
        environment_name: "prod",
        snapshot_index: 1,
        artifact_name: "web",
        sha256: FP,
        description: "1 instance started running (from 0 to 1)",
        reported_at: began,
        pipeline: "shop",
        deployments: [],
        flows: [{ flow_name: "shop", deployments: null }],
        artifact_compliance: null,
        snapshot_compliance: false,
        type: "started-non-compliant",
        code_diff: null,
        _links: {
          artifact: {
            self: `${service.address}/api/v2/artifacts/${ORG}/shop/fingerprint/${FP}`,
            html: expect.stringContaining(artifact),
          },
          snapshot: {
            self: `${service.address}/api/v2/snapshots/${ORG}/prod/1`,
            html: `${service.address}/${ORG}/environments/prod/snapshots/1`,
          },
        },
      },
    ]);
  });

  it("say which flow a stopped artifact came from", async () => {
    const { body } = await events();
    const stopped = body.find((each: { artifact_name: string }) => each.artifact_name === "side");
    expect(stopped).toMatchObject({
      type: "exited",
      description: "1 instance stopped running (from 1 to 0)",
      pipeline: "side",
      _links: { artifact: { self: expect.stringContaining("/side/fingerprint/") } },
    });
  });

  it("count their pages in headers, and link to the others", async () => {
    const { headers, body } = await events("?per_page=3&page=2&repo_name=");
    expect(body.message).toBe("Repo '' not found");
    const second = await events("?per_page=3&page=2");
    expect(inShort(second)).toEqual([THIRD[1], THIRD[2], SECOND]);
    expect(second.headers).toMatchObject({
      "x-total-count": "7",
      "x-per-page": "3",
      "x-current-page": "2",
      "x-total-pages": "3",
    });
    const to = (page: number) =>
      `<${service.address}/api/v2/environments/${ORG}/prod/events?start=1&end=NOW&reverse=false&page=${page}&per_page=3>`;
    expect(second.headers["link"]).toBe(
      `${to(1)}; rel="first", ${to(3)}; rel="last", ${to(1)}; rel="prev", ${to(3)}; rel="next"`,
    );
    expect((await events("?per_page=7")).headers["link"]).toBeUndefined();
    expect(headers["x-total-count"]).toBeUndefined();
  });

  const iso = (time: number) => encodeURIComponent(new Date(time * 1000).toISOString());
  it.each([
    ["everything, newest first", () => "", [...FOURTH, ...THIRD, SECOND, FIRST]],
    ["everything, oldest first", () => "?reverse=true", [FIRST, SECOND, ...THIRD, ...FOURTH]],
    ["an empty interval as none", () => "?interval=&start=&end=", [...FOURTH, ...THIRD, SECOND, FIRST]],
    ["an interval", () => "?interval=2..2", [SECOND]],
    ["an interval before start and end", () => "?interval=1..1&start=2", [FIRST]],
    ["start and end by number", () => "?start=2&end=3", [...THIRD, SECOND]],
    ["start and end from the end", () => "?start=-1&end=NOW", FOURTH],
    ["a start in the future", () => "?start=9", []],
    ["an end before the first", () => "?end=-9", []],
    ["a duration ago", () => "?start=1min", [...FOURTH, ...THIRD]],
    ["an end some time ago", () => "?end=2mins", [SECOND, FIRST]],
    ["a time", () => `?start=${began + 180}`, FOURTH],
    ["from Unix seconds, included", () => `?from=${began + 180}`, FOURTH],
    ["to Unix seconds, excluded", () => `?to=${began + 60}`, [FIRST]],
    ["from and to in ISO 8601", () => `?from=${iso(began + 60)}&to=${iso(began + 61)}`, [SECOND]],
    ["one repository", () => "?repo_name=acme/shop", ["3 web changed", FIRST]],
    ["several repositories", () => "?repo_name=acme/shop&repo_name=acme/side&end=2", [SECOND, FIRST]],
    ["a page beyond the last", () => "?page=99", []],
  ])("can be filtered by %s", async (_, query, expected) => {
    expect(inShort(await events(query()))).toEqual(expected);
  });

  it("of a logical environment are its members', each with its own name", async () => {
    const { environment, report } = pipeline(service);
    await environment("other");
    await report("other", [pod("o", { web: FP })]);
    await environment("all", { type: "logical", included_environments: ["prod", "other"] });
    const { body } = await events("?per_page=100", "all");
    expect(new Set(body.map((each: { environment_name: string }) => each.environment_name))).toEqual(
      new Set(["prod", "other"]),
    );
    expect(body).toHaveLength(8);
    expect(inShort(await events("?end=1", "all"))).toEqual([FIRST]);
    expect(inShort(await events("?start=99", "all"))).toEqual([]);
    await environment("none", { type: "logical" });
    expect((await events("", "none")).body).toEqual([]);
  });
});

describe("the audit log of an environment", () => {
  const log = async (query = "", environment = "prod") => {
    const path = `/api/v2/environments/${ORG}/${environment}/auditlog${query}`;
    const answer = await request(service.address + path, {
      dispatcher: service.dispatcher,
      headers: { authorization: `Bearer ${service.keys.reader}` },
    });
    return { headers: answer.headers, text: await answer.body.text() };
  };
  const rows = async (query: string) =>
    (await log(query)).text
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(","))
      .map((cells) => `${cells[2]} ${cells[4]} ${cells[3]}`);

  it("is a file of CSV with a line for each event, oldest first", async () => {
    const { headers, text } = await log();
    expect(headers).toMatchObject({
      "content-type": "text/csv",
      "content-disposition": "attachment; filename*=UTF-8''prod-auditlog.csv",
    });
    const [header, first, ...others] = text.trimEnd().split("\r\n");
    expect(header).toBe(
      "timestamp,environment,snapshot,event,artifact,fingerprint,description,artifact_compliant,snapshot_compliant,flows,trails,commits",
    );
    const time = new Date(began * 1000).toISOString();
    expect(first).toBe(
      `${time},prod,1,started-non-compliant,web,${FP},1 instance started running (from 0 to 1),,false,shop,t1,${COMMIT}`,
    );
    expect(others).toHaveLength(6);
  });

  it.each([
    ["?event_types=exited", FOURTH],
    ["?event_types=begun", []],
    ["?event_types=begun,exited", FOURTH],
    ["?event_types=changed,exited", ["3 side scaled", "3 web changed", ...FOURTH]],
    ["?flow_names=shop", [FIRST, "3 web changed"]],
    ["?flow_names=no%20provenance", ["3 extra started-non-compliant", "4 extra exited"]],
    ["?flow_names=shop,%20no%20provenance&event_types=started", [FIRST, "3 extra started-non-compliant"]],
    ["?repo_names=acme/side&event_types=started,exited", [SECOND, "4 side exited"]],
    ["?event_types=&flow_names=&repo_names=acme/shop", [FIRST, "3 web changed"]],
  ])("with %s has %j", async (query, expected) => {
    expect(await rows(query)).toEqual(expected);
  });

  it("shows the flow's name at the time, and its present one", async () => {
    const { environment, report, artifact } = pipeline(service);
    const fingerprint = "d".repeat(64);
    await environment("renamed-flow");
    await artifact("before", "t1", { fingerprint });
    await report("renamed-flow", [pod("p", { web: fingerprint })]);
    await send(service, { method: "PUT", path: `/flows/${ORG}/before/rename`, json: { new_name: "after" } });
    for (const name of ["before", "after"]) {
      const { text } = await log(`?flow_names=${name}`, "renamed-flow");
      expect(text.trimEnd().split("\r\n")).toHaveLength(2);
    }
  });

  it("can be bounded in time, both ends included", async () => {
    expect(await rows(`?from_timestamp=${began + 60}&to_timestamp=${began + 60}`)).toEqual([SECOND]);
  });

  it("is complete and in order, however long it is", async () => {
    const { environment, report } = pipeline(service);
    await environment("long-1");
    await environment("long-2");
    await environment("long", { type: "logical", included_environments: ["long-1", "long-2"] });
    const build = (release: number) =>
      Array.from({ length: 1_500 }, (_, i) =>
        pod(`p${i}`, { [`i${i}`]: `${release}${i}`.padStart(64, "0") }),
      );
    service.clock.time += 60;
    // Two at the same time, and one whose starts and stops exceed one read.
    await report("long-1", build(1));
    await report("long-2", build(1).slice(0, 700));
    service.clock.time += 60;
    await report("long-1", build(2));
    const read = async (name: string) => {
      const { text } = await log("", name);
      const [, ...lines] = text.trimEnd().split("\r\n");
      return lines.map((line) => line.split(","));
    };
    const one = await read("long-1");
    expect(one).toHaveLength(4_500);
    expect(new Set(one.map((cells) => [cells[2], cells[5]].join(" "))).size).toBe(4_500);
    expect(one.map((cells) => cells[2])).toEqual([...Array(1_500).fill("1"), ...Array(3_000).fill("2")]);
    const both = await read("long");
    expect(both).toHaveLength(5_200);
    expect(new Set(both.map((cells) => [cells[1], cells[2], cells[5]].join(" "))).size).toBe(5_200);
    const times = both.map((cells) => String(cells[0]));
    expect(times).toEqual(times.toSorted());
  });

  it("is refused for invalid queries", async () => {
    expect((await log("?from_timestamp=soon")).text).toContain("query.from_timestamp");
    expect((await log("?repo_names=acme/none")).text).toContain("Repo 'acme/none' not found");
    expect((await log("", "nowhere")).text).toContain("Environment named 'nowhere' does not exist");
  });
});

it("a report that changes only the time of an artifact creates no event", async () => {
  await pipeline(service).environment("files", { type: "server" });
  const report = (artifacts: object[]) =>
    send(service, {
      method: "PUT",
      path: `/environments/${ORG}/files/report/server`,
      json: { type: "server", artifacts },
    });
  const running = (digests: Record<string, string>, creationTimestamp: number) => ({
    ...{ digests, creationTimestamp },
  });
  await report([running({ web: FP }, 1_780_000_000)]);
  expect((await report([running({ web: FP }, 1_780_000_009)])).status).toBe(200);
  await report([running({ web: FP }, 1_780_000_099), running({ side: OTHER }, 1_780_000_000)]);
  expect(inShort(await events("", "files"))).toEqual([
    "2 side started-non-compliant",
    "1 web started-non-compliant",
  ]);
});
