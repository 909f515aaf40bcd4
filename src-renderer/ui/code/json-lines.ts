// A JSON value as lines that fold, for JsonView. Pure. Only open members are walked, to keep large values cheap.
import { unquotedText, tableOf, tableRowsAtOnce, type JsonTable } from './json-table.ts';

export type JsonLine = {
  /** Tells the line from all others: the way to its value as a JSON pointer, with `~` for the end of an open one. */
  readonly id: string;
  readonly depth: number;
  /** The member's name, or the entry's position. */
  readonly name?: string;
  /** Names and positions that lead to its value. */
  readonly path: readonly (string | number)[];
  readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'open' | 'closed' | 'end' | 'more' | 'table';
  /** As it is shown: long strings are cut. */
  readonly text: string;
  /** Full length in characters; only for a truncated string. */
  readonly cutOf?: number;
  /** Only of kind `table`. */
  readonly table?: JsonTable;
};

export type JsonLook = {
  /** Ids of what was folded or unfolded by hand. */
  readonly turned: ReadonlySet<string>;
  /** Ids of cut strings that are shown whole. */
  readonly whole: ReadonlySet<string>;
  /** Lines at most; one more says that there are others. */
  readonly most: number;
  /** True: names with values, without brackets and quotes, and lists of objects as tables. */
  readonly isFields?: boolean;
};

/** Longer strings are cut: about three lines of a panel. */
const longestText = 240;
/** Levels that are expanded at first, and the maximum entries of an expanded member. */
const openDepth = 2;
const openEntries = 50;

type Walk = {
  readonly look: JsonLook;
  readonly lines: JsonLine[];
  /** Rows of tables, which count as lines. */
  tableRows: number;
  isCut: boolean;
};
type Spot = Pick<JsonLine, 'id' | 'depth' | 'name' | 'path'>;

export function jsonLines(value: unknown, look: JsonLook): readonly JsonLine[] {
  const walk: Walk = { look, lines: [], tableRows: 0, isCut: false };
  addValue(walk, { id: '', depth: 0, path: [] }, value);
  return walk.isCut ? [...walk.lines, { id: '…', depth: 0, path: [], kind: 'more', text: '' }] : walk.lines;
}

function addValue(walk: Walk, spot: Spot, value: unknown): void {
  const { look, lines } = walk;
  walk.isCut ||= lines.length + walk.tableRows >= look.most;
  if (walk.isCut) return;
  if (typeof value !== 'object' || value === null) {
    lines.push({ ...spot, ...scalar(value, look, spot.id) });
    return;
  }
  const isList = Array.isArray(value);
  const size = isList ? value.length : Object.keys(value).length;
  if (size === 0 || !isOpen(look, spot, size)) {
    lines.push({ ...spot, kind: 'closed', text: closedText(isList, size) });
    return;
  }
  const table = look.isFields === true ? tableOf(value) : undefined;
  if (table === undefined) return addMembers(walk, spot, value);
  lines.push({ ...spot, kind: 'table', text: '', table });
  walk.tableRows += Math.min(table.rows.length, tableRowsAtOnce);
}

function addMembers(walk: Walk, spot: Spot, value: object): void {
  const { lines, look } = walk;
  const isList = Array.isArray(value);
  const isFields = look.isFields === true;
  const isTop = spot.depth === 0;
  if (!isFields || !isTop) lines.push({ ...spot, kind: 'open', text: isFields ? '' : isList ? '[' : '{' });
  for (const name of isList ? value.keys() : Object.keys(value)) {
    const member = (value as Record<string | number, unknown>)[name];
    const id = `${spot.id}/${pointerPart(String(name))}`;
    const path = [...spot.path, name];
    addValue(walk, { id, depth: spot.depth + 1, name: String(name), path }, member);
    if (walk.isCut) return;
  }
  if (isFields) return;
  const { depth, path: whole } = spot;
  lines.push({ id: `${spot.id}~`, depth, path: whole, kind: 'end', text: isList ? ']' : '}' });
}

function isOpen({ turned }: JsonLook, { id, depth }: Spot, size: number): boolean {
  const isOpenAtFirst = depth === 0 || (depth < openDepth && size <= openEntries);
  return turned.has(id) ? !isOpenAtFirst : isOpenAtFirst;
}

function closedText(isList: boolean, size: number): string {
  if (size === 0) return isList ? '[]' : '{}';
  const what = isList ? (size === 1 ? 'entry' : 'entries') : size === 1 ? 'member' : 'members';
  return isList ? `[ ${size} ${what} ]` : `{ ${size} ${what} }`;
}

function scalar(
  value: unknown,
  { whole, isFields = false }: JsonLook,
  id: string,
): Pick<JsonLine, 'kind' | 'text' | 'cutOf'> {
  if (typeof value === 'string') {
    const written = isFields ? unquotedText : JSON.stringify;
    if (whole.has(id) || value.length <= longestText) return { kind: 'string', text: written(value) };
    const start = value.slice(0, longestText);
    const text = isFields ? `${start}…` : `${JSON.stringify(start).slice(0, -1)}…"`;
    return { kind: 'string', text, cutOf: value.length };
  }
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) };
  return { kind: 'null', text: 'null' };
}

/** RFC 6901. */
const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
