import { BlockList } from "node:net";
import { familyOf, readNetwork } from "../../kernel/networks.ts";

/**
 * Networks that notifications may not reach: IANA's special-purpose registries and networks that clouds reserve. The
 * first match describes an address.
 */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "a cloud metadata address": [
    ...["169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200"],
    ...["fd00:ec2::254", "fd00:ec2::23"],
    // Azure's wire server. It is in a public network.
    "168.63.129.16",
  ],
  "a loopback address": ["127.0.0.0/8", "::1"],
  "an unspecified address": ["0.0.0.0/8", "::"],
  "a private address": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"],
  "a link-local address": ["169.254.0.0/16", "fe80::/10"],
  "a carrier-grade NAT address": ["100.64.0.0/10"],
  "a multicast or broadcast address": ["224.0.0.0/4", "255.255.255.255", "ff00::/8"],
  "a tunnel address": ["192.88.99.0/24", "2001::/32", "2002::/16"],
  "an address for documentation or tests": [
    ...["192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
    ...["2001:db8::/32", "3fff::/20"],
  ],
  "a reserved address": ["192.0.0.0/24", "240.0.0.0/4", "2001::/23"],
};

/** The prefix with which a network without IPv4 reaches IPv4 addresses (RFC 6052). */
const NAT64 = "64:ff9b::";
/** Public IPv6 networks, and those that map IPv4 addresses, which are checked. All others are refused. */
const PUBLIC_IPV6 = listOf(["2000::/3", "::ffff:0:0/96", `${NAT64}/96`]);
const refused = Object.entries(REFUSED).map(([kind, networks]) => [kind, listOf(networks)] as const);

/** Kinds that a wide network such as `::/0` does not allow. They need a specific entry: `127.0.0.0/8`. */
const NAMED_ONLY = [
  "a cloud metadata address",
  "a loopback address",
  "an unspecified address",
  "a link-local address",
].map((kind) => [kind, isOfKind(kind)] as const);

export class AddressRules {
  /** Whether the operator allows any networks. */
  readonly allowsNetworks: boolean;
  readonly #allowed: BlockList;
  /** The allowed networks inside each kind of `NAMED_ONLY`. */
  readonly #named: ReadonlyMap<string, BlockList>;

  /** @param allowed networks and addresses such as `10.0.0.0/8` @throws Error naming an invalid entry */
  constructor(allowed: readonly string[]) {
    this.allowsNetworks = allowed.length > 0;
    this.#allowed = listOf(allowed);
    this.#named = new Map(NAMED_ONLY.map(([kind, isOf]) => [kind, listOf(allowed.filter(isOf))]));
  }

  /** The reason to refuse an address: `127.0.0.1 is a loopback address`. Undefined if it is allowed. */
  problemOf(address: string): string | undefined {
    // Removes the zone, which identifies a network interface.
    const [bare = ""] = address.split("%");
    const family = familyOf(bare);
    if (family === undefined) return `'${address}' is not an IP address`;
    const [kind] = refused.find(([, networks]) => networks.check(bare, family)) ?? [];
    const allowed = this.#named.get(kind ?? "") ?? this.#allowed;
    if (allowed.check(bare, family)) return undefined;
    if (kind !== undefined) return `${address} is ${kind}`;
    const isPublic = family === "ipv4" || PUBLIC_IPV6.check(bare, family);
    return isPublic ? undefined : `${address} is a reserved address`;
  }
}

function isOfKind(kind: string): (network: string) => boolean {
  const networks = (REFUSED[kind] ?? []).map((text) => ({ list: listOf([text]), ...readNetwork(text) }));
  return (network) => {
    const { address, bits, family } = readNetwork(network);
    return networks.some(
      (each) => each.family === family && bits >= each.bits && each.list.check(address, family),
    );
  };
}

/** Adds NAT64 forms. A `BlockList` matches `::ffff:10.0.0.1` without help. */
function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const { address, bits, family } of networks.map(readNetwork)) {
    list.addSubnet(address, bits, family);
    if (family === "ipv4") list.addSubnet(NAT64 + address, 96 + bits, "ipv6");
  }
  return list;
}
