/*
 * The embedded service in a process of its own: with a data folder, and organizations that are made when they are not
 * there. Over its channel it says where it is, and on request what it has used.
 */
import { VERSION } from "../../src/api/version.ts";
import { ensureOrganization } from "../../src/service/people/accounts/provisioning.ts";
import { startService } from "../../src/service/service.ts";
import { openDataFolder } from "../../src/service/store/sqlite/open-store.ts";
import { peakMemory } from "./peak-memory.ts";
import type { Answer, Question } from "./service-process.ts";
import { recordStatements } from "./statements.ts";

const [dataFolder = "", workers, ...orgs] = process.argv.slice(2);
const tell = (answer: Answer) => void process.send?.(answer);

const keys: Record<string, string> = {};
const store = await openDataFolder(dataFolder);
for (const org of orgs) {
  const key = await ensureOrganization(store, { org, adminKey: undefined, now: Date.now() / 1000 });
  if (key !== undefined) keys[org] = key;
}
await store.close();

const recorded = recordStatements();
const service = await startService({
  dataFolder,
  host: "127.0.0.1",
  port: 0,
  version: VERSION,
  workers: Number(workers),
  log: () => {},
  // One key and one address send what the limits are there to keep away.
  limits: { keyRate: 0, addressRate: 0 },
});
process.on("message", (question: Question) => {
  if (question === "texts") return tell({ texts: [...recorded.texts] });
  const { user, system } = process.cpuUsage();
  tell({ usage: { cpu: (user + system) / 1000, statements: recorded.runs.length, peak: peakMemory() } });
});
process.once("SIGTERM", () => void service.close().then(() => process.exit(0)));
tell({ started: { address: service.address, keys } });
