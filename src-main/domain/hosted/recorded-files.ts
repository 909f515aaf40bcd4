// Texts of workflow files for a hosted workflow: without nodes here, and with nodes that answer from recorded answers.
// Pure. Who calls: AnswerRecording, and the service that writes new workflows.
import { nameLine } from '../authoring/create/new-workflow.ts';

/** File of records beside the workflow of that id. */
export const recordsFileName = (workflowId: string): string => `${workflowId}.recorded.ndjson`;

export const isRecordsFile = (path: string): boolean => path.endsWith('.recorded.ndjson');

/** Behind the input node of a workflow that has no nodes here. */
const stubNodes = `  - id: elsewhere
    type: assert
    that: =false
    message: This workflow has no nodes here. Run it at the hosted service, or record its answers
  - id: result
    type: output
    fields: {}
`;

/** The file of a workflow that a hosted service executes. */
export const hostedWorkflow = (
  workflowId: string,
  name: string,
): string => `# Executed by a hosted service. Run it there: rowbench hosted run ${workflowId} --on NAME --rows FILE
rowbench: 1
id: ${workflowId}
${nameLine(name)}

nodes:
  # Each object that a script sends is one row.
  - id: input
    type: input

${stubNodes}`;

export type HostedRecording = {
  readonly workflowId: string;
  /** The service's connection. */
  readonly connection: string;
  /** When the newest run ended. */
  readonly newestAt: string;
  /** Outputs were matched to rows by their order, without proof. */
  readonly isByOrder: boolean;
};

/** Nodes that answer from the records and fail a row without one; they stand behind the input node. */
export function recordedNodes({ workflowId, isByOrder, ...recording }: HostedRecording): string {
  const order = '  # Outputs were matched to rows by their order, which is not proven.\n';
  return `  # ${recordingName(recording)}. A row that was not recorded fails.
${isByOrder ? order : ''}${answeringNodes(workflowId)}`;
}

const answeringNodes = (workflowId: string): string => `  - id: key
    type: code
    code: |
      // Rows with the same fields and values have the same key, in whatever order the fields are.
      const sorted = (value) => {
        if (Array.isArray(value)) return value.map(sorted);
        if (value === null || typeof value !== 'object') return value;
        const names = Object.keys(value).sort();
        return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
      };
      return sha256(JSON.stringify(sorted(row)));
  - id: recorded
    type: lookup
    table: ${recordsFileName(workflowId)}
    key: key
    match: =nodes.key
  - id: known
    type: assert
    that: =nodes.recorded !== null
    message: This row was not recorded
  - id: result
    type: output
    fields: =nodes.recorded.output
`;

const recordingName = ({ connection, newestAt }: Pick<HostedRecording, 'connection' | 'newestAt'>): string =>
  `Recorded answers of ${connection}, ${new Date(newestAt).toUTCString().slice(5, 16)}`;

/**
 * The workflow file with nodes that answer from the records; undefined if it has nodes of its own. What stands before them
 * stays, but for the name.
 */
export function withRecordedNodes(text: string, recording: HostedRecording): string | undefined {
  const nodes = [stubNodes, answeringNodes(recording.workflowId)].find((each) =>
    text.trimEnd().endsWith(each.trimEnd()),
  );
  if (nodes === undefined) return undefined;
  const before = text.trimEnd().slice(0, -nodes.trimEnd().length);
  if (before.match(/^ {2}- id:/gm)?.length !== 1 || !/^nodes:\s*$/m.test(before)) return undefined;
  const head = before.replace(/(?:[ \t]*#.*\n|[ \t]*\n)+$/, '');
  const name = nameLine(recordingName(recording));
  const named = /^name: /m.test(head)
    ? head.replace(/^name: .*$/m, () => name)
    : head.replace(/^id: .*$/m, (id) => `${id}\n${name}`);
  return `${named}\n${recordedNodes(recording)}`;
}
