import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { callSnippet, shellOf, type Shell } from '../../../src-main/cli/welcome.ts';

const url = 'http://127.0.0.1:4170/api/v1/workflows/w/runs/async';
const body = JSON.stringify({ rows: [{ name: `O'Neil "X" $HOME \`id\` \\ %PATH%` }] });

const snippet = (shell: Shell): string => callSnippet({ shell, method: 'POST', url, apiKey: 'rbk_k', body });

/** The words that a POSIX shell hands to curl. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

/** The words as a Windows program splits its command line, by the rules of the C runtime. */
function windowsWordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:"(?:[^"\\]|\\+[^"\\]|\\*\\")*\\*"|[^\s"])+/g)].map(([word]) => word);
  return words.map((word) =>
    word.startsWith('"')
      ? word
          .slice(1, -1)
          .replaceAll(/(\\*)\\"/g, (_, slashes: string) => `${slashes.slice(0, slashes.length / 2)}"`)
      : word,
  );
}

describe('a call to paste', () => {
  it('reaches curl whole from a POSIX shell, whatever the body holds', () => {
    expect(wordsOf(snippet('posix'))).toEqual([
      ...['-sS', '-X', 'POST', url, '-H', 'x-service-key: rbk_k'],
      ...['-H', 'content-type: application/json', '-d', body],
    ]);
  });

  it('has no body and no verb for a GET', () => {
    expect(callSnippet({ shell: 'posix', method: 'GET', url, apiKey: 'k' })).toBe(
      `curl -sS ${url} -H 'x-service-key: k'`,
    );
  });

  it('escapes quotes for cmd as curl reads them', () => {
    const words = windowsWordsOf(
      callSnippet({ shell: 'cmd', method: 'POST', url, apiKey: 'k', body: '{"a":"b"}' }),
    );
    expect(words.at(-1)).toBe('{"a":"b"}');
    expect(snippet('cmd')).toContain(String.raw`\"rows\"`);
  });

  it.each(['cmd', 'powershell'] as const)('holds nothing that %s would run, and the same row', (shell) => {
    const row = { text: 'a" & calc | more > %TEMP%\\x ^ ! ’; calc; ‘ é 😀' };
    const line = callSnippet({
      shell,
      method: 'POST',
      url,
      apiKey: 'k',
      body: JSON.stringify({ rows: [row] }),
    });
    const sent = line.slice(line.indexOf('{', line.indexOf(shell === 'cmd' ? ' -d ' : ' -Body ')));
    expect(sent.split(' | ConvertTo-Json')[0]).not.toMatch(/[%&|<>^!]|[^ -~]/);
    const words =
      shell === 'cmd' ? windowsWordsOf(line) : (/-Body '((?:[^']|'')*)'/.exec(line)?.slice(1) ?? []);
    expect(JSON.parse((words.at(-1) ?? '').replaceAll("''", "'"))).toEqual({ rows: [row] });
  });

  it('shows a terminal nothing that it would obey', () => {
    const row = { text: '\u001b[2J\u009b2J\u202e\u2028é' };
    const line = callSnippet({
      shell: 'posix',
      method: 'POST',
      url,
      apiKey: 'k',
      body: JSON.stringify({ rows: [row] }),
    });
    expect(line).toMatch(/^[ -~é]*$/);
    expect(JSON.parse(wordsOf(line).at(-1) ?? '')).toEqual({ rows: [row] });
  });

  it('is a PowerShell command with single quotes doubled', () => {
    const sent = body.replaceAll("'", "''").replaceAll('%', String.raw`\u0025`);
    expect(snippet('powershell')).toContain(`-Body '${sent}'`);
  });

  it.each([
    ['linux', {}, 'posix'],
    ['darwin', {}, 'posix'],
    ['win32', { USERPROFILE: 'C:\\Users\\a', PSModulePath: 'C:\\Program Files\\WindowsPowerShell' }, 'cmd'],
    [
      'win32',
      { USERPROFILE: 'C:\\Users\\a', PSModulePath: 'c:\\users\\A\\Documents\\PowerShell' },
      'powershell',
    ],
  ] as const)('on %s with %j is written for %s', (platform, env, shell) => {
    expect(shellOf(platform, env)).toBe(shell);
  });
});
