import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { newDatabase } from "../records.ts";
import { COMMIT, FP, pipeline, type RequestToSend, sampleRequest, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";

/** Two services of one API. The database sorts by the rules of a locale, like those of many hosters. */
let services: readonly [sqlite: TestService, postgres: TestService];
beforeAll(async () => {
  const url = await newDatabase(
    "template template0 locale_provider icu icu_locale 'en-US' locale 'C' encoding 'UTF8'",
  );
  services = [await startTestService(), await startTestService({}, { database: { url } })];
  for (const service of services) {
    await pipeline(service).artifact("web", "t1");
    await pipeline(service).environment("prod");
  }
});
afterAll(async () => {
  for (const service of services) await service.dispose();
});

type Make = ReturnType<typeof pipeline>;

/** Does something with both services, and expects the same responses. */
async function sameOnBoth<T>(ask: (service: TestService, make: Make) => Promise<T>): Promise<T> {
  const [expected, found] = await Promise.all(
    services.map((service) => ask(service, pipeline(service, service.keys.admin))),
  );
  expect(found).toEqual(expected);
  if (found === undefined) throw new Error("Nothing was asked");
  return found;
}

/** A response without the parts that differ between two services: ids, cursors and addresses. */
const normalized = (service: TestService, text: string) =>
  text
    .replaceAll(service.address, "")
    .replaceAll(/[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{8}(?:[a-f0-9]{4})?/g, "id")
    .replaceAll(/after=[\w%-]+/g, "after=cursor");

const answered = async (service: TestService, message: RequestToSend) => {
  const { status, text } = await send(service, { key: service.keys.admin, ...message });
  return { status, text };
};

describe("lists are in byte order, whatever the collation of the database", () => {
  const names = ["b", "B", "a", "A", "a-b", "ab", "a.b", "a_c", "Z", "z", "a1", "a10", "a2"];

  it.each<
    [string, (make: Make, name: string) => Promise<unknown>, string, (body: never) => { name: string }[]]
  >([
    ["flows", (make, name) => make.flow(name), `/flows/${ORG}`, (flows) => flows],
    ["environments", (make, name) => make.environment(name), `/environments/${ORG}`, (list) => list],
    [
      "policies",
      (make, name) => make.policy(name, "_schema: https://example.org/v1"),
      `/policies/${ORG}`,
      (list) => list,
    ],
  ])("%s", async (_, make, path, listOf) => {
    const found = await sameOnBoth(async (service, steps) => {
      for (const name of names) await make(steps, name);
      const { body } = await send(service, { path, key: service.keys.admin });
      const list: { name: string }[] = listOf(body as never);
      return list.map(({ name }) => name).filter((name) => names.includes(name));
    });
    expect(found).toEqual([...names].sort());
  });

  it("running artifacts, by name", async () => {
    const images = [
      "Web",
      "web",
      "éclair",
      "zoo",
      "Zoo",
      "web-1",
      "web_1",
      "web1",
      "漢",
      "\u{1F600}",
      "\uFFFD",
    ];
    const found = await sameOnBoth(async (service, { report }) => {
      const pods = images.map((name, index) => ({
        podName: `p${index}`,
        namespace: "n",
        digests: { [name]: FP },
        creationTimestamp: 1,
      }));
      expect((await report("prod", pods)).status).toBe(201);
      const { body } = await send(service, { path: `/snapshots/${ORG}/prod/-1` });
      return body.artifacts.map(({ name }: { name: string }) => name);
    });
    expect(found).toHaveLength(images.length);
  });
});

describe("partial matches of names", () => {
  it.each([
    ["WEB", false],
    ["WEB", true],
    ["we", true],
    ["%", false],
    ["_", false],
    ["\\", false],
    ["'", false],
    ['"', true],
  ])("%s, with letter case %s", async (part, exact) => {
    await sameOnBoth((service) =>
      send(service, {
        path: `/flows/${ORG}?search_by_name=${encodeURIComponent(part)}&case_sensitive=${exact}`,
      }).then(({ status, body }) => ({ status, names: body.map(({ name }: { name: string }) => name) })),
    );
  });

  it("repositories, in any script", async () => {
    await sameOnBoth(async (_, { artifact, repos }) => {
      for (const name of ["Überprüfung", "STRASSE", "Код"]) {
        const repo = { name, url: "https://git.example/r" };
        expect((await artifact("web", "t1", { repo_info: repo })).status).toBe(201);
      }
      const namesOf = async (part: string) => {
        const { body } = await repos(`?search=${encodeURIComponent(part)}`);
        return body.repos.map(({ name }: { name: string }) => name);
      };
      return [await namesOf("über"), await namesOf("straße"), await namesOf("код"), await namesOf("ÜBER")];
    });
  });
});

const UNSTORABLE = ["a\0b", "a\ud800"];

describe("text that a database cannot store is refused with a 400 at any position", () => {
  const shapes: readonly OperationShape[] = Object.values(operations);
  const writing = shapes.filter(({ body }) => body !== undefined);

  it.each(writing.map(({ name }) => name))("%s", async (name) => {
    const operation = shapes.find((shape) => shape.name === name);
    if (!operation) throw new Error(`There is no ${name}`);
    const sample = sampleRequest(operation);
    const bodies = UNSTORABLE.map((text) => withEachText(sample.json ?? sample.form, text));
    for (const index of (bodies[0] ?? []).keys()) {
      // One of the texts at each position, and each of them in every operation.
      const body = bodies[index % bodies.length]?.[index];
      const sent = sample.json === undefined ? { ...sample, form: body } : { ...sample, json: body };
      const { status, text: said } = await sameOnBoth((service) => answered(service, sent));
      expect({ index, status, said }).toEqual({ index, status: 400, said: expect.any(String) });
    }
  });

  it.each([
    { place: "the name of a file", file: { name: "a\0b.txt", content: "x" } },
    { place: "the type of a file", file: { name: "a.txt", content: "x", type: "text/\0" } },
  ])("$place", async ({ file }) => {
    const { status } = await sameOnBoth(async (service) => {
      const boundary = "limit";
      const lines = [
        `--${boundary}`,
        'content-disposition: form-data; name="data_json"',
        "",
        '{"attestation_name":"file","is_compliant":true}',
        `--${boundary}`,
        `content-disposition: form-data; name="attachment_file"; filename="${file.name}"`,
        `content-type: ${file.type ?? "text/plain"}`,
        "",
        file.content,
        `--${boundary}--`,
        "",
      ];
      const { status } = await send(service, {
        method: "POST",
        path: `/attestations/${ORG}/web/trail/t1/generic`,
        raw: lines.join("\r\n"),
        headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      });
      return { status };
    });
    expect(status).toBeLessThan(500);
  });

  const files = {
    "a template": (name: string, content: string) => (_: TestService, make: Make) => make.flow(name, content),
    "a policy": (name: string, content: string) => (_: TestService, make: Make) => make.policy(name, content),
  };
  it.each([
    ["a template", "version: 1\n# \0\n"],
    ["a template", 'version: 1\ntrail:\n  attestations:\n    - {name: "a\\0b", type: generic}\n'],
    ["a template", 'version: 1\ntrail:\n  attestations:\n    - {name: a, type: "custom:a\\0b"}\n'],
    ["a template", 'version: 1\ntrail:\n  attestations:\n    - {name: a, type: "custom:\\ud800"}\n'],
    ["a template", 'version: 1\ntrail:\n  artifacts:\n    - {name: "a\\0b"}\n'],
    ["a policy", "_schema: https://x/v1\n# \0\n"],
    [
      "a policy",
      '_schema: https://x/v1\nartifacts:\n  attestations:\n    - {name: "a\\0b", type: "custom:\\0"}\n',
    ],
    [
      "a policy",
      '_schema: https://x/v1\nartifacts:\n  attestations:\n    - {name: "*", type: decision, control: "a\\0b"}\n',
    ],
    ["a policy", '_schema: https://x/v1\nartifacts:\n  controls:\n    - {control: "a\\0b"}\n'],
    ["a policy", '_schema: https://x/v1\nartifacts:\n  controls: ["a\\0b", "\\ud800"]\n'],
    [
      "a policy",
      "_schema: https://x/v1\nartifacts:\n  provenance:\n    required: true\n    exceptions:\n      - if: '${{ flow.name == \"\\u0000\" }}'\n",
    ],
  ] as const)("%s in YAML: %j", async (kind, content) => {
    const { status, text } = await sameOnBoth(async (service, make) => {
      const { status, text } = await files[kind]("unstorable", content)(service, make);
      return { status, text };
    });
    expect({ status, text }).toEqual({ status: expect.toSatisfy((it: number) => it < 500), text });
  });
});

describe("numbers of any size get the same response, and never an internal error", () => {
  const shapes: readonly OperationShape[] = Object.values(operations);
  const big = ["2147483648", "9223372036854775808", "1e300"];

  it.each(
    shapes
      .filter(({ method, params, query }) => method === "GET" && (params ?? query))
      .map(({ name }) => name),
  )("%s", async (name) => {
    const operation = shapes.find((shape) => shape.name === name);
    if (!operation) throw new Error(`There is no ${name}`);
    const places = numbersOf(operation);
    for (const path of places.flatMap((place) => big.map(place))) {
      const { status, text } = await sameOnBoth(async (service) => {
        const { status, text } = await answered(service, { path });
        return { status, text: normalized(service, text) };
      });
      expect({ path, status, text }).toEqual({
        path,
        status: expect.toSatisfy((it: number) => it < 500),
        text,
      });
    }
  });

  it("those in data keep their digits", async () => {
    const data =
      '{"a":1.10,"b":12345678901234567890,"c":-0.0,"d":1e400,"e":[1E+2],"__proto__":{"x":1},"z":1,"a b":2}';
    const form = `{"attestation_name":"digits","is_compliant":true,"user_data":${data}}`;
    const stored = await sameOnBoth(async (service) => {
      const path = `/attestations/${ORG}/web/trail/t1/generic`;
      expect((await send(service, { method: "POST", path, form })).status).toBe(201);
      const { text } = await send(service, { path: `/attestations/${ORG}/web/trail/t1/digits` });
      return /"user_data":(\{.*?\}),"[a-z]+_/.exec(text)?.[1];
    });
    expect(stored).toBe(data);
  });
});

/** No two characters of it are similar enough for a database to compress it. */
const noise = (length: number, from = 0x4e00) =>
  String.fromCharCode(...Array.from({ length }, (_, i) => from + ((i * 7919 + i * i * 31) % 20_000)));

describe("texts of maximum length are stored and found, and longer ones are refused", () => {
  it.each<[string, (make: Make, service: TestService, text: string) => Promise<{ status: number }>]>([
    [
      "the name of a running artifact",
      (make, _, text) =>
        make.report("prod", [
          { podName: "p", namespace: "n", digests: { [text]: FP }, creationTimestamp: 1 },
        ]),
    ],
    [
      "the value of a tag",
      (_, service, text) =>
        send(service, { method: "PATCH", path: `/tags/${ORG}/flow/web`, json: { set_tags: { team: text } } }),
    ],
    [
      "a branch",
      (make, _, text) => make.artifact("web", "t1", { git_commit_info: { sha1: COMMIT, branch: text } }),
    ],
    ["a commit", (make, _, text) => make.attest("web", "t1", { git_commit_info: { sha1: text } })],
    [
      "a repository",
      (make, _, text) =>
        make.artifact("web", "t1", { repo_info: { name: text, url: "https://git.example/r" } }),
    ],
    [
      "a repository's id",
      (make, _, text) =>
        make.artifact("web", "t1", { repo_info: { name: "long", id: text, url: "https://git.example/r" } }),
    ],
    [
      "a control",
      (_, service, text) =>
        send(service, {
          method: "POST",
          path: `/attestations/${ORG}/web/trail/t1/system`,
          form: {
            attestation_name: "decision",
            type_name: "decision",
            control: text,
            attestation_data: { is_compliant: true },
          },
        }),
    ],
    [
      "an Idempotency-Key",
      (_, service, text) =>
        send(service, {
          method: "POST",
          path: `/attestations/${ORG}/web/trail/t1/generic`,
          form: { attestation_name: "keyed", is_compliant: true },
          headers: {
            "idempotency-key": [...text]
              .map((c) => String.fromCharCode(0x21 + (c.charCodeAt(0) % 90)))
              .join(""),
          },
        }),
    ],
  ])("%s", async (_, sendText) => {
    for (const length of [255, 256, 512, 513, 1_000, 2_800, 4_096, 5_000]) {
      const { status } = await sameOnBoth(async (service, make) => {
        const { status } = await sendText(make, service, noise(length));
        return { status };
      });
      expect({ length, status }).toEqual({
        length,
        status: expect.toSatisfy((it: number) => [200, 201, 400].includes(it)),
      });
    }
  });
});

/** The values of a body with one of its texts, or of its keys, replaced by another: once for each. */
function withEachText(value: unknown, text: string): unknown[] {
  if (typeof value === "string") return [text];
  if (Array.isArray(value)) {
    const within = value.flatMap((item, index) =>
      withEachText(item, text).map((changed) => value.with(index, changed)),
    );
    return value.length === 0 ? [[text]] : within;
  }
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  return [
    ...entries.flatMap(([key, item]) =>
      withEachText(item, text).map((changed) => ({ ...value, [key]: changed })),
    ),
    { ...value, user_data: { deep: [{ [text]: 1 }] } },
    { ...value, user_data: { deep: [{ inner: text }] } },
  ];
}

/** Addresses of an operation with one of its parameters as a number. */
function numbersOf(operation: OperationShape): ((number: string) => string)[] {
  const { path } = sampleRequest(operation);
  const [bare = "", search = ""] = path.split("?");
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].flatMap(([part, name]) =>
    name === "org"
      ? []
      : [
          (number: string) =>
            sampleRequest({
              ...operation,
              path: operation.path.replace(part, number) as OperationShape["path"],
            }).path,
        ],
  );
  const fields = Object.keys(operation.query?._zod.def.shape ?? {});
  const inQuery = fields.map((field) => (number: string) => {
    const given = new URLSearchParams(search);
    given.set(field, number);
    return `${bare}?${given}`;
  });
  const intervals = fields.includes("interval") ? [(number: string) => `${bare}?interval=1..${number}`] : [];
  return [...inPath, ...inQuery, ...intervals];
}
