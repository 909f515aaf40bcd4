// Small programs that start a run, wait for its end within the service's limits, and print the outputs. They poll every
// ten seconds, wait as long as a 429 response says, and know the final statuses. They are plain text, so that a spec
// can run them against a server. They contain a key only if the caller passes one; otherwise they read it from
// ROWBENCH_KEY.
import type { ProgramLanguage } from '../../format/program-text.ts';

export type SnippetOptions = {
  readonly url: string;
  readonly workflowId: string;
  /** Rows of the example. */
  readonly rows: readonly unknown[];
  /** A key that the user has just created. */
  readonly key?: string | undefined;
};

export type ClientSnippet = {
  readonly id: 'sh' | 'javascript' | 'python' | 'go';
  readonly title: string;
  readonly language: ProgramLanguage;
  /** Name of the file, and the command that runs it. */
  readonly file: string;
  readonly command: string;
  readonly text: string;
};

/** Seconds between polls: the service allows six per minute and run. */
const pollEverySeconds = 10;
/** Seconds before the first poll: a run of a few rows has ended by then. */
const firstPollSeconds = 2;

export function clientSnippets(options: SnippetOptions): readonly ClientSnippet[] {
  return [
    {
      id: 'sh',
      title: 'sh',
      language: 'shell',
      file: 'run.sh',
      command: 'sh run.sh',
      text: shellText(options),
    },
    {
      id: 'javascript',
      title: 'JavaScript',
      language: 'javascript',
      file: 'run.mjs',
      command: 'node run.mjs',
      text: javascriptText(options),
    },
    {
      id: 'python',
      title: 'Python',
      language: 'python',
      file: 'run.py',
      command: 'python3 run.py',
      text: pythonText(options),
    },
    {
      id: 'go',
      title: 'Go',
      language: 'go',
      file: 'run.go',
      command: 'go run run.go',
      text: goText(options),
    },
  ];
}

/** JSON without quotes and backticks that could end a string in any of the languages. */
const safeJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll("'", '\\u0027').replaceAll('`', '\\u0060');

const runsOf = ({ url, workflowId }: SnippetOptions): string => `${url}/api/v1/workflows/${workflowId}/runs`;

const keyNote = ({ key }: SnippetOptions): string =>
  key === undefined
    ? 'Needs a key: export ROWBENCH_KEY=rbk_...'
    : 'Keep this file private: it contains a key.';

const shellText = (options: SnippetOptions): string => `#!/bin/sh
# ${keyNote(options)}
set -eu
${options.key === undefined ? '' : `ROWBENCH_KEY='${options.key}'\n`}runs='${runsOf(options)}'
temporary=$(mktemp -d)
trap 'rm -r "$temporary"' EXIT

# call URL [CURL OPTIONS]: leaves the answer in $answer; waits when a limit is reached
call() {
  while :; do
    code=$(curl -sS -H "x-service-key: $ROWBENCH_KEY" -D "$temporary/head" -o "$temporary/body" -w '%{http_code}' "$@")
    answer=$(cat "$temporary/body")
    case $code in
      2??) return ;;
      429) sleep "$(sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' "$temporary/head")" ;;
      *) printf '%s: %s\\n' "$code" "$answer" >&2; exit 1 ;;
    esac
  done
}

call "$runs/async" -H 'content-type: application/json' -d '${safeJson({ rows: options.rows })}'
run=$(printf '%s' "$answer" | sed 's/.*"runId":"\\([^"]*\\)".*/\\1/')
sleep ${firstPollSeconds}
while :; do
  call "$runs/$run/async/status"
  status=$(printf '%s' "$answer" | sed 's/.*"status":"\\([^"]*\\)".*/\\1/')
  case $status in
    completed) break ;;
    failed | cancelled) printf '%s\\n' "$answer" >&2; exit 1 ;;
  esac
  sleep ${pollEverySeconds} # six polls a minute are allowed for a run
done
call "$runs/$run/async/response"
printf '%s\\n' "$answer"
`;

