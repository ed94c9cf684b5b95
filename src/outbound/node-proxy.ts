import type { OutboundTls } from '../meta/fetch.js';
import { encodeBase64Text } from '../values/base64.js';
import { bracketHost } from './host-port.js';
import { type NativeAgent, type NativeAnswer, nativeHttp } from './native-http.js';
import { encrypt } from './verified-connections.js';

/** Milliseconds in which a proxy must answer CONNECT, as for Go's clients. */
const CONNECT_TIMEOUT = 60_000;

/** Options of Node's agents and requests. */
export type Settings = Readonly<Record<string, unknown>>;

/**
 * Returns the URL to connect to for a plain HTTP request, and the request target and headers to send. Through a proxy, the request target
 * is the whole URL.
 */
export function throughProxy(
  url: string,
  own: { readonly path: string; readonly headers: Readonly<Record<string, string | readonly string[]>> },
  proxy: string | undefined,
): { readonly target: string; readonly requestOptions: Settings } {
  if (proxy === undefined) return { target: url, requestOptions: own };
  const { secure, origin, authorization } = readProxy(proxy);
  if (secure) throw new TypeError('plain HTTP requests require a proxy whose URL has the scheme http');
  return {
    target: origin,
    requestOptions: { path: url, headers: { host: new URL(url).host, ...own.headers, ...authorization } },
  };
}

/** Creates an agent that connects through a proxy with CONNECT. The proxy only passes on bytes that are encrypted for the server. */
export function proxyAgent(proxy: string, settings: Settings, tls: OutboundTls): NativeAgent {
  const agent = new (nativeHttp('https').Agent)(settings);
  const { secure, origin, authorization } = readProxy(proxy);
  agent.createConnection = (options, done) => {
    const place = `${bracketHost(String(options['host']))}:${String(options['port'])}`;
    const refuse = ({ statusCode, statusMessage = '' }: NativeAnswer) =>
      done(new Error(`the proxy refused the connection: ${statusCode} ${statusMessage}`));
    // Node does not pass the signal of the request to its agent, so without a timeout a silent proxy would keep the connection forever.
    const connectOptions = {
      method: 'CONNECT',
      path: place,
      headers: { host: place, ...authorization },
      agent: false,
      signal: AbortSignal.timeout(CONNECT_TIMEOUT),
    };
    const request = nativeHttp(secure ? 'https' : 'http').request(origin, connectOptions, (answer) => {
      answer.destroy();
      refuse(answer);
    });
    request.on('error', (error) => done(error));
    request.on('connect', (answer, socket) => {
      if (answer.statusCode === 200) return encrypt(socket, options, tls, done);
      socket.destroy();
      refuse(answer);
    });
    request.end();
    return undefined;
  };
  return agent;
}

function readProxy(proxy: string) {
  const { protocol, host, username, password } = new URL(proxy);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TypeError(`unsupported protocol of a proxy: ${protocol} use http or https`);
  const name = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    secure: protocol === 'https:',
    origin: `${protocol}//${host}`,
    authorization: name === ':' ? {} : { 'proxy-authorization': `Basic ${encodeBase64Text(name)}` },
  };
}
