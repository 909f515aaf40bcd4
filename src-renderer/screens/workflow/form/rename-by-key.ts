/** Asks for the new name on F2, where there is one to ask for. */
export function renameByKey(event: KeyboardEvent, ask: (() => void) | undefined): void {
  if (event.key !== 'F2' || event.shiftKey || event.defaultPrevented || ask === undefined) return;
  event.preventDefault();
  ask();
}
