import { type GoldenStep, goldenSteps, sharedUrl } from '../support/shared-data.js';

/** A request of a case file, with the answer that was recorded for it. */
export interface RecordedRequest {
  readonly title: string;
  readonly path: string;
  readonly body: Uint8Array;
  readonly options: {
    readonly accept?: string;
    readonly type?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly answer: GoldenStep | undefined;
}

/** Runs a case file against nothing, to learn what it sends. */
export async function recordedRequests(name: string): Promise<readonly RecordedRequest[]> {
  const answers = new Map(goldenSteps(name).map((step) => [step.step, step]));
  const requests: RecordedRequest[] = [];
  const note = (path: string, body: unknown, options: RecordedRequest['options'] & { title?: string } = {}) => {
    const bytes =
      body instanceof Uint8Array
        ? body
        : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
    const title = options.title ?? '';
    if (title !== '') requests.push({ title, path, body: bytes, options, answer: answers.get(title) });
    return nothing;
  };
  // Cases read responses between their requests; this value replaces any of them.
  const nothing: unknown = new Proxy(() => undefined, {
    get: (_, key) => (key === 'then' ? undefined : key === Symbol.toPrimitive ? () => '' : nothing),
    apply: () => nothing,
  });
  const t = new Proxy(
    {
      ns: async () => '<ns1>',
      quiet: async () => nothing,
      poll: async () => nothing,
      get: async (path: string, options: { title?: string }) => note(path, '', options),
      watch: async (path: string, options: { title?: string }) => note(path, '', options),
      post: async (path: string, body: unknown, options: { title?: string }) => note(path, body, options),
      put: async (path: string, body: unknown, options: { title?: string }) => note(path, body, options),
      req: async (_method: string, path: string, options: { title?: string; body?: unknown }) =>
        note(path, options.body, options),
    },
    { get: (known, key) => Reflect.get(known, key) ?? (async () => nothing) },
  );
  const module = await import(/* @vite-ignore */ sharedUrl(`conformance/cases/${name}.mjs`).href);
  await module.default(t);
  return requests;
}

/** The message of a recorded Status; '' for other answers. */
export function messageOf(step: GoldenStep | undefined): string {
  const body = Array.isArray(step?.body) ? step.body[0] : step?.body;
  return typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : '';
}