const javascriptText = (options: SnippetOptions): string => `// Needs Node.js 20 or later.
// ${keyNote(options)}
const key = ${options.key === undefined ? 'process.env.ROWBENCH_KEY' : `'${options.key}'`};
const runs = '${runsOf(options)}';
const rows = ${javascriptRows(options.rows)};
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// Waits when a limit is reached, as long as the answer says.
async function call(url, init = {}) {
  const headers = { 'x-service-key': key, 'content-type': 'application/json' };
  for (;;) {
    const response = await fetch(url, { ...init, headers });
    const answer = await response.json();
    if (response.ok) return answer.data;
    if (response.status !== 429) throw new Error(\`\${response.status}: \${answer.error}\`);
    await sleep(Number(response.headers.get('retry-after')));
  }
}

async function outputsOf(run) {
  await sleep(${firstPollSeconds});
  for (;;) {
    const { status, error } = await call(\`\${runs}/\${run}/async/status\`);
    if (status === 'completed') return call(\`\${runs}/\${run}/async/response\`);
    if (status === 'failed' || status === 'cancelled') throw new Error(\`run \${run} is \${status}: \${error}\`);
    await sleep(${pollEverySeconds}); // six polls a minute are allowed for a run
  }
}

const { runId } = await call(\`\${runs}/async\`, { method: 'POST', body: JSON.stringify({ rows }) });
console.log(JSON.stringify(await outputsOf(runId), null, 2));
`;

/** In a JavaScript object literal, the key `__proto__` would set the prototype. */
function javascriptRows(rows: readonly unknown[]): string {
  const json = safeJson(rows);
  return json.includes('__proto__') ? `JSON.parse(String.raw\`${json}\`)` : json;
}

const pythonText = (options: SnippetOptions): string => `# ${keyNote(options)}
import json, ${options.key === undefined ? 'os, ' : ''}sys, time, urllib.error, urllib.request

key = ${options.key === undefined ? 'os.environ["ROWBENCH_KEY"]' : `"${options.key}"`}
runs = "${runsOf(options)}"
rows = json.loads(r'''${safeJson(options.rows)}''')


# Waits when a limit is reached, as long as the answer says.
def call(url, body=None):
    headers = {"x-service-key": key, "content-type": "application/json"}
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            if error.code != 429:
                sys.exit(f"{error.code}: {error.read().decode()}")
            time.sleep(int(error.headers["Retry-After"]))


def outputs_of(run):
    time.sleep(${firstPollSeconds})
    while True:
        data = call(f"{runs}/{run}/async/status")
        if data["status"] == "completed":
            return call(f"{runs}/{run}/async/response")
        if data["status"] in ("failed", "cancelled"):
            sys.exit(f"run {run} is {data['status']}: {data.get('error')}")
        time.sleep(${pollEverySeconds})  # six polls a minute are allowed for a run


run = call(f"{runs}/async", json.dumps({"rows": rows}).encode())["runId"]
print(json.dumps(outputs_of(run), indent=2, ensure_ascii=False))
`;

const goText = (options: SnippetOptions): string => `${goCall(options)}

${goMain}`;

const goCall = (options: SnippetOptions): string => `// ${keyNote(options)}
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
${options.key === undefined ? '\t"os"\n' : ''}	"strconv"
	"strings"
	"time"
)

${options.key === undefined ? 'var key = os.Getenv("ROWBENCH_KEY")' : `const key = "${options.key}"`}

const runs = "${runsOf(options)}"
const body = \`${safeJson({ rows: options.rows })}\`

// Waits when a limit is reached, as long as the answer says.
func call(method, url, body string) json.RawMessage {
	for {
		request, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("x-service-key", key)
		if body != "" {
			request.Header.Set("content-type", "application/json")
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if response.StatusCode == 429 {
			seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
			time.Sleep(time.Duration(seconds) * time.Second)
			continue
		}
		if response.StatusCode >= 300 {
			log.Fatalf("%d: %s", response.StatusCode, text)
		}
		var answer struct{ Data json.RawMessage }
		if err := json.Unmarshal(text, &answer); err != nil {
			log.Fatal(err)
		}
		return answer.Data
	}
}`;

const goMain = `func main() {
	var started struct{ RunID string }
	json.Unmarshal(call("POST", runs+"/async", body), &started)
	time.Sleep(${firstPollSeconds} * time.Second)
	for {
		var run struct{ Status, Error string }
		json.Unmarshal(call("GET", runs+"/"+started.RunID+"/async/status", ""), &run)
		switch run.Status {
		case "completed":
			fmt.Println(string(call("GET", runs+"/"+started.RunID+"/async/response", "")))
			return
		case "failed", "cancelled":
			log.Fatalf("run %s is %s: %s", started.RunID, run.Status, run.Error)
		}
		time.Sleep(${pollEverySeconds} * time.Second) // six polls a minute are allowed for a run
	}
}
`;
