// Names that a field of a form offers, from those that the server knows.
import type { FormControl, FormNames, JsonObject } from '#contract';

/** A name with its label in a list. */
export type NameChoice = { readonly value: string; readonly label: string };

/** The choices of a field; none where nothing is known, and the user types the name. */
export function fieldChoices(
  kind: FormControl['kind'],
  names: FormNames | undefined,
  node: JsonObject,
): readonly NameChoice[] {
  if (names === undefined) return [];
  switch (kind) {
    case 'workflow':
      return names.workflowIds.map(plain);
    case 'secret':
      return names.secrets.map(({ name, hosts }) => ({
        value: name,
        label: `${name} (${hosts.join(', ')})`,
      }));
    case 'table':
      return names.tables.map(({ path }) => plain(path));
    case 'column':
      return columnsOf(names, node['table']).map(plain);
    default:
      return [];
  }
}

const columnsOf = ({ tables }: FormNames, table: unknown): readonly string[] =>
  tables.find(({ path }) => path === table)?.columns ?? [];

const plain = (value: string): NameChoice => ({ value, label: value });
