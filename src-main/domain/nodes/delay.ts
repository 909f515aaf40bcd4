import { z } from 'zod';
import { defineNodeType, cardText } from './node-type.ts';

export const delayNode = defineNodeType({
  type: 'delay',
  title: 'Delay',
  summary: 'Waits. Other rows go on meanwhile; nodes that should wait name it in `after`.',
  value: 'null',
  example: `- id: pause
  type: delay
  for: 400ms`,
  intents: [{ title: 'Wait', keywords: 'delay sleep pause', newKeys: { for: '1s' } }],
  mainKeys: ['for'],
  faultSearch: () => 'name',
  samples: () => [],
  mockTemplate: {},
  firstField: null,
  expressionUse: 'number',
  isBarrier: true,
  hasEffect: true,
  card: (written) => cardText(written['for']),
  config: (slots) =>
    z.strictObject({
      for: slots
        .wait()
        .describe('How long: 400ms, 2s, 1m or 1h, or an =expression in milliseconds. At most 24h.'),
    }),
  action: { kind: 'wait' },
});
