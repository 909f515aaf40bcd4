import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOfArguments, placeOfFile, placeOfLink } from '../../../src-main/app/shell/opened-place.ts';
import { OpenedPlaces } from '../../../src-main/desktop/opened-places.ts';
import { safeFileName } from '../../../src-main/app/shell/safe-file-name.ts';
import { electronDouble } from '../../builders/electron-double.ts';

describe('a link', () => {
  it('shows a run or a workflow', () => {
    expect(placeOfLink('rowbench://runs/run_1')).toBe('/runs/run_1');
    expect(placeOfLink('rowbench://workflows/my-flow/')).toBe('/workflows/my-flow');
  });

  it.each([
    ...[
      'rowbench://runs/',
      'rowbench://runs/a/b',
      'rowbench://runs/..',
      'rowbench://runs/a?x=1',
      'rowbench://runs/a#x',
    ],
    ...[
      'rowbench://settings/x',
      'ROWBENCH://runs/x',
      ' rowbench://runs/x',
      'rowbench://runs/x\n',
      'rowbench:runs/x',
    ],
    ...[
      'rowbench://user@runs/x',
      'rowbench://runs/%2e%2e',
      'https://evil.example',
      `rowbench://runs/${'x'.repeat(65)}`,
    ],
  ])('%s shows nothing', (link) => {
    expect(placeOfLink(link)).toBeUndefined();
  });

  it('gives nothing but a place of the two screens, whatever it says', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const place = placeOfLink(`rowbench://${text}`);
        expect(place ?? '/runs/x').toMatch(/^\/(runs|workflows)\/[\w-]{1,64}$/);
      }),
    );
  });
});

it('offers to import a workflow file, and no other file', () => {
  expect(placeOfFile('/home/ü b/ask.workflow.yaml')).toBe(
    '/workflows?import=%2Fhome%2F%C3%BC%20b%2Fask.workflow.yaml',
  );
  expect([placeOfFile('/a/b.yaml'), placeOfFile('c.workflow.yaml')]).toEqual([undefined, undefined]);
});

it('finds what a command line asks for beside its options', () => {
  expect(placeOfArguments(['app', '--x.workflow.yaml', 'a.workflow.yml', 'b.txt'], '/home')).toBe(
    '/workflows?import=%2Fhome%2Fa.workflow.yml',
  );
  expect(placeOfArguments(['app', 'rowbench://runs/1'], '/')).toBe('/runs/1');
  expect(placeOfArguments(['rowbench://runs/1'], '/')).toBeUndefined();
});

it('keeps what came before the window, then shows what comes', () => {
  const { app, parts } = electronDouble();
  const opened = new OpenedPlaces(parts.app, ['app']);
  expect(app.fire('open-url', {}, 'rowbench://runs/early')).toBe(true);
  const shown: unknown[] = [];
  shown.push(opened.takeOver((place) => shown.push(place)));
  app.fire('second-instance', {}, ['app', 'x.workflow.yaml'], '/y');
  app.fire('open-file', {}, '/z.workflow.yaml');
  app.fire('activate');
  expect(shown).toEqual([
    '/runs/early',
    '/workflows?import=%2Fy%2Fx.workflow.yaml',
    '/workflows?import=%2Fz.workflow.yaml',
    undefined,
  ]);
});

it.each([
  ['../../x.csv', '-..-x.csv'],
  ['CON', 'rowbench-CON'],
  ['nul.json', 'rowbench-nul.json'],
  ['  . ', 'rowbench-export'],
  ['a\u202Egpj.exe', 'a-gpj.exe'],
  ['😀 "ok".ndjson', '😀 -ok-.ndjson'],
  ['x'.repeat(300) + '.json', 'x'.repeat(120) + '.json'],
])('saves %s as %s', (wanted, name) => {
  expect(safeFileName(wanted)).toBe(name);
});
