import { expect, it } from 'vitest';
import { coreV1 } from '../../src/resources/core/core-v1.js';
import {
  int64,
  list,
  map,
  omitEmpty,
  omitNull,
  quantity,
  required,
  string,
  struct,
  structSchema,
  time,
} from '../../src/schema/authoring.js';
import { decodeTyped } from '../../src/schema/decode.js';
import { metaV1 } from '../../src/schema/meta-v1.js';
import { printGoSyntax } from '../../src/schema/print-go-syntax.js';

const podTemplateSpec = coreV1.struct('PodTemplateSpec');
const resourceList = map(quantity(), { typeName: 'v1.ResourceList' });
const labelSelector = metaV1.struct('LabelSelector');

const inner = struct('io.k8s.api.core.v1.Inner', '', () => ({ ipBlock: required(string(), 1) }));
const outer = struct('io.k8s.api.core.v1.Outer', '', () => ({
  apiVersion: required(string(), 1),
  seconds: omitNull(int64(), 2),
  inner: omitNull(inner, 3),
  names: omitEmpty(list(string({ typeName: 'v1.NodeName' })), 4),
  labels: omitEmpty(map(string()), 5),
  size: required(quantity(), 6),
}));

it('prints structs, pointers, lists and maps with the types of their group', () => {
  const size =
    'resource.Quantity{i:resource.int64Amount{value:500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"500m", Format:"DecimalSI"}';
  expect(
    printGoSyntax(outer, { apiVersion: 'v1', seconds: 5, names: ['a'], labels: { b: '1', a: '2' }, size: '500m' }),
  ).toBe(
    'core.Outer{APIVersion:"v1", Seconds:(*int64)(0xc000000000), Inner:(*core.Inner)(nil), ' +
      `Names:[]core.NodeName{"a"}, Labels:map[string]string{"a":"2", "b":"1"}, Size:${size}}`,
  );
  expect(printGoSyntax(inner, { ipBlock: 'x' })).toBe('core.Inner{IPBlock:"x"}');
  expect(printGoSyntax(list(string({ typeName: 'v1.Mode' })), ['a'], 'storage')).toBe('[]storage.Mode{"a"}');
  expect(printGoSyntax(list(string()), undefined)).toBe('[]string(nil)');
});

it('prints an empty list or map that was given, though the final form omits it', () => {
  const schema = struct('io.k8s.api.core.v1.Holder', 'Holds.', () => ({
    names: omitEmpty(list(string()), 1, 'Names.'),
    labels: omitEmpty(map(string()), 2, 'Labels.'),
  }));
  const print = (value: object) => printGoSyntax(schema, decodeTyped(structSchema(schema), value).value);
  expect(print({})).toBe('core.Holder{Names:[]string(nil), Labels:map[string]string(nil)}');
  expect(print({ names: [], labels: {} })).toBe('core.Holder{Names:[]string{}, Labels:map[string]string{}}');
});

it('shared types have their version, quantities belong to pods everywhere, and times print themselves', () => {
  const holder = struct('io.k8s.api.policy.v1.Holder', 'Holds.', () => ({
    selector: omitNull(labelSelector, 1, 'Selects.'),
    selectors: omitEmpty(list(labelSelector), 2, 'Select.'),
    hard: omitEmpty(resourceList, 3, 'Amounts.'),
    begun: required(time(), 4, 'When it began.'),
    ended: omitNull(time(), 5, 'When it ended.'),
  }));
  expect(printGoSyntax(holder, { selectors: [{ matchLabels: { a: 'b' } }], ended: '2024-02-03T04:05:06Z' })).toBe(
    'policy.Holder{Selector:(*v1.LabelSelector)(nil), Selectors:[]v1.LabelSelector{v1.LabelSelector{' +
      'MatchLabels:map[string]string{"a":"b"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}}, ' +
      'Hard:core.ResourceList(nil), Begun:time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC), ' +
      'Ended:time.Date(2024, time.February, 3, 4, 5, 6, 0, time.Local)}',
  );
});

/** Fields that are present and empty, by their types. */
const nothing = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, type]) => `${name}:${type.startsWith('*') ? `(${type})` : type}(nil)`)
    .join(', ');

