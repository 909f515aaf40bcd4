/** Maximum characters of an id. */
const maxLength = 64;

/** Id for a workflow of that name: its letters without accents, its digits, and “-” between. */
export function workflowIdOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '');
  return id === '' ? 'workflow' : id;
}

/** The id, with a number if it is taken: `leads-2`. */
export function freeWorkflowId(id: string, isTaken: (id: string) => boolean): string {
  let free = id;
  for (let number = 2; isTaken(free); number += 1) {
    const ending = `-${number}`;
    free = id.slice(0, maxLength - ending.length) + ending;
  }
  return free;
}
