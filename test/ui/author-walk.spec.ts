// An author's walk by keyboard alone: from pasted rows to the end of a recorded run, all nodes by picker and inspector. The
// number of choices and of entries is limited.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { paste } from './clipboard.ts';
import { fileOf, onEditorScreen } from './editor-screen.ts';
import { barriers, expect, test as base } from './in-app.ts';

/** The fewest that were measured are 28 and 29. */
const maxClicks = 30;
const maxEntries = 31;

const rows = `name\tcompany\tindustry
 Ada \tLovelace\tIT
Grace\tHopper\tNAVY
Alan\tTuring\tIT
Linus\tTorvalds\tIT
Katherine\tJohnson\tSPACE
`;

/** Companies, and a model that greets. The first call to each company fails. */
async function startServices(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const failed = new Set<string>();
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const path = request.url ?? '';
    if (path === '/v1/chat/completions')
      answer(200, { choices: [{ message: { content: 'Good day' }, finish_reason: 'stop' }] });
    else if (request.headers['x-api-key'] !== 'hush-4711') answer(401, {});
    else if (failed.has(path)) answer(200, { employees: path.includes('a') ? 500 : 20, tech: ['js', 'go'] });
    else {
      failed.add(path);
      answer(500, {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const test = base.extend<{ url: string }>({
  url: async ({}, use) => {
    const services = await startServices();
    await use(services.url);
    await services.close();
  },
});

test.use({ permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 1440, height: 900 } });

/** Works by keys and counts: a control that is gone to is a click, a text or a key of its own is an entry. */
class CountedKeys {
  readonly counts = { clicks: 0, entries: 0 };
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Goes to a control by Tab, and from pane to pane by F6. */
  async go(target: Locator): Promise<void> {
    this.counts.clicks += 1;
    await target.waitFor();
    for (let presses = 0; presses < 90; presses += 1) {
      const key = await target.evaluate(keyTowards);
      if (key === undefined) return;
      await this.#page.keyboard.press(key);
    }
    throw new Error(`No keys lead to ${String(target)}`);
  }

  async press(target: Locator): Promise<void> {
    await this.go(target);
    await this.#page.keyboard.press('Enter');
  }

  /** Chooses an option of a list by its first letters. */
  async choose(list: Locator, option: string): Promise<void> {
    await this.go(list);
    await this.#page.keyboard.type(option);
  }

  async key(key: string): Promise<void> {
    this.counts.entries += 1;
    await this.#page.keyboard.press(key);
  }

  /** Types in place of the text of the field with the focus. */
  async type(text: string): Promise<void> {
    this.counts.entries += 1;
    await this.#page.keyboard.press('Control+a');
    await this.#page.keyboard.type(text);
  }

  /** Pastes in place of the text of the field with the focus. */
  async paste(text: string): Promise<void> {
    this.counts.entries += 1;
    await this.#page.keyboard.press('Control+a');
    await paste(this.#page, text);
  }

  /** The key that ends a text, a part of its entry. */
  async enter(): Promise<void> {
    await this.#page.keyboard.press('Enter');
  }
}

/** The key that leads towards an element; undefined if it has the focus. */
function keyTowards(target: Element): string | undefined {
  const focused = document.activeElement ?? document.body;
  const root = target.getRootNode();
  // The text of an editor is in a shadow tree.
  const outer = root instanceof ShadowRoot ? root.host : target;
  if (outer.contains(focused)) return undefined;
  const isInGroup =
    outer instanceof HTMLInputElement &&
    focused instanceof HTMLInputElement &&
    outer.type === 'radio' &&
    outer.name === focused.name;
  if (isInGroup || outer.matches('[role=menuitem]')) return 'ArrowDown';
  const pane = outer.closest('[data-pane]');
  const isOutside = pane === null ? focused.closest('#inspector') !== null : !pane.contains(focused);
  if (isOutside && focused.closest('dialog, [popover]') === null) return 'F6';
  const isBefore = focused.compareDocumentPosition(outer) & Node.DOCUMENT_POSITION_PRECEDING;
  return isBefore ? 'Shift+Tab' : 'Tab';
}

const onWalk = (page: Page, keys: CountedKeys) => {
  const { form, card } = onEditorScreen(page);
  const dialog = page.getByRole('dialog');
  /** A field by its key. */
  const field = (key: string) => form.getByRole('textbox', { name: new RegExp(`(^| )${key}( required)?$`) });
  return {
    dialog,
    field,
    list: (name: string | RegExp) => form.getByRole('combobox', { name }),
    /** Adds the first node that the words find; the focus is in its first field then. */
    addNode: async (words: string, first: Locator): Promise<void> => {
      await keys.press(page.getByTitle('Add a node (A)'));
      await expect(page.getByRole('combobox', { name: 'Search for a node' })).toBeFocused();
      await keys.type(words);
      await expect(page.getByLabel('Lines that it writes')).toContainText('id:');
      await keys.enter();
      await expect(first).toBeFocused();
    },
    addOption: async (words: string, key: string): Promise<void> => {
      await keys.go(page.getByRole('combobox', { name: 'Add option' }));
      await keys.type(words);
      await expect(page.getByRole('listbox', { name: 'Options' }).getByRole('option').first()).toBeVisible();
      await keys.enter();
      await expect(field(key)).toBeFocused();
    },
    select: async (id: string): Promise<void> => {
      await keys.go(page.getByRole('listbox', { name: /^Nodes/ }));
      await page.keyboard.press('Home');
      for (let steps = 0; steps < 10; steps += 1)
        for (const key of ['ArrowDown', 'ArrowUp', 'ArrowRight']) {
          if ((await card(id).getAttribute('aria-selected')) === 'true') return;
          await page.keyboard.press(key);
        }
      throw new Error(`No way leads to ${id}`);
    },
  };
};

test(
  'an author builds a workflow with calls by keyboard alone, in few steps, and its recorded run is green',
  { tag: '@main' },
  async ({ app, page, enter, url, problems }) => {
    // Twice the time of others, on a machine with much else to do.
    test.slow();
    const keys = new CountedKeys(page);
    const { editor, card, values, file } = onEditorScreen(page);
    const { dialog, field, list, addNode, addOption, select } = onWalk(page, keys);
    await enter('/workflows');
    await page.getByRole('button', { name: 'New workflow…' }).waitFor();
    await keys.key('n');
    await expect(page.getByLabel('Paste rows')).toBeFocused();
    await keys.paste(rows);
    await expect(dialog.getByRole('status')).toHaveText('5 rows, TSV.');
    await keys.go(dialog.getByLabel('Name', { exact: true }));
    await keys.type('Leads');
    await keys.enter();
    await editor.waitFor();

    await addNode('set', field('New name in values'));
    await keys.paste('name\t=row.name.trim()\nfirm\t=row.company.toLowerCase()');
    await expect(editor).toContainText('firm:');

    await keys.press(file.getByRole('button', { name: 'New file…' }));
    await keys.go(dialog.getByRole('radio', { name: 'Other rows' }));
    await keys.enter();
    await expect(page.getByRole('textbox', { name: 'leads.table.csv' })).toBeFocused();
    await keys.paste('industry,label\nIT,Software\nNAVY,Ships\nSPACE,Rockets\n');
    await addNode('csv', list(/^table/));
    await keys.go(field('match'));
    await keys.paste('=row.industry');

    await addNode('http request', field('url'));
    await keys.paste(`${url}/companies/{{ nodes.set.firm }}`);
    await addOption('sign', 'secret');
    await keys.type('ENRICH_KEY');
    await addOption('auth header', 'header');
    await keys.type('x-api-key');
    await addOption('retry', 'attempts');

    await addNode('switch', field('when'));
    await keys.paste('nodes.http.body.employees > 100');
    await keys.go(field('value'));
    await keys.type('large');
    await addOption('default', 'default');
    await keys.type('small');

    await addNode('set', field('New name in values'));
    await keys.paste('name\t=item.toUpperCase()\nof\t=nodes.set.firm');
    await keys.choose(list('How often'), 'for');
    await expect(field('each')).toBeFocused();
    await keys.paste('nodes.http.body.tech');

    await addNode('gpt', field('baseUrl'));
    await keys.paste(`${url}/v1`);
    await keys.go(field('content'));
    await keys.paste('Greet {{ nodes.set.name }}');
    await keys.choose(list('Condition'), 'only');
    await expect(field('when')).toBeFocused();
    await keys.paste("nodes.switch === 'large'");
    await expect(card('llm')).toContainText("if switch === 'large'");
    await expect(card('llm')).toBeInViewport({ ratio: 1 });
    expect(await barriers(page)).toEqual([]);

    await select('result');
    await keys.go(field('New name in fields'));
    await keys.paste('industry\t=nodes.lookup.label\nopener\t=nodes.llm?.text\ntech\t=nodes.set2');
    await expect(card('result')).toContainText('Not reached');

    await select('http');
    const call = values.getByRole('region', { name: 'Not called' });
    await keys.press(call.getByRole('button', { name: 'Add ENRICH_KEY…' }));
    await expect(dialog.getByLabel('Value')).toBeFocused();
    await keys.type('hush-4711');
    await keys.enter();
    await expect(dialog).toBeHidden();
    await keys.press(call.getByRole('button', { name: 'Call once' }));
    await keys.press(call.getByRole('button', { name: 'Allow…' }));
    await keys.press(dialog.getByRole('button', { name: 'Allow', exact: true }));
    await expect(dialog).toBeHidden();
    await keys.press(call.getByRole('button', { name: 'Call once' }));
    await expect(card('set2')).toContainText('×2');

    await keys.press(file.getByRole('button', { name: 'Other rows' }));
    await keys.press(page.getByRole('menuitem', { name: 'Run 5 rows, and record' }));
    await expect(page.getByText('Completed').first()).toBeVisible();
    const [run] = await app.handlers['run.list']({ limit: 1 });
    expect(run).toMatchObject({ rows: 5, rowsDone: 5, rowsFailed: 0, mode: 'record' });
    expect(await readFile(fileOf(app.dataDir), 'utf8')).toContain('each: nodes.http.body.tech');
    expect(keys.counts.clicks).toBeLessThanOrEqual(maxClicks);
    expect(keys.counts.entries).toBeLessThanOrEqual(maxEntries);
    expect(problems).toEqual([]);
  },
);
