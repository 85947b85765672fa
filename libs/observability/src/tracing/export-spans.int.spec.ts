import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '../logger.js';
import { beginTrace, endSpan, sampleTraces } from './spans.js';
import type { StopTracing } from './export-spans.js';
import { startTracing } from './start-tracing.js';

/** A collector that counts the spans of this test by their name, which its messages contain as plain text. */
let server: Server;
let paths: (string | undefined)[];
let received: number;
let held: ServerResponse[];
let behaviour: number | 'hold';
let stopTracing: StopTracing | undefined;
const lines: { readonly level: string; readonly msg: string; readonly lost?: number }[] = [];
const logger = createLogger('test', 'info', {
  destination: { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
});
const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeEach(async () => {
  [paths, received, held, behaviour] = [[], 0, [], 200];
  lines.length = 0;
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      paths.push(request.url);
      received += Buffer.concat(chunks).toString('latin1').split('span-of-test').length - 1;
      if (behaviour === 'hold') held.push(response);
      else response.writeHead(behaviour).end();
      server.emit('received');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stopTracing = await startTracing(
    'test',
    { OTEL_EXPORTER_OTLP_ENDPOINT: url(), OTEL_TRACES_SAMPLER_ARG: 1 },
    logger,
  );
});
afterEach(() => {
  trace.disable();
  sampleTraces(0);
  server.closeAllConnections();
  server.close();
});

const record = (spans: number): void => {
  for (let span = 0; span < spans; span += 1)
    endSpan(beginTrace({ name: 'span-of-test', kind: 'SERVER', attributes: {} }).span);
};

describe('sending spans to the collector (ADR 76)', () => {
  it('sends the last ones when the service stops', async () => {
    record(3);
    await stopTracing?.();
    expect(received).toBe(3);
    expect(paths).toEqual(['/v1/traces']);
  });

  it('keeps at most 2,048 while the collector does not answer, and drops the others', async () => {
    behaviour = 'hold';
    const arrived = once(server, 'received');
    record(10_000);
    await arrived;
    record(10_000);
    behaviour = 200;
    for (const response of held) response.writeHead(200).end();
    await stopTracing?.();
    // One message of 512 was on its way.
    expect(received).toBe(512 + 2048);
  });

  it('logs once that the collector refuses them, and once that it takes them again', async () => {
    for (const status of [400, 400, 200]) {
      behaviour = status;
      const arrived = once(server, 'received');
      record(512);
      await arrived;
    }
    await stopTracing?.();
    expect(lines.map(({ level, msg, lost }) => [level, msg, lost])).toEqual([
      ['warn', 'the collector did not take the spans', undefined],
      ['info', 'the collector takes spans again', 1024],
    ]);
  });
});
