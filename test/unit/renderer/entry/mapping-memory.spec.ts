import { describe, expect, it } from 'vitest';
import {
  MappingMemory,
  rememberedColumns,
} from '../../../../src-renderer/state/entry/files/mapping-memory.ts';

const savedAt = '2026-11-21T10:00:00.000Z';

function memoryStore(text: string | null = null) {
  let stored = text;
  return { getItem: () => stored, setItem: (_: string, value: string) => void (stored = value) };
}

const column = (name: string, target: string | undefined) => ({
  name,
  target,
  type: 'number' as const,
  repairs: [{ kind: 'numbers', decimal: ',' }] as const,
  isDeclared: target !== name,
  isRequired: false,
});

describe('the memory of mappings', () => {
  it('finds the mapping of a file by its set of names, whatever their order and case', () => {
    const store = memoryStore();
    const header = { first: 3, last: 3 };
    const saved = {
      savedAt,
      options: { header },
      columns: [column('Betrag', 'amount'), column('Ort', 'Ort')],
    };
    new MappingMemory('leads', store).save(['Betrag', 'Ort'], saved);
    const found = new MappingMemory('leads', store).find(['ORT', 'betrag ']);
    expect(found).toMatchObject({ savedAt, options: { header } });
    expect(new MappingMemory('leads', store).find(['Betrag'])).toBeUndefined();
    expect(new MappingMemory('other', store).find(['Betrag', 'Ort'])).toBeUndefined();
    const guessed = [column('BETRAG', 'BETRAG'), column('Ort', undefined)];
    const fields = [{ name: 'amount', type: 'string', required: true }] as const;
    expect(rememberedColumns(guessed, found?.columns ?? [], fields)).toMatchObject([
      { name: 'BETRAG', target: 'amount', type: 'string', isDeclared: true, isRequired: true },
      { name: 'Ort', target: 'Ort', type: 'number', isDeclared: false },
    ]);
  });

  it('has the newest mapping of each set, and drops the oldest', () => {
    const store = memoryStore();
    const memory = new MappingMemory('leads', store);
    for (let n = 0; n < 60; n += 1) memory.save([`c${n}`], { savedAt, options: {}, columns: [] });
    memory.save(['c59'], { savedAt: 'later', options: {}, columns: [] });
    expect(memory.find(['c0'])).toBeUndefined();
    expect(memory.find(['c59'])?.savedAt).toBe('later');
    expect(memory.find(['c20'])?.savedAt).toBe(savedAt);
  });

  it.each(['', '{}', '[1,{"key":1}]', '[{"key":"k","savedAt":"","options":{},"columns":[{}]}]'])(
    'reads another program’s text %j as no mapping',
    (text) => {
      expect(new MappingMemory('leads', memoryStore(text)).find(['a'])).toBeUndefined();
    },
  );
});
