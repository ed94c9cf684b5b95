declare module 'parse-prometheus-text-format' {
  interface Metric {
    readonly labels?: Readonly<Record<string, string>>;
    /** Of a counter or gauge. */
    readonly value?: string;
    /** Of a histogram or summary. */
    readonly count?: string;
    readonly sum?: string;
    readonly buckets?: Readonly<Record<string, string>>;
    readonly quantiles?: Readonly<Record<string, string>>;
  }
  interface Family {
    readonly name: string;
    readonly help: string;
    readonly type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY';
    readonly metrics: readonly Metric[];
  }
  export default function parse(text: string): Family[];
}
