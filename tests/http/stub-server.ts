import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateAndKey, RequestHandler } from '../../src/http/request-handler.js';
import type { ApiRequest, ApiResponse, ByteStream } from '../../src/requests/api-request.js';
import { runPrograms } from '../support/run-program.js';

/** A response with bytes. */
export function text(
  body: string | readonly string[],
  status = 200,
  headers: ApiResponse['headers'] = {},
): ApiResponse {
  const chunks = (typeof body === 'string' ? [body] : body).map((chunk) => Buffer.from(chunk));
  return {
    status,
    headers,
    body: { type: 'bytes', chunks, length: chunks.reduce((sum, chunk) => sum + chunk.length, 0) },
  };
}

/** A handler that responds with the result of a function. */
export const answering = (handle: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>): RequestHandler => ({
  handle: async (request) => handle(request),
});

/** A stream that the test fills. */
export class FakeStream implements ByteStream {
  onReadable: (() => void) | undefined;
  ended = false;
  closed = 0;
  takes = 0;
  #chunks: Uint8Array[] = [];

  push(...chunks: (string | Uint8Array)[]): void {
    this.#chunks.push(...chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)));
    this.onReadable?.();
  }
  end(): void {
    this.ended = true;
    this.onReadable?.();
  }
  take(): readonly Uint8Array[] {
    this.takes++;
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }
  close(): void {
    this.closed++;
  }
}

/** A streaming response. */
export const streaming = (stream: ByteStream): ApiResponse => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: { type: 'stream', stream },
});

/** Certificates for tests: a CA, an intermediate CA, a serving certificate, and a client certificate with its chain. */
export interface TestCertificates {
  readonly ca: string;
  readonly serving: { readonly cert: string; readonly key: string };
  readonly client: CertificateAndKey;
  readonly other: CertificateAndKey;
}

let made: { readonly certificates: TestCertificates | undefined } | undefined;

/** The certificates, created once by openssl; undefined if that is not installed. */
export function makeCertificates(): TestCertificates | undefined {
  made ??= { certificates: newCertificates() };
  return made.certificates;
}

function newCertificates(): TestCertificates | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'http-tests-'));
  const path = (name: string) => join(folder, name);
  const issue = (name: string, subject: string, issuer: string | undefined, extensions: string[]) => {
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      path(`${name}.key`),
      '-out',
      path(`${name}.crt`),
    ];
    const signer = issuer === undefined ? [] : ['-CA', path(`${issuer}.crt`), '-CAkey', path(`${issuer}.key`)];
    const added = extensions.flatMap((e) => ['-addext', e]);
    runPrograms(['openssl', 'req', '-x509', ...key, '-days', '2', '-subj', subject, ...signer, ...added]);
  };
  const read = (name: string) => readFileSync(path(name), 'utf8');
  try {
    const authority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'];
    const leaf = ['basicConstraints=critical,CA:FALSE'];
    issue('ca', '/CN=test-ca', undefined, authority);
    issue('middle', '/CN=middle', 'ca', authority);
    issue('serving', '/CN=apiserver', 'ca', [...leaf, 'subjectAltName=IP:127.0.0.1,DNS:localhost']);
    issue('client', '/O=dev/CN=alice', 'middle', leaf);
    issue('other', '/CN=bob', 'ca', leaf);
    return {
      ca: read('ca.crt'),
      serving: { cert: read('serving.crt'), key: read('serving.key') },
      client: { certificate: read('client.crt') + read('middle.crt'), key: read('client.key') },
      other: { certificate: read('other.crt'), key: read('other.key') },
    };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
