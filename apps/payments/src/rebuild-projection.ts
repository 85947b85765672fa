import { resources } from '@xs2a/resources/resources';
import { readProfile } from '@xs2a/runtime/profile-file';
import { recordRebuild } from '@xs2a/event-store/projections/read-model-report';
import { rebuildProjection } from '@xs2a/event-store/projections/rebuild';
import { createPool } from '@xs2a/postgres/pool';
import { migrationConfig, readConfig, text } from '@xs2a/runtime/config';
import { paymentProjections } from './background/projections/payment-projections.js';

// Rebuilds one projection while the service runs: `node dist/rebuild-projection.js NAME`, as the owner of the
// schema. Reports progress as JSON lines. SIGINT or SIGTERM interrupts it; the next run does all months again.
const config = readConfig({ ...migrationConfig, PROFILE_FILE: text() });
const { timeZone } = readProfile(config.PROFILE_FILE);
const projections = paymentProjections(timeZone);
const [name] = process.argv.slice(2);
const projection = projections.find((one) => one.name === name);
const say = (line: unknown): unknown => process.stdout.write(`${JSON.stringify(line)}\n`);

if (projection === undefined) {
  say({ error: `There is no such projection. There are: ${projections.map((one) => one.name).join(', ')}.` });
  process.exitCode = 2;
} else {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () =>
      stopping.abort(new Error(`Interrupted by ${signal}; run it again to complete it.`)),
    );
  }
  const ownerUrl = new URL(config.MIGRATION_DATABASE_URL);
  ownerUrl.searchParams.set('options', '-c search_path=payments');
  const pool = createPool({ url: ownerUrl.href, name: `rebuild-${projection.name}`, max: 4 });
  try {
    const rebuilt = await rebuildProjection({
      pool,
      projection,
      types: resources.payments.types,
      onProgress: (progress) => say({ progress }),
      signal: stopping.signal,
    });
    await recordRebuild(pool, projection.name);
    say({ rebuilt });
  } catch (error) {
    say({ error: error instanceof Error ? error.message : 'It failed.' });
    process.exitCode = 1;
  } finally {
    await pool.end();
  }
}
