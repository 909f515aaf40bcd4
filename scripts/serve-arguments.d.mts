/** What `npm start` passes to the command line, and whether that opens a browser. */
export function serveArguments(
  options: readonly string[],
  isTerminal: boolean,
): { readonly opensBrowser: boolean; readonly arguments: readonly string[] };
