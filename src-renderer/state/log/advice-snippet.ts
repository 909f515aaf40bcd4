// Snippets for the advice of the polling doctor: what the client should do instead, in its own language.
import type { Advice } from '#contract';

type Language = 'JavaScript' | 'Python' | 'Shell';
export type AdviceSnippet = { readonly language: Language; readonly text: string };

/** Undefined if the advice needs no snippet. */
export function adviceSnippet(advice: Advice, url: string): AdviceSnippet | undefined {
  const { kind, workflowId = 'WORKFLOW_ID', runId, safeMs = 10_000 } = advice;
  const runs = `${url}/api/v1/workflows/${encodeURIComponent(workflowId)}/runs`;
  if (kind === 'key-place' || kind === 'key-missing') {
    return {
      language: 'Shell',
      text: `curl -sS '${runs}/${encodeURIComponent(runId ?? 'RUN_ID')}/async/status' \\\n  -H "x-service-key: $ROWBENCH_KEY"`,
    };
  }
  if (runId === undefined) {
    if (kind !== 'over-limit' && kind !== 'near-limit') return undefined;
    const text = `curl -sS '${runs}/async' \\\n  -H "x-service-key: $ROWBENCH_KEY" \\\n  -H 'content-type: application/json' \\\n  -d '{"rows":[{…},{…},{…}]}'`;
    return { language: 'Shell', text };
  }
  if (!polls.has(kind)) return undefined;
  const language = languageOf(advice.client);
  const run = `${runs}/${encodeURIComponent(runId)}/async`;
  return { language, text: loops[language](run, Math.max(1, safeMs / 1000)) };
}

const polls: ReadonlySet<Advice['kind']> = new Set([
  'over-limit',
  'near-limit',
  'finished-run',
  'early-output',
  'scenario',
]);

function languageOf(client: string): Language {
  if (/^(?:node|undici|axios|got|deno|bun|a browser)/i.test(client)) return 'JavaScript';
  return /^(?:python|aiohttp|httpx)/i.test(client) ? 'Python' : 'Shell';
}

const loops: Readonly<Record<Language, (run: string, seconds: number) => string>> = {
  JavaScript: (run, seconds) => `const headers = { 'x-service-key': process.env.ROWBENCH_KEY };
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
let status;
do {
  await sleep(${seconds});
  const answer = await fetch('${run}/status', { headers });
  if (answer.status === 429) await sleep(Number(answer.headers.get('retry-after')));
  else if (!answer.ok) throw new Error(await answer.text());
  else status = (await answer.json()).data.status;
} while (!['completed', 'failed', 'cancelled'].includes(status));
console.log(status);`,
  Python: (run, seconds) => `import json, os, time, urllib.error, urllib.request

request = urllib.request.Request("${run}/status", headers={"x-service-key": os.environ["ROWBENCH_KEY"]})
status = None
while status not in ("completed", "failed", "cancelled"):
    time.sleep(${seconds})
    try:
        status = json.load(urllib.request.urlopen(request))["data"]["status"]
    except urllib.error.HTTPError as error:
        if error.code != 429:
            raise
        time.sleep(int(error.headers["Retry-After"]))
print(status)`,
  Shell: (run, seconds) => `while :; do
  sleep ${seconds}
  answer=$(curl -sSi -H "x-service-key: $ROWBENCH_KEY" '${run}/status')
  wait=$(printf '%s\\n' "$answer" | tr -d '\\r' | sed -n 's/^[Rr]etry-[Aa]fter: *//p')
  [ -n "$wait" ] && sleep "$wait" && continue
  case $answer in *'"status":"completed"'* | *'"status":"failed"'* | *'"status":"cancelled"'* | *'"success":false'*) break ;; esac
done
printf '%s\\n' "$answer" | tail -n 1`,
};
