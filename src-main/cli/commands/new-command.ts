import { lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { rowsNamed } from '../../services/rowsets/input-rows.ts';
import { examplesFolder } from '../../services/platform.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { pathCredential, type PathCredential } from '../../domain/authoring/create/credentials.ts';
import { maxNewTestRows, newTestRows } from '../../domain/authoring/create/new-test-rows.ts';
import { parseCurl, type CurlCall } from '../../domain/authoring/create/parse-curl.ts';
import type { ReadReport } from '../../domain/rows/files/read-remarks.ts';
import { rowFormatOfName } from '../../domain/rows/files/row-format.ts';
import { withColumnKinds } from '../../domain/rows/files/column-kinds.ts';
import { workflowIdPattern } from '../../domain/workflow/workflow-keys.ts';
import { NewWorkflowService, type NewFile } from '../../services/authoring/new-workflow-service.ts';
import {
  addReadFlags,
  assertNoReadFlags,
  readingField,
  readingText,
  readOptionsOf,
  type ReadFlags,
} from '../options/read-flags.ts';
import { printJson, type CommandContext } from '../context.ts';
import { UsageError, systemProblem } from '../exit-code.ts';

type NewOptions = ReadFlags & {
  readonly dir: string;
  readonly name?: string;
  readonly rows?: string;
  readonly curl?: string;
  readonly template?: string;
  readonly agents?: boolean;
  readonly json?: boolean;
};

const examples = `
Examples:
  $ rowbench new lead-scoring --rows leads.csv
  $ rowbench new lookup --template company-lookup --dir flows
  $ rowbench new crm --curl "curl https://api.example.com/companies/acme -H 'x-api-key: ...'"
  $ pbpaste | rowbench new crm --curl -
  $ rowbench new lead-scoring --agents`;

/** `rowbench new`: a workflow file to go on with. */
export function addNewCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('new')
    .summary('write a new workflow file')
    .description(
      'Writes ID.workflow.yaml: an input, an output, and what the options ask for. Never overwrites a file. A credential\n' +
        'of a curl command is not written: the command says how to store it as a secret.',
    )
    .argument('<id>', 'id of the workflow: up to 64 letters, digits, "_" and "-"')
    .option('--dir <folder>', 'folder of the new file', '.')
    .option('--name <name>', 'name to show (default: made of the id)')
    .addOption(
      new Option('--rows <file>', 'example rows: fields with types, and test rows').conflicts('template'),
    )
    .addOption(
      new Option('--curl <command>', 'the call of a curl command, or - for standard input').conflicts(
        'template',
      ),
    )
    .option('--template <name>', 'a copy of an example, with its tests')
    .option('--agents', 'also write AGENTS.md, which tells a coding agent how to validate, run and test')
    .option('--json', 'print the names of the files as JSON')
    .addHelpText('after', examples)
    .action((id: string, options: NewOptions) => newCommand(context, id, options));
  addReadFlags(command);
}

async function newCommand(context: CommandContext, id: string, options: NewOptions): Promise<void> {
  if (!workflowIdPattern.test(id))
    throw new UsageError('The id of a workflow is 1 to 64 letters, digits, "_" and "-"');
  const call = options.curl === undefined ? undefined : await callOf(options.curl);
  const { template, name } = options;
  const { rows, readAs } = await exampleRows(context, options);
  const service = new NewWorkflowService(examplesFolder(context.workerScript));
  const files = await service.draft({ id, template, name, call, rows });
  const all = options.agents === true ? [...files, { name: 'AGENTS.md', text: agentsFile }] : files;
  await writeNew(options.dir, all);
  const paths = all.map(({ name }) => join(options.dir, name));
  const doubt = call === undefined ? undefined : pathCredential(call.url);
  if (doubt !== undefined) context.terminal.err(pathWarning(doubt));
  if (options.json === true) {
    const secret = secretView(call) ?? null;
    return printJson(context, {
      files: paths,
      secret,
      pathCredential: doubt ?? null,
      ...(readAs && { readAs }),
    });
  }
  for (const path of paths) await context.terminal.out(`${path}\n`);
  context.terminal.err(nextSteps(context.command, paths[0] ?? '', call));
}

/** The rows, and how their file was read; empty without a file. */
type ExampleRows = { readonly rows?: readonly JsonObject[] } & ReturnType<typeof readingField>;

