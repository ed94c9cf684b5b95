/** A config map whose JSON, as it is stored, has about 1 KB. */
export function configMap(name, namespace = 'default', seed = 0) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { app: 'bench', shard: String(seed % 16) } },
    data: { a: letters(seed, 220), b: letters(seed + 1, 220) },
  };
}

/** Text that is not the same for two seeds; in one piece, as text that came by network is. */
export function letters(seed, length) {
  const out = [`${seed}-`];
  let left = length - out[0].length;
  for (let state = seed * 2654435761 + 1; left > 0; left--) {
    out.push(String.fromCharCode(97 + (state % 26)));
    state = (state * 1103515245 + 12345) % 2147483648;
  }
  return out.join('');
}
