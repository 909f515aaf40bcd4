// How smoothly a page draws, by its own clock of frames.
import type { Locator } from '@playwright/test';

export type Frames = {
  /** Frames in a second, by the middle one's time. */
  readonly perSecond: number;
  /** Of the slowest but one in twenty, in ms. */
  readonly slowMs: number;
};

/** Scrolls what scrolls by so many pixels a frame, two seconds long, and back again at each end. */
export function scrollFrames(scroller: Locator, pixels: number): Promise<Frames> {
  return scroller.evaluate(async (element, step) => {
    const times: number[] = [];
    let direction = 1;
    let before = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (let frame = 0; frame < 120; frame += 1) {
      const top = element.scrollTop;
      element.scrollTop = top + step * direction;
      if (element.scrollTop === top) direction = -direction;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      times.push(now - before);
      before = now;
    }
    times.sort((a, b) => a - b);
    return { perSecond: 1000 / (times[60] ?? Infinity), slowMs: times[114] ?? Infinity };
  }, pixels);
}
