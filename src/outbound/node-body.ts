import type { OutboundBody } from '../meta/fetch.js';
import type { NativeRequest } from './native-http.js';

/**
 * Sends a body as it comes, no faster than the connection takes it. The request fails where the body does, or has another length
 * than was said: nothing of it may be taken for the next request's.
 * @returns whether all of it was sent
 */
export function sendStream(request: NativeRequest, { bytes, length }: OutboundBody): () => boolean {
  const reader = bytes.getReader();
  let open = true;
  let whole = false;
  let count = 0;
  const fail = (error: unknown) => {
    if (open) request.destroy(error instanceof Error ? error : new Error(String(error)));
  };
  const send = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (!open) return;
      if (done) break;
      count += value.length;
      if (length !== undefined && count > length)
        throw new Error(`http: ContentLength=${length} with Body length ${count}`);
      // An empty chunk would end the body. What waits goes on with `drain`.
      if (value.length > 0 && !request.write(value)) return;
    }
    if (length !== undefined && count !== length)
      throw new Error(`http: ContentLength=${length} with Body length ${count}`);
    whole = true;
    request.end();
  };
  const go = () => void send().catch(fail);
  request.on('drain', () => {
    if (open && !whole) go();
  });
  request.on('close', () => {
    open = false;
    reader.cancel().catch(() => {});
  });
  go();
  return () => whole;
}
