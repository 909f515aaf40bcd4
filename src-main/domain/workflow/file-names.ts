// Names of files: which are workflows, tests and cassettes, which belong to which workflow, and which are portable.

import { rowFormatOfName } from '../rows/files/row-format.ts';

export const workflowFileName = /\.workflow\.(yaml|yml|json)$/;
export const testsFileName = /\.tests\.(yaml|yml|json)$/;

/** Name under which an imported workflow is stored: its own where that is a workflow's, so that tests beside it belong to it. */
export const storedWorkflowName = (name: string, id: string): string =>
  workflowFileName.test(name) ? name : `${id}.workflow.${name.endsWith('.json') ? 'json' : 'yaml'}`;

/** For `leads.large.tests.yaml`: `leads.large.workflow.yaml` and so on, then `leads.workflow.yaml` and so on. */
export function workflowNamesFor(testsName: string): string[] {
  const stem = testsName.replace(testsFileName, '');
  const stems = stem.includes('.') ? [stem, stem.slice(0, stem.indexOf('.'))] : [stem];
  return stems.flatMap((name) => ['yaml', 'yml', 'json'].map((ending) => `${name}.workflow.${ending}`));
}

/** True if the tests file belongs to the workflow. `names`: the names of all files in the folder. */
export const belongsTo = (testsName: string, workflowName: string, names: readonly string[]): boolean =>
  workflowNamesFor(testsName).find((name) => names.includes(name)) === workflowName;

/** Name of the cassette beside a workflow's file of that name: `leads.cassette.json` for `leads.workflow.yaml`. */
export const cassetteNameFor = (workflowName: string): string =>
  `${workflowName.replace(/(\.workflow)?\.(ya?ml|json)$/, '')}.cassette.json`;

/** True for a file of rows that an editor can show: JSON, NDJSON, CSV or TSV beside the workflow. */
export const isRowsFileName = (name: string): boolean =>
  rowFormatOfName(name) !== undefined &&
  ![workflowFileName, testsFileName, cassetteFileName].some((pattern) => pattern.test(name)) &&
  isPortableName(name);

/**
 * True for a file of rows that begins with the workflow's own name, such as `leads.rows.json`: it belongs to the workflow
 * before anything names it. `names`: the names of all files in the folder.
 */
export function isOwnRowsFileName(name: string, workflowName: string, names: readonly string[]): boolean {
  if (!isRowsFileName(name)) return false;
  const owners = names.filter((each) => workflowFileName.test(each) && name.startsWith(stemOf(each)));
  return owners.toSorted((one, two) => two.length - one.length)[0] === workflowName;
}

/** `leads.` for `leads.workflow.yaml`. */
const stemOf = (workflowName: string): string => workflowName.replace(workflowFileName, '.');

export const cassetteFileName = /\.cassette\.json$/;

/** Names that some file system takes for a device, with or without an ending. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** Maximum characters of a name: a folder of any platform can hold it together with its path. */
const maxPortableName = 120;

/** True if every platform can write a file of this name. Refuses paths and characters that disguise a name. */
export const isPortableName = (name: string): boolean =>
  name.length <= maxPortableName &&
  !/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff<>:"/\\|?*]/.test(name) &&
  !/^[.\s]|[.\s]$/.test(name) &&
  name !== '' &&
  !devices.test(name);

/**
 * The paths that a folder cannot hold beside earlier ones of the list: a path of a file that is a folder of another path, or
 * one that differs only in case, which many file systems take for the same.
 */
export function collidingPaths(paths: readonly string[]): readonly string[] {
  const files = new Set<string>();
  const folders = new Set<string>();
  return paths.filter((path) => {
    const folded = path.normalize('NFC').toLowerCase();
    const names = folded.split('/');
    const parents = names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
    const isColliding =
      files.has(folded) || folders.has(folded) || parents.some((parent) => files.has(parent));
    files.add(folded);
    parents.forEach((parent) => folders.add(parent));
    return isColliding;
  });
}
