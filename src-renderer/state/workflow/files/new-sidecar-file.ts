// A new file beside the workflow that is edited: test rows, other rows or tests. It is a part of the draft until it is saved.
import { rowFormatOfName, type JsonObject, type JsonValue } from '#contract';
import type { EditorSession } from './editor-session.svelte.ts';

/** `testRows`: the input node reads the file, which begins with the test rows that the node has. */
export type SidecarKind = 'testRows' | 'rows' | 'tests';

const endings: Readonly<Record<SidecarKind, string>> = {
  testRows: 'rows.json',
  rows: 'table.csv',
  tests: 'tests.yaml',
};
const testsEnding = /\.tests\.ya?ml$/;

type Files = Pick<EditorSession, 'fileName' | 'files' | 'unopened'>;

/** A free name for a new file. */
export function sidecarName({ fileName, files, unopened }: Files, kind: SidecarKind): string {
  const stem = stemOf(fileName);
  const isTaken = (name: string): boolean => [...files, ...unopened].some((file) => file.name === name);
  for (let index = 1; ; index += 1) {
    const name = `${stem}${index === 1 ? '' : `${index}.`}${endings[kind]}`;
    if (!isTaken(name)) return name;
  }
}

/** Why the file cannot have the name; undefined if it can. */
export function sidecarNameProblem(session: Files, kind: SidecarKind, name: string): string | undefined {
  const stem = stemOf(session.fileName);
  if (isThere(session, name)) return 'There is such a file already';
  if (/[/\\]/.test(name)) return 'The file lies beside the workflow: its name has no folder';
  if (kind === 'tests' && !name.startsWith(stem)) return `The name must begin with "${stem}"`;
  if (kind === 'tests') return testsEnding.test(name) ? undefined : 'The name must end in .tests.yaml';
  const format = rowFormatOfName(name);
  if (/\.(tests|workflow|cassette)\.json$/.test(name)) return 'A file of rows cannot have this name';
  if (kind === 'testRows')
    return format === 'json' || format === 'ndjson' ? undefined : 'The name must end in .json or .ndjson';
  return format === undefined ? 'The name must end in .json, .ndjson, .csv or .tsv' : undefined;
}

const isThere = ({ files, unopened }: Files, name: string): boolean =>
  files.some((file) => file.name === name && (file.exists || file.text !== '')) ||
  unopened.some((file) => file.name === name);

const stemOf = (fileName: string): string => fileName.replace(/(\.workflow)?\.(ya?ml|json)$/, '.');

type NewSidecar = {
  readonly session: EditorSession;
  readonly kind: SidecarKind;
  readonly name: string;
};

/** Adds the file to the draft and shows it. Resolves to why it was refused, if it was. */
export async function addSidecar(sidecar: NewSidecar): Promise<string | undefined> {
  const { session, kind, name } = sidecar;
  const refusal = await session.applyPlan(async () => {
    const input = session.checked?.nodes.find(({ type }) => type === 'input');
    const form = input && (await session.ask('form', { nodeId: input.id }));
    const node = form?.kind === 'form' ? form.node : undefined;
    const inline = rowsOf(node?.['testRows']);
    const added = { name, changes: [{ from: 0, to: 0, insert: beginningOf(kind, name, inline) }] };
    if (kind !== 'testRows' || form?.kind !== 'form') return { files: [added] };
    const edit = testRowsEdit([...form.path], form.node, name);
    const plan = await session.planEdit([edit]);
    return plan?.files === undefined ? plan : { files: [...plan.files, added] };
  }, `Add ${name}`);
  if (refusal !== undefined) return refusal.reason;
  session.show(name);
  return undefined;
}

const testRowsEdit = (path: readonly (string | number)[], node: JsonObject, value: string) =>
  node['testRows'] === undefined
    ? ({ kind: 'insertKey', path, key: 'testRows', value } as const)
    : ({ kind: 'setValue', path: [...path, 'testRows'], value } as const);

const rowsOf = (testRows: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(testRows) ? (testRows as readonly JsonValue[]) : [];

function beginningOf(kind: SidecarKind, name: string, inline: readonly JsonValue[]): string {
  const [first = {}] = inline;
  if (kind === 'tests')
    return `rowbench: 1\ntests:\n  - name: first row\n    rows: [${JSON.stringify(first)}]\n    expect: { status: completed }\n`;
  const rows: readonly JsonValue[] = kind === 'testRows' && inline.length > 0 ? inline : [{}];
  switch (rowFormatOfName(name)) {
    case 'csv':
      return 'key,value\n';
    case 'tsv':
      return 'key\tvalue\n';
    case 'ndjson':
      return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    default:
      return `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`;
  }
}
