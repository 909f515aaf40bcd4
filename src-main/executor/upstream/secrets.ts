/** What the broker needs to know of a secret. It reads it for one call, and keeps it no longer. */
export type UpstreamSecret = {
  readonly name: string;
  readonly value: string;
  /** Where it may be sent: `host`, or `host:port` where the port is not the scheme's own. */
  readonly hosts: readonly string[];
};

export interface SecretSource {
  /** Undefined for a name that stands for none. Rejects when secrets cannot be read. */
  find(name: string): Promise<UpstreamSecret | undefined>;
}
