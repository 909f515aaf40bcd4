// Calls in the formats of other tools: one as a command for curl, those shown as one HTTP Archive file.
import type { Call, CallContent, LoggedCall } from '#contract';

/** Headers of one connection or client, for which curl sends its own. */
const leftOut =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect|user-agent|accept-encoding|accept-language|sec-.*|origin|referer)$/i;
const isMasked = (value: string): boolean => value.includes('•••');

/** A command for a Unix shell that repeats the call, with the key in `$ROWBENCH_KEY`. */
export function callAsCurl(url: string, call: LoggedCall, { requestHeaders, sent }: CallContent): string {
  const verb = call.method === 'GET' ? [] : [`-X ${call.method}`];
  const own = requestHeaders.filter(
    ([name, value]) => !leftOut.test(name) && !isMasked(value) && !(name === 'accept' && value === '*/*'),
  );
  const note = sent.bytes > 0 && !sent.isWhole ? [`# ${cutNote}`] : [];
  // In a URL, curl reads brackets as a range or a set; -g turns that off.
  const plain = /[[\]{}]/.test(`${url}${call.path}`) ? ['-g'] : [];
  const line = [
    ['curl -sS', ...plain, ...verb, quoted(`${url}${call.path}`)].join(' '),
    // In double quotes, so that the shell inserts the key.
    '-H "x-service-key: $ROWBENCH_KEY"',
    ...own.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...bodyOf(sent),
  ].join(' \\\n  ');
  return [...note, line].join('\n');
}

const cutNote = 'The body was not kept whole: write it to body.json first.';

function bodyOf({ text, bytes, isWhole }: CallContent['sent']): readonly string[] {
  if (bytes === 0) return [];
  return isWhole ? [`--data-raw ${quoted(text)}`] : ['--data-binary @body.json'];
}

/** Between single quotes, only another single quote is special to a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Pieces of an HTTP Archive file of the calls, in order. Throws `ControlError`. */
export async function harPieces(
  call: Call,
  numbers: readonly number[],
  version: string,
): Promise<readonly string[]> {
  const creator = JSON.stringify({ name: 'Rowbench', version });
  const pieces = [`{"log":{"version":"1.2","creator":${creator},"entries":[`];
  // Oldest first, as the tools that read it expect.
  const sorted = numbers.toSorted((a, b) => a - b);
  let isFirst = true;
  for (let start = 0; start < sorted.length;) {
    const { entries, taken } = await call('calls.har', { numbers: sorted.slice(start) });
    start += Math.max(1, taken);
    if (entries.length === 0) continue;
    const text = JSON.stringify(entries).slice(1, -1);
    pieces.push(isFirst ? text : `,${text}`);
    isFirst = false;
  }
  return [...pieces, ']}}'];
}
