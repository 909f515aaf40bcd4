// The fields of a node that can read another node, each with the text that a connection would give it.
import { textOfJson, type JsonValue } from '../../../base/json-value.ts';
import { fieldWithReference, pairOf, refuseCycle } from './connect-nodes.ts';
import { describePath, RefusedEdit, type EditRefusal, type Path } from './editable-file.ts';
import { EditSession } from './edit-text.ts';
import { codeTexts } from './workflow-nodes.ts';

export type ConnectionField = {
  readonly field: Path;
  /** Name of the field in its node, such as `values.host`. */
  readonly name: string;
  /** Text of the field; absent: the node does not have the field yet. */
  readonly before?: string;
  readonly after: string;
};

export type ConnectionFields =
  | { readonly fields: readonly ConnectionField[]; readonly refusal?: undefined }
  | { readonly refusal: EditRefusal; readonly fields?: undefined };

/** Fields of `to` for a reference to `from`; refused where the nodes would wait for each other. */
export function connectionFields(
  text: string,
  ids: { readonly from: string; readonly to: string },
): ConnectionFields {
  try {
    const session = new EditSession(text);
    const pair = pairOf(session, ids);
    refuseCycle(session, pair);
    const node = pair.to;
    const from = pair.from.id;
    const present = codeTexts(node.json).map(({ path }) => path);
    const absent: Path[] = [['values', from], ['fields', from], ['request', 'body'], ['when'], ['each']];
    const seen = new Set<string>();
    const fields = [...present, ...literals(node.json), ...absent].flatMap((field): ConnectionField[] => {
      const name = describePath(field);
      const written = fieldWithReference(node, { from, field });
      if (written === undefined || seen.has(name)) return [];
      seen.add(name);
      const { before, insert, insertedAt: at } = written;
      const after =
        at === undefined || typeof before !== 'string'
          ? insert
          : before.slice(0, at) + insert + before.slice(at);
      return [{ field, name, ...(before === undefined ? {} : { before: textOfJson(before) }), after }];
    });
    return { fields };
  } catch (error) {
    if (error instanceof RefusedEdit) return { refusal: error.refusal };
    throw error;
  }
}

/** Paths of `true`, `false` and `null`, which stand where an author has yet to write code, as in a new case of a switch. */
function literals(value: JsonValue, path: Path = []): Path[] {
  if (value === null || typeof value === 'boolean') return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, part]: [string, JsonValue]) =>
    literals(part, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
