import { onTestFinished } from "vitest";
import { type Migration, migrations } from "../../../src/service/store/migrations.ts";

export const NEXT = "0002-next";

/** Turns this process into the next version, which has one more migration, until the test ends. */
export function upgradeProgram(migration: Partial<Migration> = {}): void {
  Object.assign(migrations, { [NEXT]: { up: async () => {}, ...migration } });
  onTestFinished(() => {
    Reflect.deleteProperty(migrations, NEXT);
  });
}
