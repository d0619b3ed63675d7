/*
 * Kills a service under load repeatedly, and checks that every confirmed record exists exactly once:
 *
 *   npm run kills -- [--kills 50] [--engine sqlite|postgresql]
 *
 * Senders attest continuously, and repeat each request with its `Idempotency-Key` until it is answered.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/postgres/server.ts";

const CLI = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
const KEY = `de_${"k".repeat(43)}`;
const FINGERPRINT = "a".repeat(64);
const ARTIFACT = {
  ...{ fingerprint: FINGERPRINT, filename: "web", git_commit: "b".repeat(40), trail_name: "t1" },
  ...{ commit_url: "https://example.com/c", build_url: "https://example.com/b" },
};
const SENDERS = 8;
/** Longest time before a service is killed. */
const LONGEST_LIFE_MS = 400;

const { values } = parseArgs({
  options: { kills: { type: "string", default: "50" }, engine: { type: "string", default: "sqlite" } },
});
const kills = Number(values.kills);
const dataFolder = await mkdtemp(join(tmpdir(), "evidence-kills-"));
const postgres = values.engine === "postgresql" ? await startPostgres() : undefined;
const databaseUrl = await postgres?.create("kills");
let address = "";
let isOver = false;
const confirmed: string[] = [];

async function serve() {
  const records = databaseUrl === undefined ? [] : ["--database-url", databaseUrl];
  const options = ["--port", "0", "--org", "acme", "--workers", "2", "--data", dataFolder, ...records];
  const child = spawn(process.execPath, [CLI, "serve", ...options], {
    env: { ...process.env, EVIDENCE_ADMIN_KEY: KEY },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit").then(([status]) => {
    throw new Error(`The service ended with ${status}`);
  });
  ended.catch(() => {});
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  address = /http:\/\/\S+/.exec(String(line))?.[0] ?? "";
  return child;
}

async function send(method: string, path: string, body?: object | FormData, headers = {}): Promise<unknown> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${address}/api/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(!isForm && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const content: unknown = await answer.json();
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(content)}`);
  return content;
}

async function attestWithoutEnd(sender: number): Promise<void> {
  for (let count = 0; !isOver; count++) {
    const id = `${sender}-${count}`;
    const data = { attestation_name: "unit", artifact_fingerprint: FINGERPRINT, user_data: { id } };
    const attest = () => {
      const form = new FormData();
      form.set("data_json", JSON.stringify({ is_compliant: true, ...data }));
      form.append("attachment_file", new Blob([`evidence ${id}`]), "log.txt");
      return send("POST", "/attestations/acme/web/trail/t1/generic", form, { "idempotency-key": id });
    };
    // An unanswered request may have been recorded, so it is sent again.
    while (
      !(await attest().then(
        () => true,
        () => false,
      ))
    ) {
      if (isOver) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    confirmed.push(id);
  }
}

let service = await serve();
try {
  await send("POST", "/artifacts/acme/web", ARTIFACT);
  const senders = Array.from({ length: SENDERS }, (_, sender) => attestWithoutEnd(sender));
  for (let kill = 1; kill <= kills; kill++) {
    const before = confirmed.length;
    while (confirmed.length === before) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_LIFE_MS));
    const exited = once(service, "exit");
    service.kill("SIGKILL");
    await exited;
    service = await serve();
    process.stdout.write(`${kill} of ${kills} kills, ${confirmed.length} attestations confirmed\n`);
  }
  isOver = true;
  await Promise.all(senders);
  const found = new Map<string, number>();
  const listed = await send("GET", `/attestations/acme/web/artifact/${FINGERPRINT}/unit`);
  for (const { user_data } of listed as { user_data: { id: string } }[]) {
    found.set(user_data.id, (found.get(user_data.id) ?? 0) + 1);
  }
  const lost = confirmed.filter((id) => !found.has(id));
  const doubled = [...found].filter(([, times]) => times > 1).map(([id]) => id);
  process.stdout.write(`${found.size} on record, lost: ${lost.length}, twice: ${doubled.length}\n`);
  process.exitCode = lost.length + doubled.length === 0 ? 0 : 1;
} finally {
  isOver = true;
  service.kill("SIGKILL");
  await rm(dataFolder, { recursive: true, force: true });
  await postgres?.dispose();
}
