import { startPostgres, type PostgresServer } from '@xs2a/local-servers/postgres-server';
import { binaryArray, type ElementType, InvalidElement } from '@xs2a/postgres/binary-array';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-binary-'));
let server: PostgresServer;
let client: Client;
beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  client = new Client({ connectionString: server.url() });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const samples: Readonly<Record<ElementType, readonly unknown[]>> = {
  text: ['', 'Мария "Петрова" \\ {a,b}', null, '𝄞'],
  json: ['{"b":1,"a":"Фактура \\"1\\""}', null, '[]'],
  jsonb: ['{"b":1,"a":"Фактура \\"1\\""}', null, '[]'],
  uuid: ['0193a5c8-7b1c-7f3e-8a9d-0123456789ab', null, 'FFFFFFFF-ffff-4fff-bfff-ffffffffffff'],
  int: [0, -1, 2_147_483_647, null],
  bigint: [0, -1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null],
  boolean: [true, false, null],
  bytea: [Buffer.alloc(0), Buffer.from([0, 255, 92]), null],
  timestamptz: [
    '2026-11-20T12:34:56.789Z',
    '1999-12-31T23:59:59.999Z',
    null,
    '2026-03-29T03:00:00+03:00',
    '9999-12-31T23:59:59.999Z',
  ],
  date: ['2026-02-28', '1999-12-31', '2000-01-01', null],
};

describe('arrays in binary format (architecture, Event store 1)', () => {
  test.each(Object.entries(samples) as [ElementType, readonly unknown[]][])(
    'arrive with the same values as in the driver’s own encoding: %s',
    async (type, values) => {
      const { rows } = await client.query<{ same: boolean; count: number }>(
        `SELECT $1::${type}[]::text = $2::${type}[]::text AS same, cardinality($1::${type}[]) AS count`,
        [binaryArray(type, values), values],
      );
      expect(rows).toEqual([{ same: true, count: values.length }]);
    },
  );

  test('can contain JSON as the bytes of its text', async () => {
    const texts = ['{"a":"Фактура"}', '[]'];
    const { rows } = await client.query<{ texts: string[] }>(
      'SELECT array_agg(t::text) texts FROM unnest($1::json[]) t',
      [
        binaryArray(
          'json',
          texts.map((text) => Buffer.from(text)),
        ),
      ],
    );
    expect(rows).toEqual([{ texts }]);
  });

  test('can be empty', async () => {
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM unnest($1::uuid[])', [
      binaryArray('uuid', []),
    ]);
    expect(rows).toEqual([{ count: 0 }]);
  });

  test.each([
    ['uuid', 'no-uuid'],
    ['uuid', `${'0'.repeat(31)}g`],
    ['uuid', '0193a5c8-7b1c-7f3e-8a9d-0123456789ag'],
    ['uuid', '0193a5c87-b1c-7f3e-8a9d-0123456789ab'],
    ['int', 1.5],
    ['bigint', 2 ** 60],
    ['timestamptz', 'yesterday'],
    ['bytea', 'text'],
    ['json', { not: 'text' }],
  ] as [ElementType, unknown][])(
    'are rejected before anything is sent if a value is not a valid %s',
    (type, value) => {
      expect(() => binaryArray(type, [value])).toThrow(InvalidElement);
    },
  );
});
