import { type Flow, run, settled } from '../../meta/flow.js';
import { type RequestHeaders, requestsWebSocket } from '../../meta/request-headers.js';
import { decodeBase64Url } from '../../values/base64.js';
import { type AuthenticationResult, type Authenticator, rejected, skipped } from '../authenticator.js';
import type { TokenAuthenticator } from './bearer-token.js';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Authenticates a bearer token among the subprotocols of a WebSocket handshake, for browsers, which cannot set headers (spec 11.9).
 * @param groupSuffix the suffix of the API dialect's groups, which is part of the subprotocol's name.
 */
export function webSocketToken(tokens: TokenAuthenticator, groupSuffix: string): Authenticator {
  const prefix = `base64url.bearer.authorization.${groupSuffix}.`;
  return {
    name: 'websocket-token',
    // The method is not async, so that requests other than WebSocket handshakes, which are nearly all, get their result synchronously.
    authenticate({ headers, audiences }) {
      if (!isWebSocketHandshake(headers)) return skipped;
      const protocols = headers.all('sec-websocket-protocol').flatMap((value) => value.split(','));
      const names = protocols.map((protocol) => protocol.trim());
      const [encoded, another] = names.filter((name) => name.startsWith(prefix));
      if (encoded === undefined) return skipped;
      if (another !== undefined) return rejected('multiple base64.bearer.authorization tokens specified');
      const bytes = decodeBase64Url(encoded.slice(prefix.length));
      if (!bytes) return rejected('invalid base64.bearer.authorization token encoding');
      let token: string;
      try {
        token = decoder.decode(bytes);
      } catch {
        return rejected('invalid base64.bearer.authorization token');
      }
      // The response must select one of the offered subprotocols, and it must not select the one with the token. As in upstream, this is
      // checked before an empty token counts as absent, so that a handshake that offers only an empty token is not anonymous.
      if (names.length === 1) return rejected('missing additional subprotocol');
      if (token === '') return skipped;
      return run(authenticateProtocolToken(tokens, token, audiences));
    },
  };
}

function* authenticateProtocolToken(
  tokens: TokenAuthenticator,
  token: string,
  audiences: readonly string[] | undefined,
): Flow<AuthenticationResult> {
  const result = yield* settled(tokens.authenticateToken(token, audiences));
  return result.outcome === 'skipped' ? rejected('invalid bearer token') : result;
}

function isWebSocketHandshake(headers: RequestHeaders): boolean {
  if (!requestsWebSocket(headers)) return false;
  const options = (headers.get('connection') ?? '').toLowerCase().split(',');
  return options.some((option) => option.trim() === 'upgrade');
}