it('a pod template is printed as upstream stores it', () => {
  const spec = {
    hostNetwork: true,
    serviceAccount: 'a',
    serviceAccountName: 'a',
    volumes: [{ name: 'v', hostPath: {} }],
  };
  const printed = printGoSyntax(podTemplateSpec, { metadata: { name: 't' }, spec });
  expect(printed).toContain('core.PodTemplateSpec{ObjectMeta:v1.ObjectMeta{Name:"t", GenerateName:"", ');
  expect(printed).toContain(
    `Volumes:[]core.Volume{core.Volume{Name:"v", VolumeSource:core.VolumeSource{HostPath:(*core.HostPathVolumeSource)(0xc000000000), ${nothing(
      {
        EmptyDir: '*core.EmptyDirVolumeSource',
        GCEPersistentDisk: '*core.GCEPersistentDiskVolumeSource',
        AWSElasticBlockStore: '*core.AWSElasticBlockStoreVolumeSource',
        GitRepo: '*core.GitRepoVolumeSource',
        Secret: '*core.SecretVolumeSource',
        NFS: '*core.NFSVolumeSource',
        ISCSI: '*core.ISCSIVolumeSource',
        Glusterfs: '*core.GlusterfsVolumeSource',
        PersistentVolumeClaim: '*core.PersistentVolumeClaimVolumeSource',
        RBD: '*core.RBDVolumeSource',
        Quobyte: '*core.QuobyteVolumeSource',
        FlexVolume: '*core.FlexVolumeSource',
        Cinder: '*core.CinderVolumeSource',
        CephFS: '*core.CephFSVolumeSource',
        Flocker: '*core.FlockerVolumeSource',
        DownwardAPI: '*core.DownwardAPIVolumeSource',
        FC: '*core.FCVolumeSource',
        AzureFile: '*core.AzureFileVolumeSource',
        ConfigMap: '*core.ConfigMapVolumeSource',
        VsphereVolume: '*core.VsphereVirtualDiskVolumeSource',
        AzureDisk: '*core.AzureDiskVolumeSource',
        PhotonPersistentDisk: '*core.PhotonPersistentDiskVolumeSource',
        Projected: '*core.ProjectedVolumeSource',
        PortworxVolume: '*core.PortworxVolumeSource',
        ScaleIO: '*core.ScaleIOVolumeSource',
        StorageOS: '*core.StorageOSVolumeSource',
        CSI: '*core.CSIVolumeSource',
        Ephemeral: '*core.EphemeralVolumeSource',
        Image: '*core.ImageVolumeSource',
      },
    )}}}}, InitContainers:[]core.Container(nil), `,
  );
  expect(printed).toContain(
    'ServiceAccountName:"a", AutomountServiceAccountToken:(*bool)(nil), NodeName:"", SecurityContext:(*core.PodSecurityContext)(nil), ' +
      'ImagePullSecrets:[]core.LocalObjectReference(nil), Hostname:"", Subdomain:"", SetHostnameAsFQDN:(*bool)(nil), ' +
      'Affinity:(*core.Affinity)(nil), SchedulerName:"", Tolerations:[]core.Toleration(nil), HostAliases:[]core.HostAlias(nil), ' +
      `PriorityClassName:"", ${nothing({
        Priority: '*int32',
        PreemptionPolicy: '*core.PreemptionPolicy',
        DNSConfig: '*core.PodDNSConfig',
        ReadinessGates: '[]core.PodReadinessGate',
        RuntimeClassName: '*string',
        Overhead: 'core.ResourceList',
        EnableServiceLinks: '*bool',
        TopologySpreadConstraints: '[]core.TopologySpreadConstraint',
        OS: '*core.PodOS',
        SchedulingGates: '[]core.PodSchedulingGate',
        ResourceClaims: '[]core.PodResourceClaim',
      })}}}`,
  );
});

it('of very many items, only the first are printed', () => {
  const printed = printGoSyntax(podTemplateSpec, { spec: { volumes: Array.from({ length: 100_000 }, () => ({})) } });
  expect(printed.match(/core\.Volume\{Name/g)).toHaveLength(1000);
  expect(printed).toContain('}, ...}, InitContainers:');
});
