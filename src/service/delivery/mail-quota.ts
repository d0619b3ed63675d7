const HOUR = 60 * 60;

/** Counts the mails of each organization in the current hour. */
export class MailQuota {
  /** Mails an hour; 0 is no limit. */
  readonly limit: number;
  readonly #sent = new Map<string, number>();
  #hour = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Counts one mail.
   *
   * @param now Unix seconds
   * @returns the seconds to wait if the limit is reached, else undefined
   */
  take(orgId: string, now: number): number | undefined {
    if (this.limit === 0) return undefined;
    const hour = Math.floor(now / HOUR);
    if (hour !== this.#hour) this.#sent.clear();
    this.#hour = hour;
    const sent = this.#sent.get(orgId) ?? 0;
    if (sent >= this.limit) return (hour + 1) * HOUR - now;
    this.#sent.set(orgId, sent + 1);
    return undefined;
  }
}
