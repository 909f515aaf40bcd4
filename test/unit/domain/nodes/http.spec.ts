import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { workflowText } from '../../../builders/workflow-text.ts';

function parsed(own: string) {
  const text = workflowText(`  - { id: call, type: http, ${own} }`);
  const { workflow, issues } = parseWorkflow(text);
  return {
    config: workflow?.nodes[1]?.config,
    issues: issues.map(({ severity, message }) => `${severity}: ${message}`),
  };
}

describe('an http node in a file', () => {
  it('is a GET without anything else', () => {
    expect(parsed('request: { url: "https://x.example" }')).toEqual({
      config: { request: { method: 'GET', url: { kind: 'literal', value: 'https://x.example' } } },
      issues: [],
    });
  });

  it('has header names in lower case, and a bearer token where auth names no header', () => {
    const own =
      'request: { url: "https://x.example", headers: { X-Trace: a } }, auth: { secret: A_1 }, expect: [404]';
    expect(parsed(own)).toMatchObject({
      config: {
        request: { headers: [['x-trace', { kind: 'literal', value: 'a' }]] },
        auth: { secret: 'A_1', header: 'authorization' },
        expect: [404],
      },
      issues: [],
    });
  });

  it.each([
    ['request: {}', 'Missing key "url"'],
    ['request: { url: 5 }', 'Expected text'],
    [
      'request: { url: "https://x.example", method: get }',
      'Expected one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ],
    ['request: { url: "https://x.example", body: a }', 'A GET request has no body'],
    ['request: { url: "https://x.example", headers: { "a b": c } }', '"a b" cannot be the name of a header'],
    ['request: { url: "https://x.example", headers: { A: b, a: b } }', 'The header "a" is there twice'],
    [
      'request: { url: "https://x.example", headers: { Idempotency-Key: b } }',
      'Rowbench itself sets the header "idempotency-key"',
    ],
    ['request: { url: "https://x.example", headers: { Host: b } }', 'Rowbench itself sets the header "host"'],
    [
      'request: { url: "https://x.example" }, auth: { secret: token }',
      'A secret is named by capital letters, digits and "_", 64 in all at most',
    ],
    ['request: { url: "https://x.example" }, expect: [42]', 'Expected at least 100'],
    ['request: { url: "https://x.example/{{ nodes.gone }}" }', 'There is no node "gone"'],
  ])('is refused: %s', (own, message) => {
    expect(parsed(own).issues).toEqual([expect.stringContaining(`error: ${message}`)]);
  });

  it.each([
    ['request: { url: "x.example/{{ row.id }}" }', 'Expected a URL that begins with http:// or https://'],
    [
      'request: { url: "https://x.example", headers: { Authorization: Bearer abc } }',
      'A secret does not belong in a file: use "auth"',
    ],
  ])('is doubted: %s', (own, message) => {
    expect(parsed(own).issues).toEqual([`warning: ${message}`]);
  });

  it('is not doubted where the row says where to call', () => {
    expect(parsed('request: { url: "{{ row.base }}/x" }').issues).toEqual([]);
    expect(parsed('request: { url: "=row.url", headers: { authorization: "=row.token" } }').issues).toEqual(
      [],
    );
  });
});
