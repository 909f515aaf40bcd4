// A workflow as a person reads it before trusting it: whom it may call, what it sends along, all of its code.
import type { Reach } from '../domain/trust/reach.ts';
import { counted } from '../domain/format.ts';
import { printable } from './format.ts';

/** The heading and everything that the workflow could do, each on lines of its own; ends with a newline. */
export function describeReach({ calls, workflows, code }: Reach): string {
  const hosts = calls.map(
    ({ nodeId, line, origin, url, secret }) =>
      `    ${nodeId} (line ${line}): ${origin ?? `computed at run time: ${url}`}` +
      (secret === undefined ? '' : `, with the secret ${secret}`),
  );
  const pieces = code.flatMap(({ nodeId, line, keyPath: key, source }) => [
    `    ${nodeId}.${key} (line ${line}):`,
    ...source.split(/\r\n|[\r\n\u2028\u2029]/).map((text) => `      ${text}`),
  ]);
  const lines = [
    ...(hosts.length === 0
      ? ['  makes no calls']
      : [`  calls (${counted(hosts.length, 'node')}):`, ...hosts]),
    ...(workflows.length === 0 ? [] : [`  runs the workflows ${workflows.join(', ')}`]),
    ...(code.length === 0 ? ['  has no code'] : [`  code (${counted(code.length, 'piece')}):`, ...pieces]),
  ];
  return lines.map((line) => `${cleaned(line)}\n`).join('');
}

/** The indentation of code stays; what could steer the terminal does not. */
const cleaned = (line: string): string => line.split('\t').map(printable).join('  ');
