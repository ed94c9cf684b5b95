import type { ApiServer } from '../../src/api-server.js';
import { headersOf } from '../../src/meta/request-headers.js';

export interface Question {
  readonly method?: string;
  /** As on the wire: percent-encoded, nothing normalized. */
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly chain?: readonly Uint8Array[];
  readonly body?: object;
}

/** Sends a request as bytes, past every client that would tidy it up. */
export async function ask(server: ApiServer, question: Question = {}) {
  const { method = 'GET', path = '/', query = '', headers = {}, chain, body } = question;
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const answer = await server.handle({
    method,
    path,
    query,
    headers: headersOf({ 'content-type': 'application/json', ...headers }),
    ...(chain ? { peerCertificates: chain } : {}),
    ...(body ? { body: { type: 'bytes', read: async () => bytes } } : {}),
  });
  const text = answer.body.type === 'bytes' ? Buffer.concat(answer.body.chunks).toString() : '';
  const value = text.startsWith('{') ? JSON.parse(text) : { message: text };
  return { status: answer.status, headers: answer.headers, value, message: value.message as string };
}

/** Whom the server takes the caller for: a user name, or the status of a refusal. */
export async function whoIs(
  server: ApiServer,
  { headers, chain }: Pick<Question, 'headers' | 'chain'>,
): Promise<string | number> {
  const group = server.dialect.name === 'k8s' ? 'authentication.k8s.io' : 'authentication.orch.io';
  const { status, value } = await ask(server, {
    method: 'POST',
    path: `/apis/${group}/v1/selfsubjectreviews`,
    body: {},
    ...(headers ? { headers } : {}),
    ...(chain ? { chain } : {}),
  });
  return status === 201 ? value.status.userInfo.username : status;
}
