import { describe, expect, it } from 'vitest';
import { requestsTo } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';

// The names of named Go types in decoding errors.
const server = openSuiteServer();
const { post, remove } = requestsTo(server);

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const conditions = (condition: object) => ({ status: { conditions: [condition] } });
const crd = (schema: object) => ({ spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } });
const props = 'JSONSchemaProps.spec.versions.schema.openAPIV3Schema';
const level = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';
const flow = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';

it.each<[path: string, body: object, field: string, type: string]>([
  [
    `${core}/pods`,
    { spec: { containers: [{ resources: { limits: 5 } }] } },
    'ResourceRequirements.spec.containers.resources.limits',
    'v1.ResourceList',
  ],
  [
    `${core}/pods`,
    { spec: { initContainers: [{ resources: { requests: 5 } }] } },
    'ResourceRequirements.spec.initContainers.resources.requests',
    'v1.ResourceList',
  ],
  [`${core}/pods`, { spec: { overhead: 5 } }, 'PodSpec.spec.overhead', 'v1.ResourceList'],
  [
    `${core}/pods`,
    { status: { containerStatuses: [{ allocatedResources: 5 }] } },
    'ContainerStatus.status.containerStatuses.allocatedResources',
    'v1.ResourceList',
  ],
  [
    `${core}/persistentvolumeclaims`,
    { spec: { resources: { requests: 5 } } },
    'VolumeResourceRequirements.spec.resources.requests',
    'v1.ResourceList',
  ],
  [
    `${core}/persistentvolumeclaims`,
    { status: { allocatedResourceStatuses: 5 } },
    'PersistentVolumeClaimStatus.status.allocatedResourceStatuses',
    'map[v1.ResourceName]v1.ClaimResourceStatus',
  ],
  ['/api/v1/nodes', { status: { capacity: 5 } }, 'NodeStatus.status.capacity', 'v1.ResourceList'],
  [
    '/apis/node.k8s.io/v1/runtimeclasses',
    { overhead: { podFixed: 5 } },
    'Overhead.overhead.podFixed',
    'v1.ResourceList',
  ],
  [
    `${core}/replicationcontrollers`,
    conditions({ type: 5 }),
    'ReplicationControllerCondition.status.conditions.type',
    'v1.ReplicationControllerConditionType',
  ],
  [
    `${apps}/replicasets`,
    conditions({ type: 5 }),
    'ReplicaSetCondition.status.conditions.type',
    'v1.ReplicaSetConditionType',
  ],
  [
    `${apps}/daemonsets`,
    conditions({ status: 5 }),
    'DaemonSetCondition.status.conditions.status',
    'v1.ConditionStatus',
  ],
  [
    `${apps}/statefulsets`,
    conditions({ type: 5 }),
    'StatefulSetCondition.status.conditions.type',
    'v1.StatefulSetConditionType',
  ],
  [
    '/apis/apiregistration.k8s.io/v1/apiservices',
    conditions({ type: 5 }),
    'APIServiceCondition.status.conditions.type',
    'v1.APIServiceConditionType',
  ],
  [level, { spec: { type: 5 } }, 'PriorityLevelConfigurationSpec.spec.type', 'v1.PriorityLevelEnablement'],
  [
    level,
    { spec: { limited: { limitResponse: { type: 5 } } } },
    'LimitResponse.spec.limited.limitResponse.type',
    'v1.LimitResponseType',
  ],
  [
    level,
    conditions({ type: 5 }),
    'PriorityLevelConfigurationCondition.status.conditions.type',
    'v1.PriorityLevelConfigurationConditionType',
  ],
  [
    flow,
    { spec: { distinguisherMethod: { type: 5 } } },
    'FlowDistinguisherMethod.spec.distinguisherMethod.type',
    'v1.FlowDistinguisherMethodType',
  ],
  [flow, { spec: { rules: [{ subjects: [{ kind: 5 }] }] } }, 'Subject.spec.rules.subjects.kind', 'v1.SubjectKind'],
  [flow, conditions({ status: 5 }), 'FlowSchemaCondition.status.conditions.status', 'v1.ConditionStatus'],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    crd({ $schema: 5 }),
    `${props}.$schema`,
    'v1.JSONSchemaURL',
  ],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    crd({ definitions: 5 }),
    `${props}.definitions`,
    'v1.JSONSchemaDefinitions',
  ],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    crd({ dependencies: 5 }),
    `${props}.dependencies`,
    'v1.JSONSchemaDependencies',
  ],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    crd({ 'x-kubernetes-validations': 5 }),
    `${props}.x-kubernetes-validations`,
    'v1.ValidationRules',
  ],
])('%s %j', async (path, body, field, type) => {
  const { status, message } = await post(path, body);
  expect([status, message]).toEqual([
    400,
    expect.stringMatching(
      / in version "v1" cannot be handled as a \w+: json: cannot unmarshal number into Go struct field /,
    ),
  ]);
  expect(message.endsWith(` ${field} of type ${type}`), message).toBe(true);
});

describe('schemas of custom resources with several types', () => {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const send = async (member: object) => {
    const names = { plural: 'things', kind: 'Thing' };
    const openAPIV3Schema = { type: 'object', properties: { a: { type: 'object', ...member } } };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
    const spec = { group: 'example.com', scope: 'Cluster', names, versions };
    const body = { metadata: { name: 'things.example.com' }, spec };
    const { status, message } = await post(`${path}?dryRun=All`, body);
    return [status, message];
  };

  it.each([5, 'x', [], [{}]])('a schema or a boolean cannot be %j', async (value) => {
    for (const name of ['additionalProperties', 'additionalItems'])
      expect(await send({ [name]: value })).toEqual([
        400,
        'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
      ]);
  });

  it.each([5, 'x', true])('schemas of items are absent for %j', async (items) => {
    expect((await send({ items }))[0]).toBe(201);
    const [status, message] = await send({ type: 'array', items });
    expect([status, message]).toEqual([
      422,
      expect.stringContaining('properties[a].items: Required value: must be specified'),
    ]);
  });

  it.each([5, 'x', true])('dependencies are not supported, %j included', async (a) => {
    expect(await send({ dependencies: { a } })).toEqual(await send({ dependencies: { a: ['b'] } }));
  });
});

it.each<[object, string, string]>([
  [{ preconditions: { uid: 5 } }, 'Preconditions.preconditions.uid', 'types.UID'],
  [{ propagationPolicy: 5 }, 'DeleteOptions.propagationPolicy', 'v1.DeletionPropagation'],
])('options of a deletion: %j', async (body, field, type) => {
  const { message } = await remove(`${core}/configmaps/a`, body);
  expect(message).toBe(`json: cannot unmarshal number into Go struct field ${field} of type ${type}`);
});
