export const COLLECTION = 'configmaps';
const NAMESPACES = ['soak-0', 'soak-1', 'soak-2'];
const COLOURS = ['red', 'green', 'blue'];
const at = (namespace, name = '') => `/api/v1/namespaces/${namespace}/${COLLECTION}${name === '' ? '' : `/${name}`}`;
const body = (name, labels, data) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data });

/** Creates what the writers need. */
export async function prepare(api) {
  for (const name of NAMESPACES) await api.call('POST', '/api/v1/namespaces', { metadata: { name } });
  for (const name of ['put', 'patch', 'apply']) await api.call('POST', at('soak-0'), body(name, {}, { count: '0' }));
}

/** The loops of each kind of writer. They count their writes in `counts`, and report errors in `problems`. */
export const WRITERS = {
  /** Increments a counter by PUT; a conflict means that another writer was faster. */
  async put(api, _, counts) {
    const { value } = await api.call('GET', at('soak-0', 'put'));
    value.data.count = String(Number(value.data.count) + 1);
    const { status } = await api.call('PUT', at('soak-0', 'put'), value);
    if (status === 200) counts.put++;
    else if (status !== 409) throw new Error(`PUT ${status}`);
  },
  /** Increments a counter by a JSON patch that tests the value that was read. */
  async patch(api, _, counts) {
    const { value } = await api.call('GET', at('soak-0', 'patch'));
    const { count } = value.data;
    const operations = [
      { op: 'test', path: '/data/count', value: count },
      { op: 'replace', path: '/data/count', value: String(Number(count) + 1) },
    ];
    const { status } = await api.call('PATCH', at('soak-0', 'patch'), operations, 'application/json-patch+json');
    if (status === 200) counts.patch++;
    else if (status !== 422 && status !== 409) throw new Error(`PATCH ${status}`);
  },
  /** Each writer applies its own field. */
  async apply(api, { number, round }, counts) {
    const own = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'apply' },
      data: { [`of-${number}`]: String(round) },
    };
    const path = `${at('soak-0', 'apply')}?fieldManager=applier-${number}`;
    const { status } = await api.call('PATCH', path, own, 'application/apply-patch+yaml');
    if (status === 200) counts.applied.set(number, round);
    else if (status !== 409) throw new Error(`apply ${status}`);
  },
  /** Creates objects, changes their color and deletes them. */
  async churn(api, { number, round, random }) {
    const namespace = random.pick(NAMESPACES);
    const name = `churn-${number}-${round % 20}`;
    const path = at(namespace, name);
    const { status } = await api.call(
      'POST',
      at(namespace),
      body(name, { colour: random.pick(COLOURS) }, { round: String(round) }),
    );
    if (status === 201) return;
    if (random.often(0.5))
      await api.call(
        'PATCH',
        path,
        { metadata: { labels: { colour: random.pick(COLOURS) } } },
        'application/merge-patch+json',
      );
    else await api.call('DELETE', path);
  },
  /** Deletes an object with a finalizer, which must remain until the finalizer is removed. */
  async finalizers(api, { number, round }, counts) {
    const name = `held-${number}-${round}`;
    const held = body(name, { colour: 'red' }, {});
    held.metadata.finalizers = ['soak.example.com/held'];
    await api.call('POST', at('soak-2'), held);
    await api.call('DELETE', at('soak-2', name));
    const { value } = await api.call('GET', at('soak-2', name));
    if (value.metadata?.deletionTimestamp === undefined) throw new Error('an object with a finalizer went at once');
    await api.call('PATCH', at('soak-2', name), { metadata: { finalizers: null } }, 'application/merge-patch+json');
    const { status } = await api.call('GET', at('soak-2', name));
    if (status !== 404) throw new Error(`an object outlived its finalizer: ${status}`);
    counts.lives++;
  },
  /** Reads the pages of a list, which must have one version and no object twice. */
  async pages(api, _, counts) {
    const keys = new Set();
    let version;
    let token = '';
    do {
      const { status, value } = await api.call(
        'GET',
        `/api/v1/${COLLECTION}?limit=7&continue=${encodeURIComponent(token)}`,
      );
      if (status === 410) return;
      version ??= value.metadata.resourceVersion;
      if (value.metadata.resourceVersion !== version) throw new Error('pages of several versions');
      for (const { metadata } of value.items) {
        const key = `${metadata.namespace}/${metadata.name}`;
        if (keys.has(key)) throw new Error(`${key} twice in one list`);
        keys.add(key);
      }
      token = value.metadata.continue ?? '';
    } while (token !== '');
    const exact = `/api/v1/${COLLECTION}?resourceVersion=${version}&resourceVersionMatch=Exact`;
    const { status, value } = await api.call('GET', exact);
    if (status === 200 && value.items.length !== keys.size)
      throw new Error(`pages have ${keys.size}, the list at ${version} ${value.items.length}`);
    counts.pages++;
  },
  /** Deletes an owner, whose dependents must be deleted afterwards. */
  async owners(api, { number, round }, counts) {
    const owner = await api.call('POST', at('soak-2'), body(`owner-${number}-${round}`, {}, {}));
    const { name, uid } = owner.value.metadata;
    const dependent = body(`${name}-child`, {}, {});
    dependent.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name, uid }];
    await api.call('POST', at('soak-2'), dependent);
    await api.call('DELETE', `${at('soak-2', name)}?propagationPolicy=Background`);
    for (let attempt = 0; attempt < 300; attempt++) {
      const { status } = await api.call('GET', at('soak-2', dependent.metadata.name));
      if (status === 404) {
        counts.collected++;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('a dependent stayed for 30 seconds');
  },
};

/** Checks that the counters match the counted writes. */
export async function judgeCounts(api, counts) {
  const problems = [];
  for (const name of ['put', 'patch']) {
    const { value } = await api.call('GET', at('soak-0', name));
    if (Number(value.data.count) !== counts[name])
      problems.push(`${name}: ${value.data.count}, written ${counts[name]}`);
  }
  const { value } = await api.call('GET', at('soak-0', 'apply'));
  for (const [number, round] of counts.applied)
    if (value.data[`of-${number}`] !== String(round))
      problems.push(`applier ${number}: ${value.data[`of-${number}`]}, applied ${round}`);
  return problems;
}
