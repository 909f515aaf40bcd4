// Figures of this process for a monitoring system. Any layer registers what it counts, and knows nothing of the format in
// which figures are collected. Labels have few values: never an id, a key or a URL.

type Labels = Readonly<Record<string, string>>;

export type MetricOptions = {
  /** As monitoring systems write it: `rowbench_commits_total`, `rowbench_oldest_segment_seconds`. */
  readonly name: string;
  readonly help: string;
  /** Names of the labels that every value of the figure carries. */
  readonly labels?: readonly string[];
};

/** A number, or one for each combination of labels. */
export type GaugeValues = number | readonly { readonly labels: Labels; readonly value: number }[];

export interface Metrics {
  /** Registers a number that only grows. The returned function adds to it: 1 by default. */
  counter(options: MetricOptions): (labels?: Labels, by?: number) => void;
  /** Registers a number that is read whenever figures are collected. A read that fails leaves the figure out. */
  gauge(options: MetricOptions, read: () => GaugeValues | Promise<GaugeValues>): void;
}
