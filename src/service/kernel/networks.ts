import { isIP } from "node:net";

export type AddressFamily = "ipv4" | "ipv6";

/** All addresses with the same leading bits. */
export interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: AddressFamily;
}

/** @throws Error for an entry that is neither an address nor a network */
export function readNetwork(entry: string): Network {
  const [address = "", prefix, ...rest] = entry.split("/");
  const family = familyOf(address);
  const most = family === "ipv4" ? 32 : 128;
  const bits = prefix === undefined ? most : Number(prefix);
  if (family === undefined || rest.length > 0 || !/^\d+$/.test(prefix ?? "0") || bits > most) {
    throw new Error(`'${entry}' is neither an address nor a network such as 10.0.0.0/8`);
  }
  return { address, bits, family };
}

/** Undefined for text that is not an address. */
export function familyOf(address: string): AddressFamily | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? "ipv4" : "ipv6";
}
