import { apiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import { statusKind } from '../../requests/answers/transform.js';
import type { ApiResponse, ByteStream } from '../../requests/api-request.js';
import { formats } from '../../serialization/formats.js';
import { type RequestFilter, type RequestTarget, selects } from './request-target.js';

/** How a watch ends: by its timeout, by a lost connection, or because its version is too old. */
export type WatchEnd = 'timeout' | 'lost' | 'expired';

interface OpenWatch {
  readonly target: RequestTarget;
  readonly stream: ByteStream;
  end(how: WatchEnd): void;
}

/** Tracks watches so that a test can end them. */
export class OpenWatches {
  readonly #dialect: Dialect;
  readonly #open = new Set<OpenWatch>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  list(filter: RequestFilter): readonly RequestTarget[] {
    return this.#selected(filter).map(({ target }) => target);
  }

  end(filter: RequestFilter, how: WatchEnd): number {
    const ending = this.#selected(filter);
    for (const watch of ending) watch.end(how);
    return ending.length;
  }

  /** Returns the answer with a stream that can be ended, if it is a watch. */
  add(target: RequestTarget, response: ApiResponse): ApiResponse {
    const { body, headers } = response;
    if (response.status !== 200 || body.type !== 'stream') return response;
    const { stream } = body;
    let ended: WatchEnd | undefined;
    let last: readonly Uint8Array[] = [];
    const watch: OpenWatch = {
      target,
      stream,
      end: (how) => {
        ended = how;
        this.#open.delete(watch);
        if (how === 'expired') last = [this.#expiry(String(headers['Content-Type']))];
        const { onReadable } = stream;
        stream.close();
        onReadable?.();
      },
    };
    this.#open.add(watch);
    const through: ByteStream = {
      take() {
        const chunks = ended === undefined ? stream.take() : last;
        last = [];
        return chunks;
      },
      get onReadable() {
        return stream.onReadable;
      },
      set onReadable(callback) {
        stream.onReadable = callback;
      },
      get ended() {
        return ended === undefined ? stream.ended : last.length === 0;
      },
      get broken() {
        return ended === 'lost' ? 'the connection was lost' : stream.broken;
      },
      hold: () => stream.hold?.() ?? (() => {}),
      close: () => {
        this.#open.delete(watch);
        stream.close();
      },
    };
    return { ...response, body: { ...body, stream: through } };
  }

  /** Watches that ended by themselves are removed first. */
  #selected(filter: RequestFilter): readonly OpenWatch[] {
    for (const watch of this.#open) if (watch.stream.ended) this.#open.delete(watch);
    return [...this.#open].filter(({ target }) => selects(filter, target));
  }

  /** Encodes the event that ends a watch whose version is too old, in the format of its stream. */
  #expiry(contentType: string): Uint8Array {
    const format = formats.find(({ mediaType, stream }) => {
      return stream?.contentType(mediaType(this.#dialect)) === contentType;
    });
    const { status } = apiError.expired('The resourceVersion for the provided watch is too old.');
    const encode = (format ?? formats[0]).stream?.encode;
    if (!encode) throw new TypeError(`no watch is sent as ${contentType}`);
    return encode({ type: 'ERROR', object: status, described: statusKind, shared: false });
  }
}
