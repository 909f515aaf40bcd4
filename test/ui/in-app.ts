// The real server in this process, and pages of it in a real browser.
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';
import { sampleWorkflows, startTestApp, type TestApp } from '../builders/start-test-app.ts';

export { expect };

export const pagesFolder = fileURLToPath(new URL('../../dist/renderer', import.meta.url));

const workflows = {
  ...sampleWorkflows,
  quick: sampleWorkflows.echo.replace('id: echo', 'id: quick'),
};

export const startApp = (given: Partial<Parameters<typeof startTestApp>[0]> = {}): Promise<TestApp> =>
  startTestApp({ workflows, limits: 'off', pagesFolder, ...given });

export const linkTo = async (app: TestApp, path = '/'): Promise<string> => {
  const { url } = await app.handlers['server.link']({});
  return url.replace('/#', `${path}#`);
};

type Fixtures = {
  readonly app: TestApp;
  /** Lets the page in, at a place of the app. */
  readonly enter: (path?: string) => Promise<void>;
  /** Console errors and failed scripts of the page; none are expected. */
  readonly problems: string[];
};

export const test = base.extend<Fixtures>({
  app: async ({}, use) => {
    const app = await startApp();
    await use(app);
    await app.close();
  },
  enter: async ({ app, page }, use) => {
    await use(async (path) => {
      await page.goto(await linkTo(app, path));
    });
  },
  problems: [
    async ({ page }, use) => {
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      await use(problems);
    },
    { auto: true },
  ],
});

/** What is wrong for people with assistive technology, by WCAG 2.2 A and AA. */
export async function barriers(page: Page): Promise<readonly string[]> {
  // What fades in is judged once it stands.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((each) => each.effect?.getTiming().iterations !== Infinity);
    // One that is cancelled, as when what it moves goes, is over too.
    await Promise.allSettled(ending.map((each) => each.finished));
  });
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`);
}

/** The list of runs as a person meets it. */
export const runList = (page: Page) => ({
  grid: page.getByRole('grid', { name: 'Runs' }),
  row: (text: string | RegExp) => page.getByRole('row').filter({ hasText: text }),
  active: page.locator('.row.active'),
});
