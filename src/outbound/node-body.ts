import type { OutboundBody } from '../meta/fetch.js';
import type { NativeRequest } from './native-http.js';

/**
 * Sends a request's body as it arrives, no faster than the connection accepts it. The request fails when the stream fails or has another
 * length than announced, so that no part of the body is taken for the next request.
 * @returns a function that returns whether the whole body was sent
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
      // Empty chunks are skipped, because an empty chunk would end the body. When the buffer is full, sending continues on `drain`.
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
