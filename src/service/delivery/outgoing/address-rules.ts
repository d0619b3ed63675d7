import { BlockList } from "node:net";
import { familyOf, readNetwork } from "../../kernel/networks.ts";

/**
 * Networks that no notification may reach, by what an address in them is. They are those of IANA's registries of
 * special purposes, and what clouds keep for themselves. An address is called by the first that holds it.
 */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "an address of a cloud's metadata": [
    ...["169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200"],
    ...["fd00:ec2::254", "fd00:ec2::23"],
    // Azure's wire server. It is in a public network.
    "168.63.129.16",
  ],
  "a loopback address": ["127.0.0.0/8", "::1"],
  "an unspecified address": ["0.0.0.0/8", "::"],
  "a private address": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"],
  "a link-local address": ["169.254.0.0/16", "fe80::/10"],
  "an address inside a carrier's network": ["100.64.0.0/10"],
  "a multicast or broadcast address": ["224.0.0.0/4", "255.255.255.255", "ff00::/8"],
  "an address that leads through a tunnel": ["192.88.99.0/24", "2001::/32", "2002::/16"],
  "an address for documentation or tests": [
    ...["192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
    ...["2001:db8::/32", "3fff::/20"],
  ],
  "a reserved address": ["192.0.0.0/24", "240.0.0.0/4", "2001::/23"],
};

/**
 * Kinds that a wide network such as `::/0` does not allow. An entry has to be one of their networks, or a part of one:
 * `127.0.0.0/8`, `169.254.169.254`.
 */
const NAMED_ONLY: ReadonlySet<string> = new Set([
  "an address of a cloud's metadata",
  "a loopback address",
  "an unspecified address",
  "a link-local address",
]);

/** The prefix behind which a network without IPv4 reaches an address of IPv4 (RFC 6052). */
const NAT64 = "64:ff9b::";
/** Of IPv6, only these are given out, or stand for an address of IPv4, which is looked at. All others are refused. */
const PUBLIC_IPV6 = listOf(["2000::/3", "::ffff:0:0/96", `${NAT64}/96`]);
const refused = Object.entries(REFUSED).map(([kind, networks]) => [kind, listOf(networks)] as const);

/** Which addresses a request may go to. */
export class AddressRules {
  /** Whether the operator allows networks of his own. */
  readonly allowsNetworks: boolean;
  readonly #allowed: BlockList;
  /** The entries that name addresses of a kind, by those kinds that have to be named. */
  readonly #named: ReadonlyMap<string, BlockList>;

  /**
   * @param allowed networks and addresses that may be reached whatever they are: `10.0.0.0/8`
   * @throws Error that names an entry which is neither an address nor a network
   */
  constructor(allowed: readonly string[]) {
    this.allowsNetworks = allowed.length > 0;
    this.#allowed = listOf(allowed);
    this.#named = new Map([...NAMED_ONLY].map((kind) => [kind, listOf(allowed.filter(isOfKind(kind)))]));
  }

  /** What is wrong with an address, as in "127.0.0.1 is a loopback address"; undefined when it may be reached. */
  problemOf(address: string): string | undefined {
    // A zone says through which of this machine's interfaces the address is reached.
    const [bare = ""] = address.split("%");
    const family = familyOf(bare);
    if (family === undefined) return `'${address}' is no address`;
    const [kind] = refused.find(([, networks]) => networks.check(bare, family)) ?? [];
    const allowed = this.#named.get(kind ?? "") ?? this.#allowed;
    if (allowed.check(bare, family)) return undefined;
    if (kind !== undefined) return `${address} is ${kind}`;
    const isPublic = family === "ipv4" || PUBLIC_IPV6.check(bare, family);
    return isPublic ? undefined : `${address} is a reserved address`;
  }
}

/** Whether a network lies within one of a kind. */
function isOfKind(kind: string): (network: string) => boolean {
  const networks = (REFUSED[kind] ?? []).map((text) => ({ list: listOf([text]), ...readNetwork(text) }));
  return (network) => {
    const { address, bits, family } = readNetwork(network);
    return networks.some(
      (each) => each.family === family && bits >= each.bits && each.list.check(address, family),
    );
  };
}

/**
 * The list finds an address of IPv4 also where it is written as one of IPv6, `::ffff:10.0.0.1`. Behind the prefix of
 * NAT64 it does not.
 */
function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const { address, bits, family } of networks.map(readNetwork)) {
    list.addSubnet(address, bits, family);
    if (family === "ipv4") list.addSubnet(NAT64 + address, 96 + bits, "ipv6");
  }
  return list;
}
