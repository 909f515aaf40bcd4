// A value that the user drags to where it is to be read. A drop moves the caret there, and then picks the value as a click
// on it does.
type Point = { readonly x: number; readonly y: number };

const type = 'application/x-rowbench-value';
/** The value that is dragged in this page. Another window can drag one here, which its own page would have to pick. */
let pick: (() => void) | undefined;

/** The user starts to drag the value that `picks` picks. */
export function startPick({ dataTransfer }: DragEvent, picks: () => void): void {
  pick = picks;
  dataTransfer?.setData(type, '');
  document.addEventListener('dragend', () => (pick = undefined), { once: true });
}

/** Handlers of an element that takes dragged values. @param aim moves the caret to a point of the window, in pixels */
export const takesPicks = (aim: (point: Point) => Promise<void> | void) => ({
  ondragovercapture: (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes(type) === true) event.preventDefault();
  },
  ondropcapture: (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes(type) !== true) return;
    event.preventDefault();
    const dragged = pick;
    if (dragged !== undefined)
      void Promise.resolve(aim({ x: event.clientX, y: event.clientY })).then(dragged);
  },
});
