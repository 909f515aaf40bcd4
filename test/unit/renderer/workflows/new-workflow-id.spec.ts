import { expect, it } from 'vitest';
import {
  freeWorkflowId,
  workflowIdOf,
} from '../../../../src-renderer/state/workflows/new-workflow-form.svelte.ts';

it.each([
  ['Lead scoring', 'lead-scoring'],
  ['Übersicht: Tickets!', 'ubersicht-tickets'],
  ['  api.crm.com ', 'api-crm-com'],
  ['日本', 'workflow'],
  ['', 'workflow'],
  [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
])('the id of a workflow named %j is %s', (name, id) => {
  expect(workflowIdOf(name)).toBe(id);
});

it('a taken id gets the first free number, and stays within 64 characters', () => {
  expect(freeWorkflowId('leads', (id) => ['leads', 'leads-2'].includes(id))).toBe('leads-3');
  const long = 'a'.repeat(64);
  expect(freeWorkflowId(long, (id) => id === long)).toBe(`${'a'.repeat(62)}-2`);
});
