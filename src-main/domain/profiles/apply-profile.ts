// Writes the values of a profile into the text of a workflow. What comes out is a workflow like any other: its hosts and
// secrets are judged, its text is stored as the run's snapshot, and reruns, recovery and traces need to know no profile.
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { editText, type EditResult } from '../authoring/edit/edit-text.ts';
import type { FileEdit } from '../authoring/edit/file-edit.ts';
import type { PathStep } from '../workflow/file-problem.ts';
import { listsIn } from '../workflow/node-path.ts';
import { listIn, valueAt } from '../workflow/value-at.ts';
import { readFile } from '../workflow/read-file.ts';
import type { Profile } from './profile.ts';

/** The ranges of the text that change; variables and secrets that it does not have are left out. */
export function applyProfile(text: string, { vars, secrets }: Profile): EditResult {
  const data = readFile(text).document?.data;
  if (!isJsonObject(data)) return { changes: [] };
  const own = isJsonObject(data['vars']) ? data['vars'] : {};
  const values = Object.keys(own)
    .filter((name) => Object.hasOwn(vars, name))
    .map((name): FileEdit => ({ kind: 'setValue', path: ['vars', name], value: vars[name] ?? null }));
  const names = listsIn(data).flatMap((list) =>
    listIn(data, list).flatMap((node, index) =>
      secretEdits(valueAt(node, ['auth']), [...list, index, 'auth'], secrets),
    ),
  );
  return editText(text, [...values, ...names]);
}

/** Other names for the secrets that a node's `auth` names, at any depth. */
function secretEdits(
  auth: JsonValue | undefined,
  path: readonly PathStep[],
  secrets: Profile['secrets'],
): readonly FileEdit[] {
  if (!isJsonObject(auth)) return [];
  return Object.entries(auth).flatMap(([key, value]): readonly FileEdit[] => {
    if (key !== 'secret' || typeof value !== 'string') return secretEdits(value, [...path, key], secrets);
    const other = Object.hasOwn(secrets, value) ? secrets[value] : undefined;
    return other === undefined ? [] : [{ kind: 'setValue', path: [...path, key], value: other }];
  });
}
