import { expect, it } from 'vitest';
import { eventFrames } from '../../src/http/web-socket/open-web-socket.js';
import { derivedStream } from '../../src/requests/answers/derived-stream.js';
import type { ByteStream } from '../../src/requests/api-request.js';
import { measuredStream } from '../../src/requests/measures/measured-stream.js';

/** A stream that breaks off after its first chunk. */
function brokenStream() {
  const closed: string[] = [];
  const stream: ByteStream = {
    take: () => [new Uint8Array(3)],
    onReadable: undefined,
    ended: true,
    broken: 'cut',
    close: () => void closed.push('closed'),
  };
  return { stream, closed };
}

it.each<[string, (stream: ByteStream) => ByteStream]>([
  ['a measured stream', (stream) => measuredStream(stream, undefined, () => {})],
  ['a stream of frames', (stream) => eventFrames(stream, { lengthBytes: 0 })],
  ['a stream that only passes on', (stream) => derivedStream(stream, { take: () => stream.take() })],
])('%s does not present a broken stream as complete', (_, derive) => {
  const { stream, closed } = brokenStream();
  const derived = derive(stream);
  expect(derived.take().length).toBe(1);
  expect([derived.ended, derived.broken]).toEqual([true, 'cut']);
  const wake = () => {};
  derived.onReadable = wake;
  expect(stream.onReadable).toBe(wake);
  derived.close();
  expect(closed).toEqual(['closed']);
});
