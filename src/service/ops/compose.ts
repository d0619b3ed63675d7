import { type DeliveryParts, makeDeliveries } from "../delivery/attempts/deliver.ts";
import { type Clock, databaseClock } from "../delivery/attempts/lease.ts";
import { type MailOptions, openSenders } from "../delivery/attempts/senders.ts";
import {
  keyedHash,
  open,
  readSealingKey,
  type SealingKey,
  seal,
  Unopened,
} from "../delivery/outgoing/sealed.ts";
import { type TargetOptions, targetRules } from "../delivery/outgoing/target-address.ts";
import { unsubscribeAddress } from "../delivery/rules/unsubscribe.ts";
import { openEvidenceLog } from "../events/log/evidence-log.ts";
import type { ServiceLimits } from "../http/limits.ts";
import { makePatternMatcher } from "../judging/patterns/pattern-matcher.ts";
import { openPolicyEngine } from "../judging/policy-engine.ts";
import { makeTypeEvaluator } from "../judging/type-rules/evaluator.ts";
import type { Organization } from "../kernel/caller.ts";
import { Conflict } from "../kernel/errors.ts";
import { makeLinks } from "../kernel/links.ts";
import type { Log } from "../kernel/log.ts";
import { LongWork } from "../kernel/long-work.ts";
import type { SecretBox, ServiceContext } from "../operation/context.ts";
import { type IssuerOptions, openIssuers } from "../people/identity/issuers.ts";
import { openLogins } from "../people/sign-in/logins.ts";
import type { LoginProvider } from "../people/sign-in/provider.ts";
import { agreeOnOwner } from "../store/blobs/agree-on-owner.ts";
import { type Attachments, openAttachments } from "../store/blobs/attachments.ts";
import { observedPlace, type PlaceObserver } from "../store/blobs/observed-place.ts";
import { openPlaceOf } from "../store/blobs/open-place.ts";
import { openRecords, openServedRecords } from "../store/open-records.ts";
import { keyInFile, secretKeyFile } from "../store/secret-key-file.ts";
import type { StoreObserver } from "../store/store.ts";
import { sha256 } from "../store/target-addresses.ts";
import { Opened } from "./backup/opened.ts";
import type { RecordLocation } from "./backup/original.ts";

export interface Settings extends RecordLocation {
  /** The key that encrypts secrets of notifications. By default, one is created in the data folder. */
  readonly secretKey?: SealingKey | undefined;
  /** Allowed targets of notifications beyond public addresses with TLS. */
  readonly outgoing?: TargetOptions | undefined;
  /** Settings for sending email; without them, none is sent. */
  readonly mail?: MailOptions | undefined;
  readonly issuers: readonly IssuerOptions[];
  /** Providers that sign people in to all organizations of their role maps. */
  readonly loginProviders?: readonly LoginProvider[];
  /** Name of the organization whose admins operate the service. */
  readonly operators?: string | undefined;
  readonly limits: ServiceLimits;
  /** The public URL; by default its own address. */
  readonly publicUrl?: string | undefined;
  /** Path of the program that evaluates Rego policies; without it, none are evaluated. */
  readonly opa?: string | undefined;
}

interface Own extends Pick<DeliveryParts, "isBusy" | "attempted"> {
  readonly id: string;
  /** This thread's folder for files while they arrive. */
  readonly incoming: string;
  readonly address: () => string;
  readonly log: Log;
  readonly observer: StoreObserver;
  readonly observePlace?: PlaceObserver;
  /** The time, in Unix seconds with a fraction. By default the machine's, and for deliveries the database's. */
  readonly now?: (() => number) | undefined;
  readonly watch?: (attachments: Attachments) => Attachments;
  /** In a worker thread, called for new deliveries within the write that adds them. */
  readonly wakeOther?: () => void;
}

/** A worker thread answers only a few requests at a time. */
const POOL = 4;

