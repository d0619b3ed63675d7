import { onTestFinished } from "vitest";
import { type Migration, migrations } from "../../../src/service/store/migrations.ts";

export const NEXT = "0002-next";

/** Makes this process one of the next version, which has a migration more, until the test ends. */
export function upgradeProgram(migration: Partial<Migration> = {}): void {
  Object.assign(migrations, { [NEXT]: { up: async () => {}, ...migration } });
  onTestFinished(() => {
    Reflect.deleteProperty(migrations, NEXT);
  });
}
