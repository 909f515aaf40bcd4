/** The parts of a secret that a client may see. Its value is never returned. */
export type SecretView = {
  readonly name: string;
  readonly hosts: readonly string[];
  /** null for one that this process was started with. */
  readonly createdAt: string | null;
};
