// The texts of a window on the server: changes in any order, hostile ones, two windows, and questions by role.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { questions } from '../../../src-main/contract/authoring/questions.ts';
import type { FileChange, Input, QuestionName } from '../../../src-main/contract/index.ts';
import { hasRole, roles } from '../../../src-main/domain/access/role.ts';
import { textHash } from '../../../src-main/files/text-file.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { startTestApp, type TestApp } from '../../builders/start-test-app.ts';
import { startTeamApp, type TeamApp } from '../../builders/team-app.ts';

const saved = 'rowbench: 1\nid: leads\nnodes:\n  - { id: input, type: input }\n';
const own = 'leads.workflow.yaml';
const baseHash = textHash(saved);
const workflowId = 'leads';

const whole = (text: string, more: readonly FileChange[] = []): readonly FileChange[] => [
  { name: own, baseHash, text },
  ...more,
];
const changed = (from: number, to: number, insert: string): readonly FileChange[] => [
  { name: own, baseHash, changes: [{ from, to, insert }] },
];
const check = [{ name: 'check', input: {} }] as const;
const idsOf = (answer: unknown): unknown =>
  (answer as { answers: { nodes: { id: string }[] }[] }).answers[0]?.nodes.map(({ id }) => id);

describe('the texts of a window', () => {
  let app: TestApp;
  let editor = '';
  let windows = 0;
  beforeAll(async () => {
    app = await startTestApp({ workflows: { leads: saved } });
  });
  afterAll(() => app.close());

  const newWindow = () => (editor = `window ${(windows += 1)}`);
  const change = (input: Omit<Input<'author.change'>, 'workflowId' | 'editor'>) =>
    app.handlers['author.change']({ workflowId, editor, ...input });
  const ask = (version: number, list: Input<'author.ask'>['questions'] = check) =>
    app.handlers['author.ask']({ workflowId, editor, version, questions: list });
  /** The text that the server has, as a draft. */
  const textOnServer = async (): Promise<string | undefined> =>
    (await app.handlers['author.open']({ workflowId })).draft?.files.find(({ name }) => name === own)?.text;

  it('are changed by ranges, and answers are about one version', async () => {
    newWindow();
    await change({ version: 1, base: null, files: whole(saved) });
    expect(idsOf(await ask(1))).toEqual(['input']);
    const at = saved.indexOf('input, type');
    await change({ version: 2, base: 1, files: changed(at, at + 5, 'rows') });
    expect(idsOf(await ask(2))).toEqual(['rows']);
    expect(await ask(1)).toEqual({ superseded: true });
  });

  it('may arrive in any order: a change waits for the one before it, and a question for its version', async () => {
    newWindow();
    const pending = ask(3);
    const third = change({ version: 3, base: 2, files: changed(0, 0, '# 3\n') });
    const second = change({ version: 2, base: 1, files: changed(0, 0, '# 2\n') });
    await change({ version: 1, base: null, files: whole(saved) });
    await Promise.all([second, third]);
    expect(idsOf(await pending)).toEqual(['input']);
    await change({ version: 4, base: 3, files: [], stores: 'now' });
    expect(await textOnServer()).toBe(`# 3\n# 2\n${saved}`);
  });

  it('are requested whole where a version does not arrive', async () => {
    newWindow();
    expect(await ask(7)).toEqual({ textsMissing: true });
    expect(await change({ version: 8, base: 7, files: changed(0, 0, '#') })).toEqual({ textsMissing: true });
    await change({ version: 9, base: null, files: whole(saved) });
    expect(await ask(Number.MAX_SAFE_INTEGER)).toEqual({ textsMissing: true });
  });

  it('of two changes of one version have the first alone', async () => {
    newWindow();
    const changes = [2, 3].map((version) =>
      change({ version, base: 1, files: changed(0, 0, `# ${version}\n`) }),
    );
    await change({ version: 1, base: null, files: whole(saved) });
    await Promise.all(changes);
    await change({ version: 4, base: 2, files: [], stores: 'now' });
    expect(await textOnServer()).toBe(`# 2\n${saved}`);
  });

  it.each([
    ['beyond the end', saved.length, saved.length + 1],
    ['backwards', 5, 4],
    ['of a fraction', 0.5, 1],
    ['below the start', -1, 0],
  ])('refuse a range %s, and stay as they were', async (_, from, to) => {
    newWindow();
    await change({ version: 1, base: null, files: whole(saved) });
    const input = { workflowId, editor, version: 2, base: 1, files: changed(from, to, '') };
    const response = await fetch(`${app.url}/_rowbench/v1/call/author.change`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [app.control.header]: app.control.token },
      body: JSON.stringify(input),
    });
    expect(response.status).toBe(400);
    expect(idsOf(await ask(1))).toEqual(['input']);
  });

  it('refuse ranges out of order, and changes of a file that they do not have', async () => {
    newWindow();
    await change({ version: 1, base: null, files: whole(saved) });
    const changes = [
      { from: 5, to: 6, insert: '' },
      { from: 4, to: 5, insert: '' },
    ];
    const outOfOrder = change({ version: 2, base: 1, files: [{ name: own, baseHash, changes }] });
    await expect(outOfOrder).rejects.toThrow('there is no range 4 to 5');
    const unknown = [{ name: 'leads.tests.yaml', baseHash: null, changes: [] }];
    await expect(change({ version: 2, base: 1, files: unknown })).rejects.toThrow('is not known');
  });

  it('keep halves of a character and NUL until they are whole again', async () => {
    newWindow();
    await change({ version: 1, base: null, files: whole(`# 😀\n${saved}`) });
    // A text editor sends the half that differs between two such characters.
    await change({ version: 2, base: 1, files: changed(3, 4, '') });
    expect(idsOf(await ask(2))).toEqual(['input']);
    await change({ version: 3, base: 2, files: changed(3, 3, '😁'.slice(1)), stores: 'now' });
    expect(await textOnServer()).toBe(`# 😁\n${saved}`);
    await change({ version: 4, base: 3, files: changed(0, 0, '\0'), stores: 'now' });
    expect(await textOnServer()).toBe(`\0# 😁\n${saved}`);
    expect(await ask(4)).toMatchObject({ answers: [{ nodes: [] }] });
  });

  it('are those of all windows of a team while they have up to 20 million characters together', async () => {
    const large = `# ${'x'.repeat(1_900_000)}\n`;
    const files = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: `leads.${n}.json`, baseHash: null, text: large }));
    newWindow();
    const tooLarge = change({ version: 1, base: null, files: whole(saved, files(6)) });
    await expect(tooLarge).rejects.toThrow(
      'The files of this workflow would have more than 10 million characters',
    );
    const first = newWindow();
    await change({ version: 1, base: null, files: whole(saved) });
    for (let n = 0; n < 100; n += 1) {
      newWindow();
      await change({ version: 1, base: null, files: whole(saved) });
    }
    editor = first;
    expect(await ask(1)).toHaveProperty('answers');
    const firstLarge = newWindow();
    for (let n = 0; n < 3; n += 1) {
      await change({ version: 1, base: null, files: whole(saved, files(5)) });
      newWindow();
    }
    editor = firstLarge;
    expect(await ask(1)).toEqual({ textsMissing: true });
  });

  it('refuse the change that makes a file longer than a save takes, and stay as they were', async () => {
    newWindow();
    const insert = `# ${'x'.repeat(1_900_000)}\n`;
    await change({ version: 1, base: null, files: whole(saved) });
    await change({ version: 2, base: 1, files: changed(0, 0, insert) });
    const tooLong = change({ version: 3, base: 2, files: changed(0, 0, insert) });
    await expect(tooLong).rejects.toThrow(
      `${own} would have more than 2 million characters: shorten the text`,
    );
    expect(await ask(2)).toHaveProperty('answers');
    const whollyTooLong = change({ version: 3, base: null, files: whole(insert + insert) });
    await expect(whollyTooLong).rejects.toThrow('more than 2 million characters');
  });

  it('have the text of an unchanged file from the disk, by its hash', async () => {
    newWindow();
    await change({ version: 1, base: null, files: [{ name: own, hash: baseHash }] });
    expect(idsOf(await ask(1))).toEqual(['input']);
    await change({ version: 2, base: null, files: [{ name: own, hash: textHash('another') }] });
    expect(await ask(2)).toEqual({ textsMissing: true });
  });

  it('are dropped with the claim', async () => {
    newWindow();
    await app.handlers['author.claim']({ workflowId, editor });
    await change({ version: 1, base: null, files: whole(saved) });
    await app.handlers['author.release']({ workflowId, editor });
    expect(await ask(1)).toEqual({ textsMissing: true });
  });

  it('of two windows are the draft of the one that edits; the other asks about its own', async () => {
    const second = newWindow();
    const first = newWindow();
    await app.handlers['author.claim']({ workflowId, editor: first });
    onTestFinished(async () => void (await app.handlers['author.release']({ workflowId, editor: second })));
    await change({ version: 1, base: null, files: whole(`# first\n${saved}`), stores: 'now' });
    editor = second;
    const refused = change({ version: 1, base: null, files: whole(`# second\n${saved}`), stores: 'now' });
    await expect(refused).rejects.toThrow('Another window edits this workflow');
    expect(await textOnServer()).toBe(`# first\n${saved}`);
    expect(idsOf(await ask(1))).toEqual(['input']);
    editor = first;
    // It is stored half a second after the one before, unless another window takes over.
    const last = change({ version: 2, base: 1, files: changed(0, 0, '# last\n'), stores: 'soon' });
    await expect.poll(() => ask(2)).toHaveProperty('answers');
    await app.handlers['author.claim']({ workflowId, editor: second, takesOver: true });
    expect(await textOnServer()).toBe(`# last\n# first\n${saved}`);
    expect(await last).toHaveProperty('storedAt');
  });

  it('are stored while they change: each change is answered once it is stored, or a newer one has come', async () => {
    newWindow();
    await change({ version: 1, base: null, files: whole(saved), stores: 'now' });
    const answers = await Promise.all(
      [2, 3, 4].map((version) =>
        change({ version, base: version - 1, files: changed(0, 0, `# ${version}\n`), stores: 'soon' }),
      ),
    );
    expect(answers.map((answer) => 'storedAt' in answer)).toEqual([false, false, true]);
    expect(await textOnServer()).toBe(`# 4\n# 3\n# 2\n${saved}`);
    await change({ version: 5, base: 4, files: [{ name: own, hash: baseHash }], stores: 'now' });
    expect(await textOnServer()).toBeUndefined();
  });
});

