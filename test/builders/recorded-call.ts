import type { RecordedCall } from '../../src-main/domain/cassette/recording.ts';

/** A call of one row that was answered with `{ answer }`. */
export const recordedCall = (
  call: Partial<RecordedCall> & { readonly answer?: unknown; readonly status?: number } = {},
): RecordedCall => {
  const { answer = 'yes', status = 200, ...rest } = call;
  return {
    runId: 'run-1',
    row: 1,
    site: 'company',
    attempt: 1,
    at: '2026-01-02T03:04:05.000Z',
    request: { method: 'GET', url: 'https://api.example.com/companies/acme' },
    response: { status, json: { answer: answer as string } },
    ...rest,
  };
};
