import { ApiError, apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { GuardedStorage } from '../../registry/guarded-storage.js';
import type { InterceptedRequest, Interference } from '../../requests/interception.js';
import type { RequestInfo } from '../../requests/request-info.js';
import { type Storage, StoreError } from '../../store/storage.js';
import { StorageView } from '../../store/storage-view.js';
import type { FaultAction, FaultStatus } from './fault-spec.js';
import { LaggingStorage } from './lagging-storage.js';
import type { Rule } from './rule.js';

/** The combined effects of the faults that apply to a single request, filled in fault by fault. */
export type CombinedInterference = { -readonly [M in keyof Interference]: Interference[M] };

/** Applies a fault that affects the request itself rather than its watch. */
export function applyRule(rule: Rule, request: InterceptedRequest, done: CombinedInterference): void {
  const { action } = rule.spec;
  const { storage: before = (storage) => storage } = done;
  switch (action.type) {
    case 'answer':
      // The error AlreadyExists contains the name of the object, which a create has only in its body.
      done.error =
        action.status === 409 && request.info.verb === 'create' && request.info.name === ''
          ? (name) => refusal(action, { ...request.info, name })
          : refusal(action, request.info);
      break;
    case 'refuse':
    case 'partition':
      done.refused = true;
      break;
    case 'cut':
    case 'loseAnswer':
      done.cutAfter = Math.min(done.cutAfter ?? Number.POSITIVE_INFINITY, action.type === 'cut' ? action.bytes : 0);
      break;
    case 'stale': {
      const { clock } = request.environment.host;
      const limit = (newest: number) =>
        'versions' in action ? newest - action.versions : Number(action.resourceVersion);
      done.storage = (storage) => {
        rule.fire();
        const lag = {
          // If several such faults apply, each counts from the newest state, so the server lags as far as the largest one says.
          limit: () => (rule.ended ? storage.revision : limit(storage.revision)),
          onCaughtUp: (callback: () => void) => void rule.whenOver.add(callback),
        };
        return new LaggingStorage(before(storage), lag, clock);
      };
      return;
    }
    case 'failStorage':
      done.storage = (storage) =>
        action.how === 'full'
          ? new GuardedStorage(before(storage), () => {
              rule.fire();
              return true;
            })
          : new UnavailableStorage(before(storage), () => rule.fire());
      return;
  }
  rule.fire();
}

/** Returns the error with which a fault responds to a request. The message is upstream's unless the fault has a message. */
function refusal(
  { status: code, message, retryAfter }: Extract<FaultAction, { type: 'answer' }>,
  info: RequestInfo,
): ApiError {
  const { status } = USUAL[code](info);
  const seconds = retryAfter ?? status.details?.retryAfterSeconds;
  return new ApiError({
    ...status,
    ...(message === undefined ? {} : { message }),
    ...(seconds === undefined ? {} : { details: { ...status.details, retryAfterSeconds: seconds } }),
  });
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

const USUAL: Readonly<Record<FaultStatus, (info: RequestInfo) => ApiError>> = {
  401: () => apiError.unauthorized(),
  403: (info) => apiError.forbidden(info, info.name, 'a test forbids it'),
  // Without a name, upstream responds with 404 if it does not serve the resource.
  404: (info) => (info.name === '' ? apiError.noSuchResource() : apiError.notFound(info, info.name)),
  409: (info) =>
    info.verb === 'create' ? apiError.alreadyExists(info, info.name) : apiError.conflict(info, info.name, MODIFIED),
  410: () => apiError.expired('The resourceVersion for the provided list is too old.'),
  429: () => apiError.tooManyRequests('Too many requests, please try again later.', 1),
  500: () => apiError.internal('a test lets the server fail'),
  503: () => apiError.serviceUnavailable('the server is currently unable to handle the request'),
  504: () => apiError.timeout('request did not complete within the allotted timeout'),
};

/**
 * A storage whose backend does not respond: writes and reads of the newest state fail. Reads of resourceVersion 0 and open watches still
 * work, because they are served from memory.
 */
class UnavailableStorage extends StorageView<ApiObject> {
  readonly #fire: () => void;

  /** @param fire called for each failure. */
  constructor(storage: Storage<ApiObject>, fire: () => void) {
    super(storage);
    this.#fire = fire;
  }
  override guaranteedUpdate(): Promise<never> {
    return this.#fail();
  }
  override waitFor(): Promise<void> {
    return this.#fail();
  }

  #fail(): Promise<never> {
    this.#fire();
    return Promise.reject(
      new StoreError('unavailable', 'the storage fails because of a fault that the test has set up'),
    );
  }
}
