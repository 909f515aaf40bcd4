// A service for workflows of page tests to call. It answers each path with the number of calls so far.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CompanyService = {
  readonly url: string;
  readonly calls: () => number;
  readonly close: () => Promise<void>;
};

export async function startCompanyService(): Promise<CompanyService> {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ size: calls }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A workflow that asks the service about each row. */
export const companiesWorkflow = (url: string): string => `rowbench: 1
id: companies
name: Look up companies
nodes:
  - id: input
    type: input
    fields: { name: { type: string, required: true } }
    testRows: [{ name: acme }, { name: bolt }]
  - { id: company, type: http, request: { url: "${url}/{{ row.name }}" } }
  - { id: result, type: output, fields: { size: =nodes.company.body.size } }
`;
