import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, type Kubectl, type KubectlCluster, kubectlCluster } from './kubectl.js';

/** The user of a request, its permissions, and granting permissions to others. */
describe.skipIf(!hasKubectl)('kubectl and access (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  let kubectl: Kubectl;

  beforeAll(async () => {
    cluster = await kubectlCluster();
    kubectl = cluster.kubectl;
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  it('prints who the caller is', async () => {
    expect(await kubectl('auth whoami')).toMatch(
      /^ATTRIBUTE +VALUE\nUsername +\S+\nGroups +\[system:masters system:authenticated\]/,
    );
    const jane = await kubectl('auth whoami --as=jane --as-group=devs -o jsonpath={.status.userInfo}');
    expect(JSON.parse(jane)).toEqual({ username: 'jane', groups: ['devs', 'system:authenticated'] });
  });

  it('creates roles and bindings that take effect at once', async () => {
    await expect(kubectl('auth can-i list configmaps --as=jane')).rejects.toThrow('no\n');
    await expect(kubectl('get cm --as=jane')).rejects.toThrow(
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
    expect(await kubectl('create role reader --verb=get,list --resource=configmaps')).toBe(
      'role.rbac.authorization.k8s.io/reader created\n',
    );
    expect(await kubectl('create rolebinding jane-reads --role=reader --user=jane')).toBe(
      'rolebinding.rbac.authorization.k8s.io/jane-reads created\n',
    );
    expect(await kubectl('auth can-i list configmaps --as=jane')).toBe('yes\n');
    await expect(kubectl('auth can-i list configmaps --as=jane -n kube-system')).rejects.toThrow('no\n');
    expect(await kubectl('get cm --as=jane -o name')).toBe('configmap/kube-root-ca.crt\n');
    expect(await kubectl('auth can-i --list --as=jane')).toMatch(/^configmaps +\[\] +\[\] +\[get list\]$/m);

    expect(await kubectl('create clusterrole watcher --verb=watch --resource=secrets')).toContain(
      'clusterrole.rbac.authorization.k8s.io/watcher created',
    );
    expect(
      await kubectl('create clusterrolebinding robots --clusterrole=watcher --serviceaccount=default:robot'),
    ).toContain('robots created');
    expect(await kubectl('auth can-i watch secrets -A --as=system:serviceaccount:default:robot')).toBe('yes\n');
    expect(await kubectl('delete rolebinding jane-reads')).toContain('deleted');
    await expect(kubectl('auth can-i list configmaps --as=jane')).rejects.toThrow('no\n');
  });

  it('reconciles roles', async () => {
    const role = (verbs: readonly string[]) =>
      JSON.stringify({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'kept', namespace: 'default' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs }],
      });
    expect(await kubectl('auth reconcile -f -', role(['get']))).toContain(
      'role.rbac.authorization.k8s.io/kept reconciled',
    );
    await kubectl('auth reconcile -f -', role(['list']));
    // Rules are added, but not removed.
    expect(await kubectl('get role kept -o jsonpath={.rules[*].verbs}')).toBe('["get"] ["list"]');
    await kubectl('auth reconcile --remove-extra-permissions -f -', role(['list']));
    expect(await kubectl('get role kept -o jsonpath={.rules[*].verbs}')).toBe('["list"]');
  });

  it('refuses to grant permissions that the user does not have', async () => {
    await kubectl('create clusterrole role-maker --verb=create --resource=roles');
    await kubectl('create clusterrolebinding mallory --clusterrole=role-maker --user=mallory');
    await expect(kubectl('create role grab --verb=get --resource=secrets --as=mallory')).rejects.toThrow(
      /attempting to grant RBAC permissions not currently held/,
    );
  });
});
