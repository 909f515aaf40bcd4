// The fields that the form of a node shows, and the keys that can be added to the node.
import type { NodeField, NodeForm, WorkflowEdit } from '#contract';
import { fieldEdits, valueInNode, type FieldPath } from './form-edits.ts';

/** A key that the node does not have yet. */
export type FormOption = {
  readonly field: NodeField;
  readonly title: string;
  /** Path of the key in the node, such as `request.body`. */
  readonly key: string;
};

/** How often a node runs: these keys have a line of their own. */
const runKeys = ['each', 'when'];

/** Keys of which an object has one. */
const alternatives: readonly (readonly string[])[] = [
  ['auth.header', 'auth.scheme', 'auth.query', 'auth.body'],
  ['repeat', 'share'],
  ['workflow', 'nodes'],
];

/** Keys that are needed beside another one. */
const needs: Readonly<Record<string, string>> = { concurrency: 'each', 'request.bodyAs': 'request.body' };

/** Further words by which an option is found. */
const keywords: Readonly<Record<string, string>> = {
  auth: 'login password token api key credentials bearer',
  each: 'loop list items',
  limit: 'throttle requests per second minute',
  mock: 'fake stub canned',
  onError: 'fallback ignore continue catch',
  repeat: 'pages pagination poll until job loop',
  'request.query': 'parameters search',
  retry: 'again backoff attempts',
  session: 'cookies login',
  share: 'cache once deduplicate',
  when: 'condition if skip',
};

/** The fields of `each` and `when`, as far as the node can have them. */
export const runFields = (form: NodeForm): readonly NodeField[] =>
  runKeys.flatMap((key) => form.commonFields.filter(({ label }) => label === key));

/** The field of `repeat`, if the node can have it. */
export const repeatField = (form: NodeForm): NodeField | undefined =>
  form.fields.find((field) => field.label === 'repeat' && (isShown(form, field) || isPossible(form, field)));

/** True if the field is required, or the file has its key. A workflow has so few that all are shown. */
const isShown = ({ nodeId, node }: NodeForm, field: NodeField): boolean =>
  nodeId === undefined || field.isRequired || valueInNode(node, field.path) !== undefined;

/** True if a group shows the field: members of lists and of names show all of their keys, which are no options. */
export const isShownInGroup = (form: NodeForm, field: NodeField): boolean =>
  isShown(form, field) || !everyField([...form.fields, ...form.commonFields]).includes(field);

/** The shown fields: the required ones, then those of the file in its order. */
export function shownFields(form: NodeForm): readonly NodeField[] {
  const fields = allFields(form).filter((field) => isShown(form, field));
  if (form.nodeId === undefined) return fields;
  const keys = Object.keys(form.node);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...optional.toSorted((one, other) => keys.indexOf(one.label) - keys.indexOf(other.label)),
  ];
}

/** The keys that can be added to the node and to the groups that it has. */
export const nodeOptions = (form: NodeForm): readonly FormOption[] => optionsIn(form, allFields(form));

/** The options that have all words of a text: first in their names, then in their descriptions. */
export function findOptions(options: readonly FormOption[], text: string): readonly FormOption[] {
  const words = wordsOf(text);
  if (words.length === 0) return options;
  const matches = (found: readonly string[]): boolean =>
    words.every((word) => found.some((each) => each.startsWith(word)));
  const byName = options.filter(({ title, key }) => matches(wordsOf(`${title} ${key}`)));
  const byDescription = options.filter(
    (option) =>
      !byName.includes(option) &&
      matches(wordsOf([option.title, option.key, ...detailsOf(option.field)].join(' '))),
  );
  return [...byName, ...byDescription];
}

const allFields = ({ fields, commonFields }: NodeForm): readonly NodeField[] =>
  [...fields, ...commonFields].filter(({ label }) => !runKeys.includes(label));

const optionsIn = (form: NodeForm, fields: readonly NodeField[]): readonly FormOption[] =>
  fields.flatMap((field) => {
    if (isShown(form, field)) return optionsIn(form, groupFields(field));
    const key = field.path.join('.');
    return isPossible(form, field) ? [{ field, title: field.title ?? field.label, key }] : [];
  });

function isPossible({ node, fields }: NodeForm, { path, initial }: NodeField): boolean {
  const key = path.join('.');
  const hasOther = alternatives.some(
    (keys) => keys.includes(key) && keys.some((each) => valueInNode(node, each.split('.')) !== undefined),
  );
  // It names failures of calls, and these types make them.
  const isOfCall = key !== 'retry.on' || fields.some(({ label }) => label === 'repeat' || label === 'auth');
  return initial !== undefined && isOfCall && !hasOther;
}

/** Adds the key of a field with its smallest valid value, and what it needs. */
export function optionEdits(form: NodeForm, { path, initial = null }: NodeField): readonly WorkflowEdit[] {
  const key = path.join('.');
  const needed = needs[key];
  const other = everyField([...form.fields, ...form.commonFields]).find(
    (field) => field.path.join('.') === needed,
  );
  const isAbsent = other !== undefined && valueInNode(form.node, other.path) === undefined;
  return [
    ...(isAbsent ? optionEdits(form, other) : []),
    ...(key === 'request.body' ? methodEdits(form) : []),
    ...fieldEdits(form, path, initial),
  ];
}

/** Removes the key of a field, and the keys that need it. */
export const removalEdits = (form: NodeForm, { path }: NodeField): readonly WorkflowEdit[] =>
  [path, ...dependentPaths(path)].flatMap((each) => fieldEdits(form, each, undefined));

const dependentPaths = (path: FieldPath): readonly FieldPath[] =>
  Object.entries(needs).flatMap(([key, needed]) => (needed === path.join('.') ? [key.split('.')] : []));

/** Replaces the keys of fields by one of them, which stays as it is if the node has it; without one, removes all. */
export function replacementEdits(
  form: NodeForm,
  fields: readonly NodeField[],
  chosen: NodeField | undefined,
): readonly WorkflowEdit[] {
  const isThere = chosen !== undefined && valueInNode(form.node, chosen.path) !== undefined;
  return [
    ...fields.filter((field) => field !== chosen).flatMap((field) => removalEdits(form, field)),
    ...(chosen === undefined || isThere ? [] : optionEdits(form, chosen)),
  ];
}

/** A request with a body is no GET. */
function methodEdits(form: NodeForm): readonly WorkflowEdit[] {
  const path = ['request', 'method'];
  const method = valueInNode(form.node, path) ?? 'GET';
  return method === 'GET' || method === 'HEAD' ? fieldEdits(form, path, 'POST') : [];
}

const everyField = (fields: readonly NodeField[]): readonly NodeField[] =>
  fields.flatMap((field) => [field, ...everyField(groupFields(field))]);

function groupFields({ control }: NodeField): readonly NodeField[] {
  const chosen =
    control.kind === 'either' ? control.options.find(({ isChosen }) => isChosen)?.control : control;
  return chosen?.kind === 'group' ? chosen.fields : [];
}

const detailsOf = ({ path, description = '', control }: NodeField): readonly string[] => [
  description,
  keywords[path.join('.')] ?? '',
  ...(control.kind === 'either' ? control.options.map(({ title }) => title) : []),
];

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
