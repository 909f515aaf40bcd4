/** A secret as far as anybody may see it. Its value never comes back. */
export type SecretView = {
  readonly name: string;
  readonly hosts: readonly string[];
  /** null for one that this process was started with. */
  readonly createdAt: string | null;
};
