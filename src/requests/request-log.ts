import { reading } from '../meta/clock.js';
import { maskSecrets, maskUri } from '../values/mask-secrets.js';
import type { ApiResponse } from './api-request.js';
import type { Exchange } from './exchange.js';
import { measuredStream } from './measures/measured-stream.js';
import { cleanVerb } from './measures/request-labels.js';
import type { RequestRecord } from './request-record.js';

/** Logs a request once its response is complete; a streamed response is complete when it has ended. */
export function withLog(exchange: Exchange, response: ApiResponse, log: (record: RequestRecord) => void): ApiResponse {
  const { began } = exchange.deadline;
  const { clock } = exchange.environment.host;
  const { body } = response;
  const report = () => log(recordOf(exchange, response, reading(clock) - began));
  if (body.type !== 'stream') {
    report();
    return response;
  }
  const stream = measuredStream(body.stream, exchange.request.signal, report);
  return { ...response, body: { ...body, stream } };
}

function recordOf({ request, query, info, flow }: Exchange, response: ApiResponse, latency: number): RequestRecord {
  const { headers } = request;
  const credentials = headers.all('authorization').map((value) => value.replace(/^\w+ +/, ''));
  const auditId = response.headers['Audit-Id'];
  const { name, verb, namespace, resourceRequest, subresource, special } = info;
  const single = name !== '' || verb === 'create';
  const scope = single ? 'resource' : namespace !== '' ? 'namespace' : resourceRequest ? 'cluster' : '';
  return {
    verb: cleanVerb(request, query, { scope, subresource, watches: special === 'watch' }),
    uri: maskUri(request.path, request.query, credentials),
    latency,
    userAgent: maskSecrets(headers.get('user-agent') ?? '', credentials),
    auditId: typeof auditId === 'string' ? maskSecrets(auditId, credentials) : '',
    sourceAddress: request.remoteAddress,
    status: response.status,
    flow: flow?.report(),
  };
}
