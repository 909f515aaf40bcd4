export const builderFuses: readonly string[];
export const ownFuses: Readonly<Record<string, boolean>>;
export function setOwnFuses(binary: Buffer, electronFuses: Readonly<Record<string, unknown>>): void;
