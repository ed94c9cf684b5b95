import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl, type Kubectl, type KubectlCluster, kubectlCluster } from './kubectl.js';

/** Commands of kubectl for workloads: creating them, changing their size and images, and printing them. */
describe.skipIf(!hasKubectl)('kubectl and workloads (skipped where it is not on the PATH)', () => {
  let cluster: KubectlCluster;
  let kubectl: Kubectl;
  const read = async (what: string, path: string) => kubectl(['get', ...what.split(' '), '-o', `jsonpath=${path}`]);

  beforeAll(async () => {
    cluster = await kubectlCluster();
    kubectl = cluster.kubectl;
    await kubectl('create deployment web --image=example.com/web:1 --replicas=2');
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  it('creates a Deployment, scales it and changes its image', async () => {
    expect(await kubectl('scale deployment web --replicas=5 --current-replicas=2')).toBe(
      'deployment.apps/web scaled\n',
    );
    await expect(kubectl('scale deployment web --replicas=7 --current-replicas=2')).rejects.toThrow(
      'Expected replicas to be 2, was 5',
    );
    expect(await kubectl('set image deployment/web web=example.com/web:2')).toBe('deployment.apps/web image updated\n');
    expect(await read('deployment web', '{.spec.replicas} {.spec.template.spec.containers[0].image}')).toBe(
      '5 example.com/web:2',
    );
    const managers = '.metadata.managedFields[?(@.subresource=="scale")].manager';
    expect(await kubectl(['get', 'deploy', 'web', '--show-managed-fields', '-o', `jsonpath={${managers}}`])).toBe(
      'kubectl',
    );
  });

  it('follows a rollout by its status', async () => {
    await kubectl('create deployment rolled --image=example.com/r --replicas=2');
    const status = {
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      conditions: [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }],
    };
    const rolling = kubectl('rollout status deployment/rolled --timeout=20s');
    await kubectl([
      'patch',
      'deployment',
      'rolled',
      '--subresource=status',
      '--type=merge',
      '-p',
      JSON.stringify({ status }),
    ]);
    expect(await rolling).toMatch(/deployment "rolled" successfully rolled out\n$/);
    expect(await kubectl('get deployment rolled --no-headers')).toMatch(/^rolled\s+2\/2\s+2\s+2\s/);
    expect(await kubectl('rollout pause deployment rolled')).toBe('deployment.apps/rolled paused\n');
    expect(await kubectl('rollout restart deployment web')).toBe('deployment.apps/web restarted\n');
  });

  it('creates jobs, also from a cron job', async () => {
    expect(await kubectl('create job once --image=example.com/j -- run it')).toBe('job.batch/once created\n');
    expect(await kubectl(['create', 'cronjob', 'often', '--image=example.com/c', '--schedule=*/5 * * * *'])).toBe(
      'cronjob.batch/often created\n',
    );
    expect(await kubectl('create job now --from=cronjob/often')).toBe('job.batch/now created\n');
    expect(await kubectl('get jobs --no-headers -o wide')).toMatch(/^now\s+Running\s+0\/1\s.*example\.com\/c/);
    expect(await kubectl('get cronjob often --no-headers')).toMatch(/^often\s+\*\/5 \* \* \* \*\s+<none>\s+False\s+0/);
    expect(await read('job once', '{.spec.template.spec.containers[0].command}')).toBe('["run","it"]');
    const selector = await read('job once', '{.spec.selector.matchLabels}');
    expect(selector).toBe(`{"batch.kubernetes.io/controller-uid":"${await read('job once', '{.metadata.uid}')}"}`);
  });

  it('creates an autoscaler', async () => {
    expect(await kubectl('autoscale deployment web --min=2 --max=9 --cpu-percent=70')).toBe(
      'horizontalpodautoscaler.autoscaling/web autoscaled\n',
    );
    expect(await kubectl('get hpa web --no-headers')).toMatch(
      /^web\s+Deployment\/web\s+cpu: <unknown>\/70%\s+2\s+9\s+0/,
    );
    expect(await read('horizontalpodautoscalers.v1.autoscaling web', '{.spec.targetCPUUtilizationPercentage}')).toBe(
      '70',
    );
  });

  it.each([
    ['deployment web', 'Replicas:'],
    ['job once', 'Completion Mode:'],
    ['cronjob often', 'Schedule:'],
    ['hpa web', 'Reference:'],
  ])('describes %s', async (what, line) => expect(await kubectl(`describe ${what}`)).toContain(line));

  it('reports which resources can be scaled', async () => {
    await kubectl('create configmap plain');
    await expect(kubectl('scale configmap plain --replicas=1')).rejects.toThrow('the server could not find');
    expect(await kubectl('explain hpa.spec.metrics.pods.target')).toContain('averageValue');
  });
});
