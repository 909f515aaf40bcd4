// A value that the user drags to where it is to be read. A drop moves the caret there, and then picks the value as a click
// on it does.
type Point = { readonly x: number; readonly y: number };

const type = 'application/x-rowbench-value';
/** Picks the value that was dragged last in this page. */
let pick: (() => void) | undefined;

/** The user starts to drag the value that `picks` picks. */
export function startPick({ dataTransfer }: DragEvent, picks: () => void): void {
  pick = picks;
  dataTransfer?.setData(type, '');
}

/** Handlers of an element that takes dragged values. @param aim moves the caret to a point of the window, in pixels */
export const takesPicks = (aim: (point: Point) => Promise<void> | void) => ({
  ondragovercapture: (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes(type) === true) event.preventDefault();
  },
  ondropcapture: (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes(type) !== true) return;
    event.preventDefault();
    void Promise.resolve(aim({ x: event.clientX, y: event.clientY })).then(pick);
  },
});
