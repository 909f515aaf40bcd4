// Extract: an expression of a node becomes a value of a new `set` node before it. Inline is the way back. The outputs stay
// the same: what could change them is refused.
import { isScalar } from 'yaml';
import { isSameJson, type JsonObject } from '../../../base/json-value.ts';
import { codeRegions, type CodeRegion } from '../../expressions/find-references.ts';
import {
  cannotFail,
  declaredAround,
  expressionIn,
  isConditional,
  namesUsed,
  replacementProblem,
  unrepeatableCall,
  type FoundExpression,
} from '../../expressions/moved-expression.ts';
import { parseExpression } from '../../expressions/parse-expression.ts';
import { rowNames } from '../../expressions/scope.ts';
import { describePath, type EditableFile, type Path } from './editable-file.ts';
import type { EditSession } from './edit-text.ts';
import { scalarUnits } from './scalar-units.ts';
import { referencesIn, writtenLists, type TextReferences } from './workflow-nodes.ts';

export type Extraction = {
  readonly kind: 'extract';
  /** The selected part of the file; with `path` of the text at that path, both absent for all of it. */
  readonly from?: number;
  readonly to?: number;
  /** A field that holds code. */
  readonly path?: Path;
  /** Id of the new node. */
  readonly newId: string;
};

type Selected = { readonly text: TextReferences; readonly from: number; readonly to: number };

export function extract(
  session: EditSession,
  extraction: Extraction,
  addNode: (node: JsonObject, before: Path) => void,
): void {
  const { file } = session;
  const selected = selectedText(session, extraction);
  const { text } = selected;
  const refuse = (reason: string): never => file.refuse(reason, file.offsetOf(text.path));
  const { region, found } = findExpression(selected) ?? refuse('Select one whole expression');
  const code = region.code.slice(found.node.start, found.node.end);
  const field = text.path.slice(text.node.path.length);
  const problem = problemOf(found, { code, isSure: isAlwaysEvaluated(text.node.json, field) });
  if (problem !== undefined) refuse(problem);
  const key = keyFor(field);
  const from = region.offset + found.node.start;
  const reference = `nodes.${extraction.newId}.${key}`;
  const changes = [{ from, to: from + code.length, insert: reference }];
  session.edit({ kind: 'changeTexts', texts: [{ path: text.path, changes }] });
  const value = found.node.type === 'SequenceExpression' ? `=(${code})` : `=${code}`;
  const { when } = text.node.json;
  const condition: JsonObject = when === undefined || field[0] === 'when' ? {} : { when };
  addNode({ id: extraction.newId, type: 'set', ...condition, values: { [key]: value } }, text.node.path);
}

/** Name of the value: that of the field, if code can name it. */
function keyFor(field: Path): string {
  const name = String(field.findLast((step) => typeof step === 'string') ?? '');
  return /^[A-Za-z_]\w*$/.test(name) && name !== 'code' && name !== 'when' ? name : 'value';
}

function selectedText({ file, markLength }: EditSession, { path, from, to }: Extraction): Selected {
  const texts = referencesIn(writtenLists(file).flat());
  if (path !== undefined) {
    const text =
      texts.find((each) => isSameJson(each.path, path)) ??
      file.refuse(`${describePath(path)} holds no expression`, file.offsetOf(path));
    return { text, from: from ?? 0, to: to ?? text.text.length };
  }
  const start = (from ?? 0) - markLength;
  const end = (to ?? from ?? 0) - markLength;
  for (const text of texts) {
    const range = rangeInText(file, text.path, { start, end });
    if (range === undefined) continue;
    const isCaret = range.from === range.to;
    const around = isCaret ? regionAround(text, range.from) : range;
    return { text, ...around };
  }
  return file.refuse('Put the caret into an expression, or select a part of one', Math.max(0, start));
}

/** The whole expression around the caret. */
function regionAround({ kind, text }: TextReferences, at: number): { from: number; to: number } {
  const region =
    kind === 'body'
      ? undefined
      : codeRegions(kind, text).find(
          ({ offset, code }) => at >= offset - 2 && at <= offset + code.length + 2,
        );
  return region === undefined
    ? { from: at, to: at }
    : { from: region.offset, to: region.offset + region.code.length };
}

/** The part of a text's value that is written in a part of the file; undefined if that lies elsewhere. */
function rangeInText(
  file: EditableFile,
  path: Path,
  { start, end }: { readonly start: number; readonly end: number },
): { from: number; to: number } | undefined {
  const { entry } = file.locate(path);
  if (!isScalar(entry.value) || start < entry.valueStart || end > entry.end) return undefined;
  const units = scalarUnits(file.text, entry.value) ?? [];
  const lengthBefore = (offset: number): number =>
    units.filter((unit) => unit.from < offset).reduce((sum, unit) => sum + unit.text.length, 0);
  return { from: lengthBefore(start), to: lengthBefore(end) };
}

function findExpression({
  text: { kind, text },
  from,
  to,
}: Selected): { readonly region: CodeRegion; readonly found: FoundExpression } | undefined {
  const [region, second] = codeRegions(kind, text).filter(
    ({ offset, code }) => from < offset + code.length && to > offset,
  );
  if (region === undefined || second !== undefined) return undefined;
  const start = Math.max(from - region.offset, 0);
  const found = trimmedExpression(region, start, Math.min(to - region.offset, region.code.length));
  return found && { region, found };
}

/** The expression in a range, which may begin and end with blanks and parentheses. */
function trimmedExpression(
  { code, tree }: CodeRegion,
  from: number,
  to: number,
): FoundExpression | undefined {
  const selected = code.slice(from, to);
  const start = from + selected.length - selected.trimStart().length;
  const end = start + selected.trim().length;
  const found = expressionIn(tree, start, end);
  const isEnclosed = code[start] === '(' && code[end - 1] === ')';
  return found === undefined && isEnclosed
    ? trimmedExpression({ code, tree, offset: 0 }, start + 1, end - 1)
    : found;
}

/** True if the field is evaluated for every row that reaches the node, and its failure is that of the row. */
function isAlwaysEvaluated(json: JsonObject, [key, ...rest]: Path): boolean {
  if (key === 'when') return true;
  if (json['onError'] !== undefined || json['retry'] !== undefined) return false;
  if (json['each'] !== undefined && key !== 'each') return false;
  if (key === 'cases') return rest[0] === 0 && rest[1] === 'when';
  return key !== 'default' && key !== 'repeat';
}

function problemOf(
  found: FoundExpression,
  { code, isSure }: { readonly code: string; readonly isSure: boolean },
): string | undefined {
  const { node, around } = found;
  const replacement = replacementProblem(found);
  if (replacement !== undefined) return replacement;
  const declared = declaredAround(around);
  const local = namesUsed(node).find((name) => declared.has(name));
  if (local !== undefined) return `It uses "${local}", which exists only in this code`;
  const call = unrepeatableCall(node);
  if (call !== undefined) return `It calls ${call}, which does not give the same elsewhere`;
  const parsed = parseExpression(code, { names: rowNames });
  if (!parsed.ok) return parsed.problems[0]?.message ?? 'This is no expression';
  if (namesUsed(node).some((name) => name === 'url' || name === 'rawPath'))
    return 'The text of a URL is checked where it stands';
  if ((!isSure || isConditional(found)) && !cannotFail(node))
    return 'It is evaluated only in some cases, and could fail in the others: extract more of it';
  return undefined;
}