/** Opens everything that answers requests, once for the service and once for each worker thread. */
export async function compose(settings: Settings, own: Own) {
  const { dataFolder, database, attachmentsAt, limits, outgoing = { allowTargets: [] } } = settings;
  const { log, observer, now = () => Date.now() / 1000, isBusy, attempted, wakeOther } = own;
  const helps = wakeOther !== undefined;
  await using opened = new Opened();
  const store = await (helps
    ? openServedRecords({ dataFolder, database: database && { ...database, pool: POOL }, log, observer })
    : openRecords({ dataFolder, database, log, observer }));
  opened.add(() => store.close());
  const opens = await openPlaceOf({ dataFolder, attachmentsAt, alone: !helps }, log);
  const place = own.observePlace === undefined ? opens : observedPlace(opens, own.observePlace);
  opened.add(() => place.close());
  if (!helps) await agreeOnOwner({ store, place, own: attachmentsAt === undefined });
  const secrets = openSecretBox(settings);
  const links = makeLinks(own.address);
  const { senders, close: closeSenders } = openSenders({
    ...{ outgoing, secrets, now, mail: settings.mail, mailRate: limits.mailRate },
    unsubscribeAt: (targetId) => unsubscribeAddress(targetId, { links, secrets }),
  });
  opened.add(closeSenders);
  const clock: Clock = own.now === undefined ? databaseClock : async () => now();
  const parts = { store, senders, clock, log, ...(isBusy && { isBusy }), ...(attempted && { attempted }) };
  const deliveries = makeDeliveries(parts, own.id);
  opened.add(() => deliveries.stop());
  const files = await openAttachments({ place, incoming: own.incoming, store, now, log });
  const typeEvaluator = makeTypeEvaluator();
  opened.add(() => typeEvaluator.close());
  const patterns = makePatternMatcher();
  opened.add(() => patterns.close());
  const policyEngine =
    helps || settings.opa === undefined
      ? undefined
      : await openPolicyEngine({ path: settings.opa, instanceId: own.id });
  opened.add(() => policyEngine?.close());
  const issuers = openIssuers({ issuers: settings.issuers, outgoing, now, log });
  opened.add(() => issuers.close());
  const logins = openLogins({ providers: settings.loginProviders ?? [], outgoing, now, log });
  opened.add(() => logins.close());
  const { checkpoints } = place;
  // Services without a public URL could have the same address.
  const originOf = ({ id, name }: Pick<Organization, "id" | "name">) =>
    settings.publicUrl === undefined ? `${name}.${id}` : links.log(name).replace(/^https?:\/\//, "");
  const evidenceLog = openEvidenceLog({ store, secrets, originOf, checkpoints, now });
  const context: ServiceContext = {
    ...{
      store,
      links,
      typeEvaluator,
      patterns,
      policyEngine,
      secrets,
      evidenceLog,
      issuers,
      now,
      longWork: new LongWork(),
    },
    attachments: own.watch?.(files) ?? files,
    serviceLogins: logins.providers.map(({ name }) => name),
    operators: settings.operators,
    writeAll: store.write,
    deliveries: helps ? { ...deliveries, wake: wakeOther } : deliveries,
    targetRules: targetRules(outgoing),
    ...{ maxRules: limits.maxRules, log },
  };
  return { context, logins, deliveries, clock, ...opened.keep() };
}

/** With a database, which other instances may share, the records are not in the data folder. */
type KeyPlace = Pick<Settings, "secretKey" | "dataFolder"> & { readonly database?: object | undefined };

/** Without an operator's key, one is created in the data folder. Instances on a database could not share it. */
export function openSecretBox({ secretKey, dataFolder, database }: KeyPlace): SecretBox {
  let known = secretKey;
  const hasKey = () => secretKey !== undefined || (database === undefined && dataFolder !== undefined);
  const key = (): SealingKey => {
    if (known === undefined) {
      if (dataFolder === undefined || !hasKey()) throw new Conflict("secret_key.unusable", NO_KEY);
      const file = secretKeyFile(dataFolder);
      known = readSealingKey(keyInFile(file), file);
    }
    return known;
  };
  return {
    seal: (owner, text) => seal(text, owner, key()),
    hash: (text) => (hasKey() ? keyedHash(text, key()) : sha256(text)),
    open(owner, sealed) {
      try {
        return open(sealed, owner, key());
      } catch (error) {
        if (error instanceof Unopened) throw new Conflict("secret_key.unusable", UNOPENED[error.reason]);
        throw error;
      }
    },
  };
}

const NO_KEY =
  "The service has no key for encrypting secrets: start it with --secret-key-file FILE or EVIDENCE_SECRET_KEY, " +
  "containing 32 bytes as base64 or hex";

const UNOPENED = {
  other_key:
    "A secret was encrypted with another key than the service has now: start it with the former key, or save the rules again and rotate the secrets",
  damaged: "A stored secret is damaged: rotate it",
} as const;
