// The real server in this process, and pages of it in a real browser.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type Axe from 'axe-core';
import { expect, test as base, type Page, type Request, type Route } from '@playwright/test';
import { createLog } from '../../src-main/app/log.ts';
import { deferred, type Deferred } from '../../src-main/base/deferred.ts';
import { sampleWorkflows, startTestApp, type TestApp } from '../builders/start-test-app.ts';

export { expect };

export const pagesFolder = fileURLToPath(new URL('../../dist/renderer', import.meta.url));

const workflows = {
  ...sampleWorkflows,
  quick: sampleWorkflows.echo.replace('id: echo', 'id: quick'),
};

export const startApp = (options: Partial<Parameters<typeof startTestApp>[0]> = {}): Promise<TestApp> =>
  // With its warnings, so that a stop that hangs names its step.
  startTestApp({
    workflows,
    limits: 'off',
    pagesFolder,
    log: createLog('warn'),
    ...options,
  });

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

/** The address that a procedure of the control API is called at. */
export const callOf = (procedure: string): string => `**/_rowbench/v1/call/${procedure}`;

/** True for a request of the editor that asks the server this question about its texts. */
export const isQuestion =
  (name: string) =>
  (request: Request): boolean =>
    request.url().endsWith('/call/author.ask') && questionsIn(request).some((each) => each.name === name);

const questionsIn = (request: Request): readonly { readonly name: string }[] =>
  (request.postDataJSON() as { readonly questions: readonly { readonly name: string }[] }).questions;

/** Once the page has drawn what came of the answers that it has. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

export type BlockedAnswer = {
  /** Once the page has asked. */
  readonly isBlocked: Promise<void>;
  /** Lets the server have what was asked. */
  readonly letGo: () => void;
  /** As above; done when the page has an answer, and has drawn what comes of it. Not for one that is streamed. */
  readonly free: () => Promise<void>;
};

/** Answers that come late: what the page asks there is kept from the server until it is let go. */
export async function holdAnswer(page: Page, address: string | RegExp): Promise<BlockedAnswer> {
  const [isBlocked, isFree] = [deferred(), deferred()];
  await page.route(address, async (route) => {
    isBlocked.resolve();
    await isFree.promise;
    await route.continue();
  });
  return blockAt(page, address, { isBlocked, isFree });
}

/** Late answers to a question of the editor. */
export async function holdQuestion(page: Page, name: string): Promise<BlockedAnswer> {
  const [isBlocked, isFree] = [deferred(), deferred()];
  await page.route(callOf('author.ask'), async (route) => {
    if (!isQuestion(name)(route.request())) return route.fallback();
    isBlocked.resolve();
    await isFree.promise;
    await route.continue();
  });
  return blockAt(page, (response) => isQuestion(name)(response.request()), { isBlocked, isFree });
}

/** An answer that is old when it comes: the first that the server gives there is kept from the page until it is let go. */
export async function holdOldAnswer(page: Page, address: string | RegExp): Promise<BlockedAnswer> {
  const [isBlocked, isFree] = [deferred(), deferred()];
  const hold = async (route: Route): Promise<void> => {
    const response = await route.fetch();
    isBlocked.resolve();
    await isFree.promise;
    await route.fulfill({ response });
  };
  await page.route(address, hold, { times: 1 });
  return blockAt(page, address, { isBlocked, isFree });
}

type Holding = { readonly isBlocked: Deferred; readonly isFree: Deferred };

type Address = Parameters<Page['waitForResponse']>[0];

function blockAt(page: Page, address: Address, { isBlocked, isFree }: Holding): BlockedAnswer {
  const free = async (): Promise<void> => {
    const late = page.waitForResponse(address);
    isFree.resolve();
    await (await late).finished();
    await drawn(page);
  };
  return { isBlocked: isBlocked.promise, letGo: isFree.resolve, free };
}

/** Resolves once the page has drawn itself in its new size. */
export async function resize(page: Page, width: number, height = 800): Promise<void> {
  await page.setViewportSize({ width, height });
  await drawn(page);
}

/** Violations of WCAG 2.2 A and AA on the page, as axe reports them. */
export async function barriers(page: Page): Promise<readonly string[]> {
  // What fades in is judged once it stands, also if it comes while axe looks.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await endOfAnimations(page);
  return violationsOf(page, { type: 'tag', values: tags });
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const endOfAnimations = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((each) => each.effect?.getTiming().iterations !== Infinity);
    // One that is cancelled, as when what it moves goes, is over too.
    await Promise.allSettled(ending.map((each) => each.finished));
  });

/** The themes differ in colours alone, so the second one is checked for contrast alone. */
export async function barriersInBothThemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await barriers(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await endOfAnimations(page);
  const inDark = await violationsOf(page, { type: 'rule', values: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark.map((each) => `dark theme: ${each}`)];
}

/** Landmarks with the same name, and headings that skip a level, as axe reports them. */
export const structureProblems = (page: Page): Promise<readonly string[]> =>
  violationsOf(page, { type: 'rule', values: ['landmark-unique', 'heading-order'] });

async function violationsOf(page: Page, runOnly: RunOnly): Promise<readonly string[]> {
  // Loading axe takes longer than most checks, and a document keeps it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { readonly axe: typeof Axe };
      const { violations } = await axe.run(options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`);
    },
    { runOnly, resultTypes: ['violations'] } satisfies Axe.RunOptions,
  );
}

type RunOnly = NonNullable<Axe.RunOptions['runOnly']>;

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The list of runs as a person meets it. */
export const runList = (page: Page) => ({
  grid: page.getByRole('grid', { name: 'Runs' }),
  row: (text: string | RegExp) => page.getByRole('row').filter({ hasText: text }),
  active: page.locator('.row.active'),
});
