import type { AdmissionHost } from '../../admission/admission-plugin.js';
import { type AuthenticationResult, skipped } from '../../authentication/authenticator.js';
import { readBearerToken } from '../../authentication/tokens/bearer-token.js';
import { NO_RULES } from '../../authorization/authorizer.js';
import { reading } from '../../meta/clock.js';
import type { Host } from '../../meta/host.js';
import { managerName } from '../../meta/manager-name.js';
import { qualifiedName } from '../../meta/names.js';
import type { RequestHeaders } from '../../meta/request-headers.js';
import type { UserInfo } from '../../meta/user-info.js';
import type { AccessControl } from '../../registry/access-control.js';
import type { KnownKinds, RequestContext, WriteObserver } from '../../registry/request-context.js';
import type { WriteFence } from '../../registry/writes/write-fence.js';
import type { AccountTokens } from '../../tokens/account-tokens.js';
import type { RequestEnvironment } from '../environment.js';
import { annotate, type Exchange } from '../exchange.js';
import { attributesOf, requireAuthorization } from '../steps/authorize.js';

/** The parameters of a write. */
type WriteFacts = Pick<RequestContext, 'dryRun' | 'fieldValidation' | 'fieldManager'>;

/** Returns the context of a write. The field manager is the query parameter, or else the program name in the User-Agent header. */
export function writeContext(exchange: Exchange, options: WriteFacts): RequestContext {
  const userAgent = exchange.request.headers.get('user-agent') ?? '';
  return new ExchangeContext(exchange, { ...options, fieldManager: managerName(options.fieldManager, userAgent) });
}

/** Returns the context of a request that owns no fields: a read or a deletion. */
export function readContext(exchange: Exchange, dryRun = false): RequestContext {
  return new ExchangeContext(exchange, { dryRun, fieldValidation: 'Ignore', fieldManager: '' });
}

/** The context of a request whose body has been read, if it reads one: {@link pause} depends on the body. */
class ExchangeContext implements RequestContext {
  readonly host: Host;
  readonly accountTokens: AccountTokens;
  readonly updateStatus: AdmissionHost['updateStatus'];
  readonly listAsServer: RequestContext['listAsServer'];
  readonly user: UserInfo;
  readonly kinds: KnownKinds;
  readonly pause: (() => Promise<void>) | undefined;
  readonly fence: WriteFence | undefined;
  readonly observer: WriteObserver | undefined;
  readonly dryRun: boolean;
  readonly fieldValidation: WriteFacts['fieldValidation'];
  readonly fieldManager: string;
  readonly #exchange: Exchange;

  constructor(exchange: Exchange, { dryRun, fieldValidation, fieldManager }: WriteFacts) {
    const { environment, user } = exchange;
    this.host = environment.host;
    this.accountTokens = environment.accountTokens;
    this.updateStatus = environment.updateStatus;
    this.listAsServer = environment.listAsServer;
    this.user = user;
    this.kinds = exchange.registry;
    this.pause = exchange.pause;
    this.fence = exchange.caller?.fence;
    this.observer = exchange.observer;
    this.dryRun = dryRun;
    this.fieldValidation = fieldValidation;
    this.fieldManager = fieldManager;
    this.#exchange = exchange;
  }

  get access(): AccessControl {
    return accessControl(this.#exchange.environment);
  }
  get signal(): AbortSignal {
    return this.#exchange.deadline.signal;
  }
  warn(text: string): void {
    this.#exchange.warnings.add(text);
  }
  annotate(key: string, value: string, level?: 'Request'): void {
    // Admission webhooks choose some of these keys, so a key that is not a qualified name with a prefix is dropped.
    if (!key.includes('/') || qualifiedName(key).length > 0) return;
    if (level === undefined || this.#exchange.audit?.keeps(level)) annotate(this.#exchange, key, value);
    else this.#exchange.observer?.annotated(key, value);
  }
  trackAbandoned(work: Promise<unknown>): void {
    const { environment, request } = this.#exchange;
    if (request.signal?.aborted !== true) environment.meter?.trackAbandoned('rest-handler', work);
  }
  waited(milliseconds: number): void {
    this.#exchange.waited += milliseconds;
  }
  remaining(): number {
    const { deadline, environment } = this.#exchange;
    return deadline.began + deadline.limit - reading(environment.host.clock);
  }
  requireVerb(verb: string): Promise<void> {
    const { environment, info, observer } = this.#exchange;
    return requireAuthorization(environment, { ...attributesOf(this.user, info), verb }, observer);
  }
}

/** Returns the server's authentication and authorization, as kinds such as TokenReview use it. */
function accessControl({ authenticator, authorizer, accountTokens, host }: RequestEnvironment): AccessControl {
  const withoutToken = async (): Promise<AuthenticationResult> =>
    host.dialect.rulings.tokenReviewOfBlanks === 'nobody'
      ? skipped
      : await authenticator.authenticate({ headers: NO_HEADERS });
  return {
    authorize: (attributes) => authorizer.authorize(attributes),
    rulesFor: async (user, namespace) => (await authorizer.rulesFor?.(user, namespace)) ?? NO_RULES,
    async authenticateToken(token, audiences) {
      const requestedAudiences = audiences.length > 0 ? audiences : accountTokens.apiAudiences;
      // The token is parsed as if from a header, as upstream does: surrounding blanks are not part of a token, and blanks alone are not a
      // token.
      const read = readBearerToken(`Bearer ${token}`);
      const result =
        read === '' ? await withoutToken() : await authenticator.authenticateToken(read, requestedAudiences);
      // If the authenticator returns no audiences, the token is valid for all requested audiences.
      return result.outcome !== 'authenticated' || result.audiences
        ? result
        : { ...result, audiences: requestedAudiences };
    },
  };
}

const NO_HEADERS: RequestHeaders = { get: () => undefined, all: () => [], names: () => [] };
