import type { AuditFacts } from '../../src/audit/audit-facts.js';
import type { AuditFunction, AuditSink } from '../../src/audit/audit-sink.js';
import { AuditTrail } from '../../src/audit/audit-trail.js';
import type { Fetch } from '../../src/meta/fetch.js';
import type { LabelValues, MetricFamily } from '../../src/metrics/metrics.js';
import { createFakeHost } from '../../src/testing/fake-host.js';

export const facts = (auditID: string, more: Partial<AuditFacts> = {}): AuditFacts => ({
  apiVersion: 'audit.k8s.io/v1',
  level: 'Metadata',
  auditID,
  requestURI: '/version',
  verb: 'get',
  user: { username: 'jane' },
  impersonatedUser: undefined,
  sourceIPs: [],
  userAgent: '',
  objectRef: undefined,
  responseStatus: undefined,
  requestObject: undefined,
  responseObject: undefined,
  received: 0,
  annotations: undefined,
  ...more,
});

/** An audit trail with sinks, and the metrics that it recorded. */
export function open(sinks: readonly (AuditSink | AuditFunction)[], fetch?: Fetch) {
  const counts: Record<string, number> = {};
  const add = ({ name }: MetricFamily, labels: LabelValues, amount = 1) => {
    const key = [name, ...labels].join(' ');
    counts[key] = (counts[key] ?? 0) + amount;
  };
  const notes: (() => void)[] = [];
  /** Runs what a reader of the metrics triggers before reading. */
  const settle = () => {
    for (const note of notes.splice(0)) note();
  };
  const host = {
    ...createFakeHost(fetch ? { fetch } : {}),
    metrics: {
      add,
      series: (family: MetricFamily, labels: LabelValues) => ({
        add: (amount?: number) => add(family, labels, amount),
        observe() {},
      }),
      entries: (count: (value: number) => void) => ({ add: (value: number) => void notes.push(() => count(value)) }),
      set() {},
      observe() {},
      collect() {},
      declare() {},
    },
  };
  const trail = new AuditTrail({ policy: { rules: [{ level: 'Metadata' }] }, sinks }, host);
  const record = (id: string, more?: Partial<AuditFacts>) => trail.record(facts(id, more), 'RequestReceived');
  return { trail, host, counts, record, settle };
}
export const turns = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};
