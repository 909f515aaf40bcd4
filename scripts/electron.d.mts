/** The path of Electron's binary; undefined where it is not installed. */
export function findElectron(): string | undefined;
