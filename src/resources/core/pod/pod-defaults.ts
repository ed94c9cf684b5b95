import type { Dialect } from '../../../meta/dialect.js';
import type { Draft } from '../../../registry/strategy.js';
import { cachedByText } from '../../../values/memoize.js';
import { roundAmounts } from '../../shared/resource-rules.js';
import type { Container, Pod, PodSpec, Volume } from '../core-v1.types.js';
import { allContainers } from './pod-containers.js';

const FILE_MODE = 0o644;
const TOKEN_SECONDS = 3600;

const REGISTRY = /^[A-Za-z0-9]+(?:(?:-+|\.)[A-Za-z0-9]+)*(?::[0-9]+)?$/;
const PATH_PART = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const DIGEST = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const IDENTIFIER = /^[a-f0-9]{64}$/;
/** The maximum length of a repository's path, which does not contain the registry. */
const MAX_PATH = 255;

/**
 * Returns `Always` for an image with the tag `latest` or with neither a tag nor a digest, because its content may change. For all other
 * images and for invalid names it returns `IfNotPresent`. The result is cached, because many pods have the same image.
 */
const pullPolicy = cachedByText((image): 'Always' | 'IfNotPresent' => {
  const [whole = '', digest, ...more] = image.split('@');
  const [, name = whole, tag] = /^(.*):([\w][\w.-]{0,127})$/.exec(whole) ?? [];
  const [registry = '', ...path] = name.split('/');
  const hasRegistry = path.length > 0 && (/[.:A-Z]/.test(registry) || registry === 'localhost');
  // A name without a registry and a slash is in `library/` of the default registry.
  const repository = hasRegistry ? path.join('/') : path.length > 0 ? name : `library/${name}`;
  const isImage =
    repository.length <= MAX_PATH &&
    more.length === 0 &&
    (digest === undefined || DIGEST.test(digest)) &&
    !IDENTIFIER.test(image) &&
    (path.length === 0 ? PATH_PART.test(registry) : REGISTRY.test(registry) || PATH_PART.test(registry)) &&
    path.every((part) => PATH_PART.test(part));
  return isImage && (tag ?? (digest === undefined ? 'latest' : '')) === 'latest' ? 'Always' : 'IfNotPresent';
});

type DraftProbe = NonNullable<Draft<Container>['livenessProbe']>;

function setProbeDefaults(probe: DraftProbe | undefined): void {
  if (!probe) return;
  probe.timeoutSeconds ??= 1;
  probe.periodSeconds ??= 10;
  probe.successThreshold ??= 1;
  probe.failureThreshold ??= 3;
  setHttpDefaults(probe.httpGet);
  if (probe.grpc) probe.grpc.service ??= '';
}

function setHttpDefaults(action: DraftProbe['httpGet']): void {
  if (!action) return;
  action.path ??= '/';
  action.scheme ??= 'HTTP';
}

function setContainerDefaults(container: Draft<Container>): void {
  container.terminationMessagePath ??= '/dev/termination-log';
  container.terminationMessagePolicy ??= 'File';
  container.imagePullPolicy ??= pullPolicy(container.image ?? '');
  roundAmounts(container.resources.limits);
  roundAmounts(container.resources.requests);
  for (const port of container.ports ?? []) port.protocol ??= 'TCP';
  for (const { valueFrom } of container.env ?? []) if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ??= 'v1';
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
    setProbeDefaults(probe);
  setHttpDefaults(container.lifecycle?.postStart?.httpGet);
  setHttpDefaults(container.lifecycle?.preStop?.httpGet);
}

/** Sets absent requests to the limits. This applies to pods, but not to templates. */
function setRequests({ resources }: Draft<Container>): void {
  const { limits, requests } = resources;
  // If no request is missing, nothing is assigned, so that Immer does not copy the container.
  if (Object.keys(limits ?? {}).some((name) => requests?.[name] === undefined))
    resources.requests = { ...limits, ...requests };
}

