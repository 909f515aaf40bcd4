/** The questions of a store, each answered later. */
export type Asynchronous<Store> = {
  readonly [Name in keyof Store]: Store[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never;
};
