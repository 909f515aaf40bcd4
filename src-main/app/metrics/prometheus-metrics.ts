// Figures in the format of Prometheus. Loaded on demand: a server without a port for figures does without it.
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import type { GaugeValues, MetricOptions, Metrics } from '../../base/metrics.ts';

export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #log: Log;

  /** With the process's own figures: memory, processor time, event-loop lag, garbage collection. */
  constructor(log: Log) {
    this.#log = log;
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All figures, one per line. */
  collect(): Promise<string> {
    return this.#registry.metrics();
  }

  counter(options: MetricOptions): ReturnType<Metrics['counter']> {
    const counter = new Counter(this.#configOf(options));
    return (labels = {}, by = 1) => counter.inc(labels, by);
  }

  gauge(options: MetricOptions, read: () => GaugeValues | Promise<GaugeValues>): void {
    const gauge = new Gauge({
      ...this.#configOf(options),
      collect: async () => {
        gauge.reset();
        try {
          const values = await read();
          if (typeof values === 'number') gauge.set(values);
          else for (const { labels, value } of values) gauge.set(labels, value);
        } catch (error) {
          gauge.remove();
          this.#log.warn({ metric: options.name, error }, 'a figure could not be read');
        }
      },
    });
  }

  #configOf({ name, help, labels = [] }: MetricOptions) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }
}
