/**
 * A stream of the chunks that are given when one is asked for, until undefined is; it keeps none.
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
