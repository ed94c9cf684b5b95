import { createCertificateAuthority, issueCertificate } from '../pki/certificate-authority.js';

/**
 * The members of `node:https` that are used. They are declared here, because this module may also be loaded in a browser, which lacks
 * `node:https` and its types.
 */
interface NativeServers {
  createServer(
    options: { readonly key: string; readonly cert: string },
    onRequest: (request: NativeRequest, response: NativeResponse) => void,
  ): NativeServer;
}
interface NativeRequest extends AsyncIterable<Uint8Array> {
  readonly url?: string;
  readonly method?: string;
}
interface NativeResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): void;
  end(text?: string): void;
}
interface NativeServer {
  listen(port: number, host: string, listening: () => void): void;
  once(event: 'error', listener: (error: Error) => void): void;
  address(): { readonly port: number };
  closeAllConnections(): void;
  close(closed: () => void): void;
  unref(): void;
}

export type PortAnswer = (method: string, path: string, body: string) => Promise<Response>;

/** An HTTPS server on a port of this machine. */
export interface IssuerPort {
  readonly url: string;
  /** The certificate of the CA that issued the server's certificate, in PEM. */
  readonly certificateAuthority: string;
  /** Sets the function that handles requests by method, path and body. Until then every response is a 503. */
  answer(answer: PortAnswer): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
/** The maximum number of characters in a request body. Login requests are much shorter. */
const MAX_BODY = 64 * 1024;

/**
 * Opens a port.
 * @throws TypeError if the runtime is not Node; rejects if the port is in use.
 */
export async function openPort(port: number): Promise<IssuerPort> {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  // The types follow the documentation of Node.
  const https = process?.getBuiltinModule?.('node:https') as NativeServers | undefined;
  if (!https) throw new TypeError('this runtime cannot listen on a port: use an issuer in process');
  const authority = await createCertificateAuthority({ commonName: 'issuer-authority' });
  const { certificate: cert, key } = await issueCertificate(authority, {
    commonName: 'issuer',
    dnsNames: ['localhost'],
    ipAddresses: [HOST],
    usages: ['serverAuth'],
    days: 1,
  });
  let answer: PortAnswer = async () => new Response('', { status: 503 });
  const server = https.createServer({ key, cert }, (request, response) => {
    respond(request, response, answer).catch(() => response.end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
  server.unref();
  return {
    url: `https://${HOST}:${server.address().port}`,
    certificateAuthority: authority.certificate,
    answer: (next) => {
      answer = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(request: NativeRequest, response: NativeResponse, answer: PortAnswer): Promise<void> {
  const decoder = new TextDecoder();
  let body = '';
  for await (const chunk of request) {
    body += decoder.decode(chunk, { stream: true });
    if (body.length > MAX_BODY) return response.end();
  }
  const { status, headers, text } = await answer(request.method ?? 'GET', request.url ?? '/', body).then(
    async (response) => ({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }),
    (error: unknown) => ({ status: 500, headers: {}, text: String(error) }),
  );
  response.writeHead(status, headers);
  response.end(text);
}