function setVolumeDefaults(volume: Draft<Volume>): void {
  if (Object.keys(volume).length === 1) volume.emptyDir = {};
  const { secret, configMap, downwardAPI, projected, hostPath, ephemeral, image } = volume;
  for (const source of [secret, configMap, downwardAPI, projected]) if (source) source.defaultMode ??= FILE_MODE;
  if (hostPath) hostPath.type ??= '';
  if (image) image.pullPolicy ??= pullPolicy(image.reference ?? '');
  const template = ephemeral?.volumeClaimTemplate?.spec;
  if (template) {
    template.volumeMode ??= 'Filesystem';
    roundAmounts(template.resources.limits);
    roundAmounts(template.resources.requests);
  }
  for (const { serviceAccountToken, downwardAPI: facts } of projected?.sources ?? []) {
    if (serviceAccountToken) serviceAccountToken.expirationSeconds ??= TOKEN_SECONDS;
    setFieldVersions(facts);
  }
  setFieldVersions(downwardAPI);
  setDiskDefaults(volume);
}

interface DraftDisks {
  iscsi?: { iscsiInterface?: string };
  rbd?: { pool?: string; user?: string; keyring?: string };
  azureDisk?: { cachingMode?: string; fsType?: string; readOnly?: boolean; kind?: string };
  scaleIO?: { storageMode?: string; fsType?: string } | null;
}
/** Sets the defaults of the disk sources that pods and persistent volumes share. */
export function setDiskDefaults({ iscsi, rbd, azureDisk, scaleIO }: DraftDisks): void {
  if (iscsi) iscsi.iscsiInterface ??= 'default';
  if (rbd) {
    rbd.pool ??= 'rbd';
    rbd.user ??= 'admin';
    rbd.keyring ??= '/etc/ceph/keyring';
  }
  if (azureDisk) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= 'Shared';
  }
  if (scaleIO) {
    scaleIO.storageMode ??= 'ThinProvisioned';
    scaleIO.fsType ??= 'xfs';
  }
}

interface Facts {
  items?: { fieldRef?: { apiVersion?: string } }[];
}
function setFieldVersions(facts: Facts | undefined): void {
  for (const { fieldRef } of facts?.items ?? []) if (fieldRef) fieldRef.apiVersion ??= 'v1';
}

/** Sets the defaults of a pod's or a template's spec. */
export function setPodSpecDefaults(spec: Draft<PodSpec>): void {
  spec.restartPolicy ??= 'Always';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.dnsPolicy ??= 'ClusterFirst';
  spec.securityContext ??= {};
  spec.schedulerName ??= 'default-scheduler';
  // `serviceAccount` is the older name of `serviceAccountName`. Both get the same value.
  const account = spec.serviceAccountName ?? spec.serviceAccount;
  if (account !== undefined) {
    spec.serviceAccountName ??= account;
    if (spec.serviceAccount !== account) spec.serviceAccount = account;
  }
  roundAmounts(spec.overhead);
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume);
  for (const container of allContainers(spec)) setContainerDefaults(container);
}

/** Removes the annotations in which early versions declared init containers, because older clients might still interpret them. */
export function dropInitAnnotations(metadata: { annotations?: Record<string, string> }, dialect: Dialect): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  for (const stage of ['alpha', 'beta'])
    for (const what of ['containers', 'container-statuses'])
      delete annotations[`pod.${stage}.${dialect.labelDomain}/init-${what}`];
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
}

/** Sets the defaults of a pod. */
export function setPodDefaults({ metadata, spec, status }: Draft<Pod>, dialect: Dialect): void {
  dropInitAnnotations(metadata, dialect);
  alignAddresses(status);
  setPodSpecDefaults(spec);
  spec.enableServiceLinks ??= true;
  // In a pod, a negative grace period is replaced by one second. A template keeps the negative value.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  for (const container of allContainers(spec)) {
    setRequests(container);
    if (spec.hostNetwork)
      for (const port of container.ports ?? []) if (port.containerPort !== 0) port.hostPort ??= port.containerPort;
  }
}

/** Keeps podIP equal to the first of podIPs. If only podIP is set, it becomes the only item of podIPs. */
function alignAddresses(status: { podIP?: string; podIPs?: { ip: string }[] }): void {
  const first = status.podIPs?.[0]?.ip;
  if (status.podIP !== undefined && status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
  else if (first) status.podIP ??= first;
}
