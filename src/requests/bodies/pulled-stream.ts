/**
 * Makes a stream that asks for each chunk when its reader wants one and buffers nothing; undefined ends the stream.
 * @param cancel called when its reader leaves
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
