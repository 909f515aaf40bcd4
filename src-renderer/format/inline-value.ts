// A value of a preview in one line, as code would write it: `{ host: "a.example" }`.
import type { PreviewedValue } from '#contract';

/** Strings, marks and the blanks between them; the last string of a value that was cut may have no end. */
const parts = /"(?:[^"\\]|\\.)*(?:"|$)(\s*:)?|[{}[\],]/g;
const plainKey = /^"([A-Za-z_$][\w$]*)"$/;

export function inlineValue({ kind, text, length }: PreviewedValue): string {
  const end = length === undefined ? '' : '…';
  if (kind === 'text') return `${JSON.stringify(text).slice(0, end === '' ? undefined : -1)}${end}`;
  if (kind !== 'object' && kind !== 'list') return text;
  const spaced = text.replaceAll(parts, (part, colon: string | undefined) => {
    if (colon !== undefined) {
      const key = part.slice(0, -colon.length);
      return `${plainKey.exec(key)?.[1] ?? key}: `;
    }
    if (part === '{') return '{ ';
    if (part === '}') return ' }';
    return part === ',' ? ', ' : part;
  });
  return spaced.replaceAll('{  }', '{}') + end;
}
