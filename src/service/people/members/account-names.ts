import { isSameText } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import type { Person } from "./persons.ts";

/** Maximum length of the name of an account. */
const MOST_CHARACTERS = 100;

/** A name for the account of a person, which records show. No other account has it, in any case. */
export async function freeAccountName(
  db: Database,
  orgId: string,
  { name, email }: Pick<Person, "name" | "email">,
): Promise<string> {
  const plain = name.slice(0, MOST_CHARACTERS);
  if (!(await isTaken(db, orgId, plain))) return plain;
  const base = email === null ? plain : `${plain} (${email})`.slice(0, MOST_CHARACTERS);
  for (let number = email === null ? 2 : 1; ; number++) {
    const tried = number === 1 ? base : `${base} ${number}`;
    if (!(await isTaken(db, orgId, tried))) return tried;
  }
}

async function isTaken(db: Database, orgId: string, name: string): Promise<boolean> {
  const found = await db
    .selectFrom("service_accounts")
    .select("id")
    .where("org_id", "=", orgId)
    .where(isSameText("service_accounts.name", name))
    .executeTakeFirst();
  return found !== undefined;
}
