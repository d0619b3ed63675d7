import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureOrganization } from "../../src/service/people/accounts/provisioning.ts";
import { openRecords } from "../../src/service/store/open-records.ts";
import { startFaultProxy } from "../../test/postgres/fault-proxy.ts";
import { type Account, loadOn } from "./durable.ts";
import { type LocalService, startLocalService } from "./local-service.ts";
import { type Measured, type Measurements, SLOW_RATE } from "./rows.ts";
import { startSlowPostgres } from "./slow-postgres.ts";

/** 50 times the round trip of 1 ms and the flush of 3 ms of a database in a cloud: the machine's own speed hardly counts. */
const ROUND_TRIP_MS = 50;
const FLUSH_MS = 150;
const SECONDS = 30;
const ORGANIZATIONS = 8;

/**
 * Attestations on known trails while each wait for the database and its disk is long, so that only the number and the
 * order of the waits count.
 */
export async function slowMotion(): Promise<Measurements<"slow-motion"> | undefined> {
  await using open = new AsyncDisposableStack();
  const server = await startSlowPostgres(FLUSH_MS);
  if (server === undefined) {
    process.stderr.write("Slow motion is skipped: it needs Linux and a C compiler (cc)\n");
    return undefined;
  }
  open.defer(server.dispose);
  const proxy = await startFaultProxy(server.port);
  open.defer(proxy.close);
  const attachments = await mkdtemp(join(tmpdir(), "bench-attachments-"));
  open.defer(() => rm(attachments, { recursive: true }));
  const database = proxy.through(await server.create("slow"));
  const startInstance = async () => open.use(await startLocalService({ database, attachments }));

  const slowed = async (
    instances: readonly LocalService[],
    accounts?: readonly Account[],
  ): Promise<Measured> => {
    // Makes the trails known.
    await loadOn(instances, { seconds: 3, ...(accounts && { accounts }) });
    proxy.delay(ROUND_TRIP_MS / 2);
    const load = await loadOn(instances, { seconds: SECONDS, ...(accounts && { accounts }) });
    proxy.heal();
    const note = `${load.perSecond.toFixed(1)}/s, p99 ${load.p99.toFixed(0)} ms`;
    return { value: load.perSecond / SLOW_RATE, note };
  };
  const first = await startInstance();
  const oneOrg = await slowed([first]);
  const both = [first, await startInstance()];
  const twoInstances = await slowed(both);
  return { oneOrg, twoInstances, eightOrgs: await slowed(both, await moreAccounts(database)) };
}

/** Creates organizations with an account each. */
async function moreAccounts(url: string): Promise<readonly Account[]> {
  const store = await openRecords({ database: { url }, log: () => {} });
  const accounts: Account[] = [];
  for (let number = 1; number <= ORGANIZATIONS; number++) {
    const org = `org-${number}`;
    const apiKey = await ensureOrganization(store, { org, adminKey: undefined, now: Date.now() / 1000 });
    if (apiKey !== undefined) accounts.push({ org, apiKey });
  }
  await store.close();
  return accounts;
}
