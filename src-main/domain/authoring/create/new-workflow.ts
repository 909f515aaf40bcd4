// The text of a new workflow: from nothing, from rows, or around a call. It reads as a person would write it.
import type { JsonObject } from '../../../base/json-value.ts';
import type { FileLayout } from '../edit/layout.ts';
import { inOneLine, keyInLine, pairText } from '../edit/write-value.ts';
import { newFields, type NewField } from './new-fields.ts';
import { callKeys, type NewHttpCall } from './call-keys.ts';

export type NewWorkflow = {
  readonly id: string;
  /** Absent: made of the id. */
  readonly name?: string | undefined;
  /** Example rows. */
  readonly rows?: readonly JsonObject[] | undefined;
  /** Fields of the input; absent: made of the example rows. */
  readonly fields?: readonly NewField[] | undefined;
  readonly call?: NewHttpCall | undefined;
};

export type NewWorkflowFiles = {
  readonly text: string;
  /** Test rows that are too many for the workflow's own file. */
  readonly rowsFile?: { readonly name: string; readonly text: string };
};

/** Test rows in the workflow's own file: at most so many, and so many characters of JSON. */
const maxInlineRows = 20;
const maxInlineCharacters = 16_000;

const layout: FileLayout = {
  isJson: false,
  lineBreak: '\n',
  step: 2,
  listStep: 2,
  dashBlanks: ' ',
  quote: "'",
  bracePad: ' ',
  bracketPad: '',
  comma: ', ',
  colon: ': ',
};

export function newWorkflow(options: NewWorkflow): NewWorkflowFiles {
  const { id, name = nameOf(id), rows = [], fields = newFields(rows), call } = options;
  const isInline = rows.length <= maxInlineRows && JSON.stringify(rows).length <= maxInlineCharacters;
  const rowsName = `${id}.rows.json`;
  const text = [
    `# Run it with: rowbench run ${id}.workflow.yaml`,
    'rowbench: 1',
    `id: ${inOneLine(id, layout, false)}`,
    nameLine(name),
    '',
    'nodes:',
    '  # Each object that a script sends is one row.',
    '  - id: input',
    '    type: input',
    ...fieldLines(fields),
    ...(rows.length === 0 ? [] : rowLines(isInline ? rows : rowsName)),
    '',
    ...(call === undefined ? [] : [...callLines(call), '']),
    '  # What a script gets back for each row.',
    '  - id: result',
    '    type: output',
    ...outputLines(fields, call !== undefined),
    '',
  ].join('\n');
  const isFile = rows.length > 0 && !isInline;
  return {
    text,
    ...(isFile ? { rowsFile: { name: rowsName, text: `${JSON.stringify(rows, null, 2)}\n` } } : {}),
  };
}

/** Line of a workflow file that says its name. */
export const nameLine = (name: string): string => `name: ${inOneLine(name, layout, false)}`;

function fieldLines(fields: readonly NewField[]): readonly string[] {
  if (fields.length === 0) return [];
  return [
    '    fields:',
    ...fields.map(({ name, type, isRequired }) => {
      const written = inOneLine({ type, ...(isRequired ? { required: true } : {}) }, layout);
      return `      ${keyInLine(name, false, layout)}: ${written}`;
    }),
  ];
}

const rowLines = (rows: readonly JsonObject[] | string): readonly string[] =>
  typeof rows === 'string'
    ? [`    testRows: ${inOneLine(rows, layout, false)}`]
    : ['    testRows:', ...rows.map((row) => `      - ${inOneLine(row, layout)}`)];

function callLines(call: NewHttpCall): readonly string[] {
  const { request, ...others } = callKeys(call);
  return [
    '  # Fill values of the row in with {{ row.NAME }}.',
    '  - id: call',
    '    type: http',
    `    ${pairText(['request', request ?? null], 4, layout)}`,
    ...Object.entries(others).map(([key, value]) => `    ${key}: ${inOneLine(value ?? null, layout)}`),
  ];
}

function outputLines(fields: readonly NewField[], hasCall: boolean): readonly string[] {
  const reads = [
    ...fields.map(({ name }) => [name, `=${fieldPath(name)}`] as const),
    ...(hasCall ? ([['answer', '=nodes.call.body']] as const) : []),
  ];
  if (reads.length === 0) return ['    fields:', '      row: =row'];
  return ['    fields:', ...reads.map(([name, value]) => `      ${pairText([name, value], 6, layout)}`)];
}

const fieldPath = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `row.${name}` : `row[${JSON.stringify(name)}]`;

function nameOf(id: string): string {
  const words = id.replace(/[-_]+/g, ' ').trim() || id;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
