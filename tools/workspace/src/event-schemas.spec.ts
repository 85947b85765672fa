import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type EventResource, eventStreams } from '@xs2a/contracts/event-streams';
import { upcastData } from '@xs2a/events/event-types';
import { resources } from '@xs2a/resources/resources';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsReadme, publishedTypes, schemaFile } from './event-schemas.js';
import { readText, repositoryFiles, root } from './sources.js';
import { firstTypes, nextTypes } from './testing/example-events.js';

const types = publishedTypes();
const documented = (file: string): string => readFileSync(join(root, 'docs/events', file), 'utf8');

const validFormats = { date: true, 'date-time': true, uuid: true } as const;

describe('event schemas (architecture, Event store 7)', () => {
  it.each(types.map((type): [string, (typeof types)[number]] => [schemaFile(type), type]))(
    '%s matches its type (npm run events:schemas)',
    (file, { schema }) => {
      expect(JSON.parse(documented(file))).toEqual(JSON.parse(JSON.stringify(schema)));
    },
  );

  it('include every event type of every kind of stream', () => {
    const described = (resource: EventResource): string[] =>
      types.filter((type) => type.resource === resource).map(({ type }) => type);
    for (const resource of Object.keys(eventStreams) as EventResource[])
      expect(described(resource).sort()).toEqual(Object.keys(resources[resource].types).sort());
  });

  it.each(['libs/resources/src/resources.ts', 'libs/domain/src/folded-states.spec.ts'])(
    'belong to event types that %s contains, for every kind of stream',
    (file) => {
      const registries = repositoryFiles()
        .filter((name) => /^libs\/domain\/src\/.*-event-types\.ts$/.test(name))
        .flatMap((name) => /export const (\w+EventTypes)\b/.exec(readText(name))?.slice(1) ?? []);
      expect(registries.length).toBeGreaterThan(2);
      const text = readText(file);
      expect(registries.filter((name) => !text.includes(name))).toEqual([]);
    },
  );

  it('include every version ever published', () => {
    const all = types.flatMap((type) =>
      Array.from({ length: type.schemaVersion }, (_, index) =>
        schemaFile({ ...type, schemaVersion: index + 1 }),
      ),
    );
    expect(all.filter((file) => !existsSync(join(root, 'docs/events', file)))).toEqual([]);
  });

  it('are all listed in the README', () => {
    expect(documented('README.md')).toBe(eventsReadme(types));
  });

  it('are valid against draft 2020-12', () => {
    const ajv = new Ajv2020({ strict: true, formats: validFormats });
    for (const { schema } of types) expect(() => ajv.compile(schema)).not.toThrow();
  });
});

describe('the schemas of an event type with a new version', () => {
  const example = (union: string, eventTypes: typeof firstTypes): ReturnType<typeof publishedTypes> =>
    publishedTypes({
      payments: [{ file: 'tools/workspace/src/testing/example-events.ts', union, types: eventTypes }],
      consents: [],
    });
  const [first, next] = [...example('FirstEvent', firstTypes), ...example('NextEvent', nextTypes)];
  const published = (schemaversion: number, data: unknown): object => ({
    specversion: '1.0',
    id: '0193a5c8-0000-7000-8000-000000000001',
    source: '/xs2a/payments',
    type: 'xs2a.payments.paid',
    subject: '0193a5c8-0000-7000-8000-000000000002',
    time: '2026-11-20T10:00:00.000Z',
    datacontenttype: 'application/json',
    sequence: 1,
    pos: 1,
    schemaversion,
    actor: 'tester',
    data,
  });

  it('have a separate file each, and accept only events of their own version', () => {
    const files = [first, next].map((type) => type && schemaFile(type));
    expect(files).toEqual(['payments.paid.v1.json', 'payments.paid.v2.json']);
    const stored = { amount: '12.50' };
    const upcast = upcastData(nextTypes, { type: 'paid', schemaVersion: 1, data: stored });
    const ajv = new Ajv2020({ strict: true, formats: validFormats });
    const taken = [published(1, stored), published(2, upcast), published(2, stored)].map((event) =>
      [first, next].map((type) => ajv.validate(type?.schema ?? false, event)),
    );
    expect(taken).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });
});
