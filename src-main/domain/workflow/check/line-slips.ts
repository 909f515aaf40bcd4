// Slips of the pen in one line of a workflow file, each with the line as it should be: a tab, a missing space, a missing
// colon. Called by syntax-issues.ts for the line of an error that the YAML library reports.
import type { CodeProblem } from '../../expressions/code-problem.ts';

type Slip = {
  /** Matches the line behind its indentation and dashes. */
  readonly pattern: RegExp;
  readonly message: (match: RegExpExecArray) => string;
};

const slips: readonly Slip[] = [
  { pattern: /^-([\w"'].*)$/, message: ([, rest]) => `Put a space after the dash: - ${rest}` },
  {
    // The value of an address ("https://…") is no key.
    pattern: /^([\w-]+):([^\s:/].*)$/,
    message: ([, key, value]) => `Put a space after the colon: ${key}: ${value}`,
  },
  {
    pattern: /^([\w-]+): +([^{}"']+: [^{}]*\})$/,
    message: ([, key, value]) => `Put a { before this: ${key}: { ${value}`,
  },
  { pattern: /^([\w-]+)$/, message: ([key]) => `Put a colon after this key: ${key}:` },
  {
    pattern: /^([\w-]+) +(\S+|[{["'].*)$/,
    message: ([, key, value]) => `Put a colon after "${key}": ${key}: ${value}`,
  },
];

/** @param start the offset of the line in the text */
export function lineSlip(line: string, start: number): CodeProblem | undefined {
  const indent = /^\s*(?:- +)*/.exec(line)?.[0] ?? '';
  const tab = indent.indexOf('\t');
  if (tab >= 0)
    return { message: 'Indent this line with spaces: YAML does not allow tabs', offset: start + tab };
  const rest = line
    .slice(indent.length)
    .replace(/\s+#.*$/, '')
    .trimEnd();
  for (const { pattern, message } of slips) {
    const match = pattern.exec(rest);
    if (match !== null) return { message: message(match), offset: start + indent.length };
  }
  return undefined;
}
