/** Arguments that `npm start` passes to the command line, and whether they open a browser. */
export function serveArguments(
  options: readonly string[],
  isTerminal: boolean,
): { readonly opensBrowser: boolean; readonly arguments: readonly string[] };
