// /openapi.json under the two linters that API teams use, with the rules that each of them recommends.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { describeApi } from '../../../src-main/http/public-api/openapi.ts';

const redocly = await createConfig({ extends: ['recommended'] });
const ruleset = new spectral.Spectral();
ruleset.setRuleset({ extends: [oas as RulesetDefinition] });

/** Each problem as one line, of any severity. */
async function problemsOf(document: object): Promise<readonly string[]> {
  const source = JSON.stringify(document);
  const ofRedocly = await lintFromString({ source, absoluteRef: 'openapi.json', config: redocly });
  const ofSpectral = await ruleset.run(document as Record<string, unknown>);
  return [
    ...ofRedocly.map(
      ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer})`,
    ),
    ...ofSpectral.map(({ code, message, path }) => `spectral ${code}: ${message} (${path.join('.')})`),
  ];
}

describe('/openapi.json', () => {
  it.each([
    ['127.0.0.1:4170', undefined],
    ['localhost:4170', undefined],
    ['[::1]:4170', 'x-acme-key'],
    ['host.docker.internal:8080', 'x-acme-key'],
  ])('has no finding of redocly and spectral when it is asked for at %s', async (host, extraKeyHeader) => {
    expect(await problemsOf(describeApi({ host, extraKeyHeader }))).toEqual([]);
  });
});
