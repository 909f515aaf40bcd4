/** The path of a browser that is installed already; undefined where Playwright's own is to be used. */
export function findBrowser(): string | undefined;
