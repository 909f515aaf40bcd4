// Measures how smoothly a page draws, by its animation frames.
import type { Locator, Page } from '@playwright/test';

type Frames = {
  /** Frames in a second, by the middle one's time. */
  readonly perSecond: number;
  /** 95th percentile of the frame times, in ms. */
  readonly slowMs: number;
};

/** Frames of a round: a second on a quiet machine. */
const frames = 60;

/** Scrolls what scrolls by so many pixels a frame, and back again at each end. */
function scrollFrames(scroller: Locator, pixels: number): Promise<Frames> {
  const scrolling = async (element: HTMLElement | SVGElement, [step, count]: readonly [number, number]) => {
    const times: number[] = [];
    let direction = 1;
    let before = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (let frame = 0; frame < count; frame += 1) {
      const top = element.scrollTop;
      element.scrollTop = top + step * direction;
      if (element.scrollTop === top) direction = -direction;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      times.push(now - before);
      before = now;
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.floor(share * count)] ?? Infinity;
    return { perSecond: 1000 / at(0.5), slowMs: at(0.95) };
  };
  return scroller.evaluate(scrolling, [pixels, frames] as const);
}

type Cost = Frames & { readonly costMs: number };

const maxRounds = 4;

/**
 * As above, with what a frame costs the page's own thread in computing time, in ms: less than 20 leaves room for 50
 * frames a second. Of up to four rounds the cheapest: what else the machine does makes a frame dearer, never cheaper.
 * @param enoughMs a round this cheap is the last
 */
export async function scrollCost(
  page: Page,
  scroller: Locator,
  pixels: number,
  enoughMs = 15,
): Promise<Cost> {
  let least = await scrollRound(page, scroller, pixels);
  for (let round = 1; round < maxRounds && least.costMs >= enoughMs; round += 1) {
    const next = await scrollRound(page, scroller, pixels);
    if (next.costMs < least.costMs) least = next;
  }
  return least;
}

async function scrollRound(page: Page, scroller: Locator, pixels: number): Promise<Cost> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busySeconds = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
  };
  const before = await busySeconds();
  const found = await scrollFrames(scroller, pixels);
  const costMs = ((await busySeconds()) - before) * (1000 / frames);
  await devtools.detach();
  return { ...found, costMs };
}
