/** Only the registry is imported: loading the whole package inspects the process and creates a registry of its own. */
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
        /** The package formats the labels of each such object only once. */
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
