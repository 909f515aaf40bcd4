// A JSON value as lines that fold, for JsonView. Pure. Only open members are walked, to keep large values cheap.
export type JsonLine = {
  /** Tells the line from all others: the way to its value as a JSON pointer, with `~` for the end of an open one. */
  readonly id: string;
  readonly depth: number;
  /** The member's name, or the entry's position. */
  readonly name?: string;
  /** Names and positions that lead to its value. */
  readonly path: readonly (string | number)[];
  readonly kind: 'string' | 'number' | 'boolean' | 'null' | 'open' | 'closed' | 'end' | 'more';
  /** As it is shown: long strings are cut. */
  readonly text: string;
  /** Full length in characters; only for a truncated string. */
  readonly cutOf?: number;
};

export type JsonLook = {
  /** Ids of what was folded or unfolded by hand. */
  readonly turned: ReadonlySet<string>;
  /** Ids of cut strings that are shown whole. */
  readonly whole: ReadonlySet<string>;
  /** Lines at most; one more says that there are others. */
  readonly most: number;
};

/** Longer strings are cut: about three lines of a panel. */
const longestText = 240;
/** Levels that are expanded at first, and the maximum entries of an expanded member. */
const openDepth = 2;
const openEntries = 50;

type Walk = { readonly look: JsonLook; readonly lines: JsonLine[] };
type Spot = Pick<JsonLine, 'id' | 'depth' | 'name' | 'path'>;

export function jsonLines(value: unknown, look: JsonLook): readonly JsonLine[] {
  const walk: Walk = { look, lines: [] };
  addValue(walk, { id: '', depth: 0, path: [] }, value);
  if (walk.lines.length <= look.most) return walk.lines;
  return [...walk.lines.slice(0, look.most), { id: '…', depth: 0, path: [], kind: 'more', text: '' }];
}

function addValue(walk: Walk, spot: Spot, value: unknown): void {
  if (walk.lines.length > walk.look.most) return;
  if (typeof value !== 'object' || value === null) {
    walk.lines.push({ ...spot, ...scalar(value, walk.look.whole.has(spot.id)) });
    return;
  }
  const isList = Array.isArray(value);
  const size = isList ? value.length : Object.keys(value).length;
  if (size === 0 || !isOpen(walk.look, spot, size)) {
    walk.lines.push({ ...spot, kind: 'closed', text: closedText(isList, size) });
    return;
  }
  walk.lines.push({ ...spot, kind: 'open', text: isList ? '[' : '{' });
  for (const name of isList ? value.keys() : Object.keys(value)) {
    if (walk.lines.length > walk.look.most) return;
    const member = (value as Record<string | number, unknown>)[name];
    const id = `${spot.id}/${pointerPart(String(name))}`;
    const path = [...spot.path, name];
    addValue(walk, { id, depth: spot.depth + 1, name: String(name), path }, member);
  }
  const { depth, path: whole } = spot;
  walk.lines.push({ id: `${spot.id}~`, depth, path: whole, kind: 'end', text: isList ? ']' : '}' });
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

function scalar(value: unknown, isWhole: boolean): Pick<JsonLine, 'kind' | 'text' | 'cutOf'> {
  if (typeof value === 'string') {
    if (isWhole || value.length <= longestText) return { kind: 'string', text: JSON.stringify(value) };
    return {
      kind: 'string',
      text: `${JSON.stringify(value.slice(0, longestText)).slice(0, -1)}…"`,
      cutOf: value.length,
    };
  }
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) };
  return { kind: 'null', text: 'null' };
}

/** RFC 6901. */
const pointerPart = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
