// Browsers draw nothing higher than some 30 million pixels, less when zoomed. A list that would be higher gets a lower
// element, and scrolls through it in larger steps.
const tallest = 10_000_000;

export type TallList = { readonly count: number; readonly rowHeight: number; readonly height: number };

/** Height of the element that scrolls. */
export const drawnHeight = ({ count, rowHeight }: TallList): number => Math.min(count * rowHeight, tallest);

/** Where in the list's own pixels a scroll position is. */
export const listTop = (list: TallList, scrollTop: number): number => scrollTop * stretchOf(list);

/** The scroll position of a place in the list's own pixels. */
export const scrollTopOf = (list: TallList, top: number): number => top / stretchOf(list);

function stretchOf(list: TallList): number {
  const whole = list.count * list.rowHeight;
  const room = drawnHeight(list) - list.height;
  return whole <= tallest || room <= 0 ? 1 : (whole - list.height) / room;
}
