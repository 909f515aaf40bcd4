// Rows out of one JSON value: a list of objects, or an object whose `rows` is that list (the body of a trigger
// call). Only one row, or one other member of the object, is held at a time.
import { rowsInvalid } from '../../workflow-errors.ts';
import { isNestedDeeper } from '../json-depth.ts';
import { JsonValueScan } from '../json-value-scan.ts';
import { maxRowDepth, parseAt, rowLine } from './json-row.ts';
import { plainReport, type ReadReport } from './read-remarks.ts';
import type { RowTextReader } from './row-text-reader.ts';
import { positionAt, type TextPosition } from '../text-position.ts';

/**
 * The state of the parser: the part of the text that it expects next.
 *
 *   top ── [ ──► row ◄──► afterRow ── ] ──► end            (afterRows, where the list is a member)
 *    └──── { ──► name ─► colon ─► member ─► afterMember ── } ──► end
 */
type State = 'top' | 'row' | 'afterRow' | 'name' | 'colon' | 'member' | 'afterMember' | 'end';

const blank = /[ \t\r\n]*/y;
const shape = 'expected a list of objects, or an object with a "rows" list of objects';

type JsonRowsOptions = {
  readonly maxDepth: number;
  /** True if the list may be the member `rows` of an object. */
  readonly mayBeMember: boolean;
  /** Makes the line of a row of its text. Throws `invalid_input` that names the place of a fault. */
  readonly lineOf: (text: string, start: TextPosition) => string;
};

export class JsonRows implements RowTextReader {
  readonly #options: JsonRowsOptions;
  #text = '';
  #at = 0;
  /** The last place asked for and its offset in `#text`; the next one is counted from there. */
  #known: TextPosition = { line: 1, column: 1 };
  #knownAt = 0;
  #state: State = 'top';
  #insideObject = false;
  #name: unknown;
  #isFirst = true;
  #sawRows = false;
  /** How far the value under way has been looked at, so that a long one is not walked again with each piece. */
  #scan: JsonValueScan | undefined;

  /** @param options default: rows of a run */
  constructor(options: JsonRowsOptions = { maxDepth: maxRowDepth, mayBeMember: true, lineOf: rowLine }) {
    this.#options = options;
  }

  push(text: string): string[] {
    this.#text += text;
    const rows: string[] = [];
    while (this.#advance(rows));
    this.#dropSeen();
    return rows;
  }

  end(): string[] {
    if (this.#state === 'top') throw this.#fault(shape);
    const last = this.#position();
    // A closing blank ends a number or word that stands at the very end.
    const rows = this.push('\n');
    if (this.#state !== 'end') throw rowsInvalid(last, 'the text ends too early');
    if (!this.#sawRows) throw rowsInvalid(last, shape);
    return rows;
  }

  report(): ReadReport {
    return plainReport;
  }

  /** Takes one mark or value; false when more text is needed. */
  #advance(rows: string[]): boolean {
    this.#skipBlanks();
    const mark = this.#text[this.#at];
    if (mark === undefined) return false;
    switch (this.#state) {
      case 'top':
        return this.#open(mark);
      case 'row':
        return this.#row(mark, rows);
      case 'afterRow':
        return this.#separator(mark, 'row', ']');
      case 'name':
        return this.#memberName(mark);
      case 'colon':
        return this.#colon(mark);
      case 'member':
        return this.#member(mark);
      case 'afterMember':
        return this.#separator(mark, 'name', '}');
      case 'end':
        throw this.#fault('unexpected text after the end of the value');
    }
  }

  #open(mark: string): boolean {
    if (mark !== '[' && !(mark === '{' && this.#options.mayBeMember)) throw this.#fault(shape);
    this.#insideObject = mark === '{';
    return mark === '[' ? this.#openRows() : this.#take('name', true);
  }

  #openRows(): boolean {
    if (this.#sawRows) throw this.#fault('"rows" is there twice');
    this.#sawRows = true;
    return this.#take('row', true);
  }

  #row(mark: string, rows: string[]): boolean {
    if (mark === ']' && this.#isFirst) return this.#close(mark);
    const start = this.#position();
    const text = this.#value();
    if (text === undefined) return false;
    rows.push(this.#options.lineOf(text, start));
    this.#state = 'afterRow';
    return true;
  }

  #memberName(mark: string): boolean {
    if (mark === '}' && this.#isFirst) return this.#close(mark);
    if (mark !== '"') throw this.#fault('expected a name in double quotes');
    const start = this.#position();
    const text = this.#value();
    if (text === undefined) return false;
    this.#name = parseAt(text, start);
    this.#state = 'colon';
    return true;
  }

  #colon(mark: string): boolean {
    if (mark !== ':') throw this.#fault('expected ":"');
    return this.#take('member', false);
  }

  #member(mark: string): boolean {
    if (this.#name === 'rows') {
      if (mark !== '[') throw this.#fault('"rows" must be a list of objects');
      return this.#openRows();
    }
    const start = this.#position();
    const text = this.#value();
    if (text === undefined) return false;
    if (isNestedDeeper(text, maxRowDepth))
      throw rowsInvalid(start, `nested deeper than ${maxRowDepth} levels`);
    parseAt(text, start);
    this.#state = 'afterMember';
    return true;
  }

  #separator(mark: string, next: State, close: string): boolean {
    if (mark === ',') return this.#take(next, false);
    if (mark === close) return this.#close(mark);
    throw this.#fault(`expected "," or "${close}"`);
  }

  #close(mark: string): boolean {
    return this.#take(mark === ']' && this.#insideObject ? 'afterMember' : 'end', false);
  }

  #take(next: State, isFirst: boolean): boolean {
    this.#at++;
    this.#state = next;
    this.#isFirst = isFirst;
    return true;
  }

  /** The text of the value that begins here, up to where it is too deep; undefined when it goes on in the next piece. */
  #value(): string | undefined {
    if (/[,:\]}]/.test(this.#text.charAt(this.#at))) throw this.#fault('expected a value');
    this.#scan ??= new JsonValueScan(this.#options.maxDepth);
    const length = this.#scan.lengthIn(this.#text, this.#at);
    if (length === undefined) return undefined;
    const text = this.#text.slice(this.#at, this.#at + length);
    this.#at += length;
    this.#scan = undefined;
    return text;
  }

  #skipBlanks(): void {
    if (this.#scan !== undefined) return; // a value is under way
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)?.[0].length ?? 0;
  }

  #dropSeen(): void {
    this.#position();
    this.#text = this.#text.slice(this.#at);
    this.#at = 0;
    this.#knownAt = 0;
  }

  #position(): TextPosition {
    const passed = this.#text.slice(this.#knownAt, this.#at);
    this.#known = positionAt(passed, passed.length, this.#known);
    this.#knownAt = this.#at;
    return this.#known;
  }

  #fault(problem: string): Error {
    return rowsInvalid(this.#position(), problem);
  }
}
