import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsReadme, publishedTypes, schemaFile } from './event-schemas.js';
import { root } from './sources.js';

const types = publishedTypes();
const documented = (file: string): string => readFileSync(join(root, 'docs/events', file), 'utf8');

describe('event schemas (architecture, Event store 7)', () => {
  it.each(types.map((type): [string, (typeof types)[number]] => [schemaFile(type), type]))(
    '%s says what the type says; if not: npm run events:schemas',
    (file, { schema }) => {
      expect(JSON.parse(documented(file))).toEqual(JSON.parse(JSON.stringify(schema)));
    },
  );

  it('keeps the schema of every version that was ever published', () => {
    const all = types.flatMap((type) =>
      Array.from({ length: type.schemaVersion }, (_, index) =>
        schemaFile({ ...type, schemaVersion: index + 1 }),
      ),
    );
    expect(all.filter((file) => !existsSync(join(root, 'docs/events', file)))).toEqual([]);
  });

  it('lists every type in the README', () => {
    expect(documented('README.md')).toBe(eventsReadme(types));
  });

  it('makes valid schemas of draft 2020-12', () => {
    const ajv = new Ajv2020({ strict: true, formats: { date: true, 'date-time': true, uuid: true } });
    for (const { schema } of types) expect(() => ajv.compile(schema)).not.toThrow();
  });
});
