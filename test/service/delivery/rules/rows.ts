import { DatabaseSync } from "node:sqlite";
import type { NotificationPayload } from "../../../../src/api/resources/notification-payload.ts";
import { bodyOf } from "../../../../src/service/delivery/rules/deliveries.ts";
import { openedAddress } from "../../../../src/service/delivery/rules/secrets.ts";
import { openSecretBox } from "../../../../src/service/ops/compose.ts";
import { openPostgres } from "../../../../src/service/store/postgres/open-store.ts";
import { databaseFile, openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { askPostgres, recordsOfTest } from "../../../records.ts";
import { SECRET_KEY, startTestService, type TestService } from "../../running-service.ts";

/** A service on the engine of the test, with access to its stored rows. */
export interface WatchedService extends TestService {
  /** The events in sequence order, in webhook format. */
  events(): Promise<NotificationPayload[]>;
  /** The trigger and the destination of each delivery, in the order of the events. */
  deliveries(): Promise<string[]>;
  ask(statement: string): Promise<Record<string, unknown>[]>;
  /** Opens its records again, like another instance. */
  openStore(): Promise<Store>;
}

export async function watchedService(): Promise<WatchedService> {
  const { database } = await recordsOfTest();
  const service = await startTestService({}, { ...(database && { database }) });
  const ask = async (statement: string) => {
    if (database) return askPostgres(database.url, statement);
    const file = new DatabaseSync(databaseFile(service.dataFolder));
    try {
      return file.prepare(statement).all();
    } finally {
      file.close();
    }
  };
  return {
    ...service,
    ask,
    openStore: () => (database ? openPostgres(database) : openDataFolder(service.dataFolder)),
    async events() {
      const rows = await ask("select number, payload from notification_events order by number");
      return rows.map(({ number, payload }) =>
        JSON.parse(bodyOf({ number: Number(number), payload: String(payload) })),
      );
    },
    async deliveries() {
      const secrets = openSecretBox({
        dataFolder: service.dataFolder,
        ...(database && { secretKey: SECRET_KEY }),
      });
      const rows = await ask(`select event.event_trigger, target.id, target.address, delivery.state
        from notification_deliveries delivery
        join notification_events event on event.id = delivery.event_id
        join notification_targets target on target.id = delivery.target_id
        order by event.number, target.position`);
      return rows.map(({ event_trigger, id, address, state }) => {
        const place = openedAddress({ id: String(id), address: String(address) }, secrets);
        return `${event_trigger} ${place} ${state}`;
      });
    },
  };
}
