import { describe, expect, it } from 'vitest';
import { loadContext } from '../../src/kubeconfig/load-kubeconfig.js';
import { FakeMachine } from './fake-machine.js';

const one = `
clusters: [{name: c, cluster: {server: 'https://one', certificate-authority: ca.crt}}]
users: [{name: u, user: {tokenFile: token}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
`;
const two = `
current-context: x
clusters: [{name: c, cluster: {server: 'https://two'}}, {name: d, cluster: {server: 'https://d'}}]
users: [{name: v, user: {exec: {command: bin/plugin, apiVersion: a/v1, interactiveMode: Never}}}]
contexts: [{name: y, context: {cluster: d, user: v, namespace: n}}]
`;
const machineWith = (files: Record<string, string>, kubeconfig?: string) => {
  const machine = new FakeMachine({ '/a/ca.crt': 'CA', '/a/token': 'secret\n', ...files });
  machine.environment = { KUBECONFIG: kubeconfig };
  return () => machine;
};

describe('the default kubeconfig of the machine', () => {
  it('merges the files in KUBECONFIG: the first file that sets a value decides, and missing files are ignored', async () => {
    const machine = machineWith({ '/a/one': one, '/b/two': two }, '/a/one::/b/two:/nowhere');
    expect(await loadContext({}, machine)).toMatchObject({
      context: 'x',
      server: 'https://one',
      certificateAuthority: 'CA',
      credentials: { token: 'secret', tokenFile: '/a/token' },
    });
    expect(await loadContext({ context: 'y' }, machine)).toMatchObject({
      server: 'https://d',
      namespace: 'n',
      credentials: { exec: { command: '/b/bin/plugin' } },
    });
  });

  it('is ~/.kube/config without KUBECONFIG', async () => {
    const text =
      'current-context: x\nclusters: [{name: c, cluster: {server: s}}]\ncontexts: [{name: x, context: {cluster: c}}]';
    expect(await loadContext({}, machineWith({ '/home/jane/.kube/config': text }))).toMatchObject({ server: 's' });
    await expect(loadContext({}, machineWith({}))).rejects.toThrow('no kubeconfig was found: /home/jane/.kube/config');
  });

  it('can be given by paths, each of which must exist', async () => {
    const machine = machineWith({ '/b/two': two }, '/a/one');
    expect(await loadContext({ files: ['/b/two'], context: 'y' }, machine)).toMatchObject({ cluster: 'd' });
    await expect(loadContext({ files: ['/b/two', '/x'] }, machine)).rejects.toThrow('the kubeconfig /x cannot be read');
  });

  it('names the file that is invalid', async () => {
    const twice = `${two.replace('name: d', 'name: c')}`;
    await expect(loadContext({ files: ['/t'] }, machineWith({ '/t': twice }))).rejects.toThrow(
      '/t: the kubeconfig has the cluster "c" twice',
    );
    await expect(loadContext({ files: ['/t'] }, machineWith({ '/t': '[' }))).rejects.toThrow(
      '/t: the kubeconfig is not valid YAML',
    );
    await expect(loadContext({ files: ['/t'] }, machineWith({ '/t': '3' }))).rejects.toThrow(
      '/t: the kubeconfig is not an object',
    );
  });
});
