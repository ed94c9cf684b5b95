import type { WeakCertificate } from '../meta/fetch.js';
import { counter } from '../metrics/families.js';
import type { MetricFamily, Metrics } from '../metrics/metrics.js';
import { hostOfUrl } from './host-port.js';

const MISSING_NAMES =
  'Counts the number of requests to servers missing SAN extension in their serving certificate OR the number of connection failures due to the lack of x509 certificate SAN extension missing (either/or, based on the runtime environment)';
const SHA1 =
  'Counts the number of requests to servers with insecure SHA1 signatures in their serving certificate OR the number of connection failures due to the insecure SHA1 signatures (either/or, based on the runtime environment)';

type ByWeakness = Readonly<Record<WeakCertificate, MetricFamily>>;

/** The metric families, by the type of server that presents a weak certificate: webhooks of all kinds, or aggregated API servers. */
const FAMILIES = {
  webhooks: {
    'missing-san': counter('apiserver_webhooks_x509_missing_san_total', MISSING_NAMES),
    'insecure-sha1': counter('apiserver_webhooks_x509_insecure_sha1_total', SHA1),
  },
  aggregator: {
    'missing-san': counter('apiserver_kube_aggregator_x509_missing_san_total', MISSING_NAMES),
    'insecure-sha1': counter('apiserver_kube_aggregator_x509_insecure_sha1_total', SHA1),
  },
} as const satisfies Record<string, ByWeakness>;

const REASONS: Readonly<Record<WeakCertificate, string>> = {
  'missing-san': 'relies on a legacy Common Name field instead of the SAN extension for subject validation',
  'insecure-sha1': 'uses an insecure SHA-1 signature',
};

/** Declares the metrics, so that they are exposed with the value 0 before anything is counted. */
export function declareWeakCertificates(metrics: Metrics): void {
  for (const families of Object.values(FAMILIES)) metrics.declare(...Object.values<MetricFamily>(families));
}

/**
 * Returns a function that counts weak certificates of the servers that this server calls.
 * @param annotate adds annotations to the audit event of the request that causes the call
 */
export const countWeakCertificates =
  (
    metrics: Metrics,
    serverKind: keyof typeof FAMILIES,
    annotate?: { readonly domain: string; readonly url: string; add(key: string, value: string): void },
  ): ((weakness: WeakCertificate) => void) =>
  (weakness) => {
    metrics.add(FAMILIES[serverKind][weakness], []);
    if (annotate)
      annotate.add(`${weakness}.invalid-cert.${annotate.domain}/${hostOfUrl(annotate.url)}`, REASONS[weakness]);
  };
