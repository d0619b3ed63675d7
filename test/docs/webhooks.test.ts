import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { sendRequest } from "../../src/service/delivery/outgoing/send-request.ts";
import { newSecret, newSigningKey, signedHeaders } from "../../src/service/delivery/outgoing/signature.ts";
import { agentFor, listening } from "../service/delivery/outgoing/receivers.ts";
import { blocksOf, pages, root } from "./pages.ts";

const page = pages.find(({ path }) => path === "docs/webhooks.md") ?? expect.fail("there is no such page");
const blocks = blocksOf(page);
const codeIn = (language: string) =>
  blocks.find((block) => block.language === language)?.text ?? expect.fail(`no code in ${language}`);

const folder = mkdtempSync(join(tmpdir(), "docs-webhooks-"));
afterAll(() => rmSync(folder, { recursive: true }));

const EVENT = { type: "environment.non_compliant", sequence: 7, description: "Grüße <&>" };
const [secret, former] = [newSecret(), newSecret()];
const { privateKey, publicKey } = newSigningKey();

interface Arrived {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly secret: string;
}

/** A delivery as it arrives at a receiver, with its possible faults, by name. */
async function deliveries(): Promise<Record<string, Arrived>> {
  const arrived = await delivered(Math.floor(Date.now() / 1000));
  return {
    right: arrived,
    "by the former secret": { ...arrived, secret: former },
    changed: { ...arrived, body: Buffer.from(arrived.body.toString().replace("7", "8")) },
    "from another sender": { ...arrived, secret: newSecret() },
    old: await delivered(Math.floor(Date.now() / 1000) - 301),
    "with another id": { ...arrived, headers: { ...arrived.headers, "webhook-id": "evt_2" } },
  };
}
const RIGHT = ["right", "by the former secret"];

async function delivered(timestamp: number): Promise<Arrived> {
  const received = Promise.withResolvers<Omit<Arrived, "secret">>();
  const { port } = await listening(
    createServer(async (request, response) => {
      const body = await buffer(request);
      const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
      const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]));
      received.resolve({ headers, body });
      response.end();
    }),
  );
  const body = JSON.stringify(EVENT);
  const signed = { id: "evt_1", timestamp, body, secrets: [secret, former], signingKey: privateKey };
  const headers = { "content-type": "application/json", ...signedHeaders(signed) };
  const { outcome } = await sendRequest({
    agent: agentFor(),
    url: `http://127.0.0.1:${port}/`,
    headers,
    body,
  });
  expect(outcome).toBe("delivered");
  return { ...(await received.promise), secret };
}

/** The deliveries that a program accepts. It reads all of them as JSON, and writes a line of JSON for each. */
function believed(given: Record<string, Arrived>, command: string, args: readonly string[]) {
  const input = JSON.stringify(
    Object.values(given).map(({ body, ...rest }) => ({ ...rest, body: body.toString("utf8") })),
  );
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const verdicts: unknown[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(verdicts.length).toBe(Object.keys(given).length);
  return Object.keys(given).filter((_, index) => verdicts[index] === true);
}

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const TYPESCRIPT = `
import { text } from "node:stream/consumers";
console.log = () => {};
for (const { headers, body, secret } of JSON.parse(await text(process.stdin))) {
  const request = new Request("http://receiver", { method: "POST", headers, body });
  const { status } = await receive(request, secret);
  process.stdout.write((status === 204 ? "true" : status === 400 ? "false" : "null") + "\\n");
}
`;

test("the TypeScript of the page accepts valid deliveries only, by a secret or by the public key", async () => {
  const code = codeIn("ts").replace('"@delivery-evidence/client"', JSON.stringify(`${root}src/index.ts`));
  const program = written("receive.ts", code + TYPESCRIPT);
  const given = await deliveries();
  expect(believed(given, process.execPath, [program])).toEqual(RIGHT);

  const byKey = Object.entries(given).map(([name, each]) => [name, { ...each, secret: publicKey }] as const);
  // The key signs for all targets, whatever secret each has.
  const rightByKey = ["right", "by the former secret", "from another sender"];
  expect(believed(Object.fromEntries(byKey), process.execPath, [program])).toEqual(rightByKey);
});

const has = (command: string, ...args: readonly string[]) => spawnSync(command, args).status === 0;

const PYTHON = `
import json, sys
for each in json.load(sys.stdin):
    try:
        verify(each["headers"], each["body"].encode(), each["secret"])
        print("true")
    except ValueError:
        print("false")
`;

test.skipIf(!has("python3", "--version"))(
  "the Python of the page accepts valid deliveries only",
  async () => {
    const program = written("receive.py", codeIn("python") + PYTHON);
    expect(believed(await deliveries(), "python3", [program])).toEqual(RIGHT);
  },
);

const RECEIVER = `
from standardwebhooks import Webhook, WebhookVerificationError as ValueError
def verify(headers, body, secret):
    Webhook(secret).verify(body.decode(), headers)
${PYTHON}`;

// It is tested if it is installed, as in CI by `requirements.txt`.
if (has("python3", "-c", "import standardwebhooks")) {
  test("Python's library of Standard Webhooks accepts valid deliveries only", async () => {
    expect(believed(await deliveries(), "python3", [written("judge.py", RECEIVER)])).toEqual(RIGHT);
  });
}

const GO = `
func main() {
	var deliveries []struct {
		Headers      map[string]string
		Body, Secret string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		panic(err)
	}
	for _, each := range deliveries {
		header := func(name string) string { return each.Headers[name] }
		fmt.Println(verify(header, []byte(each.Body), each.Secret) == nil)
	}
}
`;

test.skipIf(!has("go", "version"))(
  "the Go of the page accepts valid deliveries only",
  async () => {
    const program = join(folder, "receive");
    const imports = 'package main\n\nimport (\n\t"encoding/json"\n\t"os"\n)\n';
    const source = written("main.go", `${imports}${codeIn("go")}${GO}`);
    const { status, stderr } = spawnSync("go", ["build", "-o", program, source], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    expect(believed(await deliveries(), program, [])).toEqual(RIGHT);
  },
  180_000,
);