it('a window goes on after a restart of the server, with its texts sent whole', async () => {
  const home = await temporaryFolder();
  const first = await startTestApp({ workflows: { leads: saved }, home });
  const window = { workflowId, editor: 'window' };
  const text = `# typed\n${saved}`;
  const storing = first.handlers['author.change']({
    ...{ ...window, version: 1, base: null },
    files: whole(text),
    stores: 'soon',
  });
  // A stop stores what is pending.
  await first.close();
  await storing;
  const second = await startTestApp({ workflows: { leads: saved }, home });
  onTestFinished(() => second.close());
  expect((await second.handlers['author.open']({ workflowId })).draft?.files[0]?.text).toBe(text);
  const questionOf = { ...window, questions: [...check] };
  expect(await second.handlers['author.ask']({ ...questionOf, version: 2 })).toEqual({ textsMissing: true });
  await second.handlers['author.change']({ ...window, version: 3, base: null, files: whole(text) });
  expect(idsOf(await second.handlers['author.ask']({ ...questionOf, version: 3 }))).toEqual(['input']);
});

describe('on a team server', () => {
  let app: TeamApp;
  const window = { workflowId: 'echo', editor: 'window' };
  const version = 1;
  beforeAll(async () => {
    app = await startTeamApp();
    const files = [{ name: 'echo.workflow.yaml', baseHash: null, text: 'nodes: []\n' }];
    // Each user has texts, so that nothing but a role refuses a question.
    for (const role of roles)
      await app.handlers['author.change'](
        { ...window, version, base: null, files },
        { tokenId: app.tokenIds[role], name: role, role },
      );
  });
  afterAll(() => app.close());

  /** Input of each question; most find nothing in the text. */
  const inputs: Record<QuestionName, unknown> = {
    check: {},
    edit: { edits: [{ kind: 'removeItem', path: ['nodes', 0] }] },
    form: { nodeId: 'a' },
    names: {},
    connections: { from: 'a', to: 'b' },
    renameNode: { id: 'a', newId: 'b' },
    renameField: { of: 'input', name: 'a', newName: 'b' },
    moveBodyOut: { id: 'a', newId: 'b' },
    moveBodyIn: { id: 'a' },
    insertRead: { offset: 0, path: ['row', 'a'] },
    fixes: {},
    complete: { name: 'echo.workflow.yaml', offset: 0 },
    symbol: { name: 'echo.workflow.yaml', offset: 0 },
    newTest: { name: 't', rows: [{}] },
    testOfRow: { name: 't', test: { name: 't', row: {}, mocked: [], expect: { error: 'e' } } },
    preview: { rows: { of: 'testRows' }, mode: 'mocks' },
    value: { row: 1 },
    tests: {},
    testRows: { name: 'echo.tests.yaml', line: 1 },
    updateTests: {},
    editTest: { name: 'echo.tests.yaml', line: 1, key: 'name', value: 'a' },
  };
  const cases = (Object.keys(questions) as QuestionName[]).flatMap((name) =>
    roles.map((role) => ({ name, role })),
  );

  it.each(cases)(
    'a question $name of a user with the role $role is answered as its table says',
    async ({ name, role }) => {
      const pending = { ...window, version, questions: [{ name, input: inputs[name] }] };
      const { status, code, body } = await app.perform(app.tokens[role], 'author.ask', pending);
      if (hasRole(role, questions[name].role)) {
        expect(code).not.toBe('role_required');
        if (status === 200) expect(body.data).toHaveProperty('answers');
        else expect({ name, status }).toEqual({ name: 'testRows', status: 400 });
      } else expect([status, code]).toEqual([403, 'role_required']);
    },
  );

  it('questions that run rows, or read those of tests, are not for viewers', () => {
    const refused = Object.entries(questions).filter(([, { role }]) => !hasRole('viewer', role));
    const names = ['newTest', 'preview', 'testRows', 'tests', 'updateTests', 'value'];
    expect(refused.map(([name]) => name).sort()).toEqual(names);
  });

  it('a viewer gets no answer at all if one of the questions is not for viewers', async () => {
    const list = [
      { name: 'check', input: {} },
      { name: 'preview', input: inputs.preview },
    ];
    const answer = await app.perform(app.tokens.viewer, 'author.ask', {
      ...window,
      version,
      questions: list,
    });
    expect(answer).toMatchObject({ status: 403, code: 'role_required' });
    expect(answer.body.data).toBeUndefined();
  });

  it('a user cannot change the texts of another one, nor release or take her claim by her id', async () => {
    await app.perform(app.tokens.operator, 'author.claim', window);
    const files = [{ name: 'echo.workflow.yaml', baseHash: null, text: 'theirs' }];
    const change = { ...window, version: 2, base: null, files, stores: 'now' };
    expect(await app.perform(app.tokens.viewer, 'author.change', change)).toMatchObject({ status: 403 });
    const refused = await app.perform(app.tokens.admin, 'author.change', change);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain('Another window edits this workflow');
    const claim = await app.perform(app.tokens.admin, 'author.claim', window);
    expect(claim.body.data).toEqual({ isEditor: false });
    await app.perform(app.tokens.admin, 'author.release', window);
    const pending = { ...window, version, questions: [{ name: 'check', input: {} }] };
    expect((await app.perform(app.tokens.operator, 'author.ask', pending)).body.data).toHaveProperty(
      'answers',
    );
  });

  it('users who sign in one after the other in one window have texts of their own', async () => {
    const shared = { workflowId: 'echo', editor: 'shared', version: 1 };
    const namesOf = async (token: string) => {
      const pending = { ...shared, questions: [{ name: 'check', input: {} }] };
      return idsOf((await app.perform(token, 'author.ask', pending)).body.data);
    };
    for (const [token, id] of [
      [app.tokens.operator, 'first'],
      [app.tokens.admin, 'second'],
    ] as const) {
      const text = `nodes:\n  - { id: ${id}, type: input }\n`;
      const files = [{ name: 'echo.workflow.yaml', baseHash: null, text }];
      expect(await app.perform(token, 'author.change', { ...shared, base: null, files })).toMatchObject({
        status: 200,
      });
    }
    expect(await namesOf(app.tokens.operator)).toEqual(['first']);
    expect(await namesOf(app.tokens.admin)).toEqual(['second']);
  });

  it('the changes of one claim have one record, and refused ones have theirs', async () => {
    const other = { workflowId: 'echo', editor: 'recorded' };
    const changeAt = (version: number, token = app.tokens.admin) =>
      app.perform(token, 'author.change', {
        ...{ ...other, version, base: null },
        files: [{ name: 'echo.workflow.yaml', baseHash: null, text: `# ${version}\n` }],
      });
    const outcomes = async () =>
      (await app.handlers['audit.list']({ limit: 50 }))
        .filter(({ procedure }) => procedure === 'author.change')
        .map(({ outcome }) => outcome);
    const before = (await outcomes()).length;
    const added = async () => (await outcomes()).slice(0, -before);
    await app.perform(app.tokens.admin, 'author.claim', { ...other, takesOver: true });
    for (const number of [1, 2, 3]) await changeAt(number);
    // The window renews its claim.
    await app.perform(app.tokens.admin, 'author.claim', other);
    await changeAt(4);
    expect(await added()).toEqual(['done']);
    await changeAt(5, app.tokens.viewer);
    expect(await added()).toEqual(['role_required', 'done']);
    await app.perform(app.tokens.admin, 'author.release', other);
    await app.perform(app.tokens.admin, 'author.claim', other);
    for (const number of [6, 7]) await changeAt(number);
    expect(await added()).toEqual(['done', 'role_required', 'done']);
  });
});
