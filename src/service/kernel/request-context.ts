/** Who does something, in which organization, and when. */
export interface Occasion {
  orgId: string;
  accountName: string;
  /** Unix seconds. */
  now: number;
}
