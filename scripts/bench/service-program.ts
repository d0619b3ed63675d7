/*
 * The service in its own process, with a data folder and organizations that are created if missing. It reports its
 * address over its channel, and its usage on request.
 */
import { VERSION } from "../../src/api/version.ts";
import { ensureOrganization } from "../../src/service/people/accounts/provisioning.ts";
import { startService } from "../../src/service/service.ts";
import { openDataFolder } from "../../src/service/store/sqlite/open-store.ts";
import { peakMemory } from "./peak-memory.ts";
import type { Answer, Question } from "./service-process.ts";
import { recordStatements } from "./statements.ts";

const [dataFolder = "", workers, opa, ...orgs] = process.argv.slice(2);
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
  opa: opa === "" ? undefined : opa,
  log: () => {},
  // The limits would stop the load from one key and one address.
  limits: { keyRate: 0, addressRate: 0 },
});
process.on("message", (question: Question) => {
  if (question === "texts") return tell({ texts: [...recorded.texts] });
  const { user, system } = process.cpuUsage();
  tell({ usage: { cpu: (user + system) / 1000, statements: recorded.runs.length, peak: peakMemory() } });
});
process.once("SIGTERM", () => void service.close().then(() => process.exit(0)));
tell({ started: { address: service.address, keys } });
