/** Only the registry is imported, because loading the whole package inspects the process and creates another registry. */
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
        /** Labels that several samples share. The package caches the formatted labels by the identity of this object. */
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
