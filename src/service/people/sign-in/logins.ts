import { guardedAgent } from "../../delivery/outgoing/guarded-agent.ts";
import type { TargetOptions } from "../../delivery/outgoing/target-address.ts";
import type { Log } from "../../kernel/log.ts";
import { GitHubParty } from "./github-party.ts";
import type { Party } from "./party.ts";
import type { LoginProvider } from "./provider.ts";
import { RelyingParty } from "./relying-party.ts";

interface LoginsParts {
  /** Providers of the operator's file. */
  readonly providers: readonly LoginProvider[];
  readonly outgoing: TargetOptions;
  /** Unix seconds. */
  readonly now: () => number;
  readonly log: Log;
}

export interface Logins {
  /** Providers of the operator's file. */
  readonly providers: readonly LoginProvider[];
  readonly log: Log;
  /** Speaks with a provider. It is kept until the settings of the provider change. */
  partyOf(provider: LoginProvider): Party;
  close(): Promise<void>;
}

/**
 * The operator's file may name any address except the metadata of clouds; organizations only public ones, or those that
 * the operator allows.
 */
const ANY_TARGET: TargetOptions = {
  allowTargets: ["0.0.0.0/0", "::/0", "127.0.0.0/8", "::1"],
  allowHttpTargets: true,
};

export function openLogins({ providers, outgoing, now, log }: LoginsParts): Logins {
  const parties = new Map<string, { settings: string; party: Party }>();
  const agents = new Map<TargetOptions, ReturnType<typeof guardedAgent>>();
  const agentOf = (options: TargetOptions) => {
    const agent = agents.get(options) ?? guardedAgent(options);
    agents.set(options, agent);
    return agent;
  };
  return {
    providers,
    log,
    partyOf(provider) {
      const settings = JSON.stringify(provider);
      const known = parties.get(provider.name);
      if (known?.settings === settings) return known.party;
      const agent = agentOf(providers.includes(provider) ? ANY_TARGET : outgoing);
      const parts = { provider, agent, now, log };
      const party = provider.kind === "github" ? new GitHubParty(parts) : new RelyingParty(parts);
      parties.set(provider.name, { settings, party });
      return party;
    },
    async close() {
      for (const agent of agents.values()) await agent.close();
    },
  };
}
