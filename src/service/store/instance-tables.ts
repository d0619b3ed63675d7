/** Who works on the records. Times are those of the database's clock, in Unix seconds. */
export interface InstanceTables {
  /** The processes that serve the records, each until it stops or is not seen any more. */
  instances: { id: string; version: string; host: string; started_at: number; seen_at: number };
  /** Work that one instance at a time does. */
  leases: {
    name: string;
    /** The instance that does it; empty when it was given back. */
    holder: string;
    expires_at: number;
    /** When it was done last; null before. */
    ended_at: number | null;
  };
  /** The steps after which no older version can work on the records. */
  breaking_steps: { name: string };
}
