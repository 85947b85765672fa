import { describe, expect, it } from '@jest/globals';
import { databaseRoles } from '@xs2a/local-servers/databases';
import { databaseConfig } from '@xs2a/runtime/config';
import { parse } from 'yaml';
import { type ServiceName, servicesWithTables } from '@xs2a/sandbox/services/service-table';
import { type Fields, findObject, readComponent, readObjects } from './component-files.js';

const { spec: cluster } = findObject('cloudnative-pg/cluster.yaml', 'Cluster');
const autoscalers = readObjects('hpa/autoscalers.yaml');
const replicas = 2;
const surge = 1;
/** A stopping instance keeps its connections while it drains, in addition to those of its successor. */
const ending = 1;
/** Connections for operators and migration jobs, and those that PostgreSQL reserves (docs/how-to/upgrade.md). */
const besideServices = 20;

describe('autoscaling (docs/how-to/deploy.md)', () => {
  it('excludes services that have one active instance and standbys', () => {
    const scaled = autoscalers.map(({ metadata }) => metadata.name);
    expect(scaled.filter((name) => ['settlement-worker', 'notifications'].includes(name))).toEqual([]);
    expect(autoscalers.map(({ spec }) => spec['scaleTargetRef']?.['name'])).toEqual(scaled);
  });

  it('starts another instance on a node that already has one if no other node has capacity', () => {
    const { patches } = parse(readComponent('hpa/kustomization.yaml')) as {
      readonly patches: readonly { readonly target: { readonly name: string }; readonly patch: string }[];
    };
    const [one] = patches;
    expect(one?.target.name.split('|')).toEqual(autoscalers.map(({ metadata }) => metadata.name));
    expect(parse(one?.patch ?? '')).toContainEqual({
      op: 'replace',
      path: '/spec/template/spec/topologySpreadConstraints/0/whenUnsatisfiable',
      value: 'ScheduleAnyway',
    });
  });

  it('never needs more connections than PostgreSQL allows, even during a rollout at the maximum number of instances', () => {
    const most = (service: ServiceName): number => {
      const autoscaler = autoscalers.find(({ metadata }) => metadata.name === service);
      return autoscaler === undefined ? replicas : Number(autoscaler.spec['maxReplicas']);
    };
    const instances = servicesWithTables.reduce((sum, service) => sum + most(service) + surge + ending, 0);
    expect(instances).toBe(36);
    const needed = instances * (databaseConfig.DATABASE_POOL.fallback ?? 0) + besideServices;
    expect(needed).toBeGreaterThan(230);
    expect(Number(cluster['postgresql']?.['parameters']?.['max_connections'])).toBeGreaterThanOrEqual(needed);
  });
});

describe('PostgreSQL run by CloudNativePG', () => {
  it('acknowledges no commit before one of two standbys has it (docs/how-to/fail-over.md)', () => {
    expect(cluster['instances']).toBe(3);
    expect(cluster['postgresql']?.['synchronous']).toEqual({
      method: 'any',
      number: 1,
      dataDurability: 'required',
      failoverQuorum: true,
    });
  });

  it('has every role of roles.sql, without inherited privileges, each with a separate password', () => {
    const { roles } = cluster['managed'] as unknown as {
      readonly roles: readonly {
        readonly name: string;
        readonly inherit: boolean;
        readonly passwordSecret: object;
      }[];
    };
    expect(roles.map(({ name }) => name).toSorted()).toEqual([...databaseRoles].toSorted());
    for (const { name, inherit, passwordSecret } of roles) {
      expect([name, inherit]).toEqual([name, false]);
      expect(passwordSecret).toEqual({ name: name.replace('xs2a_', 'postgres-') });
    }
  });

  it('logs no statement and no DETAIL of an error, which may contain names and IBANs', () => {
    // The CSV log that the operator reads contains DETAIL regardless of log_error_verbosity.
    expect(cluster['postgresql']?.['parameters']).toMatchObject({
      log_min_messages: 'log',
      log_min_error_statement: 'panic',
    });
  });

  it('is restored in a drill with the same connection limit and log settings', () => {
    const { shared_buffers: _, ...parameters } = (cluster['postgresql']?.['parameters'] ?? {}) as Fields;
    const drill = findObject('cloudnative-pg/restore-drill/cluster.yaml', 'Cluster').spec;
    expect(drill['postgresql']?.['parameters']).toEqual(parameters);
  });

  it('is PostgreSQL 18.4 or newer, also in a drill', () => {
    const drill = findObject('cloudnative-pg/restore-drill/cluster.yaml', 'Cluster').spec;
    const image = String(cluster['imageName']);
    expect(drill['imageName']).toBe(image);
    expect(readComponent('cloudnative-pg/restore-drill/check.yaml')).toContain(`image: ${image}\n`);
    const [, major, minor] = /postgresql:(\d+)\.(\d+)-/.exec(image) ?? [];
    expect([major, Number(minor) >= 4]).toEqual(['18', true]);
  });

  it('is backed up every night, and its WAL is archived continuously, to the documented store', () => {
    const plugin = 'barman-cloud.cloudnative-pg.io';
    const store = findObject('cloudnative-pg/backup.yaml', 'ObjectStore').metadata.name;
    expect(cluster['plugins']).toEqual([
      { name: plugin, isWALArchiver: true, parameters: { barmanObjectName: store } },
    ]);
    const { spec } = findObject('cloudnative-pg/backup.yaml', 'ScheduledBackup');
    expect(spec).toMatchObject({ method: 'plugin', pluginConfiguration: { name: plugin } });
    // CloudNativePG schedules have six fields: with five, the hour would be read as the minute.
    expect(String(spec['schedule']).split(' ')).toHaveLength(6);
  });
});
