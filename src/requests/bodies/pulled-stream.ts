/**
 * Returns a stream that calls `next` for each chunk that its reader requests, and buffers nothing. It ends when `next` returns undefined.
 * @param cancel called when the reader cancels the stream
 */
export function pulledStream(
  next: () => Promise<Uint8Array | undefined>,
  cancel: (why: unknown) => void = () => {},
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}
