// How the author of a file lays it out, measured next to an edit first: new text looks like its neighbours.
import { isCollection, isMap } from 'yaml';
import type { FileNode } from '../../workflow/file-document.ts';
import type { EditableFile, FileCollection } from './editable-file.ts';

export type FileLayout = {
  readonly isJson: boolean;
  readonly lineBreak: string;
  /** Columns by which a nested object is indented. */
  readonly step: number;
  /** Columns by which a list is indented below its key. */
  readonly listStep: number;
  /** Blanks behind a dash. */
  readonly dashBlanks: string;
  /** The kind of quotes that the file has more of; absent: neither. */
  readonly quote?: '"' | "'";
  /** Blanks inside `{ }` and `[ ]`. */
  readonly bracePad: string;
  readonly bracketPad: string;
  readonly comma: string;
  readonly colon: string;
  /** Indentation of a level of JSON; absent: JSON in one line. */
  readonly jsonIndent?: string;
};

/** @param around the lists and objects around the edit, from the outside in */
export function layoutOf(file: EditableFile, around: readonly FileCollection[], offset: number): FileLayout {
  const { text, isJson } = file;
  const measure = (measureOne: Measure): number | undefined => {
    for (const collection of [...around].reverse()) {
      const found = measureOne(collection);
      if (found !== undefined) return found;
    }
    return firstIn(file, file.root, measureOne);
  };
  const lineBreak = file.lineBreakAt(offset);
  const inBrackets = bracketLayout(text, isJson);
  if (isJson) return { isJson, lineBreak, step: 2, listStep: 2, dashBlanks: ' ', ...inBrackets };
  const step = measure(stepIn) ?? 2;
  const listStep = measure(listStepIn) ?? step;
  return {
    isJson,
    lineBreak,
    step,
    listStep,
    dashBlanks: ' '.repeat(measure(dashBlanksIn) ?? 1),
    ...inBrackets,
  };
}

function bracketLayout(text: string, isJson: boolean) {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const isPadded = (open: string): boolean => {
    const padded = count(new RegExp(`\\${open} +[^\\s#]`, 'g'));
    const tight = count(new RegExp(`\\${open}[^\\s\\]}{[]`, 'g'));
    return padded === tight ? open === '{' && !isJson : padded > tight;
  };
  const isTight = isJson && count(/[,:][^\s,:]/g) > count(/[,:] /g);
  const jsonIndent = isJson ? /^\s*[[{]\r?\n([ \t]+)/.exec(text)?.[1] : undefined;
  const singles = count(/(?<=[\s[{,])'/g);
  const doubles = count(/(?<=[\s[{,])"/g);
  return {
    ...(singles === doubles ? {} : { quote: singles > doubles ? ("'" as const) : ('"' as const) }),
    bracePad: isPadded('{') ? ' ' : '',
    bracketPad: isPadded('[') ? ' ' : '',
    comma: isTight ? ',' : ', ',
    colon: isTight ? ':' : ': ',
    ...(jsonIndent === undefined ? {} : { jsonIndent }),
  };
}

type Measure = (collection: FileCollection) => number | undefined;

function firstIn(file: EditableFile, node: FileNode, measureOne: Measure): number | undefined {
  if (!isCollection(node) || node.flow === true) return undefined;
  const collection = file.collectionOf(node);
  const own = measureOne(collection);
  if (own !== undefined) return own;
  for (const { value } of collection.entries) {
    const found = firstIn(file, value, measureOne);
    if (found !== undefined) return found;
  }
  return undefined;
}

const stepIn: Measure = (collection) => nestedColumns(collection, true);
const listStepIn: Measure = (collection) => nestedColumns(collection, false);

/** Columns between a key and what is nested below it. */
function nestedColumns(
  { file, isList, isFlow, entries }: FileCollection,
  inMap: boolean,
): number | undefined {
  if (isList || isFlow) return undefined;
  for (const { start, value } of entries) {
    if (!isCollection(value) || value.flow === true || isMap(value) !== inMap) continue;
    const first = file.collectionOf(value).entries[0]?.start ?? start;
    if (file.lineStart(first) !== file.lineStart(start)) return file.column(first) - file.column(start);
  }
  return undefined;
}

const dashBlanksIn: Measure = ({ file, isList, isFlow, entries }) => {
  if (!isList || isFlow) return undefined;
  const entry = entries.find(
    ({ valueFrom, valueStart }) =>
      valueStart > valueFrom && !file.text.slice(valueFrom, valueStart).includes('\n'),
  );
  return entry && entry.valueStart - entry.valueFrom;
};
