import type { JsonValue } from '../base/json-value.ts';
import type { SeenValues } from '../domain/language/language-context.ts';
import type { PreviewSession } from './preview-session.ts';

/** Maximum characters of a row or value, as JSON. */
const maxLength = 20_000;

/** Rows and values of a preview, without large ones. */
export function seenIn(shown: PreviewSession['shown']): SeenValues {
  const { rows = [], results = [] } = shown ?? {};
  const nodes = new Map<string, JsonValue[]>();
  for (const { values } of results)
    for (const [id, value] of values)
      if (value.kind === 'whole' && JSON.stringify(value.value).length <= maxLength)
        nodes.set(id, [...(nodes.get(id) ?? []), value.value]);
  return {
    row: rows.flatMap(({ json }) => (json.length <= maxLength ? [JSON.parse(json) as JsonValue] : [])),
    nodes: Object.fromEntries(nodes),
  };
}
