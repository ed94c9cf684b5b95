/** The registry alone: the whole package looks at the process when it is loaded, and keeps a registry of its own. */
declare module 'prom-client/lib/registry.js' {
  interface RegisteredMetric {
    readonly name: string;
    get(): {
      readonly name: string;
      readonly help: string;
      readonly type: string;
      readonly values: readonly {
        readonly metricName?: string;
        readonly labels: Readonly<Record<string, string>>;
        /** The package writes those of one object once. */
        readonly sharedLabels: Readonly<Record<string, string>>;
        readonly value: number;
      }[];
    };
  }
  export default class Registry {
    registerMetric(metric: RegisteredMetric): void;
    getSingleMetricAsString(name: string): Promise<string>;
  }
}