async function exampleRows(
  { terminal, workerScript }: CommandContext,
  { rows: file, ...flags }: NewOptions,
): Promise<ExampleRows> {
  const read = readOptionsOf(flags);
  if (file === undefined) {
    assertNoReadFlags(read);
    return {};
  }
  const rows: JsonObject[] = [];
  let reading: ReadReport | undefined;
  const onReport = (report: ReadReport): void => {
    reading = report;
    terminal.err(readingText(file, report));
  };
  for await (const bytes of rowsNamed(file, new Map(), { workerScript, read, onReport })) {
    const lines = Buffer.from(bytes)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
    for (const line of lines) rows.push(JSON.parse(line) as JsonObject);
    if (rows.length >= maxNewTestRows) break;
  }
  const format = rowFormatOfName(file);
  const first = newTestRows(rows);
  const isTable = format === 'csv' || format === 'tsv';
  return {
    rows: isTable ? withColumnKinds(first, read.decimal) : first,
    ...readingField(file, reading),
  };
}

async function callOf(curl: string): Promise<CurlCall> {
  const parsed = parseCurl(curl === '-' ? await readAll(process.stdin) : curl);
  if ('problem' in parsed) throw new UsageError(`--curl: ${parsed.problem}`);
  return parsed.call;
}

/** Writes all files or none. Throws a UsageError for a file that is there. */
async function writeNew(folder: string, files: readonly NewFile[]): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    const isFile = error.code === 'EEXIST';
    const problem = isFile ? 'is a file; name a folder' : (systemProblem(error) ?? error.message);
    throw new UsageError(`--dir ${folder}: ${problem}`);
  });
  for (const { name } of files)
    if ((await lstat(join(folder, name)).catch(() => undefined)) !== undefined)
      throw new UsageError(`${join(folder, name)} is there already. Nothing was written`);
  for (const { name, text } of files) {
    const file = await open(join(folder, name), 'wx');
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  }
}

/** Without the credential: a terminal's output is often kept. */
const pathWarning = ({ host, isCertain }: PathCredential): string =>
  `warning: The path of the URL ${isCertain ? 'has' : 'may have'} a credential (${host}/…), and it was written into the file: everyone\n` +
  'who reads the file can use it. Rowbench sends secrets in a header, the query or the body only. Keep the file private,\n' +
  'or replace that part by {{ vars.NAME }}, with `NAME: null` in vars and the value in a profile that stays out of git.\n';

const secretView = (call: CurlCall | undefined) =>
  call?.secret === undefined ? undefined : { name: call.secret.name, host: call.secret.host };

function nextSteps(command: string, path: string, call: CurlCall | undefined): string {
  const { secret } = call ?? {};
  const store =
    secret === undefined
      ? ''
      : `The credential was not written. Store it: ${command} secrets set ${secret.name} --host ${secret.host}\n`;
  return `${store}Run it: ${command} run ${path}\n`;
}

/** `AGENTS.md` for a folder of workflows: how a coding agent validates, runs and tests them. */
const agentsFile = `# Working on the workflows of this folder

Each \`NAME.workflow.yaml\` describes what happens to one row; \`NAME.tests.yaml\` has its tests. Rowbench runs them on this machine.

After each change, run these commands in this folder and fix what they report:

\`\`\`sh
rowbench validate --strict --json    # every mistake with file, line and column
rowbench test                        # all tests, offline
rowbench run NAME.workflow.yaml --json
\`\`\`

- \`rowbench run\` uses the test rows of the workflow, or \`--rows FILE\`. \`--mocks\` makes it work without a network,
  \`--replay\` uses recorded answers, and \`--trace 3\` shows what each node did with row 3.
- A value that begins with \`=\` is a JavaScript expression over \`row\` and \`nodes\`; \`{{ }}\` puts an expression into text.
- Never write a token or password into a file. A node names a secret: \`auth: { secret: CRM_TOKEN }\`, and the user stores it with
  \`rowbench secrets set CRM_TOKEN --host api.example.com\`.
- Keep comments, and change only the lines that the task needs.
- After a change of behaviour, add a test: \`rowbench runs save-test RUN\` makes one of a run.
- \`rowbench COMMAND --help\` has examples for every command.
`;
