import type { ServiceLimits } from "../service/http/limits.ts";
import { type Environment, given, UsageError } from "./usage.ts";

/** The options of `serve` that limit how much its users may take. */
export const LIMIT_OPTIONS = {
  "body-memory": { type: "string" },
  "body-disk": { type: "string" },
  "key-rate": { type: "string" },
  "address-rate": { type: "string" },
  "failed-login-rate": { type: "string" },
  "max-rules": { type: "string" },
  "mail-rate": { type: "string" },
  "trusted-proxies": { type: "string" },
} as const;

/** Megabytes of which half, the part of one organization, hold the largest request. */
const LEAST_DISK = 512;

type Values = { readonly [Name in keyof typeof LIMIT_OPTIONS]?: string | undefined };

/**
 * The limits that were given, as options or variables: `--key-rate` or `EVIDENCE_KEY_RATE`.
 *
 * @throws {UsageError}
 */
export function limitsFrom(values: Values, environment: Environment): Partial<ServiceLimits> {
  const text = (name: keyof Values) =>
    values[name] ?? given(environment, `EVIDENCE_${name.toUpperCase().replaceAll("-", "_")}`);
  const number = (name: keyof Values, least: number) => {
    const found = text(name);
    return found === undefined ? undefined : wholeNumber(found, `--${name}`, least);
  };
  const megabytes = number("body-memory", 1);
  const diskMegabytes = number("body-disk", LEAST_DISK);
  const keyRate = number("key-rate", 0);
  const addressRate = number("address-rate", 0);
  const failedLoginRate = number("failed-login-rate", 0);
  const maxRules = number("max-rules", 0);
  const mailRate = number("mail-rate", 0);
  const proxies = text("trusted-proxies");
  return {
    ...(megabytes === undefined ? {} : { bodyMemory: megabytes * 1024 * 1024 }),
    ...(diskMegabytes === undefined ? {} : { bodyDisk: diskMegabytes * 1024 * 1024 }),
    ...(keyRate === undefined ? {} : { keyRate }),
    ...(addressRate === undefined ? {} : { addressRate }),
    ...(failedLoginRate === undefined ? {} : { failedLoginRate }),
    ...(maxRules === undefined ? {} : { maxRules }),
    ...(mailRate === undefined ? {} : { mailRate }),
    ...(proxies === undefined ? {} : { trustedProxies: proxies.split(",").map((entry) => entry.trim()) }),
  };
}

/** @throws {UsageError} */
export function wholeNumber(text: string, option: string, least: number): number {
  const number = Number(text);
  if (!/^\d{1,9}$/.test(text) || number < least) {
    throw new UsageError(`'${text}' cannot be ${option}: a whole number from ${least} on can`);
  }
  return number;
}
