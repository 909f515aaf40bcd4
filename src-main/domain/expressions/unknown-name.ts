// What is wrong with a name that code uses and nothing defines, and which name its author may have meant.
import { closestName } from '../closest-name.ts';
import { compartmentGlobals, errorName, repeatNames, type Scope } from './scope.ts';

const howToPass = 'put its value into "row", and read row.<name> here';

/** The problem of `nodes.<id>`. */
export function unknownNode(
  id: string,
  { nodeIds, outerIds }: { readonly nodeIds: ReadonlySet<string> } & Pick<Scope, 'outerIds'>,
): string {
  if (outerIds?.has(id) === true) return `The node "${id}" is outside of this body: ${howToPass}`;
  const closest = closestName(id, nodeIds);
  const hint = closest === undefined ? '' : `; did you mean nodes.${closest}?`;
  return `There is no node "${id}"${hint}`;
}

/** The problem of `vars.<name>`. */
export function unknownVariable(name: string, vars: NonNullable<Scope['vars']>): string {
  const closest = closestName(name, vars.keys());
  const hint =
    closest === undefined ? ': the "vars" of the file name them all' : `; did you mean vars.${closest}?`;
  return `There is no variable "${name}"${hint}`;
}

/** The problem of a name that stands alone. */
export function unknownName(name: string, { names, nodeIds, outerIds, vars }: Scope): string {
  if (name === 'eval' || name === 'Function')
    return `"${name}" is not available here: text never becomes code`;
  if (name === 'item' || name === 'index') return unknownItem(name, outerIds !== undefined);
  if (nodeIds?.has(name)) return `"${name}" is a node: write nodes.${name}`;
  if (vars?.has(name) === true) return `"${name}" is a variable: write vars.${name}`;
  if (repeatNames.some((each) => each === name)) return `"${name}" exists only in "repeat"`;
  if (name === errorName) return '"error" exists only in the value of "onError"';
  const closest = closestName(name, [...names, ...compartmentGlobals]);
  const hint = closest === undefined ? '; fields of the row are row.<field>' : `; did you mean "${closest}"?`;
  return `Unknown name "${name}"${hint}`;
}

const unknownItem = (name: string, isInBody: boolean): string =>
  isInBody
    ? `"${name}" is outside of this body: ${howToPass}`
    : `"${name}" exists only in a node with "each"`;
