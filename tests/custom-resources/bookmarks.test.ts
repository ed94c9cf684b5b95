import { expect, it } from 'vitest';
import { createFakeClock } from '../../src/testing/fake-clock.js';
import { requestsTo, send } from '../support/ask.js';
import { closeAfterTest, openServer } from '../support/servers.js';
import { manifest } from './support.js';

const META = 'application/json;g=meta.k8s.io;v=v1;as=';
const versionAlone = { resourceVersion: expect.any(String) };
const dated = { ...versionAlone, creationTimestamp: null };

// The object of a bookmark of a custom resource contains only a version. In other forms, it gets the required fields of that form.
it.each([
  ['application/json', ({ metadata }: Bookmarked) => metadata, versionAlone],
  [`${META}PartialObjectMetadata`, ({ metadata }: Bookmarked) => metadata, dated],
  [`${META}Table`, ({ rows }: Bookmarked) => rows?.[0]?.object.metadata, dated],
])('a bookmark in the form %s', async (accept, metadataOf, expected) => {
  const clock = createFakeClock();
  const server = closeAfterTest(await openServer({ clock }));
  await requestsTo(server).post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', manifest());
  await server.settle();
  const { status, body } = await send(server, {
    method: 'GET',
    path: '/apis/example.com/v1/things',
    query: 'watch=1&allowWatchBookmarks=true',
    headers: { accept },
  });
  expect(status).toBe(200);
  if (body.type !== 'stream') throw new TypeError('a watch is a stream');
  clock.advance(60_000);
  const event = JSON.parse(new TextDecoder().decode(body.stream.take()[0]));
  expect([event.type, metadataOf(event.object)]).toEqual(['BOOKMARK', expected]);
  body.stream.close();
});

interface Bookmarked {
  readonly metadata?: object;
  readonly rows?: readonly { readonly object: { readonly metadata: object } }[];
}
