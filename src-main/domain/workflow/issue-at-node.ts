import type { Issue } from './issue.ts';
import { readFile } from './read-file.ts';

/** An error that shows only when other files are looked at, at a key of a node of a file that parses. */
export function issueAtNode(
  text: string,
  { nodeId, nodeIndex }: { readonly nodeId: string; readonly nodeIndex: number },
  { key, message }: { readonly key: string; readonly message: string },
): Issue {
  const place = readFile(text).document?.positionOf({ path: ['nodes', nodeIndex, key] });
  return { severity: 'error', message, nodeId, ...(place ?? { line: 1, column: 1 }) };
}
