import type { CallContent, LoggedCall } from '../../src-main/domain/api-log/logged-call.ts';

/** A status call that was answered, but for what is given. */
export const loggedCall = (overrides: Partial<LoggedCall> = {}): LoggedCall => ({
  number: 1,
  at: Date.UTC(2026, 0, 1),
  method: 'GET',
  path: '/api/v1/workflows/w/runs/r/async/status',
  route: 'status',
  workflowId: 'w',
  runId: 'r',
  key: { id: 'k', name: 'My key', last4: '7f2a' },
  keyLocation: 'header',
  status: 200,
  charged: [],
  firstByteMs: 1,
  ms: 2,
  sentBytes: 0,
  answerBytes: 10,
  client: 'script/1.0',
  ...overrides,
});

export const emptyContent: CallContent = {
  requestHeaders: [],
  answerHeaders: [],
  sent: { text: '', bytes: 0, isWhole: true },
  answer: { text: '', bytes: 0, isWhole: true },
};
