import type { MetricRecorder } from '../../metrics/metric-recorder.js';
import { TextExposition } from '../../metrics/text-exposition.js';
import { parseAccept } from '../../serialization/accept.js';
import { acceptsGzip } from '../../serialization/accept-encoding.js';
import type { ApiRequest } from '../api-request.js';
import { type Result, textResult } from '../result.js';

const encoder = new TextEncoder();
const MESSAGE = 'io.prometheus.client.MetricFamily';
const ESCAPINGS: ReadonlySet<string> = new Set(['allow-utf-8', 'underscores', 'dots', 'values']);

/** The metrics that one path serves. */
export class MetricsPage {
  readonly recorder: MetricRecorder;
  readonly #text: TextExposition;
  readonly #started: string;

  /** @param started when the process started, in seconds since 1970 */
  constructor(recorder: MetricRecorder, started: number) {
    this.recorder = recorder;
    this.#started = String(Math.floor(started));
    this.#text = new TextExposition(recorder);
  }

  /** Answers with the metrics for any method except DELETE, which resets them (spec 22.1). */
  async answer({ method, headers }: ApiRequest): Promise<Result> {
    if (method === 'DELETE') {
      this.recorder.reset();
      return textResult(200, 'metrics reset\n', false);
    }
    const { inProtobuf, contentType } = negotiate(headers.get('accept') ?? '');
    return {
      type: 'raw',
      status: 200,
      // The header lets a scraper process the metrics as they arrive, without waiting for `process_start_time_seconds`.
      headers: { 'Content-Type': contentType, 'Process-Start-Time-Unix': this.#started },
      body: [inProtobuf ? await this.#protobuf() : encoder.encode(await this.#text.write())],
      gzip: acceptsGzip(headers),
    };
  }

  async #protobuf(): Promise<Uint8Array> {
    const { metricsProtobuf } = await import('./metrics-protobuf.js');
    return metricsProtobuf(this.recorder.snapshot());
  }
}

/** The pages of a server's metrics, by path. */
export type MetricsPages = ReadonlyMap<string, MetricsPage>;

/** Chooses text, unless the Accept header names protobuf before it; other media types are ignored. */
function negotiate(accept: string): { readonly inProtobuf: boolean; readonly contentType: string } {
  let escaping = 'values';
  for (const { type, subtype, parameters } of parseAccept(accept)) {
    const requestedEscaping = parameters.get('escaping') ?? '';
    if (ESCAPINGS.has(requestedEscaping)) escaping = requestedEscaping;
    const isProtobuf = subtype === 'vnd.google.protobuf' && parameters.get('proto') === MESSAGE;
    if (type === 'application' && isProtobuf && parameters.get('encoding') === 'delimited')
      return {
        inProtobuf: true,
        contentType: `application/vnd.google.protobuf; proto=${MESSAGE}; encoding=delimited; escaping=${escaping}`,
      };
    if (type === 'text' && subtype === 'plain' && ['', '0.0.4'].includes(parameters.get('version') ?? '')) break;
  }
  return { inProtobuf: false, contentType: `text/plain; version=0.0.4; charset=utf-8; escaping=${escaping}` };
}
