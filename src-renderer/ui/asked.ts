/** What was asked of the server, as far as it was answered. */
export type Asked<Value> = {
  /** Undefined until there is an answer. */
  readonly value: Value | undefined;
  /** Why the newest asking came to nothing. */
  readonly problem: unknown;
  readonly isAsking: boolean;
  readonly retry: () => Promise<void>;
};
