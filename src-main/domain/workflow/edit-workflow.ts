// Edits a workflow or tests file as a person would: changes only the values named, and keeps comments and key order.
// Who calls: imports that rename a workflow, and the code that adds and updates tests. Without edits no byte changes.
import { isCollection, isMap, isScalar, isSeq, parseDocument, Scalar, stringify, type Document } from 'yaml';
import { invariant } from '../../base/invariant.ts';
import type { JsonValue } from '../../base/json-value.ts';
import type { PathStep } from './file-problem.ts';

export type WorkflowEdit =
  | { readonly kind: 'set'; readonly path: readonly PathStep[]; readonly value: JsonValue }
  | { readonly kind: 'delete'; readonly path: readonly PathStep[] };

/** The text after the edits, made in order. It must be YAML or JSON without syntax errors. */
export const editWorkflow = (text: string, edits: readonly WorkflowEdit[]): string =>
  edits.reduce(edited, text);

function edited(text: string, edit: WorkflowEdit): string {
  const document = parseDocument(text, { stringKeys: true });
  invariant(document.errors.length === 0, 'only a file that parses is edited');
  return withValueReplaced(text, document, edit) ?? rewritten(text, document, edit);
}

/** The commonest edit, one simple value for another, touches nothing but that value. */
function withValueReplaced(text: string, document: Document, edit: WorkflowEdit): string | undefined {
  if (edit.kind === 'delete' || typeof edit.value === 'object') return undefined;
  const old = document.getIn(edit.path, true);
  if (!isScalar(old) || !old.range || old.range[0] === old.range[1]) return undefined;
  // A block ends with its line break and needs its indentation, so it is written anew.
  if (old.type === Scalar.BLOCK_LITERAL || old.type === Scalar.BLOCK_FOLDED) return undefined;
  const [start, end] = old.range;
  return text.slice(0, start) + inline(edit.value, isInFlow(document, edit.path)) + text.slice(end);
}

/** Inside brackets or braces, and over several lines, quotes are always right. */
function inline(value: string | number | boolean, inFlow: boolean): string {
  const quoted = typeof value === 'string' && (inFlow || value.includes('\n'));
  return quoted ? JSON.stringify(value) : stringify(value, { lineWidth: 0 }).trimEnd();
}

const isInFlow = (document: Document, path: readonly PathStep[]): boolean =>
  path.some((_, length) => {
    const around = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    return isCollection(around) && around.flow === true;
  });

function rewritten(text: string, document: Document, edit: WorkflowEdit): string {
  if (edit.kind === 'delete') document.deleteIn(edit.path);
  else setAt(document, edit.path, edit.value);
  if (isJson(text)) return `${JSON.stringify(document.toJS(), null, indentOf(text))}\n`;
  // No line is broken that the author did not break.
  const written = document.toString({ lineWidth: 0, flowCollectionPadding: isPadded(text) });
  return text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written;
}

function setAt(document: Document, path: readonly PathStep[], value: JsonValue): void {
  const node = document.createNode(value);
  document.setIn(path, node);
  quoteMergeKeys(node);
  // Of maps that it is in, only those where such a key may be new: the rest stays as its author wrote it.
  const step = path.indexOf('<<');
  if (step >= 0) quoteMergeKeys(step === 0 ? document.contents : document.getIn(path.slice(0, step), true));
}

/** True if most brackets and braces in the text have a space inside. */
const isPadded = (text: string): boolean =>
  (text.match(/[[{] +[^\s\]}]/g)?.length ?? 0) >= (text.match(/[[{][^\s\]}[{]/g)?.length ?? 0);

const isJson = (text: string): boolean => text.trimStart().startsWith('{');

const indentOf = (json: string): string => /^[ \t]+(?=")/m.exec(json)?.[0] ?? '  ';

/** Quotes keys that read `<<`: bare ones are YAML's merge keys, which no file of this program has. */
export function quoteMergeKeys(node: unknown): void {
  if (isSeq(node)) node.items.forEach(quoteMergeKeys);
  if (!isMap(node)) return;
  for (const pair of node.items) {
    // As the library leaves a key that was set by a path.
    if (pair.key === '<<') pair.key = new Scalar('<<');
    if (isScalar(pair.key) && pair.key.value === '<<') pair.key.type = Scalar.QUOTE_DOUBLE;
    quoteMergeKeys(pair.value);
  }
}
