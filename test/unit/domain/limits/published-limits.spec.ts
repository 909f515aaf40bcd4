import { describe, expect, it } from 'vitest';
import {
  callsPerMinute,
  limitsLabel,
  publishedLimits,
} from '../../../../src-main/domain/limits/published-limits.ts';

describe('the published limits', () => {
  it("are the interface's five", () => {
    expect(publishedLimits).toEqual({
      trigger: 50,
      'trigger-per-workflow': 30,
      status: 50,
      'status-per-run': 6,
      output: 50,
    });
  });

  it('apply as they are, as a multiple, or not at all', () => {
    expect(callsPerMinute('status-per-run', 'published')).toBe(6);
    expect(callsPerMinute('status-per-run', { scale: 10 })).toBe(60);
    expect(callsPerMinute('status-per-run', 'off')).toBeUndefined();
  });

  it('are named in answers only when they differ from the published ones', () => {
    expect(limitsLabel('published')).toBeUndefined();
    expect(limitsLabel({ scale: 10 })).toBe('10x');
    expect(limitsLabel('off')).toBe('off');
  });
});
