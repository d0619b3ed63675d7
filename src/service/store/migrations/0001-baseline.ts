import { accounts } from "./0001/accounts.ts";
import { environments } from "./0001/environments.ts";
import { evidence } from "./0001/evidence.ts";
import { governance } from "./0001/governance.ts";

/** The tables that the records began with. */
export const baseline = [accounts, evidence, environments, governance].join("");
