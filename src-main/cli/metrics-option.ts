// `--metrics`, for the commands whose process a monitoring system may watch.
import { Option } from 'commander';
import type { RunningMetrics } from '../app/metrics/open-metrics.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { HostPort } from '../domain/host-port.ts';
import { parseAddress } from './listen-options.ts';

export const metricsOption = (): Option =>
  new Option(
    '--metrics <[host:]port>',
    'serve figures for Prometheus on this port, at /metrics; on 127.0.0.1 unless a host is named',
  ).argParser((text) => parseAddress('--metrics', /^\d+$/.test(text) ? `127.0.0.1:${text}` : text));

/** Opens the figures; undefined without an address. */
export async function metricsAt(
  address: HostPort | undefined,
  deps: { readonly clock: Clock; readonly log: Log },
): Promise<RunningMetrics | undefined> {
  if (address === undefined) return undefined;
  const { openMetrics } = await import('../app/metrics/open-metrics.ts');
  return openMetrics(address, deps);
}
